#include "task/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "support/reference.h"

namespace carl::testing {
namespace {

using Facts = std::vector<std::string>;  // sorted
using Distribution = std::map<Facts, Rational>;
using CostedDistribution = std::map<std::pair<Facts, std::vector<double>>, double>;

struct ModelTransition {
  std::vector<double> cost;
  std::map<Facts, double> successors;
  CostedDistribution outcomes;  // if they differ in cost
};

class Comparison {
 public:
  Comparison(const pddl::SyntaxTree& tree, TaskModel& model, std::string what)
      : reference_(tree), model_(model), what_(std::move(what)) {
    for (const task::Variable& variable : model.task().variables)
      if (!variable.shadow) kept_.insert(variable.values.begin(), variable.values.end());
  }

  std::optional<TransitionSystemSize> run(std::size_t max_states) {
    explore_model(max_states);
    std::set<AtomSet> seen;
    std::deque<AtomSet> open;
    for (const auto& [state, probability] : reference_.initial_states()) {
      seen.insert(state);
      open.push_back(state);
    }
    std::set<Facts> projected;
    std::set<std::pair<Facts, std::string>> leaving;
    compare_start(projected, leaving);
    while (!open.empty()) {
      if (seen.size() > max_states) return std::nullopt;
      const AtomSet state = std::move(open.front());
      open.pop_front();
      const Facts facts = project(state);
      projected.insert(facts);
      const auto id = ids_.find(facts);
      if (id == ids_.end()) {
        ADD_FAILURE() << what_ << ": the task never reaches " << show(facts);
        return TransitionSystemSize{};
      }
      EXPECT_EQ(model_.is_goal(id->second), reference_.is_goal(state)) << what_ << show(facts);
      if (reference_.is_goal(state)) continue;
      for (AtomSet& next : compare_state(state, facts, leaving))
        if (seen.insert(next).second) open.push_back(std::move(next));
      if (::testing::Test::HasFailure()) return TransitionSystemSize{};
    }
    EXPECT_EQ(projected.size(), ids_.size()) << what_ << ": the task reaches more states";
    return TransitionSystemSize{projected.size(), leaving.size()};
  }

 private:
  static std::string show(const Facts& facts) {
    return fmt::format(" {{{}}} ", fmt::join(facts, " "));
  }

  Facts project(const AtomSet& state) const {
    Facts facts;
    for (const std::string& atom : state)
      if (kept_.count(atom) > 0) facts.push_back(atom);
    return facts;
  }

  void explore_model(std::size_t max_states) {
    Expansion expansion;
    model_.initial_state();
    for (std::size_t i = 0; i < model_.num_states() && i < max_states; ++i) {
      const StateId state(i);
      EXPECT_TRUE(ids_.emplace(model_.state_facts(state), state).second) << what_;
      if (!model_.is_goal(state)) model_.expand(state, expansion);
    }
  }

  std::map<std::string, ModelTransition> model_transitions(StateId state) {
    Expansion expansion;
    model_.expand(state, expansion);
    std::map<std::string, ModelTransition> result;
    for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
      ModelTransition transition;
      const auto cost = model_.cost(expansion.action(i));
      transition.cost.assign(cost.begin(), cost.end());
      for (std::size_t k = 0; k < expansion.successors(i).size(); ++k)
        transition.successors[model_.state_facts(expansion.successors(i)[k])] +=
            expansion.probabilities(i)[k];
      OutcomeCosts apart;
      model_.outcome_costs(state, expansion.action(i), apart);
      for (std::size_t k = 0; k < apart.size(); ++k)
        transition.outcomes[{model_.state_facts(apart.successor(k)),
                             {apart.cost(k).begin(), apart.cost(k).end()}}] += apart.probability(k);
      const std::string name = model_.action_name(expansion.action(i));
      EXPECT_TRUE(result.emplace(name, std::move(transition)).second)
          << what_ << ": " << name << " twice in" << show(model_.state_facts(state));
    }
    return result;
  }

  /// The model begins in the one initial state, or draws one of several at no cost.
  void compare_start(std::set<Facts>& projected, std::set<std::pair<Facts, std::string>>& leaving) {
    Distribution distribution;
    for (const auto& [state, probability] : reference_.initial_states())
      distribution[project(state)] += probability;
    const Facts start = model_.state_facts(model_.initial_state());
    if (!model_.task().initial_draw) {
      // A task without a goal that can be reached keeps no facts to draw.
      EXPECT_EQ(distribution.begin()->first, start) << what_;
      EXPECT_EQ(distribution.size(), 1U) << what_;
      return;
    }
    EXPECT_EQ(start, Facts{"(initial state: not drawn yet)"}) << what_;
    EXPECT_FALSE(model_.is_goal(model_.initial_state())) << what_;
    const auto claimed = model_transitions(model_.initial_state());
    ASSERT_EQ(claimed.size(), 1U) << what_;
    EXPECT_EQ(claimed.begin()->first, "(draw the initial state)") << what_;
    const std::vector<Rational> nothing(claimed.begin()->second.cost.size());
    compare_transition(claimed.begin()->second, nothing, distribution, "the draw");
    projected.insert(start);
    leaving.emplace(start, claimed.begin()->first);
  }

  /// Returns the successors in full.
  std::vector<AtomSet> compare_state(const AtomSet& state, const Facts& facts,
                                     std::set<std::pair<Facts, std::string>>& leaving) {
    auto claimed = model_transitions(ids_.at(facts));
    std::vector<AtomSet> next;
    for (const Reference::GroundAction& action : reference_.actions()) {
      if (!reference_.is_applicable(action, state)) continue;
      const Reference::Transition truth = reference_.apply(action, state);
      Distribution distribution;
      for (const auto& [successor, probability] : truth.successors) {
        distribution[project(successor)] += probability;
        next.push_back(successor);
      }
      const bool stays = distribution.size() == 1 && distribution.begin()->first == facts;
      if (!stays) leaving.emplace(facts, action.name);
      const auto claim = claimed.find(action.name);
      if (claim == claimed.end()) {
        EXPECT_TRUE(stays) << what_ << ": " << action.name << " is missing in" << show(facts);
      } else {
        compare_transition(claim->second, truth.cost, distribution, action.name + show(facts));
        compare_outcome_costs(claim->second, truth, action.name + show(facts));
        claimed.erase(claim);
      }
    }
    for (const auto& [name, transition] : claimed)
      ADD_FAILURE() << what_ << ": " << name << " is not applicable in" << show(facts);
    return next;
  }

  void compare_transition(const ModelTransition& claim, const std::vector<Rational>& cost,
                          const Distribution& distribution, const std::string& where) const {
    ASSERT_EQ(claim.cost.size(), cost.size());
    for (std::size_t i = 0; i < cost.size(); ++i)
      EXPECT_EQ(claim.cost[i], to_double(cost[i])) << what_ << ": cost of " << where;
    EXPECT_EQ(claim.successors.size(), distribution.size()) << what_ << ": " << where;
    for (const auto& [facts, probability] : distribution) {
      const auto found = claim.successors.find(facts);
      if (found == claim.successors.end())
        ADD_FAILURE() << what_ << ": " << where << " does not lead to" << show(facts);
      else
        EXPECT_NEAR(found->second, to_double(probability), 1e-12) << what_ << ": " << where;
    }
  }

  /// What is said about outcomes that differ in cost, and that nothing is said if they do not.
  void compare_outcome_costs(const ModelTransition& claim, const Reference::Transition& truth,
                             const std::string& where) const {
    CostedDistribution expected;
    std::set<std::vector<double>> costs;
    for (const auto& [outcome, probability] : truth.outcomes) {
      std::vector<double> cost;
      for (const Rational& number : outcome.second)
        cost.push_back(to_double(number));
      costs.insert(cost);
      expected[{project(outcome.first), cost}] += to_double(probability);
    }
    if (costs.size() == 1) expected.clear();
    EXPECT_EQ(claim.outcomes.size(), expected.size()) << what_ << ": outcomes of " << where;
    for (const auto& [outcome, probability] : expected) {
      const auto found = claim.outcomes.find(outcome);
      if (found == claim.outcomes.end())
        ADD_FAILURE() << what_ << ": " << where << " does not lead to" << show(outcome.first)
                      << fmt::format("at cost {}", fmt::join(outcome.second, ", "));
      else
        EXPECT_NEAR(found->second, probability, 1e-12) << what_ << ": " << where;
    }
  }

  Reference reference_;
  TaskModel& model_;
  std::string what_;
  std::set<std::string> kept_;
  std::map<Facts, StateId> ids_;
};

void check_facts(const task::Task& task, const std::vector<task::Fact>& facts,
                 const std::string& what) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    ASSERT_LT(facts[i].variable.index(), task.variables.size()) << what;
    EXPECT_LT(facts[i].value, task.variables[facts[i].variable.index()].values.size()) << what;
    if (i > 0) {
      EXPECT_LT(facts[i - 1].variable, facts[i].variable) << what;
    }
  }
}

}  // namespace

std::optional<TransitionSystemSize> compare_with_reference(const pddl::SyntaxTree& tree,
                                                           TaskModel& model,
                                                           const std::string& what,
                                                           std::size_t max_states) {
  return Comparison(tree, model, what).run(max_states);
}

namespace {

/// Exactly what planning sees, taken apart.
void check_cost_shares(const task::Task& task, const std::string& what) {
  const auto number = [&](task::NumberId id) { return task.numbers[id.index()]; };
  ASSERT_EQ(task.outcome_cost_vectors.size(), task.exact_outcome_cost_vectors.size()) << what;
  std::map<std::uint32_t, std::vector<task::CostShare>> by_action;
  for (const task::CostShare& share : task.cost_shares)
    by_action[share.action].push_back(share);
  for (const auto& [a, shares] : by_action) {
    const task::Action& action = task.actions[a];
    std::vector<Rational> cost(task.costs.costs.size());
    std::vector<Rational> probability(action.outcomes.size());
    for (const task::CostShare& share : shares) {
      EXPECT_EQ(share.probability, to_double(number(share.exact_probability)));
      probability[share.outcome] += number(share.exact_probability);
      for (std::size_t i = 0; i < cost.size(); ++i)
        cost[i] += number(share.exact_probability) *
                   number(task.exact_outcome_cost_vectors[share.cost][i]);
    }
    for (std::size_t o = 0; o < probability.size(); ++o)
      EXPECT_EQ(probability[o], number(action.outcomes[o].exact_probability)) << what;
    for (std::size_t i = 0; i < cost.size(); ++i)
      EXPECT_EQ(cost[i], number(task.exact_cost_vectors[action.cost][i])) << what;
  }
}

/// Exact probabilities that sum to one; returns which conditional effects the outcomes list.
std::set<std::uint32_t> check_outcomes(const task::Task& task,
                                       const std::vector<task::Outcome>& outcomes,
                                       const std::string& what) {
  Rational sum = 0;
  std::set<std::pair<std::vector<task::Fact>, std::vector<std::uint32_t>>> distinct;
  std::set<std::uint32_t> listed;
  for (const task::Outcome& outcome : outcomes) {
    check_facts(task, outcome.effects, what);
    sum += task.numbers[outcome.exact_probability.index()];
    EXPECT_EQ(outcome.probability, to_double(task.numbers[outcome.exact_probability.index()]));
    EXPECT_TRUE(distinct.emplace(outcome.effects, outcome.conditionals).second) << what;
    EXPECT_TRUE(std::is_sorted(outcome.conditionals.begin(), outcome.conditionals.end())) << what;
    listed.insert(outcome.conditionals.begin(), outcome.conditionals.end());
  }
  EXPECT_EQ(sum, 1) << what;
  return listed;
}

/// Each conditional effect is listed where it says, and only there; it can hold and does something.
void check_conditionals(const task::Task& task, const task::Action& action,
                        const std::string& what) {
  std::map<std::uint32_t, std::uint32_t> parents;
  for (const std::uint32_t k : check_outcomes(task, action.outcomes, what))
    EXPECT_TRUE(parents.emplace(k, task::ConditionalEffect::none).second) << what;
  for (std::uint32_t parent = 0; parent < action.conditionals.size(); ++parent)
    for (const std::uint32_t k : check_outcomes(task, action.conditionals[parent].outcomes, what)) {
      EXPECT_GT(k, parent) << what;
      EXPECT_TRUE(parents.emplace(k, parent).second) << what;
    }
  ASSERT_EQ(parents.size(), action.conditionals.size()) << what;
  for (std::uint32_t k = 0; k < action.conditionals.size(); ++k) {
    const task::ConditionalEffect& effect = action.conditionals[k];
    EXPECT_EQ(parents.at(k), effect.parent) << what;
    EXPECT_FALSE(effect.condition.empty()) << what;
    for (const std::vector<task::Fact>& term : effect.condition)
      check_facts(task, term, what);
    EXPECT_TRUE(std::any_of(effect.outcomes.begin(), effect.outcomes.end(), [](const auto& o) {
      return !o.effects.empty() || !o.conditionals.empty();
    })) << what;
  }
}

}  // namespace

void check_task(const task::Task& task, const std::string& what) {
  check_cost_shares(task, what);
  ASSERT_EQ(task.initial.size(), task.variables.size()) << what;
  for (std::size_t v = 0; v < task.variables.size(); ++v) {
    EXPECT_GE(task.variables[v].values.size(), 2U) << what;
    EXPECT_LT(task.initial[v], task.variables[v].values.size()) << what;
  }
  for (const auto& goal : task.goal)
    check_facts(task, goal, what);
  EXPECT_EQ(task.cost_vectors.size(), task.exact_cost_vectors.size()) << what;
  EXPECT_EQ(std::set(task.cost_vectors.begin(), task.cost_vectors.end()).size(),
            task.cost_vectors.size())
      << what;
  for (const task::Action& action : task.actions) {
    ASSERT_LT(action.label, task.labels.size()) << what;
    ASSERT_LT(action.cost, task.cost_vectors.size()) << what;
    check_facts(task, action.precondition, what);
    check_conditionals(task, action, what + task.labels[action.label]);
  }
}

}  // namespace carl::testing
