#include "io/text_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "carl/error.h"

namespace carl::io {

TextModel::TextModel(std::uint64_t num_states, const std::vector<std::string>& rewards,
                     const LoadOptions& options)
    : num_states_(num_states),
      costs_(costs_of_rewards(rewards, options)),
      options_(options),
      builder_(CostModel{costs_.names, {}, {}}),
      names_(builder_) {
  builder_.add_states(num_states);
}

void TextModel::begin_state(std::uint64_t state) {
  state_ = StateId(state);
  names_.begin_state();
}

void TextModel::add_outcome(double probability, std::uint64_t target,
                            std::span<const double> rewards) {
  probabilities_.push_back(probability);
  successors_.emplace_back(target);
  outcome_rewards_.insert(outcome_rewards_.end(), rewards.begin(), rewards.end());
}

void TextModel::fill_cost(std::span<const double> rewards, std::vector<double>& cost) const {
  if (costs_.counts_steps()) cost.push_back(1);
  for (const std::size_t r : costs_.rewards)
    cost.push_back(rewards[r]);
}

void TextModel::add_choice(std::string_view name, std::span<const double> rewards) {
  const ActionName distinct = names_.next(name.empty() ? ActionName() : builder_.action_name(name));
  const std::string text(builder_.text_of(distinct));
  cost_.clear();
  fill_cost(rewards, cost_);
  const std::size_t num_costs = cost_.size();
  outcome_costs_.clear();
  std::vector<long double> expected(num_costs, 0);
  for (std::size_t k = 0; k < successors_.size() && !outcome_rewards_.empty(); ++k) {
    fill_cost(std::span(outcome_rewards_).subspan(k * rewards.size(), rewards.size()),
              outcome_costs_);
    for (std::size_t i = 0; i < num_costs; ++i) {
      double& cost = outcome_costs_[k * num_costs + i];
      cost += cost_[i];
      expected[i] += static_cast<long double>(probabilities_[k]) * cost;
    }
  }
  bool differ = false;
  for (std::size_t i = num_costs; i < outcome_costs_.size(); ++i)
    differ |= outcome_costs_[i] != outcome_costs_[i % num_costs];
  for (std::size_t i = 0; i < num_costs && !outcome_costs_.empty(); ++i)
    cost_[i] = differ ? static_cast<double>(expected[i]) : outcome_costs_[i];
  // Outcomes that lead to the same state are one.
  for (std::size_t k = 0; k < successors_.size(); ++k)
    builder_.add_outcome(
        probabilities_[k], successors_[k],
        differ ? std::span<const double>(outcome_costs_).subspan(k * num_costs, num_costs)
               : std::span<const double>());
  probabilities_.clear();
  successors_.clear();
  outcome_rewards_.clear();
  builder_.add_action(state_, text, cost_);
}

std::vector<std::uint32_t>& TextModel::label(std::string_view name) {
  constexpr std::size_t most = 4096;
  const auto found = label_numbers_.find(name);
  if (found != label_numbers_.end()) return label_states_[found->second];
  if (label_names_.size() == most)
    throw InputError(fmt::format("there are more than {} labels", most));
  label_numbers_.emplace(name, label_names_.size());
  label_names_.emplace_back(name);
  return label_states_.emplace_back();
}

void TextModel::add_label(std::string_view name, std::uint64_t state) {
  label(name).push_back(static_cast<std::uint32_t>(state));
}

const std::vector<std::uint32_t>* TextModel::find_label(std::string_view name) const {
  const auto found = label_numbers_.find(name);
  return found == label_numbers_.end() ? nullptr : &label_states_[found->second];
}

std::shared_ptr<Model> TextModel::build(std::uint64_t initial) {
  std::vector<Label> labels;
  for (std::size_t l = 0; l < label_names_.size(); ++l) {
    labels.push_back({label_names_[l], std::vector<bool>(num_states_, false)});
    for (const std::uint32_t state : label_states_[l])
      labels.back().states[state] = true;
  }
  add_labels(builder_, std::move(labels), options_);
  return builder_.build(StateId(initial));
}

}  // namespace carl::io
