// The interface of this room. A heuristic is a vector h(s) with one entry per cost whose projection
// weights · h(s) never exceeds the optimal scalarised cost-to-go (it is admissible). Two families:
//
//  - an ideal point bounds every cost by itself, so it holds for all scalarisations and is computed
//    once per state;
//  - a λ-heuristic is computed for the current scalarisation [1 λ]: more informed, but only valid
//    for it. Its vector sums up the costs of the actions that make up the estimate.
#ifndef CARL_HEURISTICS_HEURISTIC_H
#define CARL_HEURISTICS_HEURISTIC_H

#include <cstddef>
#include <cstdint>
#include <span>

#include "carl/ids.h"

namespace carl::heuristics {

class Heuristic {
 public:
  virtual ~Heuristic() = default;

  /// The scalarisation from now on: one weight per cost.
  virtual void set_weights(std::span<const double> weights) = 0;
  /// True if values depend on the weights: then states that have not been expanded are evaluated
  /// again after set_weights().
  virtual bool depends_on_weights() const = 0;
  /// Writes h(s), one entry per cost. Returns false if no goal can be reached from s at all; `out`
  /// is then the penalty for giving up if that is possible, and undefined otherwise.
  virtual bool evaluate(StateId state, std::span<double> out) = 0;
  /// The same for several states, whose entries come one after the other in `out`. Several threads may
  /// share them.
  virtual void evaluate_all(std::span<const StateId> states, std::span<double> out,
                            std::span<std::uint8_t> is_hopeful) {
    const std::size_t stride = out.size() / states.size();
    for (std::size_t i = 0; i < states.size(); ++i)
      is_hopeful[i] = evaluate(states[i], out.subspan(i * stride, stride)) ? 1 : 0;
  }

  std::size_t evaluations() const { return evaluations_; }
  /// About how many instructions an evaluation takes, for whoever counts work.
  virtual std::size_t work_per_evaluation() const { return 0; }
  /// Whether it says 0 of all states: then whoever expands everything need not ask.
  virtual bool is_zero() const { return false; }
  virtual std::size_t lp_solves() const { return 0; }

 protected:
  std::size_t evaluations_ = 0;
};

}  // namespace carl::heuristics

#endif
