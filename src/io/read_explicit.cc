// The text is gone through twice: first only as far as the costs, without which neither bounds nor
// actions can be understood, then as a whole. Files have the costs near the beginning, so the first
// pass is short.
#include "io/read_explicit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json_document.h"
#include "io/model_formats.h"
#include "model/explicit_model.h"
#include "model/validity.h"
#include "util/shown.h"
#include "util/timer.h"

namespace carl::io {
namespace {

using Value = JsonDocument::Value;

enum class RootKey {
  format,
  version,
  costs,
  rewards,
  bounds,
  guarantees,
  goal_probability,
  initial,
  goals,
  labels,
  give_up,
  actions
};
constexpr std::array<std::string_view, 12> root_keys{
    "format",           "version", "costs", "rewards", "bounds",  "guarantees",
    "goal_probability", "initial", "goals", "labels",  "give_up", "actions"};

enum class GuaranteeKey { cost, above, probability, expected_excess, level, cvar };
constexpr std::array<std::string_view, 6> guarantee_keys{
    "cost", "above", "probability", "expected_excess", "level", "cvar"};

enum class ActionKey { state, name, cost, outcomes };
constexpr std::array<std::string_view, 4> action_keys{"state", "name", "cost", "outcomes"};

enum class OutcomeKey { state, probability, cost };
constexpr std::array<std::string_view, 3> outcome_keys{"state", "probability", "cost"};

// As in factored problems (model/task_model.cc).
constexpr const char* not_drawn_yet = "(initial state: not drawn yet)";

class ExplicitReader {
 public:
  ExplicitReader(const std::string& file, std::string text, const std::string& minimise,
                 Monitor& monitor)
      : document_(file, std::move(text)), minimise_(minimise), monitor_(monitor) {}

  std::shared_ptr<Model> read();

 private:
  /// What is written in the order of the costs, in the order in which they are kept.
  template <class Entries>
  void to_the_front(Entries& entries) const {
    const auto place = entries.begin() + static_cast<std::ptrdiff_t>(minimised_);
    std::rotate(entries.begin(), place, place + 1);
  }
  void find_costs();
  void read_costs(Value& value);
  void read_everything();
  void read_root_value(RootKey key, Value& value);
  /// Pairs of a cost and what the text says about it (`what`).
  std::vector<std::pair<std::size_t, double>> read_cost_map(Value& value, const char* what);
  void read_rewards(Value& value);
  void read_initial(Value& value);
  StateId mentioned_state(std::string_view name);
  StateId mention_first(std::string_view name);
  void read_bounds(Value& value);
  void read_guarantees(Value& value);
  Guarantee read_guarantee(Value& value);
  void read_goal_probability(Value& value);
  void read_labels(Value& value);
  void add_labels();
  void read_give_up(Value& value);
  void read_action(Value& value);
  void read_cost(Value& value, std::vector<double>& cost);
  void read_outcomes(Value& value);
  void read_outcome(Value& value);
  std::shared_ptr<Model> build();
  std::shared_ptr<Model> build_initial();
  [[noreturn]] void fail_at_label(std::size_t number, const std::string& state);
  [[noreturn]] void fail_at_initial(const std::string& message, const std::string& hint = {});
  [[noreturn]] void fail_at(const DuplicateAction& duplicate);

  JsonDocument document_;
  const std::string& minimise_;
  Monitor& monitor_;
  std::vector<std::string> costs_;  // the one to minimise is first, then as written
  std::size_t minimised_ = 0;       // its place in the text
  NameTable cost_numbers_;
  std::optional<ExplicitBuilder> builder_;  // there once the costs are known
  std::string initial_;
  std::size_t num_states_ = 0;
  bool has_goals_ = false;
  std::vector<bool> goals_;  // by state
  // Labels with the names of their states, which may occur later in the text.
  std::vector<std::pair<std::string, std::vector<std::string>>> labels_;
  bool has_labels_ = false;
  // An initial distribution: what comes before it, and what is drawn.
  StateId before_;
  struct Drawn {
    std::string name;
    StateId state;
    double probability = 0;
  };
  std::vector<Drawn> drawn_;
  std::vector<bool> unmentioned_;  // by state, of these: that it occurs elsewhere is not known yet

  // Of the action being read; kept to spare allocations.
  std::vector<double> cost_;
  std::vector<double> outcome_cost_;
  std::string state_scratch_;
  std::string name_scratch_;
  std::string outcome_scratch_;
};

std::shared_ptr<Model> ExplicitReader::read() {
  std::shared_ptr<Model> model;
  document_.run([&] {
    find_costs();
    read_everything();
    model = build();
  });
  return model;
}

void ExplicitReader::find_costs() {
  document_.each_root_field([&](std::string_view key, Value& value) {
    // A file of another format is best reported as such, not by the first key that differs.
    if (key == "format") document_.expect_format(value, "cssp");
    if (key == "costs") read_costs(value);
    return !builder_;
  });
  if (!builder_) document_.fail("the key \"costs\" is missing");
}

void ExplicitReader::read_costs(Value& value) {
  std::string scratch;
  NameTable names;
  document_.each_element(value, [&](Value& element) {
    const std::string_view name = document_.string(element, scratch);
    if (name.empty()) document_.fail("the name of a cost is empty");
    if (names.intern(name) != costs_.size())
      document_.fail(fmt::format("there are two costs named '{}'", shown(name)));
    costs_.emplace_back(name);
  });
  if (!minimise_.empty()) {
    minimised_ = number_of_minimised(costs_, minimise_);
    to_the_front(costs_);
  }
  for (const std::string& name : costs_)
    cost_numbers_.intern(name);
  document_.here([&] { builder_.emplace(CostModel{costs_, {}, {}}); });
}

void ExplicitReader::read_everything() {
  JsonKeys keys(document_, root_keys);
  document_.each_root_field([&](std::string_view key, Value& value) {
    read_root_value(static_cast<RootKey>(keys.take(key)), value);
    return true;
  });
  // Who asks by a property brings goals along.
  if (has_labels_)
    keys.check_complete(
        {"rewards", "bounds", "guarantees", "goal_probability", "give_up", "goals", "labels"});
  else
    keys.check_complete(
        {"rewards", "bounds", "guarantees", "goal_probability", "give_up", "labels"});
}

void ExplicitReader::read_root_value(RootKey key, Value& value) {
  std::string scratch;
  switch (key) {
    case RootKey::format:
      return document_.expect_format(value, "cssp");
    case RootKey::version:
      return document_.expect_version(value);
    case RootKey::costs:
      return;  // known already
    case RootKey::rewards:
      return read_rewards(value);
    case RootKey::bounds:
      return read_bounds(value);
    case RootKey::guarantees:
      return read_guarantees(value);
    case RootKey::goal_probability:
      return read_goal_probability(value);
    case RootKey::initial:
      return read_initial(value);
    case RootKey::goals:
      has_goals_ = true;
      return document_.each_element(value, [&](Value& element) {
        const StateId goal = mentioned_state(document_.name(element, scratch));
        builder_->add_goal(goal);
        if (goals_.size() <= goal.index()) goals_.resize(goal.index() + 1, false);
        goals_[goal.index()] = true;
      });
    case RootKey::labels:
      return read_labels(value);
    case RootKey::give_up:
      return read_give_up(value);
    case RootKey::actions:
      return document_.each_element(value, [&](Value& element) {
        monitor_.check();
        read_action(element);
      });
  }
}

/// The state of a name that occurs in an action or as a goal.
StateId ExplicitReader::mentioned_state(std::string_view name) {
  const StateId state = builder_->state(name);
  num_states_ = std::max(num_states_, state.index() + 1);
  if (state.index() < unmentioned_.size()) unmentioned_[state.index()] = false;
  return state;
}

/// A state, or several with their probabilities. These get their numbers at once, as they do in the
/// problem that the text may have been written from; whether they occur elsewhere turns out later.
void ExplicitReader::read_initial(Value& value) {
  std::string scratch;
  if (!document_.is_object(value)) {
    initial_ = document_.name(value, scratch);
    return;
  }
  before_ = mention_first(not_drawn_yet);
  std::vector<double> probabilities;
  NameTable names;
  document_.each_field(value, [&](std::string_view name, Value& number) {
    if (names.intern(name) != drawn_.size()) document_.fail_at_key("this key is repeated");
    probabilities.push_back(document_.number(number));
    document_.here([&] { check_probability(probabilities.back()); });
    drawn_.push_back({std::string(name), mention_first(name), probabilities.back()});
  });
  document_.here([&] { normalise(probabilities); });
}

StateId ExplicitReader::mention_first(std::string_view name) {
  const bool is_new = !builder_->find_state(name);
  const StateId state = builder_->state(name);
  num_states_ = std::max(num_states_, state.index() + 1);
  if (unmentioned_.size() <= state.index()) unmentioned_.resize(state.index() + 1, false);
  if (is_new) unmentioned_[state.index()] = true;
  return state;
}

std::vector<std::pair<std::size_t, double>> ExplicitReader::read_cost_map(Value& value,
                                                                          const char* what) {
  std::vector<std::pair<std::size_t, double>> entries;
  std::vector<bool> taken(costs_.size());
  document_.each_field(value, [&](std::string_view name, Value& number) {
    const auto cost = cost_numbers_.find(name);
    if (!cost)
      document_.fail_at_key(fmt::format("there is no cost named '{}'", shown(name)),
                            fmt::format("the costs are: {}", fmt::join(costs_, ", ")));
    if (taken[*cost]) document_.fail_at_key("this key is repeated");
    taken[*cost] = true;
    const double amount = document_.number(number);
    document_.here([&] { check_cost(what, amount); });
    entries.emplace_back(*cost, amount);
  });
  return entries;
}

void ExplicitReader::read_rewards(Value& value) {
  std::vector<bool> rewards(costs_.size(), false);
  std::string scratch;
  document_.each_element(value, [&](Value& element) {
    const std::string_view name = document_.string(element, scratch);
    const auto cost = cost_numbers_.find(name);
    if (!cost)
      document_.fail(fmt::format("there is no cost named '{}'", shown(name)),
                     fmt::format("the costs are: {}", fmt::join(costs_, ", ")));
    if (rewards[*cost]) document_.fail(fmt::format("'{}' is repeated", shown(name)));
    rewards[*cost] = true;
  });
  builder_->set_rewards(std::move(rewards));
}

void ExplicitReader::read_bounds(Value& value) {
  std::vector<Bound> bounds;
  for (const auto& [cost, upper] : read_cost_map(value, "bound"))
    bounds.push_back({cost, upper});
  builder_->set_bounds(std::move(bounds));
}

void ExplicitReader::read_guarantees(Value& value) {
  std::vector<Guarantee> guarantees;
  document_.each_element(value,
                         [&](Value& element) { guarantees.push_back(read_guarantee(element)); });
  builder_->set_guarantees(std::move(guarantees));
}

Guarantee ExplicitReader::read_guarantee(Value& value) {
  JsonKeys keys(document_, guarantee_keys);
  Guarantee guarantee;
  std::array<bool, guarantee_keys.size()> has{};
  std::string scratch;
  document_.each_field(value, [&](std::string_view key, Value& member) {
    const auto number = keys.take(key);
    has[number] = true;
    if (static_cast<GuaranteeKey>(number) == GuaranteeKey::cost) {
      guarantee.cost = document_.string(member, scratch);
      if (!cost_numbers_.find(guarantee.cost))
        document_.fail(fmt::format("there is no cost named '{}'", shown(guarantee.cost)),
                       fmt::format("the costs are: {}", fmt::join(costs_, ", ")));
      return;
    }
    const double amount = document_.number(member);
    switch (static_cast<GuaranteeKey>(number)) {
      case GuaranteeKey::above:
        document_.here([&] { check_cost("limit", amount); });
        guarantee.limit = amount;
        return;
      case GuaranteeKey::level:
        if (!(amount >= 0 && amount < 1)) document_.fail("a level is 0 or more and below 1");
        guarantee.limit = amount;
        return;
      case GuaranteeKey::probability:
        document_.here([&] { check_probability(amount); });
        guarantee.kind = Guarantee::Kind::chance;
        break;
      case GuaranteeKey::expected_excess:
        guarantee.kind = Guarantee::Kind::excess;
        break;
      case GuaranteeKey::cvar:
        guarantee.kind = Guarantee::Kind::cvar;
        break;
      case GuaranteeKey::cost:
        break;
    }
    document_.here([&] { check_cost("bound", amount); });
    guarantee.upper = amount;
  });
  using Has = std::array<bool, guarantee_keys.size()>;
  if (has != Has{true, true, true} && has != Has{true, true, false, true} &&
      has != Has{true, false, false, false, true, true})
    document_.fail("a guarantee is about a cost, with what is asked of it",
                   R"(write {"cost": "fuel", "above": 12, "probability": 0.05}, )"
                   R"({"cost": "fuel", "above": 12, "expected_excess": 0.5} or )"
                   R"({"cost": "fuel", "level": 0.95, "cvar": 20})");
  return guarantee;
}

/// A number, or "max".
void ExplicitReader::read_goal_probability(Value& value) {
  GoalProbability probability;
  std::string scratch;
  if (document_.is_string(value)) {
    if (document_.string(value, scratch) != "max") document_.fail("expected a number or \"max\"");
    probability.largest = true;
  } else {
    probability.least = document_.number(value);
    document_.here([&] { check_probability(probability.least); });
  }
  builder_->set_goal_probability(probability);
}

void ExplicitReader::read_labels(Value& value) {
  has_labels_ = true;
  std::string scratch;
  document_.each_field(value, [&](std::string_view name, Value& states) {
    if (name.empty()) document_.fail_at_key("the name of a label is empty");
    if (std::any_of(labels_.begin(), labels_.end(),
                    [&](const auto& label) { return label.first == name; }))
      document_.fail_at_key("this key is repeated");
    auto& label = labels_.emplace_back(std::string(name), std::vector<std::string>());
    document_.each_element(states, [&](Value& element) {
      label.second.emplace_back(document_.name(element, scratch));
    });
  });
}

/// When all states are known. Goals are a label as well.
void ExplicitReader::add_labels() {
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    std::vector<bool> members(num_states_, false);
    for (const std::string& name : labels_[i].second) {
      const std::optional<StateId> state = builder_->find_state(name);
      const bool occurs =
          state && (state->index() >= unmentioned_.size() || !unmentioned_[state->index()]);
      if (!occurs) fail_at_label(i, name);
      members[state->index()] = true;
    }
    builder_->add_label(labels_[i].first, std::move(members));
  }
  const bool has_label_goal = std::any_of(labels_.begin(), labels_.end(),
                                          [](const auto& label) { return label.first == "goal"; });
  goals_.resize(num_states_, false);
  if (has_labels_ && has_goals_ && !has_label_goal) builder_->add_label("goal", goals_);
}

void ExplicitReader::read_give_up(Value& value) {
  std::vector<double> penalty(costs_.size());
  for (const auto& [cost, amount] : read_cost_map(value, "penalty"))
    penalty[cost] = amount;
  builder_->set_give_up(std::move(penalty));
}

void ExplicitReader::read_action(Value& value) {
  JsonKeys keys(document_, action_keys);
  StateId state;
  std::string_view name;
  document_.each_field(value, [&](std::string_view key, Value& member) {
    switch (static_cast<ActionKey>(keys.take(key))) {
      case ActionKey::state:
        state = mentioned_state(document_.name(member, state_scratch_));
        break;
      case ActionKey::name:
        name = document_.string(member, name_scratch_);
        document_.here([&] { check_action_name(name); });
        break;
      case ActionKey::cost:
        read_cost(member, cost_);
        break;
      case ActionKey::outcomes:
        read_outcomes(member);
        break;
    }
  });
  keys.check_complete();
  document_.here([&] { builder_->add_action(state, name, cost_); });
}

void ExplicitReader::read_cost(Value& value, std::vector<double>& cost) {
  cost.clear();
  document_.each_element(value, [&](Value& element) {
    cost.push_back(document_.number(element));
    document_.here([&] { check_cost("cost", cost.back()); });
  });
  document_.here([&] { check_cost_vector(costs_, cost); });
  to_the_front(cost);
}

void ExplicitReader::read_outcomes(Value& value) {
  if (document_.is_array(value))
    document_.each_element(value, [&](Value& element) { read_outcome(element); });
  else
    document_.each_field(value, [&](std::string_view successor, Value& number) {
      const double probability = document_.number(number);
      document_.here([&] { builder_->add_outcome(probability, mentioned_state(successor)); });
    });
  document_.here([&] { builder_->normalise_outcomes(); });
}

void ExplicitReader::read_outcome(Value& value) {
  JsonKeys keys(document_, outcome_keys);
  StateId state;
  double probability = 0;
  outcome_cost_.clear();
  document_.each_field(value, [&](std::string_view key, Value& member) {
    switch (static_cast<OutcomeKey>(keys.take(key))) {
      case OutcomeKey::state:
        state = mentioned_state(document_.name(member, outcome_scratch_));
        break;
      case OutcomeKey::probability:
        probability = document_.number(member);
        document_.here([&] { check_probability(probability); });
        break;
      case OutcomeKey::cost:
        read_cost(member, outcome_cost_);
        break;
    }
  });
  keys.check_complete({"cost"});
  builder_->add_outcome(probability, state, outcome_cost_);
}

std::shared_ptr<Model> ExplicitReader::build() {
  try {
    return build_initial();
  } catch (const DuplicateAction& duplicate) {
    fail_at(duplicate);
  }
}

std::shared_ptr<Model> ExplicitReader::build_initial() {
  add_labels();
  const auto require = [&](bool occurs, const std::string& name) {
    if (!occurs)
      fail_at_initial(
          fmt::format("the state '{}' occurs in no action and is no goal", shown(name)));
  };
  if (!before_.valid()) {
    const std::optional<StateId> initial = builder_->find_state(initial_);
    require(initial.has_value(), initial_);
    return builder_->build(*initial);
  }
  if (!unmentioned_[before_.index()])
    fail_at_initial(fmt::format("a state is named '{}'", not_drawn_yet),
                    "with an initial distribution that is the name of what comes before it");
  for (const Drawn& drawn : drawn_) {
    require(!unmentioned_[drawn.state.index()], drawn.name);
    builder_->add_outcome(drawn.probability, drawn.state);
  }
  return builder_->build_drawn(before_);
}

void ExplicitReader::fail_at_label(std::size_t number, const std::string& state) {
  std::string scratch;
  document_.each_root_field([&](std::string_view key, Value& value) {
    if (key != "labels") return true;
    std::size_t i = 0;
    document_.each_field(value, [&](std::string_view, Value& states) {
      const bool is_it = i++ == number;
      document_.each_element(states, [&](Value& element) {
        if (document_.name(element, scratch) == state && is_it)
          document_.fail(
              fmt::format("the state '{}' occurs in no action and is no goal", shown(state)));
      });
    });
    return true;
  });
  throw std::logic_error("a label was read, but is not there");
}

/// Goes through the text once more, to the place that turned out to be wrong when all was read.
void ExplicitReader::fail_at_initial(const std::string& message, const std::string& hint) {
  document_.each_root_field([&](std::string_view key, Value&) {
    if (key == "initial") document_.fail(message, hint);
    return true;
  });
  throw std::logic_error("the initial state was read, but is not there");
}

void ExplicitReader::fail_at(const DuplicateAction& duplicate) {
  document_.each_root_field([&](std::string_view key, Value& value) {
    if (key != "actions") return true;
    std::size_t number = 0;
    document_.each_element(value, [&](Value&) {
      if (number++ == duplicate.second().index())
        document_.fail(duplicate.message(),
                       fmt::format("the other one is actions[{}]", duplicate.first().index()));
    });
    return true;
  });
  throw std::logic_error("an action was read, but is not there");
}

}  // namespace

std::shared_ptr<Model> read_explicit(const std::string& name, std::string text, Monitor& monitor,
                                     const std::string& minimise) {
  return ExplicitReader(name, std::move(text), minimise, monitor).read();
}

std::shared_ptr<Model> read_explicit(ModelText text, const std::string& minimise, Monitor& monitor,
                                     LoadTimes& times) {
  const PhaseTimer timer(times.parse);
  return read_explicit(text.name, std::move(text.text), monitor, minimise);
}

}  // namespace carl::io
