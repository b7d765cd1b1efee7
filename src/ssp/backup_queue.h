// The states whose backup is due, by their order in the envelope. What a round begins with is sorted
// once; the few that become due on the way are kept in a heap beside it.
#ifndef CARL_SSP_BACKUP_QUEUE_H
#define CARL_SSP_BACKUP_QUEUE_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "ssp/graph_names.h"

namespace carl::ssp {

class BackupQueue {
 public:
  struct Place {
    std::int32_t rank;
    StateId state;
  };

  void clear() {
    waiting_.clear();
    next_ = 0;
    late_.clear();
  }
  bool empty() const { return next_ == waiting_.size() && late_.empty(); }

  /// Before a round.
  void add(std::int32_t rank, StateId s) { waiting_.push_back(key(rank, s)); }
  /// The round begins.
  void sort() {
    waiting_.insert(waiting_.end(), late_.begin(), late_.end());
    late_.clear();
    if (!std::is_sorted(waiting_.begin(), waiting_.end()))
      std::sort(waiting_.begin(), waiting_.end());
  }
  /// During a round.
  void add_late(std::int32_t rank, StateId s) {
    late_.push_back(key(rank, s));
    std::push_heap(late_.begin(), late_.end(), std::greater<>());
  }
  /// The first of those that are left. When none is, all is as it was before a round.
  Place take() {
    const bool late =
        next_ == waiting_.size() || (!late_.empty() && late_.front() < waiting_[next_]);
    std::uint64_t first = 0;
    if (late) {
      std::pop_heap(late_.begin(), late_.end(), std::greater<>());
      first = late_.back();
      late_.pop_back();
    } else {
      first = waiting_[next_++];
    }
    if (empty()) clear();
    return place(first);
  }

  /// Whether `holds(state)` for all of them.
  template <class Holds>
  bool all_of(Holds holds) const {
    const auto each = [&](std::uint64_t key) { return holds(place(key).state); };
    return std::all_of(waiting_.begin() + static_cast<std::ptrdiff_t>(next_), waiting_.end(),
                       each) &&
           std::all_of(late_.begin(), late_.end(), each);
  }

 private:
  // Ranks may be negative; as unsigned numbers they must come in the same order.
  static constexpr std::uint32_t sign = std::uint32_t{1} << 31;
  static std::uint64_t key(std::int32_t rank, StateId s) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(rank) ^ sign) << 32 | s.index();
  }
  static Place place(std::uint64_t key) {
    return {static_cast<std::int32_t>(static_cast<std::uint32_t>(key >> 32) ^ sign),
            StateId(static_cast<std::uint32_t>(key))};
  }

  std::vector<std::uint64_t> waiting_;  // those before next_ have been taken
  std::size_t next_ = 0;
  std::vector<std::uint64_t> late_;
};

}  // namespace carl::ssp

#endif
