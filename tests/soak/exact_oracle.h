// What a small CSSP's answer is, without rounding and without any code of the solvers: the
// occupation-measure LP over all reachable states in rational numbers, and the questions of
// reachability by plain fixed points. Numbers are those of the model as written: the shortest
// decimals of its doubles, every distribution divided by its sum.
#ifndef CARL_TESTS_SOAK_EXACT_ORACLE_H
#define CARL_TESTS_SOAK_EXACT_ORACLE_H

#include <cstddef>
#include <optional>
#include <vector>

#include "carl/cssp.h"
#include "util/rational.h"

namespace carl::soak {

class ExactOracle {
 public:
  struct Size {
    std::size_t states = 0;
    std::size_t pairs = 0;
  };
  /// An upper bound per cost; none: there is none.
  using Bounds = std::vector<std::optional<Rational>>;

  struct Optimum {
    Rational value;
    std::vector<Rational> costs;        // of one optimal policy
    std::vector<Rational> multipliers;  // one per cost, 0 where there is no bound
    Rational steps;                     // of that policy
  };

  /// Enumerates the reachable states of `cssp`, which must not remove forbidden actions. Stops
  /// early where there are more than `most`; then there are no answers.
  ExactOracle(Cssp& cssp, const Size& most);

  bool complete() const { return complete_; }
  std::size_t num_states() const { return pairs_of_.size(); }
  std::size_t num_costs() const { return num_costs_; }

  /// Some policy reaches a goal with certainty, whatever it costs.
  bool has_proper_policy() const;
  /// Some policy does so without actions that a bound of zero forbids.
  bool has_allowed_policy(const Bounds& bounds) const;
  /// Some policy can go on for ever at no primary cost: such models may be refused.
  bool has_free_loop(const Bounds& bounds) const;
  /// The least weighted cost under the bounds; none if no policy meets them.
  std::optional<Optimum> minimum(const std::vector<Rational>& weights, const Bounds& bounds) const;
  std::optional<Optimum> minimum(std::size_t cost, const Bounds& bounds) const;

 private:
  static constexpr std::size_t goal = static_cast<std::size_t>(-1);
  struct Outcome {
    std::size_t to = goal;
    Rational probability;
  };
  struct Pair {
    std::size_t state = 0;
    std::vector<Rational> cost;
    std::vector<Outcome> outcomes;
  };
  /// A proper policy of every state that has one: its pair, or nothing.
  using Policy = std::vector<std::optional<std::size_t>>;

  void enumerate(Cssp& cssp, const Size& most);
  void add_pair(std::size_t state, std::vector<Rational> cost, std::vector<Outcome> outcomes);
  bool allows(const Pair& pair, const Bounds& bounds) const;
  Policy proper_policy(const Bounds& bounds) const;
  class Program;

  std::size_t num_costs_ = 0;
  bool complete_ = false;
  std::optional<std::size_t> initial_;  // nothing if it is a goal
  std::vector<Pair> pairs_;
  std::vector<std::vector<std::size_t>> pairs_of_;  // by state
};

/// The bounds of a CSSP, each times `factor`.
ExactOracle::Bounds exact_bounds(const Cssp& cssp, const Rational& factor = 1);

}  // namespace carl::soak

#endif
