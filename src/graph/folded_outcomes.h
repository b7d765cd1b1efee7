// The outcomes of an action when its self-loop is folded (see search_graph.h).
#ifndef CARL_GRAPH_FOLDED_OUTCOMES_H
#define CARL_GRAPH_FOLDED_OUTCOMES_H

#include <cstddef>
#include <span>
#include <vector>

#include "carl/ids.h"
#include "model/transitions.h"

namespace carl::graph {

class FoldedOutcomes {
 public:
  /// Calls keep(successor) for those that are not the state itself, unless there are none but with
  /// rounding noise for a probability: then it returns false.
  template <class Keep>
  bool fold(StateId state, std::span<const StateId> successors,
            std::span<const double> probabilities, Keep keep) {
    double leaving = 0;
    bool loops = false;
    for (std::size_t k = 0; k < successors.size(); ++k) {
      if (successors[k] == state)
        loops = true;
      else
        leaving += probabilities[k];
    }
    if (leaving < least_leaving_probability) return false;
    repeats_ = loops ? 1.0 / leaving : 1.0;
    probabilities_ = probabilities;
    if (loops) {
      leaving_.clear();
      for (std::size_t k = 0; k < successors.size(); ++k) {
        if (successors[k] == state) continue;
        leaving_.push_back(probabilities[k] * repeats_);
        keep(successors[k]);
      }
      probabilities_ = leaving_;
    } else {
      for (const StateId successor : successors)  // mostly one to three
        keep(successor);
    }
    return true;
  }

  /// How often the action is used until it leaves.
  double repeats() const { return repeats_; }
  /// Of those kept. Valid as long as those given, and until the next ones are folded.
  std::span<const double> probabilities() const { return probabilities_; }

 private:
  double repeats_ = 1;
  std::span<const double> probabilities_;
  std::vector<double> leaving_;
};

}  // namespace carl::graph

#endif
