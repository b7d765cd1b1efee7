// The costs of the problem in their final order: the primary one, those with bounds, and all other
// ground instances of cost functions. Equal combinations are one cost, whatever their text.
#ifndef CARL_PDDL_COST_TABLE_H
#define CARL_PDDL_COST_TABLE_H

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pddl/linear.h"

namespace carl::pddl {

/// More costs than this are a mistake in the text rather than a problem to solve.
inline constexpr std::size_t max_costs = 10000;

class CostTable {
 public:
  /// Fills in costs, bounds and give_up of `tree`.
  CostTable(SyntaxTree& tree, const Vocabulary& vocabulary)
      : tree_(tree), vocabulary_(vocabulary) {}

  /// The index of a combination, which is added if it is new. It must have non-negative
  /// coefficients and no constant; `text` names it unless it is a cost function by itself.
  std::size_t add(const Linear& linear, std::string text, Position position);
  /// The tightest of several bounds on one cost counts.
  void bound(std::size_t cost, Rational upper, Position position);
  /// Adds every ground instance of every cost function.
  void add_instances();
  /// Sets the penalty of giving up: what each ground cost is increased by, the rest 0. `position`
  /// is where it is written.
  void give_up(const std::map<GroundCost, Rational>& penalties, Position position);

 private:
  std::string name(const GroundCost& cost) const;
  std::string unit_cost_name() const;
  void add_instances_of(FunctionId function);

  SyntaxTree& tree_;
  const Vocabulary& vocabulary_;
  std::map<std::vector<std::pair<GroundCost, Rational>>, std::size_t> index_;
  std::map<std::size_t, std::size_t> bound_of_;  // cost -> index into bounds
};

}  // namespace carl::pddl

#endif
