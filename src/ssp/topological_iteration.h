// Topological value iteration (Dai & Goldsmith, 2007) on what has been expanded: one strongly
// connected component after the other, those nearest the goals first, each until its residual is at
// most ε. States on no cycle take a single backup. States that are not expanded keep their values.
//
// Within a component the states of least value come first: mostly they are what the others lead to.
// Each sweep over all actions is followed by many over the greedy ones alone (modified policy
// iteration, Puterman & Shin, 1978), which cost next to nothing. Where vectors must settle, too,
// there are only sweeps over all actions.
#ifndef CARL_SSP_TOPOLOGICAL_ITERATION_H
#define CARL_SSP_TOPOLOGICAL_ITERATION_H

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ssp/scalarised_ssp.h"

namespace carl::ssp {

/// The equations V(s) = c + Σ p V(s') of the greedy choices in a component, written down in the
/// order of its states so that sweeps run through memory from one end to the other.
class GreedyEquations {
 public:
  /// Sweeps until nothing changes by more than `residual`, or so many times.
  void solve(ScalarisedSsp& ssp, std::span<const StateId> component, double residual,
             int max_sweeps);

 private:
  struct Term {
    double probability;
    std::uint32_t position;
  };

  void write_down(const ScalarisedSsp& ssp, std::span<const StateId> component);
  double sweep();

  static constexpr std::uint32_t outside = ~std::uint32_t{0};
  std::vector<std::uint32_t> position_;  // state -> its place in the component at hand
  std::vector<double> value_;
  std::vector<double> constant_;
  std::vector<Term> terms_;
  std::vector<std::size_t> last_term_;  // one past each equation's last
};

class TopologicalIteration {
 public:
  enum class Values { scalars, vectors };

  TopologicalIteration(ScalarisedSsp& ssp, Values values) : ssp_(ssp), values_(values) {}

  /// Takes on all states that are expanded and have hope, and gives them values to start from.
  void start();
  std::size_t num_components() const { return first_.empty() ? 0 : first_.size() - 1; }

  /// False if a limit ended it.
  bool solve(double epsilon, Limits& limits, const std::function<void()>& observe);

 private:
  void find_components(const std::vector<StateId>& order);
  void start_from(const std::vector<PairId>& proper_policy);
  bool solve_component(std::span<StateId> component, double epsilon, Limits& limits,
                       const std::function<void()>& observe);
  void sort_by_value(std::span<StateId> component) const;
  double sweep(std::span<const StateId> component, bool forward, Limits& limits);
  std::span<StateId> component(std::size_t c) {
    return std::span(states_).subspan(first_[c], first_[c + 1] - first_[c]);
  }

  ScalarisedSsp& ssp_;
  Values values_;
  std::vector<std::size_t> first_;  // of each component's states, with a sentinel
  std::vector<StateId> states_;
  GreedyEquations equations_;
};

}  // namespace carl::ssp

#endif
