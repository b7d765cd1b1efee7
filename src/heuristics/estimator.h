// A scalar estimate of the cost to reach a goal of a task, for given action costs, together with
// the (fractional) uses of actions that it is made of. λ-heuristics and ideal points are built from
// estimators: the first run one on scalarised costs, the second one per cost.
#ifndef CARL_HEURISTICS_ESTIMATOR_H
#define CARL_HEURISTICS_ESTIMATOR_H

#include <cstdint>
#include <span>
#include <vector>

namespace carl::heuristics {

/// How often the estimate uses an action of the task.
struct ActionUse {
  std::uint32_t action = 0;
  double uses = 0;
};

/// An action number beyond all actions: giving up.
inline constexpr std::uint32_t give_up_use = ~std::uint32_t{0};

class Estimator {
 public:
  virtual ~Estimator() = default;

  /// Scalar cost of every action of the task, and of giving up (infinite if that is not possible).
  virtual void set_costs(std::span<const double> action_costs, double give_up_cost) = 0;
  /// The estimate for a state given by the value of each variable; infinite if no goal can be
  /// reached (give-up aside). `uses` is filled so that Σ uses · cost is the estimate.
  virtual double estimate(std::span<const std::uint32_t> state, std::vector<ActionUse>& uses) = 0;
  virtual std::size_t lp_solves() const { return 0; }
};

}  // namespace carl::heuristics

#endif
