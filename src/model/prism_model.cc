#include "model/prism_model.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

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

/// An action is a name and what it costs. The key of a name is the number of a name that is known
/// from the start, or the commands that are chosen together, and their action: renaming may give
/// the same commands several.
struct PrismModel::Actions {
  using Key = FreshActions::Key;

  NameTable names;
  std::uint32_t step = 0;  // the name of what a Markov chain does
  VectorTable costs;
  InternTable<Key> choices;                   // keys of more than one number
  std::vector<std::uint32_t> name_of_choice;  // by these
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ids;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> name_and_cost;  // by action

  /// What was asked for last: steps of one name mostly cost what they did before, and if not, steps
  /// from one state mostly cost the same.
  struct Recent {
    std::vector<std::uint32_t> actions;  // by name; may be of another
    std::uint32_t cost = 0;
  };
  Recent recent;  // of action()

  /// An invalid id if it was another.
  ActionId find_recent(std::uint32_t name, std::span<const double> cost, const Recent& last) const {
    if (name >= last.actions.size()) return {};
    const std::uint32_t action = last.actions[name];
    if (action >= name_and_cost.size() || name_and_cost[action].first != name) return {};
    return is_cost(name_and_cost[action].second, cost) ? ActionId(action) : ActionId();
  }
  static ActionId remember(std::uint32_t name, std::uint32_t action, Recent& last) {
    if (name >= last.actions.size()) last.actions.resize(name + 1, 0);
    last.actions[name] = action;
    return ActionId(action);
  }
  /// Bit by bit, as the table compares: or else it would depend on what was asked for last whether
  /// zero stands for minus zero.
  bool is_cost(std::uint32_t number, std::span<const double> cost) const {
    return number < costs.size() &&
           std::memcmp(costs[number].data(), cost.data(), cost.size_bytes()) == 0;
  }
  std::uint32_t number_of_cost(std::span<const double> cost) {
    if (!is_cost(recent.cost, cost)) recent.cost = costs.intern(cost);
    return recent.cost;
  }

  ActionId action(std::uint32_t name, std::span<const double> cost) {
    if (const ActionId found = find_recent(name, cost, recent); found.valid()) return found;
    const std::pair key(name, number_of_cost(cost));
    const auto [entry, is_new] =
        ids.try_emplace(key, static_cast<std::uint32_t>(name_and_cost.size()));
    if (is_new) name_and_cost.push_back(key);
    return remember(name, entry->second, recent);
  }

  /// An invalid id if it is not known.
  ActionId find(Key key, std::span<const double> cost, Recent& last) const {
    std::uint32_t name = key[0];
    if (key.size() > 1) {
      const auto choice = choices.find(key);
      if (!choice) return {};
      name = name_of_choice[*choice];
    }
    if (const ActionId found = find_recent(name, cost, last); found.valid()) return found;
    if (!is_cost(last.cost, cost)) {
      const auto number = costs.find(cost);
      if (!number) return {};
      last.cost = *number;
    }
    const auto found = ids.find(std::pair(name, last.cost));
    return found == ids.end() ? ActionId() : remember(name, found->second, last);
  }
};

/// A synchronisation that is possible in the state: where its enabled commands are.
struct PrismModel::Possible {
  std::uint32_t synchronisation;
  std::size_t first_part;  // in part_ends
  std::size_t choices;
};

class PrismModel::Scratch final : public Room {
 public:
  explicit Scratch(const PrismModel& model)
      : values(model.layout_.num_variables()),
        choices_with(model.description_.actions.size(), 0),
        state_cost(model.rewards_.size()),
        cost(model.rewards_.size()),
        found(model.layout_.num_words()) {}

  std::vector<std::int64_t> values;    // of the variables
  std::vector<std::uint32_t> enabled;  // commands, part by part
  std::vector<std::size_t> part_ends;  // of each part, in enabled
  std::vector<Possible> possible;
  std::vector<std::size_t> choices_with;  // by action: how many choices have it
  std::vector<std::size_t> digits;        // which of its commands each part has chosen
  std::vector<std::uint32_t> chosen;      // commands
  PrismOutcomes outcomes;
  PrismOutcomes longer_outcomes;
  std::vector<double> state_cost;
  std::vector<double> cost;
  Actions::Recent recent;
  FoundOutcomes found;
};

PrismModel::PrismModel(prism::Description description, std::optional<prism::TypedExpression> goal,
                       bool wants_goal)
    : description_(std::move(description)),
      layout_(description_.variables),
      rewards_(description_, layout_),
      wants_goal_(wants_goal),
      states_(layout_.num_words()),
      actions_(std::make_unique<Actions>()),
      scratch_(std::make_unique<Scratch>(*this)),
      values_(layout_.num_variables() + 2) {
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
  actions_->step = actions_->names.intern("step");
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

bool PrismModel::add_enabled_parts(const Synchronisation& synchronisation, Scratch& scratch) const {
  const std::size_t parts = scratch.part_ends.size();
  const std::size_t commands = scratch.enabled.size();
  for (const std::vector<std::uint32_t>& part : synchronisation.parts) {
    const std::size_t before = scratch.enabled.size();
    for (const std::uint32_t command : part)
      if (is_enabled(command, scratch.values.data())) scratch.enabled.push_back(command);
    if (scratch.enabled.size() == before) {
      scratch.enabled.resize(commands);
      scratch.part_ends.resize(parts);
      return false;
    }
    scratch.part_ends.push_back(scratch.enabled.size());
  }
  return true;
}

void PrismModel::find_possible(Scratch& scratch) const {
  const std::vector<std::size_t>& part_ends = scratch.part_ends;
  std::fill(scratch.choices_with.begin(), scratch.choices_with.end(), 0);
  scratch.enabled.clear();
  scratch.part_ends.assign(1, 0);
  scratch.possible.clear();
  for (std::uint32_t s = 0; s < synchronisations_.size(); ++s) {
    const std::size_t first_part = part_ends.size();
    if (!add_enabled_parts(synchronisations_[s], scratch)) continue;
    std::size_t choices = 1;
    for (std::size_t p = first_part; p < part_ends.size(); ++p) {
      choices *= part_ends[p] - part_ends[p - 1];
      if (choices > most_choices)
        fail_too_many("choices", commands_[scratch.enabled[part_ends[first_part - 1]]],
                      scratch.values.data());
    }
    scratch.possible.push_back({s, first_part, choices});
    if (const std::uint32_t action = synchronisations_[s].action; action != no_action)
      scratch.choices_with[action] += choices;
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
void PrismModel::for_each_choice(const Possible& possible, Scratch& scratch,
                                 const Visit& visit) const {
  const std::size_t parts = synchronisations_[possible.synchronisation].parts.size();
  const auto begin_of = [&](std::size_t part) {
    return scratch.part_ends[possible.first_part + part - 1];
  };
  const auto end_of = [&](std::size_t part) {
    return scratch.part_ends[possible.first_part + part];
  };
  scratch.digits.clear();
  scratch.chosen.clear();
  for (std::size_t part = 0; part < parts; ++part) {
    scratch.digits.push_back(begin_of(part));
    scratch.chosen.push_back(scratch.enabled[begin_of(part)]);
  }
  for (std::size_t choice = 0; choice < possible.choices; ++choice) {
    visit();
    // The last part turns fastest.
    for (std::size_t part = parts; part-- > 0;) {
      const bool turns_over = ++scratch.digits[part] == end_of(part);
      if (turns_over) scratch.digits[part] = begin_of(part);
      scratch.chosen[part] = scratch.enabled[scratch.digits[part]];
      if (!turns_over) break;
    }
  }
}

const PrismOutcomes& PrismModel::outcomes_of(StateId state, Scratch& scratch) const {
  const std::int64_t* values = scratch.values.data();
  PrismOutcomes& outcomes = scratch.outcomes;
  outcomes.clear();
  commands_[scratch.chosen[0]].apply(values, states_[state].data(), 1, layout_, outcomes);
  for (std::size_t part = 1; part < scratch.chosen.size(); ++part) {
    PrismOutcomes& longer = scratch.longer_outcomes;
    longer.clear();
    for (std::size_t k = 0; k < outcomes.probabilities.size(); ++k)
      commands_[scratch.chosen[part]].apply(values, outcomes.words.data() + k * layout_.num_words(),
                                            outcomes.probabilities[k], layout_, longer);
    std::swap(outcomes, longer);
    if (outcomes.probabilities.size() > most_outcomes)
      fail_too_many("outcomes", commands_[scratch.chosen[0]], values);
  }
  return outcomes;
}

template <class Found>
void PrismModel::add_outcomes(const PrismOutcomes& outcomes, double factor, Found& found) const {
  const std::size_t num_words = layout_.num_words();
  for (std::size_t k = 0; k < outcomes.probabilities.size(); ++k) {
    task::copy_state(outcomes.words.data() + k * num_words, num_words, found.next_successor());
    found.add(factor * outcomes.probabilities[k]);
  }
}

template <class Found, class GetAction>
void PrismModel::find(StateId state, Scratch& scratch, Found&& found,
                      const GetAction& get_action) const {
  layout_.unpack(states_[state].data(), scratch.values.data());
  find_possible(scratch);
  if (scratch.possible.empty()) return;
  rewards_.of_state(scratch.values.data(), scratch.state_cost);
  if (description_.is_dtmc)
    find_dtmc(state, scratch, found, get_action);
  else
    find_mdp(state, scratch, found, get_action);
}

template <class Found, class GetAction>
void PrismModel::find_mdp(StateId state, Scratch& scratch, Found& found,
                          const GetAction& get_action) const {
  for (const Possible& possible : scratch.possible) {
    const Synchronisation& synchronisation = synchronisations_[possible.synchronisation];
    const std::uint32_t action = synchronisation.action;
    const bool is_only_one = action != no_action && scratch.choices_with[action] == 1;
    scratch.cost = scratch.state_cost;
    if (rewards_.depends_on(action))
      rewards_.add_of_action(action, scratch.values.data(), scratch.cost);
    for_each_choice(possible, scratch, [&] {
      if (is_only_one) {
        found.begin_action(
            get_action(FreshActions::Key(&synchronisation.plain_name, 1), scratch.cost));
      } else {
        scratch.chosen.push_back(action);
        found.begin_action(get_action(scratch.chosen, scratch.cost));
        scratch.chosen.pop_back();
      }
      add_outcomes(outcomes_of(state, scratch), 1, found);
    });
  }
}

/// All choices are equally likely, as in PRISM.
template <class Found, class GetAction>
void PrismModel::find_dtmc(StateId state, Scratch& scratch, Found& found,
                           const GetAction& get_action) const {
  double choices = 0;
  for (const Possible& possible : scratch.possible)
    choices += static_cast<double>(possible.choices);
  std::vector<double>& cost = scratch.cost;
  std::vector<double>& state_cost = scratch.state_cost;
  cost = state_cost;
  for (const Possible& possible : scratch.possible) {
    const std::uint32_t action = synchronisations_[possible.synchronisation].action;
    if (!rewards_.depends_on(action)) continue;
    std::fill(state_cost.begin(), state_cost.end(), 0.0);
    rewards_.add_of_action(action, scratch.values.data(), state_cost);
    for (std::size_t i = 0; i < cost.size(); ++i)
      cost[i] += state_cost[i] * (static_cast<double>(possible.choices) / choices);
  }
  found.begin_action(get_action(FreshActions::Key(&actions_->step, 1), cost));
  for (const Possible& possible : scratch.possible)
    for_each_choice(possible, scratch,
                    [&] { add_outcomes(outcomes_of(state, scratch), 1 / choices, found); });
}

void PrismModel::expand(StateId state, Expansion& out) {
  const RegistryIds ids(states_);
  FoundOutcomes& found = scratch_->found;
  found.clear();
  find(state, *scratch_, AnnouncedOutcomes<RegistryIds>{found, ids},
       [&](FreshActions::Key key, std::span<const double> cost) { return learn(key, cost); });
  out.clear();
  found.write(out, ids);
}

void PrismModel::generate(StateId state, Room& room, Findings& out) const {
  auto& scratch = static_cast<Scratch&>(room);
  find(state, scratch, out.block, [&](FreshActions::Key key, std::span<const double> cost) {
    const ActionId found = actions_->find(key, cost, scratch.recent);
    return found.valid() ? found : out.actions.add(key, cost);
  });
}

bool PrismModel::is_goal(StateId state, Room& room) const {
  if (!goal_) return false;
  std::vector<std::int64_t>& values = static_cast<Scratch&>(room).values;
  layout_.unpack(states_[state].data(), values.data());
  return holds_in(*goal_, values.data());
}

std::unique_ptr<ConcurrentModel::Room> PrismModel::make_room() const {
  return std::make_unique<Scratch>(*this);
}

std::size_t PrismModel::num_known_actions() const {
  return actions_->name_and_cost.size();
}

ActionId PrismModel::learn(FreshActions::Key key, std::span<const double> cost) {
  return actions_->action(key.size() == 1 ? key[0] : name_of(key), cost);
}

std::uint32_t PrismModel::name_of(FreshActions::Key key) {
  const std::uint32_t choice = actions_->choices.intern(key);
  if (choice == actions_->name_of_choice.size())
    actions_->name_of_choice.push_back(actions_->names.intern(detailed_name(key)));
  return actions_->name_of_choice[choice];
}

/// "robot.2", or "go(robot.2,door.1)".
std::string PrismModel::detailed_name(FreshActions::Key key) const {
  const std::uint32_t action = key.back();
  std::vector<std::string> commands;
  for (const std::uint32_t c : key.first(key.size() - 1)) {
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
  if (!goal_ && wants_goal_)
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
  return std::make_shared<PrismModel>(std::move(description), std::move(condition), has_goal);
}

}  // namespace carl
