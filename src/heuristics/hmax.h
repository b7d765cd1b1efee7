// h-max: a fact costs as much as its cheapest achiever, an operator as much as
// its most expensive precondition plus its own cost. One Dijkstra over facts. The chain of these
// preconditions from the goal back gives the actions that the estimate is made of. Infinite exactly
// if no goal can be reached in the delete relaxation, so this is also the dead-end detector.
//
// B. Bonet and H. Geffner, "Planning as heuristic search", Artificial Intelligence 129, 2001.
#ifndef CARL_HEURISTICS_HMAX_H
#define CARL_HEURISTICS_HMAX_H

#include <memory>

#include "heuristics/cost_queue.h"
#include "heuristics/estimator.h"
#include "heuristics/relaxed_task.h"

namespace carl::heuristics {

/// The Dijkstra itself, shared with LM-cut, which starts from its result.
class HmaxExploration {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  explicit HmaxExploration(const RelaxedTask& task);

  /// Costs of all facts from `state`; `cost` has an entry per operator. Ends when the cost of
  /// `last` is known: then facts that cost less have theirs, and others may have more.
  void run(std::span<const std::uint32_t> state, const std::vector<double>& cost,
           std::uint32_t last = none);
  /// Corrects the costs after `cost` fell for the operators given.
  void lower(std::span<const std::uint32_t> operators, const std::vector<double>& cost);

  double fact_cost(std::uint32_t fact) const { return fact_cost_[fact]; }
  /// The most expensive precondition of an operator; `none` if the operator has not been reached.
  std::uint32_t supporter(std::uint32_t op) const { return supporter_[op]; }
  /// The cheapest operator that adds a fact; `none` for facts of the state. Following achievers and
  /// supporters back from a fact never goes round in a circle, even where operators are free.
  std::uint32_t achiever(std::uint32_t fact) const { return achiever_[fact]; }

 private:
  void enqueue(std::uint32_t fact, double cost, std::uint32_t achiever);
  void update_supporter(std::uint32_t op);

  const RelaxedTask& task_;
  std::vector<double> fact_cost_;
  std::vector<std::uint32_t> achiever_;     // per fact
  std::vector<std::uint32_t> unsatisfied_;  // per operator: preconditions not reached yet
  std::vector<std::uint32_t> num_preconditions_;
  std::vector<std::uint32_t> supporter_;
  CostQueue queue_;
};

/// Reachability alone: is there any way to the goal in the relaxation?
class DeadEndDetector {
 public:
  explicit DeadEndDetector(std::shared_ptr<const RelaxedTask> task);

  bool is_dead_end(std::span<const std::uint32_t> state);

 private:
  void reach(std::uint32_t fact);

  std::shared_ptr<const RelaxedTask> task_;
  std::vector<std::uint32_t> num_preconditions_;
  std::vector<std::uint32_t> unsatisfied_;
  std::vector<bool> reached_;
  std::vector<std::uint32_t> queue_;
};

class Hmax final : public Estimator {
 public:
  explicit Hmax(std::shared_ptr<const RelaxedTask> task)
      : task_(std::move(task)), explore_(*task_) {}

  void set_costs(std::span<const double> action_costs, double give_up_cost) override;
  double estimate(std::span<const std::uint32_t> state, std::vector<ActionUse>& uses) override;

 private:
  std::shared_ptr<const RelaxedTask> task_;
  OperatorCosts costs_;
  HmaxExploration explore_;
};

}  // namespace carl::heuristics

#endif
