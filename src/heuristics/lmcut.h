// LM-cut on the all-outcomes determinisation: as long as the goal has a
// positive h-max cost, find a disjunctive landmark (a cut between the state and the zone from which
// the goal is free), add the cost of its cheapest operator to the estimate and take it off all its
// operators. Costs are doubles: scalarised costs are fractional, so nothing is rounded to integers,
// and what a subtraction leaves of an operator's cost is kept on the operator, not on its action: of
// its outcomes one happens at a time. Operators that do share a cost are lowered together.
//
// All arrays are reused from call to call, and after each cut the h-max costs are only corrected
// where they fell.
//
// M. Helmert and C. Domshlak, "Landmarks, critical paths and abstractions: What's the difference
// anyway?", ICAPS 2009.
#ifndef CARL_HEURISTICS_LMCUT_H
#define CARL_HEURISTICS_LMCUT_H

#include <memory>

#include "heuristics/hmax.h"

namespace carl::heuristics {

class LmCut final : public Estimator {
 public:
  explicit LmCut(std::shared_ptr<const RelaxedTask> task);

  void set_costs(std::span<const double> action_costs, double give_up_cost) override;
  double estimate(std::span<const std::uint32_t> state, std::vector<ActionUse>& uses) override;
  /// The same if others have taken something off the costs of operators; adds to `uses`.
  double add_cuts(std::span<const std::uint32_t> state, const OperatorCosts& costs,
                  std::vector<ActionUse>& uses);

 private:
  enum class Zone : std::uint8_t { unknown, before, goal };

  void mark_goal_zone();
  void find_cut(std::span<const std::uint32_t> state);
  void enter_before_zone(std::uint32_t fact);
  void add_sharing_operators();
  void remember_hmax(const OperatorCosts& costs);

  std::shared_ptr<const RelaxedTask> task_;
  std::vector<double> action_costs_;
  OperatorCosts costs_;
  std::vector<double> left_;  // what cuts have left of each operator's cost
  HmaxExploration explore_;
  std::vector<Zone> zone_;         // per fact
  std::vector<bool> enters_goal_;  // per operator: does it lead into the goal zone, at a cost?
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint32_t> cut_;
  std::vector<ActionUse> uses_of_hmax_;
  std::vector<bool> taken_;  // per group of operators that share a cost: all are in the cut
};

}  // namespace carl::heuristics

#endif
