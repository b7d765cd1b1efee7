// A priority queue of facts for Dijkstra's algorithm: a radix heap (Ahuja, Mehlhorn, Orlin &
// Tarjan, 1990). What leaves never costs less than what left before, and few costs are different
// from each other, so most facts go in and out without a comparison. Costs that are not negative
// are ordered as their bits are; a fact waits in the bucket of the highest bit in which its cost
// differs from the last one that left.
//
// R. K. Ahuja, K. Mehlhorn, J. B. Orlin and R. E. Tarjan, "Faster algorithms for the shortest path
// problem", Journal of the ACM 37, 1990.
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
  bool empty() const { return waiting_ == 0 && now_.empty(); }

  void clear() {
    for (; waiting_ != 0; waiting_ &= waiting_ - 1)
      buckets_[first_waiting()].clear();
    now_.clear();
    last_ = 0;
  }

  /// `cost` is at least that of the fact that left last.
  void push(double cost, std::uint32_t fact) { insert({std::bit_cast<std::uint64_t>(cost), fact}); }

  /// The cheapest; which of those that cost the same does not matter.
  std::pair<double, std::uint32_t> pop() {
    if (now_.empty()) spread_cheapest_bucket();
    const std::uint32_t fact = now_.back();
    now_.pop_back();
    return {std::bit_cast<double>(last_), fact};
  }

 private:
  struct Entry {
    std::uint64_t cost;
    std::uint32_t fact;
  };

  std::size_t first_waiting() const { return static_cast<std::size_t>(std::countr_zero(waiting_)); }

  void insert(const Entry& entry) {
    if (entry.cost == last_) {
      now_.push_back(entry.fact);
      return;
    }
    const auto bucket = static_cast<std::size_t>(std::bit_width(entry.cost ^ last_)) - 1;
    buckets_[bucket].push_back(entry);
    waiting_ |= std::uint64_t{1} << bucket;
  }

  void spread_cheapest_bucket() {
    const std::size_t first = first_waiting();
    waiting_ &= waiting_ - 1;
    std::vector<Entry>& bucket = buckets_[first];
    last_ = std::min_element(bucket.begin(), bucket.end(), [](const Entry& a, const Entry& b) {
              return a.cost < b.cost;
            })->cost;
    for (const Entry& entry : bucket)
      insert(entry);  // into lower buckets all, or into none
    bucket.clear();
  }

  std::vector<std::uint32_t> now_;              // facts that cost as much as the last
  std::array<std::vector<Entry>, 64> buckets_;  // bucket i: costs that differ from it in bit i
  std::uint64_t waiting_ = 0;                   // bit i: bucket i is not empty
  std::uint64_t last_ = 0;
};

}  // namespace carl::heuristics

#endif
