// Topological value iteration on what has been expanded: one strongly
// connected component after the other, those nearest the goals first, each until its residual is at
// most ε. States on no cycle take a single backup. States that are not expanded keep their values.
//
// Within a component the states of least value come first: mostly they are what the others lead to.
// Each sweep over all actions is followed by many over the greedy ones alone (modified policy
// iteration), which cost next to nothing. Where vectors must settle, too,
// there are only sweeps over all actions.
//
// Through a large component sweeps carry news one step at a time: there Krylov methods come first (see
// krylov_iteration.h), and sweeps where those fail.
//
// Sweeps approach the values of a policy at the rate at which it leaves the component, which may
// need 10^5 steps. A component where that shows is solved by policy iteration from
// then on: a few sweeps over all actions improve the policy, a sparse factorization gives its exact
// values. Whoever asks for exact values gets all components solved so.
//
// P. Dai and J. Goldsmith, "Topological value iteration algorithm for Markov decision processes",
// IJCAI 2007. M. L. Puterman and M. C. Shin, "Modified policy iteration algorithms for discounted
// Markov decision problems", Management Science 24, 1978. R. A. Howard, "Dynamic Programming and
// Markov Processes", MIT Press, 1960.
#ifndef CARL_SSP_TOPOLOGICAL_ITERATION_H
#define CARL_SSP_TOPOLOGICAL_ITERATION_H

#include <cstdint>
#include <span>
#include <vector>

#include "ssp/consistency.h"
#include "ssp/factorization.h"
#include "ssp/graph_names.h"
#include "ssp/krylov_iteration.h"
#include "ssp/scalarised_ssp.h"

namespace carl::ssp {

/// The equations V(s) = c + Σ p V(s') of the greedy choices in a component, written down in the
/// order of its states so that sweeps run through memory from one end to the other.
class GreedyEquations {
 public:
  /// Sweeps until nothing changes by more than `residual`, or so many times. Returns how many more
  /// would be needed at the rate of the last ones.
  double solve(ScalarisedSsp& ssp, std::span<const StateId> component, double residual,
               int max_sweeps, Monitor& monitor);
  /// Solves them by a factorization, for the scalar values or for vectors. False if that cannot be
  /// done because some choices never leave the component.
  bool solve_exactly(ScalarisedSsp& ssp, std::span<const StateId> component, bool vectors,
                     Monitor& monitor);
  /// Changes the choices of states that never leave the component, so that all of them do.
  void make_proper(ScalarisedSsp& ssp, std::span<const StateId> component);

 private:
  struct Term {
    double probability;
    std::uint32_t position;
  };

  void write_down(const ScalarisedSsp& ssp, std::span<const StateId> component);
  double sweep();
  void solve_vectors(ScalarisedSsp& ssp, std::span<const StateId> component,
                     Factorization& factorization);
  std::vector<bool> leaving_positions() const;

  static constexpr std::uint32_t outside = ~std::uint32_t{0};
  std::vector<std::uint32_t> position_;  // state -> its place in the component at hand
  std::vector<double> value_;
  std::vector<double> constant_;
  std::vector<Term> terms_;
  std::vector<std::size_t> last_term_;  // one past each equation's last
  std::vector<bool> leaves_;            // can the component be left at once?
  std::vector<long double> total_;      // of all probabilities: one, up to rounding
};

class TopologicalIteration {
 public:
  enum class Values { scalars, vectors };

  /// Krylov methods are for components of at least so many states.
  static constexpr std::size_t large_component = 10'000;

  TopologicalIteration(ScalarisedSsp& ssp, Values values,
                       std::size_t least_for_krylov = large_component)
      : ssp_(ssp), values_(values), least_for_krylov_(least_for_krylov), krylov_(ssp) {}

  /// Takes on all states that are expanded and have hope, and gives them values to start from.
  void start(Monitor& monitor);
  /// The same, but starts from the values and choices at hand.
  void resume(Monitor& monitor);
  std::size_t num_components() const { return first_.empty() ? 0 : first_.size() - 1; }
  /// See SspAlgorithm.
  double accepted_loss() const { return accepted_loss_; }

  /// Until the residual is at most ε or, if `exact` and a component is not too large for that,
  /// until the values are those of a policy that no action improves. False if a limit ended it.
  bool solve(const Consistency& consistency, Monitor& monitor);

 private:
  void find_components(const std::vector<StateId>& order);
  void start_from(const std::vector<PairId>& proper_policy, Monitor& monitor);
  void choose_in_order(std::span<const StateId> component);
  bool is_for_krylov(std::size_t c) const;
  bool solve_by_krylov(std::size_t c, const Consistency& consistency, Monitor& monitor);
  bool solve_component(std::size_t c, const Consistency& consistency, Monitor& monitor);
  bool iterate_policies(std::size_t c, Monitor& monitor);
  bool improve(std::span<const StateId> component);
  bool settle_vectors(std::span<const StateId> component, Monitor& monitor);
  bool is_slow(std::size_t c) const;
  void judge_pace(std::size_t c, double sweeps_needed);
  void sort_by_value(std::span<StateId> component) const;
  double sweep(std::span<const StateId> component, bool forward, Monitor& monitor);
  void sweep_values(std::span<const StateId> component, bool forward, Monitor& monitor);
  std::span<StateId> component(std::size_t c) {
    return std::span(states_).subspan(first_[c], first_[c + 1] - first_[c]);
  }

  ScalarisedSsp& ssp_;
  Values values_;
  std::vector<std::size_t> first_;  // of each component's states, with a sentinel
  std::vector<StateId> states_;
  std::vector<std::uint8_t> slow_rounds_;  // per component: of late, in a row
  GreedyEquations equations_;
  std::size_t least_for_krylov_;
  KrylovIteration krylov_;
  double accepted_loss_ = 0;
  std::vector<std::uint8_t> failures_;  // of Krylov methods, per component: in a row
};

}  // namespace carl::ssp

#endif
