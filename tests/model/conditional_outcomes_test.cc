// What actions with conditional effects do in a state: compared with a naive evaluation of their
// effects, in doubles and exactly, and where it ends.
#include "model/conditional_outcomes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "carl/cssp.h"
#include "carl/error.h"
#include "model/exact_numbers.h"
#include "support/load.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

using Values = std::vector<std::uint32_t>;
using Facts = std::map<std::size_t, std::uint32_t>;  // a value for some variables

/// Evaluates effects by the book: all that happens is collected, then a fact wins over none.
class Naive {
 public:
  Naive(const task::Task& task, const task::Action& action, const Values& state)
      : task_(task), action_(action), state_(state) {}

  std::map<Values, Rational> successors() const {
    std::map<Values, Rational> result;
    for (const auto& [facts, probability] : one_of(action_.outcomes)) {
      Values next = state_;
      for (const auto& [variable, value] : facts)
        next[variable] = value;
      result[next] += probability;
    }
    return result;
  }

 private:
  using Distribution = std::map<Facts, Rational>;

  Distribution one_of(const std::vector<task::Outcome>& outcomes) const {
    Distribution result;
    for (const task::Outcome& outcome : outcomes) {
      Facts own;
      for (const task::Fact& fact : outcome.effects)
        own[fact.variable.index()] = fact.value;
      Distribution all{{own, task_.numbers[outcome.exact_probability.index()]}};
      for (const std::uint32_t k : outcome.conditionals)
        if (holds(action_.conditionals[k].condition))
          all = both(all, one_of(action_.conditionals[k].outcomes));
      for (const auto& [facts, probability] : all)
        result[facts] += probability;
    }
    return result;
  }

  Distribution both(const Distribution& a, const Distribution& b) const {
    Distribution result;
    for (const auto& [x, p] : a)
      for (const auto& [y, q] : b) {
        Facts united = x;
        for (const auto& [variable, value] : y) {
          const auto& values = task_.variables[variable].values;
          const auto [entry, is_new] = united.try_emplace(variable, value);
          if (!is_new && values[entry->second].empty()) entry->second = value;
        }
        result[united] += p * q;
      }
    return result;
  }

  bool holds(const std::vector<std::vector<task::Fact>>& condition) const {
    return std::any_of(condition.begin(), condition.end(), [&](const auto& term) {
      return std::all_of(term.begin(), term.end(), [&](const task::Fact& fact) {
        return state_[fact.variable.index()] == fact.value;
      });
    });
  }

  const task::Task& task_;
  const task::Action& action_;
  const Values& state_;
};

bool is_applicable(const task::Action& action, const Values& state) {
  return std::all_of(
      action.precondition.begin(), action.precondition.end(),
      [&](const task::Fact& fact) { return state[fact.variable.index()] == fact.value; });
}

class Comparison {
 public:
  explicit Comparison(const std::shared_ptr<TaskModel>& model)
      : model_(*model), cssp_(model), exact_(cssp_) {}

  /// Returns how many actions with conditional effects it has seen at work.
  std::size_t run() {
    std::size_t seen = 0;
    for (std::size_t s = 0; s < model_.num_states() && s < 200; ++s)
      seen += compare(StateId(s));
    return seen;
  }

 private:
  std::size_t compare(StateId state) {
    std::size_t seen = 0;
    Values values;
    model_.values(state, values);
    Expansion expansion;
    model_.expand(state, expansion);
    std::size_t next = 0;
    const task::Task& task = model_.task();
    for (std::uint32_t a = 0; a < task.actions.size(); ++a) {
      if (!is_applicable(task.actions[a], values)) continue;
      const auto truth = Naive(task, task.actions[a], values).successors();
      const bool conditional = !task.actions[a].conditionals.empty();
      if (conditional && truth.size() == 1 && truth.begin()->first == values) continue;
      if (next == expansion.num_actions() || expansion.action(next) != ActionId(a)) {
        ADD_FAILURE() << "action " << a << " is missing in state " << state.index();
        return seen;
      }
      compare(state, expansion, next++, truth);
      seen += conditional ? 1 : 0;
    }
    EXPECT_EQ(next, expansion.num_actions());
    return seen;
  }

  void compare(StateId state, const Expansion& expansion, std::size_t i,
               const std::map<Values, Rational>& truth) {
    ASSERT_EQ(expansion.successors(i).size(), truth.size());
    const double error = exact_.relative_error(expansion.action(i), expansion.probabilities(i));
    Values values;
    for (std::size_t k = 0; k < truth.size(); ++k) {
      model_.values(expansion.successors(i)[k], values);
      ASSERT_EQ(truth.count(values), 1U);
      const double p = to_double(truth.at(values));
      EXPECT_LE(std::abs(expansion.probabilities(i)[k] - p), error * p);
    }
    std::vector<ExactOutcome> outcomes;
    exact_.outcomes(state, expansion.action(i), expansion.probabilities(i), expansion.successors(i),
                    outcomes);
    std::map<Values, Rational> exact;
    for (const ExactOutcome& outcome : outcomes) {
      model_.values(outcome.state, values);
      exact[values] += outcome.probability;
    }
    EXPECT_EQ(exact, truth);
  }

  TaskModel& model_;
  Cssp cssp_;
  ExactNumbers exact_;
};

TEST(ConditionalOutcomes, AreWhatANaiveEvaluationSays) {
  std::size_t seen = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(500); ++seed) {
    SCOPED_TRACE(seed);
    seen += Comparison(testing::random_conditional_task(seed)).run();
    if (HasFailure()) break;
  }
  EXPECT_GE(seen, testing::at_full_scale(20'000));
}

/// `count` switches that can be turned on, and an action that looks at all of them.
std::string switches(std::size_t count, const std::string& effect) {
  std::string objects;
  for (std::size_t i = 0; i < count; ++i)
    objects += " o" + std::to_string(i);
  return "(define (domain d) (:requirements :adl :probabilistic-effects)"
         "  (:predicates (on ?x) (seen ?x) (alarm))"
         "  (:action set :parameters () :precondition () :effect (forall (?x) (on ?x)))"
         "  (:action look :parameters () :precondition () :effect (forall (?x) " +
         effect +
         ")))"
         "(define (problem p) (:domain d) (:objects" +
         objects + ") (:init) (:goal (and (alarm) (forall (?x) (seen ?x)))))";
}

/// The state in which all switches are on.
StateId all_on(Model& model) {
  Expansion expansion;
  model.expand(model.initial_state(), expansion);
  EXPECT_EQ(expansion.num_actions(), 1U);  // to look does nothing
  EXPECT_EQ(model.action_name(expansion.action(0)), "(set)");
  return expansion.successors(0)[0];
}

TEST(ConditionalOutcomes, ChancesOfTheSameThingAreOneChance) {
  const auto model = testing::load_text(
      switches(40, "(when (on ?x) (and (seen ?x) (probabilistic 0.5 (alarm))))"));
  Expansion expansion;
  model->expand(all_on(*model), expansion);
  ASSERT_EQ(expansion.num_actions(), 2U);
  EXPECT_THAT(expansion.probabilities(1),
              ::testing::UnorderedElementsAre(std::pow(0.5, 40), 1 - std::pow(0.5, 40)));
}

TEST(ConditionalOutcomes, AreCountedInTheStateAndNotBefore) {
  const auto model = testing::load_text(
      switches(17, "(when (on ?x) (probabilistic 0.5 (seen ?x) 0.25 (and (seen ?x) (alarm))))"));
  const StateId state = all_on(*model);
  Expansion expansion;
  try {
    model->expand(state, expansion);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "error: (look) has more than 65536 outcomes in one state\n"
                 "  hint: split it into several actions");
  }
  const auto fits = testing::load_text(
      switches(10, "(when (on ?x) (probabilistic 0.5 (seen ?x) 0.25 (and (seen ?x) (alarm))))"));
  fits->expand(all_on(*fits), expansion);
  EXPECT_EQ(expansion.probabilities(1).size(), 1024U + 1023U);
}

TEST(ConditionalOutcomes, ActionsAreCountedWithTheirConditionalEffects) {
  const std::string effect = "(when (on ?x) (and (seen ?x) (alarm)))";
  EXPECT_EQ(testing::load_text(switches(3, effect))->figures()[2].second,
            "2 with 3 conditional effects");
  EXPECT_EQ(testing::load_text(switches(1, effect))->figures()[2].second,
            "2 with 1 conditional effect");
}

}  // namespace
}  // namespace carl
