#include "model/prism_model.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carl/error.h"
#include "carl/options.h"
#include "carl/suggestion.h"
#include "model/intern_table.h"
#include "model/prism_initial.h"
#include "prism/operations.h"
#include "util/shown.h"

namespace carl {

using prism::no_action;

namespace {

// What a state may have before it is taken for a mistake: modules multiply.
constexpr std::size_t most_choices = 1'000'000;
constexpr std::size_t most_outcomes = 1'000'000;

}  // namespace

struct PrismModel::Actions {
  using Commands = std::span<const std::uint32_t>;

  NameTable names;
  VectorTable costs;
  InternTable<Commands> choices;              // commands that are chosen together, where named
  std::vector<std::uint32_t> name_of_choice;  // by these
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ids;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> name_and_cost;  // by action
  std::uint32_t last_cost = 0;                                         // the number used last

  std::uint32_t number_of_cost(std::span<const double> cost) {
    // Steps from one state mostly cost the same.
    if (costs.size() > 0 && std::equal(cost.begin(), cost.end(), costs[last_cost].begin()))
      return last_cost;
    return last_cost = costs.intern(cost);
  }

  ActionId action(std::uint32_t name, std::span<const double> cost) {
    const std::pair key(name, number_of_cost(cost));
    const auto [entry, is_new] =
        ids.try_emplace(key, static_cast<std::uint32_t>(name_and_cost.size()));
    if (is_new) name_and_cost.push_back(key);
    return ActionId(entry->second);
  }
};

PrismModel::PrismModel(prism::Description description, std::optional<prism::TypedExpression> goal)
    : description_(std::move(description)),
      layout_(description_.variables),
      rewards_(description_, layout_),
      states_(layout_.num_words()),
      actions_(std::make_unique<Actions>()),
      values_(layout_.num_variables() + 2),
      choices_with_(description_.actions.size(), 0),
      state_cost_(rewards_.size()),
      cost_(rewards_.size()) {
  costs_.costs = rewards_.names();
  for (const prism::Command& command : description_.commands)
    commands_.emplace_back(command, description_, layout_);
  add_synchronisations();
  for (const prism::Label& label : description_.labels)
    labels_.emplace_back(label.condition, layout_.num_variables());
  if (goal) goal_.emplace(*goal, layout_.num_variables());
  std::vector<std::uint64_t> words(layout_.num_words(), 0);
  const std::vector<std::int64_t> values = initial_values(description_, layout_);
  for (std::size_t v = 0; v < values.size(); ++v)
    layout_.set(words.data(), v, values[v]);
  initial_ = states_.insert(words.data());
}

PrismModel::~PrismModel() = default;

void PrismModel::add_synchronisations() {
  const auto can_happen = [&](std::uint32_t command) {
    const prism::TypedExpression& guard = description_.commands[command].guard;
    return !guard.is_constant() || guard.value.truth();
  };
  for (const prism::Synchronisation& written : description_.synchronisations) {
    Synchronisation synchronisation{written.action, {}, 0};
    for (const std::vector<std::uint32_t>& part : written.parts) {
      std::vector<std::uint32_t>& kept = synchronisation.parts.emplace_back();
      std::copy_if(part.begin(), part.end(), std::back_inserter(kept), can_happen);
    }
    if (std::any_of(synchronisation.parts.begin(), synchronisation.parts.end(),
                    [](const auto& part) { return part.empty(); }))
      continue;
    if (written.action != no_action)
      synchronisation.plain_name = actions_->names.intern(description_.actions[written.action]);
    synchronisations_.push_back(std::move(synchronisation));
  }
}

const std::int64_t* PrismModel::unpack(StateId state) const {
  layout_.unpack(states_[state].data(), values_.data());
  return values_.data();
}

bool PrismModel::is_goal(StateId state) const {
  return goal_ && holds_in(*goal_, unpack(state));
}

bool PrismModel::holds_in(const PrismCondition& condition, const std::int64_t* values) const {
  try {
    return condition.holds(values);
  } catch (const prism::EvaluationError& error) {
    throw prism::error_at(condition.position(),
                          fmt::format("{} ({})", error.what(), in_state(layout_, values)));
  }
}

bool PrismModel::is_enabled(std::uint32_t command, const std::int64_t* values) const {
  try {
    return commands_[command].is_enabled(values);
  } catch (const prism::EvaluationError& error) {
    throw prism::error_at(commands_[command].guard().position(),
                          fmt::format("{} ({}, {})", error.what(), commands_[command].name(),
                                      in_state(layout_, values)));
  }
}

bool PrismModel::add_enabled_parts(const Synchronisation& synchronisation,
                                   const std::int64_t* values) {
  const std::size_t parts = part_ends_.size();
  const std::size_t commands = enabled_.size();
  for (const std::vector<std::uint32_t>& part : synchronisation.parts) {
    const std::size_t before = enabled_.size();
    for (const std::uint32_t command : part)
      if (is_enabled(command, values)) enabled_.push_back(command);
    if (enabled_.size() == before) {
      enabled_.resize(commands);
      part_ends_.resize(parts);
      return false;
    }
    part_ends_.push_back(enabled_.size());
  }
  return true;
}

void PrismModel::find_possible(const std::int64_t* values) {
  enabled_.clear();
  part_ends_.assign(1, 0);
  possible_.clear();
  for (std::uint32_t s = 0; s < synchronisations_.size(); ++s) {
    const std::size_t first_part = part_ends_.size();
    if (!add_enabled_parts(synchronisations_[s], values)) continue;
    std::size_t choices = 1;
    for (std::size_t p = first_part; p < part_ends_.size(); ++p) {
      choices *= part_ends_[p] - part_ends_[p - 1];
      if (choices > most_choices)
        fail_too_many("choices", commands_[enabled_[part_ends_[first_part - 1]]], values);
    }
    possible_.push_back({s, first_part, choices});
    if (const std::uint32_t action = synchronisations_[s].action; action != no_action)
      choices_with_[action] += choices;
  }
}

void PrismModel::fail_too_many(const char* what, const PrismCommand& command,
                               const std::int64_t* values) const {
  throw prism::error_at(command.position(),
                        fmt::format("synchronising the commands gives more than {} {} ({}, {})",
                                    most_choices, what, command.name(), in_state(layout_, values)),
                        "let modules move one after the other");
}

template <class Visit>
void PrismModel::for_each_choice(const Possible& possible, const Visit& visit) {
  const std::size_t parts = synchronisations_[possible.synchronisation].parts.size();
  const auto begin_of = [&](std::size_t part) {
    return part_ends_[possible.first_part + part - 1];
  };
  const auto end_of = [&](std::size_t part) { return part_ends_[possible.first_part + part]; };
  digits_.clear();
  chosen_.clear();
  for (std::size_t part = 0; part < parts; ++part) {
    digits_.push_back(begin_of(part));
    chosen_.push_back(enabled_[begin_of(part)]);
  }
  for (std::size_t choice = 0; choice < possible.choices; ++choice) {
    visit();
    // The last part turns fastest.
    for (std::size_t part = parts; part-- > 0;) {
      const bool turns_over = ++digits_[part] == end_of(part);
      if (turns_over) digits_[part] = begin_of(part);
      chosen_[part] = enabled_[digits_[part]];
      if (!turns_over) break;
    }
  }
}

const PrismOutcomes& PrismModel::outcomes_of(StateId state, const std::int64_t* values) {
  outcomes_.clear();
  commands_[chosen_[0]].apply(values, states_[state].data(), 1, layout_, outcomes_);
  for (std::size_t part = 1; part < chosen_.size(); ++part) {
    longer_outcomes_.clear();
    for (std::size_t k = 0; k < outcomes_.probabilities.size(); ++k)
      commands_[chosen_[part]].apply(values, outcomes_.words.data() + k * layout_.num_words(),
                                     outcomes_.probabilities[k], layout_, longer_outcomes_);
    std::swap(outcomes_, longer_outcomes_);
    if (outcomes_.probabilities.size() > most_outcomes)
      fail_too_many("outcomes", commands_[chosen_[0]], values);
  }
  return outcomes_;
}

void PrismModel::add_outcomes(const PrismOutcomes& outcomes, double factor, Expansion& out) {
  for (std::size_t k = 0; k < outcomes.probabilities.size(); ++k)
    out.add_outcome(factor * outcomes.probabilities[k],
                    states_.insert(outcomes.words.data() + k * layout_.num_words()));
}

void PrismModel::expand(StateId state, Expansion& out) {
  out.clear();
  const std::int64_t* values = unpack(state);
  std::fill(choices_with_.begin(), choices_with_.end(), 0);
  find_possible(values);
  if (possible_.empty()) return;
  rewards_.of_state(values, state_cost_);
  if (description_.is_dtmc)
    expand_dtmc(state, values, out);
  else
    expand_mdp(state, values, out);
}

void PrismModel::expand_mdp(StateId state, const std::int64_t* values, Expansion& out) {
  for (const Possible& possible : possible_) {
    const Synchronisation& synchronisation = synchronisations_[possible.synchronisation];
    const std::uint32_t action = synchronisation.action;
    const bool is_only_one = action != no_action && choices_with_[action] == 1;
    std::copy(state_cost_.begin(), state_cost_.end(), cost_.begin());
    if (rewards_.depends_on(action)) rewards_.add_of_action(action, values, cost_);
    for_each_choice(possible, [&] {
      out.begin_action(actions_->action(name_of(synchronisation, is_only_one), cost_));
      add_outcomes(outcomes_of(state, values), 1, out);
    });
  }
}

/// All choices are equally likely, as in PRISM.
void PrismModel::expand_dtmc(StateId state, const std::int64_t* values, Expansion& out) {
  double choices = 0;
  for (const Possible& possible : possible_)
    choices += static_cast<double>(possible.choices);
  std::copy(state_cost_.begin(), state_cost_.end(), cost_.begin());
  for (const Possible& possible : possible_) {
    const std::uint32_t action = synchronisations_[possible.synchronisation].action;
    if (!rewards_.depends_on(action)) continue;
    std::fill(state_cost_.begin(), state_cost_.end(), 0.0);
    rewards_.add_of_action(action, values, state_cost_);
    for (std::size_t i = 0; i < cost_.size(); ++i)
      cost_[i] += state_cost_[i] * (static_cast<double>(possible.choices) / choices);
  }
  out.begin_action(actions_->action(actions_->names.intern("step"), cost_));
  for (const Possible& possible : possible_)
    for_each_choice(possible, [&] { add_outcomes(outcomes_of(state, values), 1 / choices, out); });
}

std::uint32_t PrismModel::name_of(const Synchronisation& synchronisation, bool is_only_one) {
  if (is_only_one) return synchronisation.plain_name;
  // The action is part of what is named: renaming may give the same commands several.
  chosen_.push_back(synchronisation.action);
  const std::uint32_t choice = actions_->choices.intern(chosen_);
  chosen_.pop_back();
  if (choice == actions_->name_of_choice.size())
    actions_->name_of_choice.push_back(
        actions_->names.intern(detailed_name(synchronisation.action)));
  return actions_->name_of_choice[choice];
}

/// "robot.2", or "go(robot.2,door.1)".
std::string PrismModel::detailed_name(std::uint32_t action) const {
  std::vector<std::string> commands;
  for (const std::uint32_t c : chosen_) {
    const prism::Command& command = description_.commands[c];
    commands.push_back(fmt::format("{}.{}", description_.modules[command.module], command.number));
  }
  if (action == no_action) return fmt::format("{}", fmt::join(commands, "+"));
  return fmt::format("{}({})", description_.actions[action], fmt::join(commands, ","));
}

std::span<const double> PrismModel::cost(ActionId action) const {
  return actions_->costs[actions_->name_and_cost[action.index()].second];
}

std::string PrismModel::action_name(ActionId action) const {
  return std::string(actions_->names[actions_->name_and_cost[action.index()].first]);
}

std::vector<std::string> PrismModel::state_facts(StateId state) const {
  const std::int64_t* values = unpack(state);
  std::vector<std::string> facts;
  for (std::size_t v = 0; v < layout_.num_variables(); ++v)
    facts.push_back(layout_.fact(v, values[v]));
  std::sort(facts.begin(), facts.end());
  return facts;
}

std::vector<std::pair<std::string, std::string>> PrismModel::figures() const {
  std::vector<std::string> constants;
  for (const auto& [name, value] : description_.scope->constants())
    constants.push_back(fmt::format("{}={}", name, prism::to_text(value)));
  std::vector<std::pair<std::string, std::string>> figures = {
      {"kind", description_.is_dtmc ? "dtmc" : "mdp"},
      {"modules", fmt::format("{}", description_.modules.size())},
      {"variables", fmt::format("{}", layout_.num_variables())},
      {"commands", fmt::format("{}", commands_.size())},
      {"words per state", fmt::format("{}", layout_.num_words())}};
  if (!constants.empty())
    figures.emplace_back("constants", fmt::format("{}", fmt::join(constants, ", ")));
  if (!description_.labels.empty())
    figures.emplace_back("labels", fmt::format("{}", fmt::join(names(), ", ")));
  return figures;
}

std::vector<std::string> PrismModel::warnings() const {
  std::vector<std::string> warnings;
  if (!goal_)
    warnings.push_back(fmt::format(
        "no state is a goal: name a label{}",
        description_.labels.empty() ? "" : fmt::format(" ({})", fmt::join(names(), ", "))));
  if (goal_ && is_goal(initial_))
    warnings.emplace_back("the initial state is a goal: nothing needs to be done");
  return warnings;
}

std::vector<std::string> PrismModel::names() const {
  std::vector<std::string> names;
  for (const prism::Label& label : description_.labels)
    names.push_back(label.name);
  return names;
}

bool PrismModel::holds(std::size_t label, StateId state) const {
  const std::int64_t* values = unpack(state);
  return holds_in(labels_[label], values);
}

bool PrismModel::is_deadlock(const std::int64_t* values) const {
  return std::none_of(
      synchronisations_.begin(), synchronisations_.end(), [&](const Synchronisation& together) {
        return std::all_of(together.parts.begin(), together.parts.end(), [&](const auto& part) {
          return std::any_of(part.begin(), part.end(),
                             [&](std::uint32_t command) { return is_enabled(command, values); });
        });
      });
}

std::function<bool(StateId)> PrismModel::predicate(const prism::TypedExpression& formula) {
  const std::function<bool(const prism::TypedExpression&, std::uint32_t)> mentions =
      [&](const prism::TypedExpression& expression, std::uint32_t label) -> bool {
    if (expression.operation == prism::Operation::label) return expression.index == label;
    return std::any_of(expression.operands.begin(), expression.operands.end(),
                       [&](const auto& operand) { return mentions(operand, label); });
  };
  constexpr auto deadlock = static_cast<std::uint32_t>(prism::BuiltInLabel::deadlock);
  const bool needs_deadlock = mentions(formula, deadlock);
  return [this, needs_deadlock,
          compiled = PrismCondition(formula, layout_.num_variables())](StateId state) {
    const std::int64_t* values = unpack(state);
    const std::size_t atoms = layout_.num_variables();
    values_[atoms] = state == initial_ ? 1 : 0;
    values_[atoms + 1] = needs_deadlock && is_deadlock(values) ? 1 : 0;
    return holds_in(compiled, values);
  };
}

std::shared_ptr<PrismModel> make_prism_model(prism::Description description, std::string_view goal,
                                             bool has_goal) {
  std::vector<std::string_view> names;
  for (const prism::Label& label : description.labels)
    names.push_back(label.name);
  const auto find = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  std::size_t chosen = names.size();
  if (has_goal) chosen = goal.empty() ? find("goal") : find(goal);
  if (has_goal && goal.empty() && chosen == names.size()) chosen = find("target");
  if (has_goal && !goal.empty() && chosen == names.size()) {
    std::string hint = did_you_mean(goal, names);
    if (hint.empty() && !names.empty())
      hint = fmt::format("the labels are: {}", fmt::join(names, ", "));
    throw OptionError(fmt::format("`goal`: there is no label named '{}'", shown(goal)),
                      std::move(hint));
  }
  std::optional<prism::TypedExpression> condition;
  if (chosen < names.size()) condition = description.labels[chosen].condition;
  return std::make_shared<PrismModel>(std::move(description), std::move(condition));
}

}  // namespace carl
