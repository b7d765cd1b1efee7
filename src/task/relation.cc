#include "task/relation.h"

#include <algorithm>

namespace carl::task {

void Relation::insert(Tuple row) {
  items_.insert(items_.end(), row.begin(), row.end());
  for (const auto& index : indices_)
    insert_into(*index, size_);
  ++size_;
}

void Relation::insert_into(Index& index, std::uint32_t row_number) {
  key_.clear();
  const Tuple arguments = row(row_number);
  for (std::size_t i = 0; i < std::min(arity_, max_indexed_positions); ++i)
    if ((index.mask >> i & 1) != 0) key_.push_back(arguments[i]);
  const std::uint32_t key = index.keys.intern(key_);
  index.next.push_back(0);
  if (key == index.first.size()) {
    index.first.push_back(row_number);
    index.last.push_back(row_number);
    index.count.push_back(1);
  } else {
    index.next[index.last[key]] = row_number;
    index.last[key] = row_number;
    ++index.count[key];
  }
}

Relation::Index& Relation::index_for(PositionMask mask) {
  for (const auto& index : indices_)
    if (index->mask == mask) return *index;
  indices_.push_back(std::make_unique<Index>());
  Index& index = *indices_.back();
  index.mask = mask;
  for (std::uint32_t i = 0; i < size_; ++i)
    insert_into(index, i);
  return index;
}

Relation::Matches Relation::matches(PositionMask mask, Tuple key) {
  const Index& index = index_for(mask);
  const auto number = index.keys.find(key);
  if (!number) return {};
  return {index.first[*number], index.count[*number], index.next.data()};
}

bool Relation::contains(Tuple row_sought) {
  const std::size_t indexed = std::min(arity_, max_indexed_positions);
  const PositionMask all =
      indexed == max_indexed_positions ? ~PositionMask{0} : (PositionMask{1} << indexed) - 1;
  Matches found = matches(all, row_sought.first(indexed));
  for (std::uint32_t i = found.first; found.count > 0; i = found.next[i], --found.count) {
    const Tuple candidate = row(i);
    if (std::equal(candidate.begin(), candidate.end(), row_sought.begin())) return true;
  }
  return false;
}

}  // namespace carl::task
