#include "task/tuple_table.h"

#include <algorithm>

namespace carl::task {

std::size_t TupleTable::Hash::operator()(Tuple tuple) const {
  std::uint64_t hash = 0x9E3779B97F4A7C15U + tuple.size();
  for (const std::uint32_t item : tuple) {
    hash = (hash ^ item) * 0xD6E8FEB86659FD93U;
    hash ^= hash >> 32;
  }
  return hash;
}

bool TupleTable::Equal::operator()(Tuple a, Tuple b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

TupleTable::TupleTable()
    : storage_(std::make_unique<Storage>()),
      numbers_(0, Hash{storage_.get()}, Equal{storage_.get()}) {}

std::uint32_t TupleTable::intern(Tuple tuple) {
  if (const auto found = numbers_.find(tuple); found != numbers_.end()) return *found;
  const auto number = static_cast<std::uint32_t>(size());
  storage_->items.insert(storage_->items.end(), tuple.begin(), tuple.end());
  storage_->first.push_back(storage_->items.size());
  numbers_.insert(number);
  return number;
}

std::optional<std::uint32_t> TupleTable::find(Tuple tuple) const {
  const auto found = numbers_.find(tuple);
  return found == numbers_.end() ? std::nullopt : std::optional(*found);
}

}  // namespace carl::task
