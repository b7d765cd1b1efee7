// A priority queue of facts for Dijkstra's algorithm: a radix heap (Ahuja, Mehlhorn, Orlin &
// Tarjan, 1990). What leaves never costs less than what left before, and few costs are different
// from each other, so most facts go in and out without a comparison. Costs that are not negative
// are ordered as their bits are; a fact waits in the bucket of the highest bit in which its cost
// differs from the last one that left.
#ifndef CARL_HEURISTICS_COST_QUEUE_H
#define CARL_HEURISTICS_COST_QUEUE_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace carl::heuristics {

class CostQueue {
 public:
  bool empty() const { return waiting_ == 0 && buckets_[0].empty(); }

  void clear() {
    for (; waiting_ != 0; waiting_ &= waiting_ - 1)
      buckets_[first_waiting()].clear();
    buckets_[0].clear();
    last_ = 0;
  }

  /// `cost` is at least that of the fact that left last.
  void push(double cost, std::uint32_t fact) { insert({std::bit_cast<std::uint64_t>(cost), fact}); }

  /// The cheapest; which of those that cost the same does not matter.
  std::pair<double, std::uint32_t> pop() {
    if (buckets_[0].empty()) spread_cheapest_bucket();
    const Entry entry = buckets_[0].back();
    buckets_[0].pop_back();
    return {std::bit_cast<double>(entry.cost), entry.fact};
  }

 private:
  struct Entry {
    std::uint64_t cost;
    std::uint32_t fact;
  };

  /// Bucket 0 has what costs as much as the last; bucket i + 1 differs from it in bit i.
  std::size_t first_waiting() const {
    return static_cast<std::size_t>(std::countr_zero(waiting_)) + 1;
  }

  void insert(const Entry& entry) {
    const auto bucket = static_cast<std::size_t>(std::bit_width(entry.cost ^ last_));
    buckets_[bucket].push_back(entry);
    if (bucket > 0) waiting_ |= std::uint64_t{1} << (bucket - 1);
  }

  void spread_cheapest_bucket() {
    const std::size_t first = first_waiting();
    waiting_ &= waiting_ - 1;
    std::vector<Entry>& bucket = buckets_[first];
    last_ = std::min_element(bucket.begin(), bucket.end(), [](const Entry& a, const Entry& b) {
              return a.cost < b.cost;
            })->cost;
    for (const Entry& entry : bucket)
      insert(entry);  // into lower buckets all
    bucket.clear();
  }

  std::array<std::vector<Entry>, 65> buckets_;
  std::uint64_t waiting_ = 0;  // bit i: bucket i + 1 is not empty
  std::uint64_t last_ = 0;
};

}  // namespace carl::heuristics

#endif
