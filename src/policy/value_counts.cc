#include "policy/value_counts.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "policy/tolerances.h"

namespace carl::policy {
namespace {

// Of the 52 bits behind the leading one of a double; the ten that are left make 1024 classes
// between a power of two and the next.
constexpr unsigned dropped_bits = 42;

}  // namespace

void ValueCounts::add(double value, std::size_t times) {
  assert(value >= 0);
  counts_[key(value)] += times;
  if (!rounded_ && counts_.size() > most_values) round_all();
}

/// Doubles that are not negative are ordered as their bits are.
std::uint64_t ValueCounts::key(double value) const {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  if (!rounded_) return bits;
  const bool above = bound_ && !within_bound(value, *bound_);
  return (bits >> dropped_bits) * 2 + (above ? 1 : 0);
}

double ValueCounts::value(std::uint64_t key) const {
  if (!rounded_) return std::bit_cast<double>(key);
  const std::uint64_t first = (key / 2) << dropped_bits;
  if (first == 0) return 0;
  const auto middle = std::bit_cast<double>(first + (std::uint64_t{1} << (dropped_bits - 1)));
  if (!bound_) return middle;
  const bool above = key % 2 == 1;
  if (above != within_bound(middle, *bound_)) return middle;
  return above ? std::bit_cast<double>(first + (std::uint64_t{1} << dropped_bits)) : bound_->upper;
}

void ValueCounts::round_all() {
  const Distribution exact = sorted();
  counts_.clear();
  rounded_ = true;
  for (const auto& [value, times] : exact)
    counts_[key(value)] += times;
}

Distribution ValueCounts::sorted() const {
  std::vector<std::pair<std::uint64_t, std::size_t>> entries(counts_.begin(), counts_.end());
  std::sort(entries.begin(), entries.end());
  Distribution result;
  result.reserve(entries.size());
  for (const auto& [key, times] : entries)
    result.emplace_back(value(key), times);
  return result;
}

}  // namespace carl::policy
