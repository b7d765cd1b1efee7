#include "heuristics/task_heuristics.h"

#include <algorithm>
#include <limits>

#include "heuristics/hmax.h"
#include "heuristics/landmarks.h"
#include "heuristics/lmcut.h"
#include "heuristics/operator_counting.h"

namespace carl::heuristics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// LPs price giving up themselves; the others are capped at the penalty.
bool prices_giving_up(EstimatorKind kind) {
  return kind == EstimatorKind::roc || kind == EstimatorKind::pom ||
         kind == EstimatorKind::constrained_roc;
}

bool write_penalty(const Cssp& cssp, std::span<double> out) {
  if (cssp.can_give_up())
    std::copy(cssp.give_up_penalty()->begin(), cssp.give_up_penalty()->end(), out.begin());
  return false;
}

}  // namespace

/// For every operator of the relaxed task h-max takes 30 to 180 instructions in the domains of
/// benchmarks/, but 10 to 100 where there are thousands, of which it needs a part. Linear programs
/// take 200 to 2,000. Landmarks and LM-cut take 60 to 800 where operators are few; where there are
/// thousands they take thousands, because each cut looks at many of them, and there are more cuts.
std::size_t work_of(EstimatorKind kind, const RelaxedTask& relaxed) {
  constexpr std::size_t few = 300;
  constexpr std::size_t many = 1'000;
  const std::size_t operators = relaxed.num_operators();
  switch (kind) {
    case EstimatorKind::hmax:
      return 60 * std::min(operators, few) + 20 * (operators - std::min(operators, few));
    case EstimatorKind::landmarks:
    case EstimatorKind::lmcut:
      return 200 * operators + 300 * operators * operators / many;
    case EstimatorKind::roc:
    case EstimatorKind::pom:
    case EstimatorKind::constrained_roc:
      break;
  }
  return 1'000 * operators;
}

std::vector<double> scalar_costs(const Cssp& cssp, const TaskModel& model,
                                 std::span<const double> weights) {
  const task::Task& task = model.task();
  std::vector<double> of_vector;
  for (const auto& cost : task.cost_vectors) {
    double sum = 0;
    for (std::size_t i = 0; i < cost.size(); ++i)  // others are 0 for all actions
      sum += weights[i] * (cost[i] / cssp.units()[i]);
    of_vector.push_back(sum);
  }
  std::vector<double> costs;
  costs.reserve(task.actions.size());
  for (const task::Action& action : task.actions)
    costs.push_back(of_vector[action.cost]);
  return costs;
}

double give_up_cost(const Cssp& cssp, std::span<const double> weights) {
  if (!cssp.can_give_up()) return infinity;
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * (*cssp.give_up_penalty())[i];
  return sum;
}

TaskContext::TaskContext(Cssp& problem) : cssp(problem), model(*problem.model().task_model()) {
  for (std::size_t a = 0; a < model.task().actions.size(); ++a)
    rules.allowed.push_back(!cssp.forbids(problem.model().cost(ActionId(a))));
  rules.give_up = cssp.can_give_up();
  relaxed = std::make_shared<RelaxedTask>(model.task(), rules.allowed);
}

std::unique_ptr<Estimator> TaskContext::make_estimator(EstimatorKind kind) const {
  switch (kind) {
    case EstimatorKind::hmax:
      return std::make_unique<Hmax>(relaxed);
    case EstimatorKind::landmarks:
      return std::make_unique<Landmarks>(model.task(), rules.allowed, relaxed);
    case EstimatorKind::lmcut:
      return std::make_unique<LmCut>(relaxed);
    case EstimatorKind::roc:
      return std::make_unique<OperatorCounting>(roc_lp(model.task(), rules));
    case EstimatorKind::pom:
      return std::make_unique<OperatorCounting>(pom_lp(model.task(), rules));
    case EstimatorKind::constrained_roc:
      return std::make_unique<OperatorCounting>(constrained_roc_lp(*this));
  }
  return nullptr;
}

LambdaHeuristic::LambdaHeuristic(const TaskContext& context, EstimatorKind kind)
    : cssp_(context.cssp),
      model_(context.model),
      kind_(kind),
      work_per_evaluation_(work_of(kind, *context.relaxed)),
      estimator_(context.make_estimator(kind)) {
  if (prices_giving_up(kind)) dead_ends_.emplace(context.relaxed);
}

void LambdaHeuristic::set_weights(std::span<const double> weights) {
  action_costs_ = scalar_costs(cssp_, model_, weights);
  give_up_cost_ = give_up_cost(cssp_, weights);
  estimator_->set_costs(action_costs_, give_up_cost_);
}

bool LambdaHeuristic::evaluate(StateId state, std::span<double> out) {
  ++evaluations_;
  model_.values(state, values_);
  if (dead_ends_ && dead_ends_->is_dead_end(values_)) return write_penalty(cssp_, out);
  const double h = estimator_->estimate(values_, uses_);
  if (h == infinity) return write_penalty(cssp_, out);
  if (h >= give_up_cost_ && !prices_giving_up(kind_)) {
    write_penalty(cssp_, out);
    return true;
  }
  std::fill(out.begin(), out.end(), 0.0);
  for (const ActionUse& use : uses_)
    add_costs(use, out);
  return true;
}

/// Straight from the task: what Cssp::cost() returns holds until the next call, of another thread perhaps.
void LambdaHeuristic::add_costs(const ActionUse& use, std::span<double> out) const {
  if (use.action == give_up_use) {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] += use.uses * (*cssp_.give_up_penalty())[i];
    return;
  }
  const std::span<const double> cost = model_.cost(ActionId(use.action));
  for (std::size_t i = 0; i < cost.size(); ++i)  // others are 0 for all actions
    out[i] += use.uses * (cost[i] / cssp_.units()[i]);
}

IdealPoint::IdealPoint(const TaskContext& context, EstimatorKind kind)
    : cssp_(context.cssp),
      model_(context.model),
      kind_(kind),
      work_per_evaluation_(cssp_.num_costs() * work_of(kind, *context.relaxed)),
      dead_ends_(context.relaxed) {
  if (kind == EstimatorKind::constrained_roc)
    unconstrained_ = std::make_unique<IdealPoint>(context, EstimatorKind::roc);
  for (std::size_t i = 0; i < cssp_.num_costs(); ++i) {
    std::vector<double> weights(cssp_.num_costs(), 0.0);
    weights[i] = 1;
    estimators_.push_back(context.make_estimator(kind));
    estimators_.back()->set_costs(scalar_costs(cssp_, model_, weights),
                                  give_up_cost(cssp_, weights));
  }
}

bool IdealPoint::evaluate(StateId state, std::span<double> out) {
  ++evaluations_;
  model_.values(state, values_);
  if (dead_ends_.is_dead_end(values_)) return write_penalty(cssp_, out);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = estimators_[i]->estimate(values_, uses_);
    if (out[i] == infinity && unconstrained_) return unconstrained_->evaluate(state, out);
    if (out[i] == infinity) return write_penalty(cssp_, out);
    if (cssp_.can_give_up() && !prices_giving_up(kind_))
      out[i] = std::min(out[i], (*cssp_.give_up_penalty())[i]);
  }
  return true;
}

std::size_t IdealPoint::lp_solves() const {
  std::size_t sum = unconstrained_ ? unconstrained_->lp_solves() : 0;
  for (const auto& estimator : estimators_)
    sum += estimator->lp_solves();
  return sum;
}

}  // namespace carl::heuristics
