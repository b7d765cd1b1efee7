// The pairs of one state that may be used, as runs of consecutive ids. What a mask forbids lies
// between runs. Without one there is a single run, and iterating is counting.
#ifndef CARL_GRAPH_PAIR_RANGE_H
#define CARL_GRAPH_PAIR_RANGE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/transitions.h"

namespace carl::graph {

using carl::PairId;

class PairRange {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct End {};

  class Iterator {
   public:
    PairId operator*() const { return PairId(first_); }
    Iterator& operator++() {
      if (++first_ == last_ && (mask_ != nullptr || extra_ != none)) find_run();
      return *this;
    }
    friend bool operator==(const Iterator& i, End) { return i.first_ == i.last_; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.first_ == b.first_; }

   private:
    friend class PairRange;

    struct Run {
      std::uint32_t first;
      std::uint32_t last;
    };

    Iterator(std::uint32_t first, std::uint32_t last) : first_(first), last_(last), stop_(last) {}
    Iterator(std::uint32_t first, std::uint32_t stop, std::uint32_t extra,
             const std::vector<bool>* mask)
        : first_(first), stop_(stop), extra_(extra), mask_(mask) {
      find_run();
    }

    /// The next one from first_ on; an empty one if there is none.
    void find_run() {
      const Run run = next_run(first_, stop_, extra_, mask_);
      first_ = run.first;
      last_ = run.last;
    }
    /// Without side effects, so that loops over pairs can keep in registers what they read.
    [[gnu::pure]] static Run next_run(std::uint32_t from, std::uint32_t stop, std::uint32_t extra,
                                      const std::vector<bool>* mask);

    std::uint32_t first_;  // of the run that is left
    std::uint32_t last_ = 0;
    std::uint32_t stop_;          // where the pairs of the state end
    std::uint32_t extra_ = none;  // one more pair, further on
    const std::vector<bool>* mask_ = nullptr;
  };

  PairRange(std::uint32_t first, std::uint32_t last) : begin_(first, last) {}
  /// `extra` may be none; pairs of which the mask, if there is one, says true are skipped.
  PairRange(std::uint32_t first, std::uint32_t last, std::uint32_t extra,
            const std::vector<bool>* mask)
      : begin_(first, last, extra, mask) {}

  Iterator begin() const { return begin_; }
  End end() const { return {}; }
  bool empty() const { return begin_ == End(); }
  std::size_t size() const {
    if (begin_.mask_ == nullptr && begin_.extra_ == none) return begin_.last_ - begin_.first_;
    std::size_t size = 0;
    for (Iterator i = begin_; !(i == End()); i.find_run()) {
      size += i.last_ - i.first_;
      i.first_ = i.last_;
    }
    return size;
  }

 private:
  Iterator begin_;
};

}  // namespace carl::graph

#endif
