#include "model/explicit_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace carl {

std::size_t LabelTable::bytes() const {
  std::size_t bits = 0;
  for (const std::vector<bool>& set : sets_)
    bits += set.size();
  return bits / 8;
}

void ExplicitModel::expand(StateId state, Expansion& out) {
  out.clear();
  if (is_goal(state)) return;
  for (const ActionId action : actions(state)) {
    out.begin_action(action);
    transitions_.for_parts(PairId(action.index()), [&](std::span<const double> probabilities,
                                                       std::span<const StateId> successors) {
      out.add_distinct_outcomes(probabilities, successors);
    });
  }
}

const Transitions* ExplicitModel::transitions(bool giving_up) {
  if (giving_up) transitions_.add_giving_up();
  return &transitions_;
}

bool ExplicitModel::outcome_costs(StateId /*state*/, ActionId action, OutcomeCosts& out) {
  out.clear();
  const auto entry =
      std::lower_bound(apart_.begin(), apart_.end(), action,
                       [](const Apart& apart, ActionId a) { return apart.action < a; });
  if (entry == apart_.end() || entry->action != action) return false;
  const std::span<const double> probabilities = apart_distributions_[entry->distribution];
  for (std::size_t k = 0; k < probabilities.size(); ++k)
    out.add(probabilities[k], apart_successors_[entry->first + k],
            apart_cost_vectors_[apart_costs_[entry->first + k]]);
  return true;
}

std::vector<std::string> ExplicitModel::state_facts(StateId state) const {
  return {state_name(state)};
}

std::string ExplicitModel::state_name(StateId state) const {
  if (state_names_.size() == 0) return fmt::format("{}", state.index());
  return std::string(state_names_[state.index()]);
}

std::string ExplicitModel::action_name(ActionId action) const {
  if (name_.empty()) return fmt::format("a{}", place_in_state(action));
  return std::string(action_names_[name_[action.index()]]);
}

std::size_t ExplicitModel::place_in_state(ActionId action) const {
  return action.index() -
         transitions_.first_pair()[transitions_.state(PairId(action.index())).index()];
}

std::vector<double> ExplicitModel::cost_vectors() const {
  // Actions that cost the same have different rows if one has a self-loop and another none.
  VectorTable different;
  for (std::size_t row = 0; row < transitions_.num_cost_rows(); ++row)
    different.intern(transitions_.cost(row));
  for (std::size_t i = 0; i < apart_cost_vectors_.size(); ++i)
    different.intern(apart_cost_vectors_[i]);
  return {different.elements().begin(), different.elements().end()};
}

std::vector<double> ExplicitModel::positive_costs(std::size_t cost) const {
  const std::vector<double> vectors = cost_vectors();
  std::vector<double> positive;
  for (std::size_t at = cost; at < vectors.size(); at += costs_.costs.size())
    if (vectors[at] > 0) positive.push_back(vectors[at]);
  return positive;
}

std::optional<std::vector<double>> ExplicitModel::amounts(std::size_t cost) const {
  std::vector<bool> is_used(transitions_.num_cost_rows(), false);
  auto apart = apart_.begin();
  for (std::size_t a = 0; a < num_actions(); ++a) {
    if (apart != apart_.end() && apart->action.index() == a)
      ++apart;
    else
      is_used[view_.cost_row(PairId(a))] = true;
  }
  std::vector<double> positive;
  for (std::size_t row = 0; row < is_used.size(); ++row)
    if (is_used[row] && transitions_.cost(row)[cost] > 0)
      positive.push_back(transitions_.cost(row)[cost]);
  for (std::size_t i = 0; i < apart_cost_vectors_.size(); ++i)
    if (apart_cost_vectors_[i][cost] > 0) positive.push_back(apart_cost_vectors_[i][cost]);
  return positive;
}

std::vector<std::pair<std::string, std::string>> ExplicitModel::figures() const {
  const std::size_t drawn = draw_.valid() ? 1 : 0;
  const std::size_t chances = draw_.valid() ? probabilities(draw_).size() : 0;
  return {{"states in the text", fmt::format("{}", num_states() - drawn)},
          {"actions in the text", fmt::format("{}", num_actions() - drawn)},
          {"outcomes in the text", fmt::format("{}", num_outcomes_ - chances)}};
}

std::vector<std::string> ExplicitModel::notes() const {
  if (!draw_.valid()) return {};
  return {
      "the initial state is drawn at random, by a first action that costs nothing and is no "
      "step"};
}

std::vector<std::string> ExplicitModel::warnings() const {
  if (!is_goal(initial_)) return {};
  return {"the initial state is a goal: nothing needs to be done"};
}

bool ExplicitModel::has_cost(std::size_t cost) const {
  for (std::size_t row = 0; row < transitions_.num_cost_rows(); ++row)
    if (transitions_.cost(row)[cost] > 0) return true;
  return false;
}

std::size_t ExplicitModel::state_bytes() const {
  return state_names_.bytes() + goals_.size() / 8 + labels_.bytes();
}

std::optional<StateId> ExplicitModel::find_state(std::string_view name) const {
  if (state_names_.size() == 0 && num_states_ > 0) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool whole = error == std::errc() && end == name.data() + name.size();
    return whole && number < num_states_ ? std::optional(StateId(number)) : std::nullopt;
  }
  const auto found = state_names_.find(name);
  return found ? std::optional<StateId>(StateId(*found)) : std::nullopt;
}

std::vector<ActionId> ExplicitModel::actions(StateId state) const {
  std::vector<ActionId> result;
  if (is_goal(state)) return result;
  const auto first = transitions_.first_pair();
  for (std::size_t a = first[state.index()]; a < first[state.index() + 1]; ++a)
    result.emplace_back(a);
  return result;
}

}  // namespace carl
