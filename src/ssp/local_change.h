// By how much Q-values of a state may have changed against each other since it was last looked at: what
// tells whether its best action may be another one now (J. MacQueen, "A test for suboptimal actions in
// Markovian decision problems", Operations Research 15, 1967). If the values of all successors have
// changed by between a and b, no two Q-values have changed by more than b - a against each other. Where
// something is won far downhill all values above fall alike, so that next to nothing changes there.
//
// States are taken together in small blocks of neighbours in memory: what counts for a block are the
// changes in all blocks that its actions lead to. Where these are many, as in models whose states lead
// anywhere, all states make one block.
#ifndef CARL_SSP_LOCAL_CHANGE_H
#define CARL_SSP_LOCAL_CHANGE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "ssp/graph_names.h"
#include "util/parallel.h"

namespace carl::ssp {

class LocalChange {
 public:
  /// Threads that note changes must not share a block: ranges of states that begin at multiples of this
  /// do not.
  static constexpr std::size_t block_size = 16;

  /// Of values, the least and the largest change.
  struct Range {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void include(double change) { include({change, change}); }
    void include(const Range& other) {
      least = std::min(least, other.least);
      most = std::max(most, other.most);
    }
    double width() const { return std::max(0.0, most - least); }
  };

  explicit LocalChange(const Threads& threads) : threads_(threads) {}

  /// The states of a component from now on, in ascending order. Others never change.
  void take_on(const SearchGraph& graph, std::span<const StateId> states);

  /// The value of the i-th state has changed by this much in the step at hand. Different blocks may be
  /// told at the same time.
  void note(std::size_t i, double change) { changes_[i / block_size].include(change); }
  /// What was noted counts from now on.
  void end_step();

  /// What the i-th state's block may have seen of the step at hand, of changes in the states from `begin`
  /// up to `end` alone: news must be able to go far in one step. To be asked for when a block begins.
  void look_around(std::size_t i, std::size_t begin, std::size_t end, Range& seen) const {
    if (!local_) return seen.include(0);  // whoever asks has seen all there is himself
    seen = {0, 0};
    const std::size_t b = i / block_size;
    for (std::size_t e = first_[b]; e < first_[b + 1]; ++e)
      if (neighbour_[e] >= begin / block_size && neighbour_[e] * block_size < end)
        seen.include(changes_[neighbour_[e]]);
  }

  /// What was before this does not count any more.
  void forget() { std::fill(in_all_.begin(), in_all_.end(), 0.0); }

  /// Of two Q-values of the i-th state against each other, in all steps together, at most.
  double at(std::size_t i) const { return in_all_[i / block_size]; }

 private:
  void find_neighbours(const SearchGraph& graph, std::span<const StateId> states);

  const Threads& threads_;
  std::vector<std::size_t> first_;        // of each block's neighbours
  std::vector<std::uint32_t> neighbour_;  // blocks that its pairs lead to
  std::vector<std::uint8_t> leads_out_;   // per block: does a pair lead to what never changes?
  bool local_ = false;                    // or is everything a neighbour of everything?
  std::vector<Range> changes_;            // per block, in the step at hand
  std::vector<double> in_all_;            // per block
};

}  // namespace carl::ssp

#endif
