// What it is worth that a fact holds which chance may take away, as a price on the actions that put
// it at risk. Heuristics that look at the determinisation take it that nothing bad ever happens: a
// table that is destroyed with probability 0.4 whenever something is put on it, and costs 100 to be
// repaired, is never repaired in a plan. With a potential Φ(s) = Σ w(f) over the facts f of the state
// that have one, the costs
//
//   C'(a) = C(a) + what Φ is expected to lose by a, at least
//
// add up, over any run, to its costs plus Φ of its first state minus Φ of its last (potential-based
// shaping; A. Y. Ng, D. Harada and S. Russell, ICML 1999). So if C' is not negative, a lower bound
// for C' that is a sum of landmarks, less Φ(s), plus the least Φ of a goal, is one for C. Landmarks
// that are not met yet never become more along a run, so if giving up costs D, the sum counts up to
// D: min(sum + Φ(goal), D) - Φ(s).
//
// In the example w = 10 makes putting something on the table cost 4 more, and repairing it 10 less;
// whether that pays depends on how much there is to be put down. So potentials are chosen by what
// they do to the estimates of some states that were asked for.
#ifndef CARL_HEURISTICS_FACT_POTENTIALS_H
#define CARL_HEURISTICS_FACT_POTENTIALS_H

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "task/task.h"

namespace carl::heuristics {

class FactPotentials {
 public:
  using State = std::vector<std::uint32_t>;  // the value of each variable
  /// Estimates of these states, by the costs and potentials at hand.
  using Estimate = std::function<std::vector<double>(const std::vector<State>&)>;

  /// `allowed(a)`: the others are never used.
  FactPotentials(const task::Task& task, const std::vector<bool>& allowed);

  /// The facts that may have a potential: those that some action needs and loses in some of its
  /// outcomes, and another action brings back.
  std::size_t size() const { return facts_.size(); }
  /// All potentials are zero then.
  void set_costs(std::span<const double> action_costs);
  /// The most that fact i may have if the others stay what they are.
  double limit(std::size_t i) const;
  /// Not above limit(i).
  void set_potential(std::size_t i, double potential);

  /// C'(a), never negative. Actions that cost nothing still cost nothing.
  const std::vector<double>& costs() const { return costs_; }
  double of_state(std::span<const std::uint32_t> state) const;
  /// The least of any goal state.
  double of_goal() const { return of_goal_; }

  /// A state that an estimate is asked for: some are kept, at equal distances. True when there have
  /// been enough of them to choose for the first time.
  bool see(std::span<const std::uint32_t> state);
  /// Chooses potentials if enough states have been seen.
  void choose(const Estimate& estimate);

 private:
  /// By how much Φ falls at least, in expectation, for each unit of a fact's potential.
  struct Change {
    std::uint32_t action;
    double fall;
  };
  struct PricedFact {
    task::Fact fact;
    std::vector<Change> changes;
    double potential = 0;
  };

  void add(const task::Task& task, const std::vector<bool>& allowed, task::Fact fact);
  void choose(std::size_t i, const Estimate& estimate);

  std::vector<PricedFact> facts_;
  std::vector<std::vector<std::size_t>> goals_;  // which of them each conjunction has
  std::vector<double> action_costs_;
  std::vector<double> costs_;
  double of_goal_ = 0;
  std::vector<State> sample_;
  std::size_t seen_ = 0;
  std::size_t distance_ = 1;  // between states of the sample
};

}  // namespace carl::heuristics

#endif
