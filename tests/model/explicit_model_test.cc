#include "model/explicit_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace carl {
namespace {

using ::testing::ElementsAre;

CostModel two_costs() {
  return {{"time", "price"}, {}, {}};
}

template <class Check>
std::string complaint(Check check) {
  try {
    check();
  } catch (const InputError& error) {
    return error.message();
  }
  return "fine";
}

std::shared_ptr<ExplicitModel> build(ExplicitBuilder& builder, const char* initial) {
  return std::static_pointer_cast<ExplicitModel>(builder.build(builder.state(initial)));
}

TEST(ExplicitModel, GroupsActionsByStateInTheOrderOfAdding) {
  ExplicitBuilder builder(two_costs());
  builder.add_action("a", "go", {1, 0}, {{0.5, "b"}, {0.5, "g"}});
  builder.add_action("b", "go", {2, 1}, {{1, "g"}});
  builder.add_action("a", "run", {1, 0}, {{1, "b"}});
  builder.add_goal(builder.state("g"));
  const auto model = build(builder, "a");

  const StateId a = *model->find_state("a");
  const StateId b = *model->find_state("b");
  const StateId g = *model->find_state("g");
  EXPECT_EQ(model->initial_state(), a);
  EXPECT_EQ(model->num_states(), 3U);
  EXPECT_TRUE(model->is_goal(g));
  EXPECT_FALSE(model->is_goal(a));
  EXPECT_THAT(model->state_facts(b), ElementsAre("b"));

  Expansion expansion;
  model->expand(a, expansion);
  ASSERT_EQ(expansion.num_actions(), 2U);
  EXPECT_EQ(expansion.action(0), ActionId(0));
  EXPECT_EQ(expansion.action(1), ActionId(1));
  EXPECT_EQ(model->action_name(ActionId(1)), "run");
  EXPECT_EQ(model->action_name(ActionId(2)), "go");
  EXPECT_THAT(expansion.successors(0), ElementsAre(b, g));
  EXPECT_THAT(expansion.probabilities(0), ElementsAre(0.5, 0.5));
  EXPECT_THAT(expansion.successors(1), ElementsAre(b));
  EXPECT_THAT(model->cost(ActionId(2)), ElementsAre(2, 1));
  model->expand(b, expansion);
  EXPECT_EQ(expansion.num_actions(), 1U);
}

TEST(ExplicitModel, StoresEqualVectorsOnce) {
  ExplicitBuilder builder(two_costs());
  builder.add_action("a", "x", {1, 0}, {{0.5, "b"}, {0.5, "c"}});
  builder.add_action("a", "y", {1, -0.0}, {{0.5, "c"}, {0.5, "d"}});
  const auto model = build(builder, "a");
  EXPECT_EQ(model->cost(ActionId(0)).data(), model->cost(ActionId(1)).data());
  EXPECT_EQ(model->probabilities(ActionId(0)).data(), model->probabilities(ActionId(1)).data());
}

TEST(ExplicitModel, GoalsAreAbsorbingAndOtherStatesWithoutActionsAreDeadEnds) {
  ExplicitBuilder builder(two_costs());
  builder.add_action("g", "leave", {1, 1}, {{1, "dead"}});
  builder.add_goal(builder.state("g"));
  const auto model = build(builder, "g");
  Expansion expansion;
  model->expand(*model->find_state("g"), expansion);
  EXPECT_EQ(expansion.num_actions(), 0U);
  model->expand(*model->find_state("dead"), expansion);
  EXPECT_EQ(expansion.num_actions(), 0U);
  EXPECT_FALSE(model->is_goal(*model->find_state("dead")));
}

TEST(ExplicitModel, DropsImpossibleOutcomesButKnowsTheirStates) {
  ExplicitBuilder builder(two_costs());
  builder.add_action("a", "x", {1, 0}, {{1, "b"}, {0, "c"}});
  const auto model = build(builder, "a");
  EXPECT_THAT(model->successors(ActionId(0)), ElementsAre(*model->find_state("b")));
  EXPECT_TRUE(model->find_state("c").has_value());
}

TEST(ExplicitModel, BoundsAndPenaltiesMayComeLater) {
  ExplicitBuilder builder(two_costs());
  builder.set_bounds({{1, 3}});
  builder.set_give_up({9, 0});
  const auto model = build(builder, "a");
  EXPECT_EQ(model->cost_model().bounds.front().upper, 3);
  EXPECT_THAT(*model->cost_model().give_up, ElementsAre(9, 0));
}

TEST(ExplicitModel, ComplainsAboutWhatIsWrong) {
  ExplicitBuilder builder(two_costs());
  EXPECT_EQ(complaint([&] {
              builder.set_bounds({{2, 3}});
            }),
            "there is a bound on cost number 2, but there are 2 costs");
  EXPECT_EQ(complaint([] { ExplicitBuilder(CostModel{}); }), "there are no costs");
  const StateId a = builder.state("a");
  EXPECT_EQ(complaint([&] { builder.add_outcome(1.5, a); }),
            "the probability is 1.5, but must be between 0 and 1");
  builder.add_outcome(0.5, a);
  EXPECT_EQ(complaint([&] { builder.add_outcome(0.5, a); }),
            "there are two outcomes that lead to 'a'");
  EXPECT_EQ(complaint([&] { builder.normalise_outcomes(); }), "probabilities sum to 0.5, not 1");
  EXPECT_EQ(complaint([&] {
              builder.add_action(a, "x", std::vector<double>{1, 2});
            }),
            "probabilities sum to 0.5, not 1");
  EXPECT_EQ(complaint([&] { builder.add_action(a, "x", std::vector<double>{1}); }),
            "the number of costs is 1, but must be 2");
  EXPECT_EQ(complaint([&] {
              builder.add_action(a, "(give-up)", std::vector<double>{1, 2});
            }),
            "'(give-up)' cannot be the name of an action");
}

TEST(ExplicitModel, FindsTheFirstDuplicateAction) {
  ExplicitBuilder builder(two_costs());
  for (const char* state : {"a", "b", "g"})
    builder.add_action(state, "x", {1, 0}, {{1, "g"}});
  builder.add_action("g", "x", {1, 0}, {{1, "g"}});
  builder.add_action("b", "y", {1, 0}, {{1, "g"}});
  builder.add_action("a", "x", {1, 0}, {{1, "g"}});
  builder.add_goal(builder.state("g"));
  try {
    builder.build(builder.state("a"));
    FAIL();
  } catch (const DuplicateAction& duplicate) {
    EXPECT_EQ(duplicate.first(), ActionId(2));
    EXPECT_EQ(duplicate.second(), ActionId(3));
    EXPECT_EQ(duplicate.message(), "state 'g' has two actions named 'x'");
  }
}

TEST(ExplicitModel, FindsTheFirstDuplicateActionWhateverTheOrderOfStates) {
  ExplicitBuilder builder(two_costs());
  for (const char* state : {"a", "b", "a", "b"})
    builder.add_action(state, "x", {1, 0}, {{1, "g"}});
  try {
    builder.build(builder.state("a"));
    FAIL();
  } catch (const DuplicateAction& duplicate) {
    EXPECT_EQ(duplicate.first(), ActionId(0));
    EXPECT_EQ(duplicate.second(), ActionId(2));
  }
}

TEST(ExplicitModel, OutcomesThatDifferInCostAreMergedForPlanning) {
  ExplicitBuilder builder(two_costs());
  const StateId a = builder.state("a");
  const StateId g = builder.state("g");
  builder.add_goal(g);
  const auto add = [&](double probability, StateId to, std::vector<double> cost) {
    builder.add_outcome(probability, to, cost);
  };
  const std::vector<double> expected{1, 2};
  add(0.1, a, {1, 8});
  add(0.7, g, {1, 0});
  add(0, a, {7, 7});
  add(0.2, a, {1, 6});
  builder.add_action(a, "try", expected);
  add(0.5, g, {1, 2});  // nothing to tell apart
  add(0.5, g, {});
  builder.add_action(a, "same", expected);
  builder.add_action("a", "plain", {1, 2}, {{1, "g"}});
  add(0.5, a, {1, 4});
  add(0.5, a, {1, 0});
  builder.add_action(a, "wait", expected);
  const auto model = std::static_pointer_cast<ExplicitModel>(builder.build(a));

  EXPECT_THAT(model->successors(ActionId(0)), ElementsAre(a, g));
  EXPECT_THAT(model->probabilities(ActionId(0)), ElementsAre(0.3, 0.7));  // 0.1 + 0.2 as written
  EXPECT_THAT(model->probabilities(ActionId(1)), ElementsAre(1));
  EXPECT_THAT(model->probabilities(ActionId(3)), ElementsAre(1));
  EXPECT_THAT(model->cost(ActionId(0)), ElementsAre(1, 2));
  OutcomeCosts outcomes;
  ASSERT_TRUE(model->outcome_costs(a, ActionId(0), outcomes));
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes.successor(2), a);
  EXPECT_EQ(outcomes.probability(2), 0.2);
  EXPECT_THAT(outcomes.cost(0), ElementsAre(1, 8));
  EXPECT_THAT(outcomes.cost(2), ElementsAre(1, 6));
  EXPECT_FALSE(model->outcome_costs(a, ActionId(1), outcomes));
  EXPECT_FALSE(model->outcome_costs(a, ActionId(2), outcomes));
  EXPECT_EQ(outcomes.size(), 0U);
  ASSERT_TRUE(model->outcome_costs(a, ActionId(3), outcomes));
  EXPECT_EQ(outcomes.size(), 2U);
}

TEST(ExplicitModel, OutcomesCostWhatTheActionDoesOnAverage) {
  const auto with = [](double price) {
    return complaint([&] {
      ExplicitBuilder builder(two_costs());
      const StateId a = builder.state("a");
      builder.add_outcome(0.5, a, std::vector<double>{1, 0});
      builder.add_outcome(0.5, a, std::vector<double>{1, 2});
      builder.add_action(a, "go", std::vector<double>{1, price});
    });
  };
  EXPECT_EQ(with(1), "fine");
  EXPECT_EQ(with(1 + 0.9e-9), "fine");
  EXPECT_EQ(with(1 + 2e-9),
            "the outcomes cost 1 of 'price' on average, but the action costs 1.000000002");
  EXPECT_EQ(with(0), "the outcomes cost 1 of 'price' on average, but the action costs 0");
}

/// States by number, actions without names, all of it from arrays.
struct Arrays {
  std::vector<std::uint64_t> first_pair{0, 2, 3, 3};
  std::vector<std::uint64_t> first_outcome{0, 2, 3, 4};
  std::vector<double> probabilities{0.25, 0.75, 1, 1};
  std::vector<std::uint32_t> successors{0, 1, 2, 2};
  std::vector<double> costs{1, 0, 2, 5, 3, 0};
  std::vector<std::string> names;

  void add_to(ExplicitBuilder& builder) const {
    builder.add_transitions({first_pair, first_outcome, probabilities, successors, costs, names});
  }
};

TEST(ExplicitBuilder, TakesArrays) {
  ExplicitBuilder builder(two_costs());
  builder.add_states(3);
  Arrays().add_to(builder);
  builder.add_goal(StateId(2));
  const std::shared_ptr<Model> model = builder.build(StateId(0));
  EXPECT_EQ(model->num_states(), 3U);
  EXPECT_TRUE(model->is_in_memory());
  Expansion expansion;
  model->expand(StateId(0), expansion);
  ASSERT_EQ(expansion.num_actions(), 2U);
  EXPECT_THAT(expansion.successors(0), ElementsAre(StateId(0), StateId(1)));
  EXPECT_THAT(expansion.probabilities(0), ElementsAre(0.25, 0.75));
  EXPECT_THAT(model->cost(expansion.action(1)), ElementsAre(2, 5));
  EXPECT_EQ(model->action_name(expansion.action(0)), "a0");
  EXPECT_EQ(model->action_name(expansion.action(1)), "a1");
  EXPECT_THAT(model->state_facts(StateId(1)), ElementsAre("1"));
  model->expand(StateId(1), expansion);
  EXPECT_EQ(model->action_name(expansion.action(0)), "a0");
}

TEST(ExplicitBuilder, NamesAreOptional) {
  ExplicitBuilder builder(two_costs());
  builder.add_states(3);
  Arrays arrays;
  arrays.names = {"walk", "run", "walk"};
  arrays.add_to(builder);
  const std::vector<std::string> names{"home", "park", "work"};
  builder.name_states(names);
  builder.add_outcome(1, StateId(2));
  builder.add_action(StateId(0), std::vector<double>{9, 9});  // the third of its state
  builder.add_goal(*builder.find_state("work"));
  const std::shared_ptr<Model> model = builder.build(*builder.find_state("home"));
  EXPECT_THAT(model->state_facts(StateId(1)), ElementsAre("park"));
  Expansion expansion;
  model->expand(StateId(0), expansion);
  ASSERT_EQ(expansion.num_actions(), 3U);
  EXPECT_EQ(model->action_name(expansion.action(1)), "run");
  EXPECT_EQ(model->action_name(expansion.action(2)), "a2");
  EXPECT_THAT(model->cost(expansion.action(2)), ElementsAre(9, 9));
}

TEST(ExplicitBuilder, AnUnnamedActionMayNotBeCalledLikeAnother) {
  ExplicitBuilder builder(two_costs());
  builder.add_states(1);
  for (const char* name : {"a1", ""}) {
    builder.add_outcome(1, StateId(0));
    if (*name != 0)
      builder.add_action(StateId(0), name, {1, 1});
    else
      builder.add_action(StateId(0), std::vector<double>{1, 1});
  }
  EXPECT_EQ(complaint([&] { builder.build(StateId(0)); }), "state '0' has two actions named 'a1'");
}

/// What was given before is not looked at again. It must be the same all the same: with self-loops in
/// other places, outcomes that are impossible, sums that are not quite one.
TEST(ExplicitBuilder, ActionsInOneCallAreThoseOfSingleOutcomes) {
  const std::vector<std::vector<double>> distributions = {{1},
                                                          {0.5, 0.5},
                                                          {0.5, 0.25, 0.25},
                                                          {0.25, 0.5, 0.25},
                                                          {0.5, 0, 0.5},
                                                          {0.3333333333, 0.6666666666}};
  const std::vector<std::vector<double>> costs = {{1, 0}, {0, 1}, {1, 1}, {-0.0, 1}};
  constexpr std::size_t num_states = 40;
  ExplicitBuilder together(two_costs());
  ExplicitBuilder apart(two_costs());
  together.add_states(num_states);
  apart.add_states(num_states);
  for (std::size_t i = 0; i < 2000; ++i) {
    const StateId state(i / 50);
    const std::vector<double>& probabilities = distributions[i % distributions.size()];
    const std::vector<double>& cost = costs[i / 3 % costs.size()];
    std::vector<StateId> successors;
    for (std::size_t k = 0; k < probabilities.size(); ++k) {
      successors.emplace_back((state.index() + i * 7 + k) % num_states);
      apart.add_outcome(probabilities[k], successors.back());
    }
    apart.add_action(state, cost);
    together.add_action(state, ActionName(), cost, probabilities, successors);
  }
  const auto a = std::static_pointer_cast<ExplicitModel>(together.build(StateId(0)));
  const auto b = std::static_pointer_cast<ExplicitModel>(apart.build(StateId(0)));
  EXPECT_EQ(a->figures(), b->figures());
  Expansion of_a;
  Expansion of_b;
  for (std::size_t s = 0; s < num_states; ++s) {
    a->expand(StateId(s), of_a);
    b->expand(StateId(s), of_b);
    ASSERT_EQ(of_a.num_actions(), of_b.num_actions());
    for (std::size_t i = 0; i < of_a.num_actions(); ++i) {
      EXPECT_TRUE(std::ranges::equal(of_a.successors(i), of_b.successors(i)));
      EXPECT_TRUE(std::ranges::equal(of_a.probabilities(i), of_b.probabilities(i)));
      EXPECT_TRUE(std::ranges::equal(a->cost(of_a.action(i)), b->cost(of_b.action(i))));
    }
  }
}

TEST(ExplicitBuilder, ChecksWhatIsLikeWhatWasRight) {
  ExplicitBuilder builder(two_costs());
  builder.add_states(2);
  const std::vector<double> halves = {0.5, 0.5};
  const std::vector<StateId> both = {StateId(0), StateId(1)};
  const auto add = [&](std::size_t state, const std::vector<double>& cost,
                       const std::vector<double>& probabilities,
                       const std::vector<StateId>& successors) {
    return complaint(
        [&] { builder.add_action(StateId(state), ActionName(), cost, probabilities, successors); });
  };
  EXPECT_EQ(add(0, {1, 2}, halves, both), "fine");
  EXPECT_EQ(add(0, {1, 2}, halves, both), "fine");
  EXPECT_EQ(add(2, {1, 2}, halves, both), "there is no state 2");
  EXPECT_EQ(add(0, {1, 2}, halves, {StateId(0), StateId(2)}), "there is no state 2");
  EXPECT_EQ(add(0, {1}, halves, both), "the number of costs is 1, but must be 2");
  EXPECT_EQ(add(0, {1, -2}, halves, both), "the cost is -2, but must not be negative");
  EXPECT_EQ(add(0, {1, 2}, {0.5, 0.25}, both), "probabilities sum to 0.75, not 1");
  EXPECT_EQ(add(0, {1, 2}, {}, {}), "there are no outcomes");
  EXPECT_EQ(add(0, {}, {}, {}), "the number of costs is 0, but must be 2");
  EXPECT_EQ(add(1, {1, 2}, halves, both), "fine");
  const auto model = std::static_pointer_cast<ExplicitModel>(builder.build(StateId(0)));
  EXPECT_EQ(model->num_actions(), 3U);
}

TEST(ExplicitBuilder, SaysWhereArraysAreWrong) {
  const auto complaint_about = [](auto change) {
    Arrays arrays;
    change(arrays);
    return complaint([&] {
      ExplicitBuilder builder(two_costs());
      builder.add_states(3);
      arrays.add_to(builder);
    });
  };
  EXPECT_EQ(complaint_about([](Arrays&) {}), "fine");
  EXPECT_EQ(complaint_about([](Arrays& a) { a.probabilities[1] = 0.5; }),
            "state 0, action 0: probabilities sum to 0.75, not 1");
  EXPECT_EQ(complaint_about([](Arrays& a) { a.successors[2] = 7; }),
            "state 0, action 1: there is no state 7");
  EXPECT_EQ(complaint_about([](Arrays& a) { a.successors[0] = 1; }),
            "state 0, action 0: there are two outcomes that lead to '1'");
  EXPECT_EQ(complaint_about([](Arrays& a) { a.costs[4] = -1; }),
            "state 1, action 0: the cost is -1, but must not be negative");
  EXPECT_EQ(complaint_about([](Arrays& a) { a.costs.pop_back(); }),
            "costs has 5 entries, but must have 6");
  EXPECT_EQ(complaint_about([](Arrays& a) { a.probabilities.pop_back(); }),
            "probabilities has 3 entries, but must have 4");
  EXPECT_EQ(complaint_about([](Arrays& a) { a.names = {"x"}; }),
            "action_names has 1 entries, but must have 3");
  EXPECT_EQ(complaint_about([](Arrays& a) { a.first_pair[1] = 9; }),
            "first_pair must begin with 0, never fall, and end with 3");
  EXPECT_EQ(complaint_about([](Arrays& a) { a.first_outcome.back() = 3; }),
            "first_outcome must begin with 0, never fall, and end with 4");
  EXPECT_EQ(complaint_about([](Arrays& a) { a.first_outcome.clear(); }),
            "first_outcome must have one entry more than there are pairs");
}

TEST(ExplicitBuilder, OutcomesOfAnActionAreOfOneKind) {
  const std::vector<double> cost{1, 2};
  const std::string message =
      "some outcomes of the action have costs of their own and others have not";
  ExplicitBuilder apart_first(two_costs());
  apart_first.add_states(2);
  apart_first.add_outcome(0.5, StateId(0), cost);
  EXPECT_EQ(complaint([&] { apart_first.add_outcome(0.5, StateId(1)); }), message);
  ExplicitBuilder plain_first(two_costs());
  plain_first.add_states(2);
  plain_first.add_outcome(0.5, StateId(0));
  EXPECT_EQ(complaint([&] { plain_first.add_outcome(0.5, StateId(1), cost); }), message);
}

TEST(ExplicitBuilder, SaysWhatIsWrongWithStates) {
  ExplicitBuilder builder(two_costs());
  EXPECT_EQ(complaint([&] { builder.add_goal(StateId(0)); }), "there is no state 0");
  builder.add_states(2);
  EXPECT_EQ(complaint([&] { builder.add_goal(StateId(2)); }), "there is no state 2");
  EXPECT_EQ(complaint([&] { builder.state("home"); }),
            "states are known by their numbers or by their names, not by both");
  const std::vector<std::string> one{"home"};
  EXPECT_EQ(complaint([&] { builder.name_states(one); }), "there are 1 names for 2 states");
  EXPECT_EQ(complaint([&] { builder.build(StateId(5)); }), "there is no state 5");
  EXPECT_EQ(complaint([&] { builder.add_states(~std::uint32_t{0}); }),
            "the model has more than four billion states");
  const std::vector<std::string> same{"home", "home"};
  EXPECT_EQ(complaint([&] { builder.name_states(same); }),
            "the states 0 and 1 are both named 'home'");
  ExplicitBuilder again(two_costs());
  again.add_states(2);
  const std::vector<std::string> empty{"home", ""};
  EXPECT_EQ(complaint([&] { again.name_states(empty); }), "the name of state 1 is empty");
  ExplicitBuilder named(two_costs());
  named.state("home");
  EXPECT_EQ(complaint([&] { named.add_states(1); }),
            "states are known by their numbers or by their names, not by both");
  const std::vector<std::string> other{"work"};
  EXPECT_EQ(complaint([&] { named.name_states(other); }), "the states have names already");
}

}  // namespace
}  // namespace carl
