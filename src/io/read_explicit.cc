// The text is gone through twice: first only as far as the costs, without which neither bounds nor
// actions can be understood, then as a whole. Files have the costs near the beginning, so the first
// pass is short.
#include "io/read_explicit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json_document.h"
#include "model/explicit_model.h"
#include "model/validity.h"
#include "util/shown.h"
#include "util/timer.h"

namespace carl::io {
namespace {

using Value = JsonDocument::Value;

enum class RootKey { format, version, costs, rewards, bounds, initial, goals, give_up, actions };
constexpr std::array<std::string_view, 9> root_keys{
    "format", "version", "costs", "rewards", "bounds", "initial", "goals", "give_up", "actions"};

enum class ActionKey { state, name, cost, outcomes };
constexpr std::array<std::string_view, 4> action_keys{"state", "name", "cost", "outcomes"};

enum class OutcomeKey { state, probability, cost };
constexpr std::array<std::string_view, 3> outcome_keys{"state", "probability", "cost"};

class ExplicitReader {
 public:
  ExplicitReader(const std::string& file, std::string text, Monitor& monitor)
      : document_(file, std::move(text)), monitor_(monitor) {}

  std::shared_ptr<Model> read();

 private:
  void find_costs();
  void read_costs(Value& value);
  void read_everything();
  void read_root_value(RootKey key, Value& value);
  /// Pairs of a cost and what the text says about it (`what`).
  std::vector<std::pair<std::size_t, double>> read_cost_map(Value& value, const char* what);
  void read_rewards(Value& value);
  void read_bounds(Value& value);
  void read_give_up(Value& value);
  void read_action(Value& value);
  void read_cost(Value& value, std::vector<double>& cost);
  void read_outcomes(Value& value);
  void read_outcome(Value& value);
  std::shared_ptr<Model> build();
  [[noreturn]] void fail_at_initial();
  [[noreturn]] void fail_at(const DuplicateAction& duplicate);

  JsonDocument document_;
  Monitor& monitor_;
  std::vector<std::string> costs_;
  NameTable cost_numbers_;
  std::optional<ExplicitBuilder> builder_;  // there once the costs are known
  std::string initial_;

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
  document_.each_element(value, [&](Value& element) {
    const std::string_view name = document_.string(element, scratch);
    if (name.empty()) document_.fail("the name of a cost is empty");
    if (cost_numbers_.intern(name) != costs_.size())
      document_.fail(fmt::format("there are two costs named '{}'", shown(name)));
    costs_.emplace_back(name);
  });
  document_.here([&] { builder_.emplace(CostModel{costs_, {}, {}}); });
}

void ExplicitReader::read_everything() {
  JsonKeys keys(document_, root_keys);
  document_.each_root_field([&](std::string_view key, Value& value) {
    read_root_value(static_cast<RootKey>(keys.take(key)), value);
    return true;
  });
  keys.check_complete({"rewards", "bounds", "give_up"});
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
    case RootKey::initial:
      initial_ = document_.name(value, scratch);
      return;
    case RootKey::goals:
      return document_.each_element(value, [&](Value& element) {
        builder_->add_goal(builder_->state(document_.name(element, scratch)));
      });
    case RootKey::give_up:
      return read_give_up(value);
    case RootKey::actions:
      return document_.each_element(value, [&](Value& element) {
        monitor_.check();
        read_action(element);
      });
  }
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
        state = builder_->state(document_.name(member, state_scratch_));
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
}

void ExplicitReader::read_outcomes(Value& value) {
  if (document_.is_array(value))
    document_.each_element(value, [&](Value& element) { read_outcome(element); });
  else
    document_.each_field(value, [&](std::string_view successor, Value& number) {
      const double probability = document_.number(number);
      document_.here([&] { builder_->add_outcome(probability, builder_->state(successor)); });
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
        state = builder_->state(document_.name(member, outcome_scratch_));
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
  const std::optional<StateId> initial = builder_->find_state(initial_);
  if (!initial) fail_at_initial();
  try {
    return builder_->build(*initial);
  } catch (const DuplicateAction& duplicate) {
    fail_at(duplicate);
  }
}

/// Goes through the text once more, to the place that turned out to be wrong when all was read.
void ExplicitReader::fail_at_initial() {
  document_.each_root_field([&](std::string_view key, Value&) {
    if (key == "initial")
      document_.fail(
          fmt::format("the state '{}' occurs in no action and is no goal", shown(initial_)));
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

std::shared_ptr<Model> read_explicit(const std::string& name, std::string text, Monitor& monitor) {
  return ExplicitReader(name, std::move(text), monitor).read();
}

std::shared_ptr<Model> read_explicit(ModelText text, Monitor& monitor, LoadTimes& times) {
  const PhaseTimer timer(times.parse);
  return read_explicit(text.name, std::move(text.text), monitor);
}

}  // namespace carl::io
