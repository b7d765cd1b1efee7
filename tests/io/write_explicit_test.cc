#include "io/write_explicit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "carl/cssp.h"
#include "carl/error.h"
#include "carl/io.h"
#include "io/read_explicit.h"
#include "model/explicit_model.h"
#include "support/load.h"
#include "support/random_domain.h"
#include "support/random_model.h"
#include "support/scale.h"

namespace carl::io {
namespace {

std::string written(Model& model) {
  std::ostringstream out;
  Monitor monitor;
  write_explicit(model, model.cost_model(), out, monitor);
  return out.str();
}

std::shared_ptr<ExplicitModel> reread(const std::string& text) {
  Monitor monitor;
  return std::dynamic_pointer_cast<ExplicitModel>(read_explicit("written.json", text, monitor));
}

std::string complaint(Model& model) {
  try {
    written(model);
  } catch (const InputError& error) {
    return error.message();
  }
  return "fine";
}

/// A factored model whose states, actions and names the test supplies: action `a` of state `s`
/// leads to successors[s][a].
class Listed : public Model {
 public:
  std::vector<std::vector<std::size_t>> successors;  // none: a goal
  std::vector<std::vector<std::string>> facts;
  std::vector<std::string> names{"(go)", "(run)"};

  const CostModel& cost_model() const override { return costs_; }
  StateId initial_state() override { return StateId(0); }
  bool is_goal(StateId state) const override { return successors[state.index()].empty(); }
  void expand(StateId state, Expansion& out) override {
    out.clear();
    for (std::size_t a = 0; a < successors[state.index()].size(); ++a) {
      out.begin_action(ActionId(a));
      out.add_outcome(1, StateId(successors[state.index()][a]));
    }
  }
  std::span<const double> cost(ActionId) const override { return unit_; }
  std::size_t num_states() const override { return successors.size(); }
  bool factored() const override { return true; }
  std::vector<std::string> state_facts(StateId state) const override {
    return facts[state.index()];
  }
  std::string action_name(ActionId action) const override { return names[action.index()]; }

 private:
  CostModel costs_{{"steps"}, {}, {}};
  std::vector<double> unit_{1};
};

TEST(WriteExplicit, OneActionPerLine) {
  ExplicitBuilder builder({{"time", "a \"price\""}, {{1, 15}, {0, 0.1}}, {{500.0, 1.0 / 3}}});
  builder.add_action("s0", "walk", {1, 0}, {{0.9, "s1"}, {0.1, "Zürich"}});
  builder.add_action("s0", "tab\t", {1e-7, 1e15}, {{1, "g"}});
  builder.add_action("s1", "walk", {0.1, 123456789}, {{1, "g"}});
  builder.add_action("unreachable", "walk", {1, 1}, {{1, "g"}});
  builder.add_goal(builder.state("g"));
  builder.add_goal(builder.state("unreachable goal"));
  const auto model = builder.build(builder.state("s0"));
  EXPECT_EQ(written(*model), R"({ "format": "cssp", "version": 1,
  "costs": ["time", "a \"price\""],
  "bounds": { "a \"price\"": 15, "time": 0.1 },
  "give_up": { "time": 500, "a \"price\"": 0.3333333333333333 },
  "initial": "s0",
  "actions": [
    { "state": "s0", "name": "walk", "cost": [1, 0], "outcomes": { "s1": 0.9, "Zürich": 0.1 } },
    { "state": "s0", "name": "tab\u0009", "cost": [1e-07, 1000000000000000], "outcomes": { "g": 1 } },
    { "state": "s1", "name": "walk", "cost": [0.1, 123456789], "outcomes": { "g": 1 } }
  ],
  "goals": ["g"] }
)");
}

TEST(WriteExplicit, AnInitialGoalIsAModel) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_goal(builder.state("g"));
  const std::string text = written(*builder.build(builder.state("g")));
  const auto model = reread(text);
  EXPECT_TRUE(model->is_goal(model->initial_state()));
}

TEST(WriteExplicit, FactoredStatesAreNamedByTheirFacts) {
  Listed model;
  model.successors = {{1, 2}, {}, {0}};
  model.facts = {{"(at a)", "(free)"}, {}, {"(at b)"}};
  EXPECT_EQ(written(model), R"raw({ "format": "cssp", "version": 1,
  "costs": ["steps"],
  "initial": "(at a) (free)",
  "actions": [
    { "state": "(at a) (free)", "name": "(go)", "cost": [1], "outcomes": { "": 1 } },
    { "state": "(at a) (free)", "name": "(run)", "cost": [1], "outcomes": { "(at b)": 1 } },
    { "state": "(at b)", "name": "(go)", "cost": [1], "outcomes": { "(at a) (free)": 1 } }
  ],
  "goals": [""] }
)raw");
}

TEST(WriteExplicit, ActionsThatAreListedTwiceAreWrittenOnce) {
  Listed model;
  model.successors = {{1, 1}, {}};
  model.facts = {{"a"}, {"b"}};
  model.names = {"(go)", "(go)"};
  EXPECT_EQ(reread(written(model))->num_actions(), 1U);
}

TEST(WriteExplicit, NamesMustTellStatesAndActionsApart) {
  Listed model;
  model.successors = {{1, 2}, {}, {}};
  model.facts = {{"a"}, {"b"}, {"b"}};
  EXPECT_EQ(complaint(model), "there are two states named 'b'");
  model.facts = {{"a"}, {"b"}, {"c"}};
  model.names = {"(go)", "(go)"};
  EXPECT_EQ(complaint(model), "state \"a\" has two different actions named '(go)'");
  model.names = {"(go)", "\xff"};
  EXPECT_EQ(complaint(model), "a name is not UTF-8 text and cannot be written as JSON");
}

TEST(WriteExplicit, AnInitialDeadEndIsNothingToWrite) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  EXPECT_EQ(complaint(*builder.build(builder.state("a"))),
            "no action is applicable in the initial state, so there is nothing to write");
}

TEST(WriteExplicit, StopsAtALimit) {
  const std::atomic<bool> interrupted = true;
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupted);
  const auto model = testing::random_model(1);
  std::ostringstream out;
  EXPECT_THROW(write_explicit(*model, model->cost_model(), out, monitor), LimitReached);
}

TEST(WriteExplicit, OfACsspHasItsBoundsAndPenalties) {
  testing::RandomModelOptions options;
  options.bounds = testing::BoundsKind::slack;
  CsspOptions changes;
  changes.bounds = {{"c1", 0.25}};
  changes.give_up.emplace();
  Cssp cssp(testing::random_model(1, options), changes);
  std::ostringstream out;
  Monitor monitor;
  carl::write_explicit(cssp, out, monitor);
  const auto model = reread(out.str());
  EXPECT_EQ(model->cost_model().bounds.front().upper, 0.25);
  EXPECT_EQ(*model->cost_model().give_up, std::vector<double>(options.costs));
}

using Outcomes = std::map<std::string, double>;
using NamedActions =
    std::map<std::pair<std::string, std::string>, std::pair<std::vector<double>, Outcomes>>;

/// All that is reachable, by names.
NamedActions contents(ExplicitModel& model) {
  NamedActions result;
  std::vector<bool> met(model.num_states());
  std::vector<StateId> queue{model.initial_state()};
  met[queue.front().index()] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const StateId state = queue[i];
    for (const ActionId action : model.actions(state)) {
      Outcomes outcomes;
      const auto successors = model.successors(action);
      for (std::size_t k = 0; k < successors.size(); ++k) {
        outcomes[std::string(model.state_name(successors[k]))] = model.probabilities(action)[k];
        if (met[successors[k].index()]) continue;
        met[successors[k].index()] = true;
        queue.push_back(successors[k]);
      }
      const auto cost = model.cost(action);
      result[{std::string(model.state_name(state)), model.action_name(action)}] = {
          {cost.begin(), cost.end()}, outcomes};
    }
  }
  for (const StateId state : queue)
    if (model.is_goal(state)) result[{std::string(model.state_name(state)), "(goal)"}] = {};
  return result;
}

TEST(WriteExplicit, RandomModelsReadBackExactly) {
  for (std::uint64_t seed = 0; seed < testing::scaled(500); ++seed) {
    const testing::RandomModelOptions options = testing::random_options(seed, 12);
    const auto model = testing::random_model(seed, options);
    const std::string text = written(*model);
    const auto again = reread(text);
    ASSERT_EQ(contents(*again), contents(*model)) << seed << ": " << options.text();
    EXPECT_EQ(again->cost_model().costs, model->cost_model().costs);
    EXPECT_EQ(again->cost_model().give_up, model->cost_model().give_up);
    ASSERT_EQ(again->cost_model().bounds.size(), model->cost_model().bounds.size());
    for (std::size_t i = 0; i < model->cost_model().bounds.size(); ++i)
      EXPECT_EQ(again->cost_model().bounds[i].upper, model->cost_model().bounds[i].upper);
    EXPECT_EQ(written(*again), text);
  }
}

TEST(WriteExplicit, OutcomesThatDifferInCostAreAList) {
  ExplicitBuilder builder({{"reward", "time"}, {}, {}, {true, false}});
  const StateId s = builder.state("s");
  const StateId g = builder.state("g");
  builder.add_goal(g);
  builder.add_outcome(0.25, s, std::vector<double>{0, 1});
  builder.add_outcome(0.5, g, std::vector<double>{2, 1});
  builder.add_outcome(0.25, s, std::vector<double>{4, 1});
  builder.add_action(s, "dig", std::vector<double>{2, 1});
  builder.add_action("s", "go", {1, 1}, {{1, "g"}});
  const auto model = builder.build(s);
  const std::string text = written(*model);
  EXPECT_EQ(text, R"({ "format": "cssp", "version": 1,
  "costs": ["reward", "time"],
  "rewards": ["reward"],
  "initial": "s",
  "actions": [
    { "state": "s", "name": "dig", "cost": [2, 1], "outcomes": [ { "state": "s", "probability": 0.25, "cost": [0, 1] }, { "state": "g", "probability": 0.5, "cost": [2, 1] }, { "state": "s", "probability": 0.25, "cost": [4, 1] } ] },
    { "state": "s", "name": "go", "cost": [1, 1], "outcomes": { "g": 1 } }
  ],
  "goals": ["g"] }
)");
  EXPECT_EQ(written(*reread(text)), text);
}

TEST(WriteExplicit, AnInitialDistributionIsOne) {
  const std::string text = R"({ "format": "cssp", "version": 1,
  "costs": ["time"],
  "initial": { "a": 0.25, "b": 0.75 },
  "actions": [
    { "state": "a", "name": "go", "cost": [1], "outcomes": { "b": 1 } },
    { "state": "b", "name": "go", "cost": [2], "outcomes": { "g": 1 } }
  ],
  "goals": ["g"] }
)";
  const auto model = reread(text);
  EXPECT_EQ(written(*model), text);
  EXPECT_EQ(model->state_name(model->initial_state()), "(initial state: not drawn yet)");
  const ActionId draw = model->actions(model->initial_state()).front();
  EXPECT_TRUE(model->draws_initial_state(draw));
  EXPECT_EQ(model->action_name(draw), "(draw the initial state)");
  EXPECT_EQ(model->cost(draw)[0], 0.0);
  EXPECT_EQ(model->figures()[0].second, "3");
  EXPECT_EQ(model->figures()[1].second, "2");
  EXPECT_EQ(model->figures()[2].second, "2");
  EXPECT_EQ(model->notes().size(), 1U);
}

TEST(WriteExplicit, ADrawnDeadEndIsWrittenAsAnOutcome) {
  // By itself its name would look like a slip.
  ExplicitBuilder builder({{"time"}, {}, {}});
  const StateId before = builder.state("before");
  builder.add_action("a", "go", {1}, {{1, "g"}});
  builder.add_goal(builder.state("g"));
  builder.add_outcome(0.5, builder.state("a"));
  builder.add_outcome(0.5, builder.state("pit"));
  const auto model = builder.build_drawn(before);
  EXPECT_NE(written(*model).find("\"initial\": \"before\""), std::string::npos);
  EXPECT_EQ(reread(written(*model))->num_states(), 4U);
}

TEST(ExplicitBuilder, NothingElseIsDoneBeforeADraw) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "go", {1}, {{1, "g"}});
  builder.add_goal(builder.state("g"));
  builder.add_outcome(1, builder.state("g"));
  try {
    builder.build_drawn(builder.state("a"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "before the initial state is drawn nothing else can be done");
  }
}

/// What is planned with must survive to the last bit, what is simulated up to rounding.
void expect_the_same(Model& original, Model& copy, std::size_t& differing) {
  Expansion a;
  Expansion b;
  OutcomeCosts apart_a;
  OutcomeCosts apart_b;
  ASSERT_EQ(original.num_states(), copy.num_states());
  for (std::size_t s = 0; s < original.num_states(); ++s) {
    const StateId state(s);
    ASSERT_EQ(original.is_goal(state), copy.is_goal(state));
    if (original.is_goal(state)) continue;
    original.expand(state, a);
    copy.expand(state, b);
    ASSERT_EQ(a.num_actions(), b.num_actions());
    for (std::size_t i = 0; i < a.num_actions(); ++i) {
      EXPECT_TRUE(std::ranges::equal(a.probabilities(i), b.probabilities(i)));
      EXPECT_TRUE(std::ranges::equal(a.successors(i), b.successors(i)));
      EXPECT_TRUE(std::ranges::equal(original.cost(a.action(i)), copy.cost(b.action(i))));
      const bool differ = original.outcome_costs(state, a.action(i), apart_a);
      ASSERT_EQ(copy.outcome_costs(state, b.action(i), apart_b), differ);
      ASSERT_EQ(apart_a.size(), apart_b.size());
      differing += differ;
      for (std::size_t k = 0; k < apart_a.size(); ++k) {
        EXPECT_NEAR(apart_a.probability(k), apart_b.probability(k), 1e-15);
        EXPECT_EQ(apart_a.successor(k), apart_b.successor(k));
        EXPECT_TRUE(std::ranges::equal(apart_a.cost(k), apart_b.cost(k)));
      }
    }
  }
}

TEST(WriteExplicit, PlansOfAConvertedProblemAreTheSameBitForBit) {
  std::size_t differing = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto model = testing::load_text(seed % 3 == 0 ? testing::random_conditional_problem(seed)
                                                        : testing::random_problem(seed));
    std::string text;
    try {
      text = written(*model);
    } catch (const InputError&) {
      continue;  // there is nothing to be done in the initial state
    }
    if (model->num_states() > 2000) continue;
    const auto copy = reread(text);
    expect_the_same(*model, *copy, differing);
    EXPECT_EQ(written(*copy), text);
    if (HasFailure()) return;
  }
  EXPECT_GE(differing, testing::at_full_scale(300));
}

}  // namespace
}  // namespace carl::io
