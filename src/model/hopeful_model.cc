#include "model/hopeful_model.h"

#include "model/failure_model.h"
#include "model/validity.h"

namespace carl {

HopefulModel::HopefulModel(std::shared_ptr<Model> model, GoalChances chances, bool keep_chances)
    : model_(std::move(model)),
      chances_(std::move(chances)),
      keep_chances_(keep_chances),
      failure_(model_->cost_model().costs.size()),
      costs_(model_->cost_model()),
      given_up_(model_->num_states()),
      give_up_(chances_.num_actions) {
  costs_.costs.push_back(failure_name(costs_.costs));
  if (!costs_.rewards.empty()) costs_.rewards.push_back(false);
  costs_.give_up.reset();
}

double HopefulModel::loss(StateId state, const Expansion& expansion, std::size_t i) const {
  const auto probabilities = expansion.probabilities(i);
  const auto successors = expansion.successors(i);
  double failure = 0;
  for (std::size_t k = 0; k < successors.size(); ++k)
    failure += probabilities[k] * chances_.failure[successors[k].index()];
  return failure - chances_.failure[state.index()];
}

void HopefulModel::expand(StateId state, Expansion& out) {
  out.clear();
  if (chances_.is_lost(state)) {
    out.begin_action(give_up_);
    out.add_outcome(1, given_up_);
    return;
  }
  model_->expand(state, out);
  if (keep_chances_) out.remove_if([&](std::size_t i) { return loss(state, out, i) > tolerance; });
}

std::span<const double> HopefulModel::cost(ActionId action) const {
  cost_.assign(failure_, 0.0);
  if (action != give_up_) cost_.assign(model_->cost(action).begin(), model_->cost(action).end());
  cost_.push_back(action == give_up_ ? 1 : 0);
  return cost_;
}

bool HopefulModel::outcome_costs(StateId state, ActionId action, OutcomeCosts& out) {
  out.clear();
  if (action == give_up_) return false;
  OutcomeCosts without;
  const bool differ = model_->outcome_costs(state, action, without);
  for (std::size_t k = 0; k < without.size(); ++k) {
    cost_.assign(without.cost(k).begin(), without.cost(k).end());
    cost_.push_back(0);
    out.add(without.probability(k), without.successor(k), cost_);
  }
  return differ;
}

std::vector<double> HopefulModel::positive_costs(std::size_t cost) const {
  return cost == failure_ ? std::vector<double>{1} : model_->positive_costs(cost);
}

std::optional<std::vector<double>> HopefulModel::amounts(std::size_t cost) const {
  if (cost == failure_) return std::vector<double>{1};
  return model_->amounts(cost);
}

std::vector<std::string> HopefulModel::state_facts(StateId state) const {
  if (state == given_up_) return {"(given-up)"};
  return model_->state_facts(state);
}

std::string HopefulModel::action_name(ActionId action) const {
  return action == give_up_ ? std::string(give_up_name) : model_->action_name(action);
}

}  // namespace carl
