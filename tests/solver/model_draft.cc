#include "solver/model_draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "carl/explicit_builder.h"
#include "carl/io.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "util/random.h"

namespace carl::testing {
namespace {

// --- drawing --------------------------------------------------------------------------------------

RandomModelOptions table_options(std::uint64_t seed) {
  RandomModelOptions options = random_options(seed, 9);
  SplitMix64 random(seed ^ 0x5EED);
  options.actions = 2 + random.below(3);
  // Bounds of zero say something only where some actions have none of a cost.
  if (random.below(3) > 0) options.zero_secondary_costs = true;
  if (options.dead_ends == DeadEnds::unavoidable && random.below(2) == 0)
    options.dead_ends = DeadEnds::avoidable;
  const std::uint64_t condition = random.below(20);
  options.near_loops = condition == 0;
  options.tiny_probabilities = condition == 1;
  options.wide_costs = condition == 2;
  options.many_free_actions = condition == 3;
  if (condition < 3) options.bounds = BoundsKind::none;  // are not drawn for these
  return options;
}

TableDraft table_of(Model& model) {
  TableDraft draft;
  draft.costs = model.cost_model();
  std::map<StateId, std::size_t> number;
  std::vector<StateId> order;
  const auto number_of = [&](StateId state) {
    const auto [place, is_new] = number.emplace(state, order.size());
    if (is_new) order.push_back(state);
    return place->second;
  };
  number_of(model.initial_state());
  Expansion expansion;
  for (std::size_t s = 0; s < order.size(); ++s) {
    if (model.is_goal(order[s])) {
      draft.goals.push_back(s);
      continue;
    }
    model.expand(order[s], expansion);
    for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
      TableDraft::Action action{.state = s, .cost = {}, .outcomes = {}};
      const std::span<const double> cost = model.cost(expansion.action(a));
      action.cost.assign(cost.begin(), cost.end());
      for (std::size_t k = 0; k < expansion.successors(a).size(); ++k)
        action.outcomes.push_back(
            {expansion.probabilities(a)[k], number_of(expansion.successors(a)[k])});
      draft.actions.push_back(std::move(action));
    }
  }
  draft.states = order.size();
  return draft;
}

// --- building -------------------------------------------------------------------------------------

std::shared_ptr<Model> build_table(const TableDraft& draft) {
  ExplicitBuilder builder(draft.costs);
  builder.add_states(draft.states);
  for (const std::size_t goal : draft.goals)
    builder.add_goal(StateId(goal));
  for (const TableDraft::Action& action : draft.actions) {
    for (const TableDraft::Outcome& outcome : action.outcomes)
      builder.add_outcome(outcome.probability, StateId(outcome.successor));
    builder.add_action(StateId(action.state), action.cost);
  }
  return builder.build(StateId(0));
}

/// From the text that is printed, so that what is tried is what is printed.
std::shared_ptr<Model> build_task(const task::Task& task) {
  Monitor monitor;
  return load_model_texts({{"task.pddl", ppddl_text(task)}}, monitor);
}

// --- simpler drafts -------------------------------------------------------------------------------

bool is_goal(const TableDraft& draft, std::size_t state) {
  return std::find(draft.goals.begin(), draft.goals.end(), state) != draft.goals.end();
}

/// Whoever was led to `state` is led to `other`.
TableDraft without_state(const TableDraft& draft, std::size_t state, std::size_t other) {
  TableDraft result = draft;
  const auto renamed = [&](std::size_t s) {
    if (s == state) s = other;
    return s > state ? s - 1 : s;
  };
  --result.states;
  result.goals.clear();
  for (const std::size_t goal : draft.goals)
    if (goal != state) result.goals.push_back(renamed(goal));
  result.actions.clear();
  for (TableDraft::Action action : draft.actions) {
    if (action.state == state) continue;
    action.state = renamed(action.state);
    std::map<std::size_t, double> outcomes;
    for (const TableDraft::Outcome& outcome : action.outcomes)
      outcomes[renamed(outcome.successor)] += outcome.probability;
    action.outcomes.clear();
    for (const auto& [successor, probability] : outcomes)
      action.outcomes.push_back({probability, successor});
    result.actions.push_back(std::move(action));
  }
  return result;
}

TableDraft without_outcome(const TableDraft& draft, std::size_t action, std::size_t outcome) {
  TableDraft result = draft;
  std::vector<TableDraft::Outcome>& outcomes = result.actions[action].outcomes;
  const double lost = outcomes[outcome].probability;
  outcomes.erase(outcomes.begin() + static_cast<std::ptrdiff_t>(outcome));
  for (TableDraft::Outcome& other : outcomes)
    other.probability /= 1 - lost;
  return result;
}

/// Positive numbers stay positive: a loop must not become free.
TableDraft with_round_costs(const TableDraft& draft) {
  TableDraft result = draft;
  for (TableDraft::Action& action : result.actions)
    for (double& cost : action.cost)
      cost = cost == 0 ? 0 : std::max(1.0, std::round(cost));
  return result;
}

TableDraft with_even_chances(const TableDraft& draft) {
  TableDraft result = draft;
  for (TableDraft::Action& action : result.actions)
    for (TableDraft::Outcome& outcome : action.outcomes)
      outcome.probability = 1.0 / static_cast<double>(action.outcomes.size());
  return result;
}

std::vector<ModelDraft> simpler_tables(const TableDraft& draft) {
  std::vector<ModelDraft> result;
  for (std::size_t s = draft.states; s-- > 1;) {
    if (is_goal(draft, s) && draft.goals.size() == 1) continue;
    for (std::size_t other = draft.states; other-- > 0;)
      if (other != s && (is_goal(draft, other) || other + 1 == s))
        result.emplace_back(without_state(draft, s, other));
  }
  for (std::size_t a = draft.actions.size(); a-- > 0;) {
    TableDraft without = draft;
    without.actions.erase(without.actions.begin() + static_cast<std::ptrdiff_t>(a));
    result.emplace_back(std::move(without));
  }
  for (std::size_t a = draft.actions.size(); a-- > 0;)
    for (std::size_t k = draft.actions[a].outcomes.size(); k-- > 0;)
      if (draft.actions[a].outcomes.size() > 1) result.emplace_back(without_outcome(draft, a, k));
  if (!draft.costs.bounds.empty()) {
    TableDraft without = draft;
    without.costs.bounds.clear();
    result.emplace_back(std::move(without));
  }
  for (TableDraft& round : std::vector{with_round_costs(draft), with_even_chances(draft)})
    if (round.actions != draft.actions) result.emplace_back(std::move(round));
  return result;
}

std::vector<ModelDraft> simpler_tasks(const task::Task& task) {
  std::vector<ModelDraft> result;
  for (std::size_t a = task.actions.size(); a-- > 0;) {
    task::Task without = task;
    without.actions.erase(without.actions.begin() + static_cast<std::ptrdiff_t>(a));
    result.emplace_back(std::move(without));
  }
  for (std::size_t g = task.goal.size(); g-- > 0 && task.goal.size() > 1;) {
    task::Task without = task;
    without.goal.erase(without.goal.begin() + static_cast<std::ptrdiff_t>(g));
    result.emplace_back(std::move(without));
  }
  return result;
}

// --- text -----------------------------------------------------------------------------------------

std::string costs_text(const CostModel& costs) {
  std::string bounds;
  for (const Bound& bound : costs.bounds)
    bounds += fmt::format("{}{{{}, {}}}", bounds.empty() ? "" : ", ", bound.cost, bound.upper);
  return fmt::format("{{{{\"{}\"}}, {{{}}}, {}}}", fmt::join(costs.costs, "\", \""), bounds,
                     costs.give_up
                         ? fmt::format("std::vector<double>{{{}}}", fmt::join(*costs.give_up, ", "))
                         : "{}");
}

std::string table_text(const TableDraft& draft) {
  std::string text =
      fmt::format("  carl::ExplicitBuilder builder({});\n  builder.add_states({});\n",
                  costs_text(draft.costs), draft.states);
  for (const std::size_t goal : draft.goals)
    text += fmt::format("  builder.add_goal(carl::StateId({}));\n", goal);
  for (const TableDraft::Action& action : draft.actions) {
    for (const TableDraft::Outcome& outcome : action.outcomes)
      text += fmt::format("  builder.add_outcome({}, carl::StateId({}));\n", outcome.probability,
                          outcome.successor);
    text += fmt::format("  builder.add_action(carl::StateId({}), std::vector<double>{{{}}});\n",
                        action.state, fmt::join(action.cost, ", "));
  }
  return text + "  return builder.build(carl::StateId(0));\n";
}

std::string task_text(const task::Task& task) {
  return fmt::format(
      "  carl::Monitor monitor;\n  return carl::load_model_texts({{{{\"task.pddl\", "
      "R\"ppddl({})ppddl\"}}}}, monitor);\n",
      ppddl_text(task));
}

}  // namespace

bool operator==(const Terms& a, const Terms& b) {
  const auto same = [](const Bound& x, const Bound& y) {
    return x.cost == y.cost && x.upper == y.upper;
  };
  return a.give_up == b.give_up &&
         std::equal(a.bounds.begin(), a.bounds.end(), b.bounds.begin(), b.bounds.end(), same);
}

ModelDraft random_draft(std::uint64_t seed) {
  if (SplitMix64(seed ^ 0x7A5C).below(4) == 0) return random_task(seed)->task();
  return table_of(*random_model(seed, table_options(seed)));
}

const CostModel& costs_of(const ModelDraft& draft) {
  return std::visit([](const auto& one) -> const CostModel& { return one.costs; }, draft);
}

std::shared_ptr<Model> build(const ModelDraft& draft) {
  if (const auto* table = std::get_if<TableDraft>(&draft)) return build_table(*table);
  return build_task(std::get<task::Task>(draft));
}

TableDraft written_out(const ModelDraft& draft) {
  if (const auto* table = std::get_if<TableDraft>(&draft)) return *table;
  return table_of(*build(draft));
}

Cssp fresh_problem(const ModelDraft& draft, const Terms& terms, bool remove_forbidden_actions) {
  CsspOptions options;
  options.remove_forbidden_actions = remove_forbidden_actions;
  if (const auto* given = std::get_if<TableDraft>(&draft)) {
    TableDraft table = *given;
    table.costs.bounds = terms.bounds;
    table.costs.give_up = terms.give_up;
    return Cssp(build_table(table), options);
  }
  task::Task task = std::get<task::Task>(draft);
  task.costs.give_up = terms.give_up;
  for (const Bound& bound : terms.bounds)
    options.bounds.emplace_back(task.costs.costs[bound.cost], bound.upper);
  return Cssp(build_task(task), options);
}

std::vector<ModelDraft> simpler(const ModelDraft& draft) {
  if (const auto* table = std::get_if<TableDraft>(&draft)) return simpler_tables(*table);
  std::vector<ModelDraft> result = simpler_tasks(std::get<task::Task>(draft));
  result.insert(result.begin(), written_out(draft));
  return result;
}

std::string body_text(const ModelDraft& draft) {
  if (const auto* table = std::get_if<TableDraft>(&draft)) return table_text(*table);
  return task_text(std::get<task::Task>(draft));
}

}  // namespace carl::testing
