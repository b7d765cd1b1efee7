#include "model/failure_model.h"

#include <algorithm>

namespace carl {

std::string failure_name(const std::vector<std::string>& costs) {
  std::string name = "failure";
  while (std::find(costs.begin(), costs.end(), name) != costs.end())
    name += "'";
  return name;
}

FailureModel::FailureModel(std::shared_ptr<Model> model)
    : model_(std::move(model)),
      failure_(model_->cost_model().costs.size()),
      costs_(model_->cost_model()) {
  costs_.costs.push_back(failure_name(costs_.costs));
  if (!costs_.rewards.empty()) costs_.rewards.push_back(false);
  costs_.give_up.emplace(costs_.costs.size(), 0.0);
  costs_.give_up->back() = 1;
}

std::span<const double> FailureModel::cost(ActionId action) const {
  const std::span<const double> cost = model_->cost(action);
  cost_.assign(cost.begin(), cost.end());
  cost_.push_back(0);
  return cost_;
}

bool FailureModel::outcome_costs(StateId state, ActionId action, OutcomeCosts& out) {
  OutcomeCosts without;
  out.clear();
  const bool differ = model_->outcome_costs(state, action, without);
  for (std::size_t k = 0; k < without.size(); ++k) {
    cost_.assign(without.cost(k).begin(), without.cost(k).end());
    cost_.push_back(0);
    out.add(without.probability(k), without.successor(k), cost_);
  }
  return differ;
}

std::vector<double> FailureModel::positive_costs(std::size_t cost) const {
  return cost == failure_ ? std::vector<double>() : model_->positive_costs(cost);
}

std::optional<std::vector<double>> FailureModel::amounts(std::size_t cost) const {
  if (cost == failure_) return std::vector<double>();
  return model_->amounts(cost);
}

bool FailureModel::has_cost(std::size_t cost) const {
  return cost == failure_ || model_->has_cost(cost);
}

ExactTransitions* FailureModel::exact_transitions() {
  return model_->exact_transitions() == nullptr ? nullptr : this;
}

Rational FailureModel::exact_cost(ActionId action, std::size_t i) const {
  return i == failure_ ? Rational(0) : model_->exact_transitions()->exact_cost(action, i);
}

void FailureModel::add_exact_outcomes(StateId state, ActionId action,
                                      std::vector<ExactOutcome>& out) {
  model_->exact_transitions()->add_exact_outcomes(state, action, out);
}

std::size_t FailureModel::num_roundings(ActionId action) const {
  return model_->exact_transitions()->num_roundings(action);
}

}  // namespace carl
