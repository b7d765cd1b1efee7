#include "ssp/ssp_algorithm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "heuristics/dijkstra.h"
#include "heuristics/make_heuristic.h"
#include "model/explicit_model.h"
#include "ssp/policy_evaluation.h"
#include "ssp/policy_iteration.h"
#include "ssp/postcondition.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

/// Values by state name, as a test writes them down.
class TableHeuristic final : public heuristics::Heuristic {
 public:
  TableHeuristic(const Cssp& cssp, std::map<std::string, double> values)
      : cssp_(cssp), values_(std::move(values)) {}

  void set_weights(std::span<const double> /*weights*/) override {}
  bool depends_on_weights() const override { return false; }
  bool evaluate(StateId state, std::span<double> out) override {
    out[0] = values_.at(cssp_.state_name(state));
    return true;
  }

 private:
  const Cssp& cssp_;
  std::map<std::string, double> values_;
};

/// The example of the paper's appendix "Strong ε-consistency vs ε-consistency".
struct StrongExample {
  StrongExample() : cssp(model()), graph(cssp), heuristic(cssp, values()) {}

  static std::shared_ptr<Model> model() {
    ExplicitBuilder builder({{"cost"}, {}, {}});
    builder.add_action("s0", "a0'", {4}, {{1.0, "g"}});
    builder.add_action("s0", "a0", {1}, {{1.0, "s1"}});
    builder.add_action("s1", "a1'", {1}, {{1.0, "s2"}});
    builder.add_action("s1", "a1", {1}, {{1.0, "s3"}});
    builder.add_action("s2", "a2", {5}, {{1.0, "g"}});
    builder.add_action("s3", "a3", {2}, {{1.0, "g"}});
    builder.add_goal(builder.state("g"));
    return builder.build(builder.state("s0"));
  }
  static std::map<std::string, double> values() {
    return {{"s0", 4}, {"s1", 3}, {"s2", 1}, {"s3", 2}, {"g", 0}};
  }
  StateId state(const std::string& name) const {
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (cssp.state_name(StateId(s)) == name) return StateId(s);
    return {};
  }

  Cssp cssp;
  SearchGraph graph;
  TableHeuristic heuristic;
};

class EveryAlgorithm : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ssp, EveryAlgorithm, ::testing::ValuesIn(inner_names()),
                         [](const auto& algorithm) {
                           std::string name = algorithm.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(EveryAlgorithm, StrongConsistencyDescribesAllOptimalPolicies) {
  StrongExample example;
  ScalarisedSsp ssp(example.graph, example.heuristic, std::vector{1.0});
  const auto algorithm = make_ssp_algorithm(inner_named(GetParam()), ssp);
  Monitor monitor;
  ASSERT_TRUE(algorithm->solve({1e-4, false}, monitor));
  EXPECT_DOUBLE_EQ(ssp.value(ssp.initial_state()), 4);
  if (GetParam() != "vi") {
    // Ordinary ε-consistency is content with a0' and knows nothing of the other optimal policy.
    EXPECT_FALSE(example.graph.is_expanded(example.state("s1")));
  }
  ASSERT_TRUE(algorithm->solve({1e-4, true}, monitor));
  const StateId s1 = example.state("s1");
  EXPECT_DOUBLE_EQ(ssp.value(ssp.initial_state()), 4);
  EXPECT_DOUBLE_EQ(ssp.value(s1), 3);
  ASSERT_TRUE(example.graph.is_expanded(s1));
  for (const PairId p : example.graph.pairs(s1)) {
    const bool optimal = example.cssp.action_name(example.graph.action(p)) == "a1";
    EXPECT_EQ(ssp.q(p) <= ssp.value(s1) + 1e-4, optimal);
  }
}

// As above, without a search for ordinary ε-consistency before: the heuristic is exact at s0, so
// that no change of its value draws attention to the other optimal action.
TEST_P(EveryAlgorithm, StrongConsistencyFromTheStart) {
  StrongExample example;
  ScalarisedSsp ssp(example.graph, example.heuristic, std::vector{1.0});
  Monitor monitor;
  ASSERT_TRUE(make_ssp_algorithm(inner_named(GetParam()), ssp)->solve({1e-4, true}, monitor));
  ASSERT_TRUE(example.graph.is_expanded(example.state("s1")));
  EXPECT_DOUBLE_EQ(ssp.value(example.state("s1")), 3);
}

// Going round by z takes many rounds to settle. In the last of them the shortcut may become tied,
// up to ε; that it leads to y, which nothing has expanded, must still be noticed.
TEST_P(EveryAlgorithm, StrongConsistencyIncludesWhatBecomesTiedInTheLastRound) {
  const double epsilon = 0.01;
  for (int k = -10; k <= 50; ++k) {
    SCOPED_TRACE(k);
    ExplicitBuilder builder({{"cost"}, {}, {}});
    builder.add_action("s0", "go round", {1}, {{1.0, "x"}});
    builder.add_action("s0", "shortcut", {20 - 0.25 * k * epsilon}, {{1.0, "y"}});
    builder.add_action("x", "try", {1}, {{0.1, "g"}, {0.9, "z"}});
    builder.add_action("z", "back", {1}, {{1.0, "x"}});
    builder.add_action("y", "go on", {1}, {{1.0, "g"}});
    builder.add_goal(builder.state("g"));
    Cssp cssp(builder.build(builder.state("s0")));
    SearchGraph graph(cssp);
    heuristics::ZeroHeuristic zero;
    ScalarisedSsp ssp(graph, zero, std::vector{1.0});
    Monitor monitor;
    ASSERT_TRUE(make_ssp_algorithm(inner_named(GetParam()), ssp)->solve({epsilon, true}, monitor));
    const StateId s0 = ssp.initial_state();
    for (const PairId p : graph.pairs(s0))
      if (ssp.q(p) <= ssp.best_pair(s0).q + epsilon) {
        EXPECT_TRUE(graph.is_expanded(graph.successors(p)[0]));
      }
  }
}

/// A corridor with many ways from one room to the next, all but one of them detours.
std::shared_ptr<Model> corridor_with_detours(int rooms, int detours) {
  ExplicitBuilder builder({{"cost"}, {}, {}});
  for (int i = 0; i < rooms; ++i) {
    const std::string here = "room" + std::to_string(i);
    const std::string next = "room" + std::to_string(i + 1);
    builder.add_action(here, "walk", {1}, {{1.0, next}});
    for (int k = 0; k < detours; ++k)
      builder.add_action(here, "detour" + std::to_string(k), {2.0 + k}, {{1.0, next}});
  }
  builder.add_goal(builder.state("room" + std::to_string(rooms)));
  return builder.build(builder.state("room0"));
}

// What constraint generation is for: actions that are no good are looked at once.
TEST(ConstraintGeneration, LooksAtFewPairsWhereFewMatter) {
  const auto q_values = [](const std::string& name) {
    Cssp cssp(corridor_with_detours(40, 30));
    SearchGraph graph(cssp);
    Monitor monitor;
    heuristics::DijkstraIdealPoint exact(graph, monitor);
    ScalarisedSsp ssp(graph, exact, std::vector{1.0});
    EXPECT_TRUE(make_ssp_algorithm(inner_named(name), ssp)->solve({1e-6, false}, monitor));
    EXPECT_EQ(ssp.value(ssp.initial_state()), 40);
    return ssp.num_q_values();
  };
  const std::size_t all = q_values("ilao");
  EXPECT_LT(q_values("cg-ilao-paper"), all / 8);
  EXPECT_LT(q_values("cg-ilao"), q_values("cg-ilao-paper"));
}

// Values stay at 10 while the costs change under them: looking only at states whose value changed
// would miss a2.
TEST_P(EveryAlgorithm, FollowsAChangeOfCostsThatLeavesValuesAlone) {
  ExplicitBuilder builder({{"time", "price"}, {}, {}});
  builder.add_action("s", "a1", {10, 0}, {{1.0, "g"}});
  builder.add_action("s", "a2", {1, 1}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp(graph, zero, std::vector{1.0, 100.0});
  const auto algorithm = make_ssp_algorithm(inner_named(GetParam()), ssp);
  Monitor monitor;
  ASSERT_TRUE(algorithm->solve({1e-6, false}, monitor));
  EXPECT_DOUBLE_EQ(ssp.value(ssp.initial_state()), 10);
  ssp.set_weights(std::vector{1.0, 0.0});
  algorithm->weights_changed();
  ASSERT_TRUE(algorithm->solve({1e-6, false}, monitor));
  EXPECT_DOUBLE_EQ(ssp.value(ssp.initial_state()), 1);
}

/// From s one may go by one of many ways, each by a door to a room with a way out, climb directly
/// into any of the rooms, or leave at once. The rooms' costs are found out by climbing into them,
/// when going by the doors costs a little more; so what is known of the doors is out of date when
/// climbing and leaving at once have become expensive.
std::shared_ptr<Model> many_ways(int cheap_rooms, double cost_of_cheap_rooms) {
  ExplicitBuilder builder({{"time", "price"}, {}, {}});
  const int rooms = cheap_rooms + 3;
  for (int i = 0; i < rooms; ++i) {
    const std::string door = "door" + std::to_string(i);
    const std::string room = "room" + std::to_string(i);
    builder.add_action("s", "to " + door, {1, 0}, {{1.0, door}});
    builder.add_action(door, "enter", {1, 0}, {{1.0, room}});
    builder.add_action(room, "leave", {i < cheap_rooms ? cost_of_cheap_rooms : 10.0, 0},
                       {{1.0, "g"}});
  }
  for (int i = 0; i < rooms; ++i)
    builder.add_action("s", "climb" + std::to_string(i), {1.9, 100},
                       {{1.0, "room" + std::to_string(i)}});
  builder.add_action("s", "leave", {1.9 + cost_of_cheap_rooms / 2, 100}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s"));
}

// The doors to cheap rooms are out of date by next to nothing, so the choice changes in round after
// round while the residual stays below ε. A search that is content after so many of those must not
// end just when it has turned to the door of an expensive room, whose old value is far too low.
TEST_P(EveryAlgorithm, DoesNotTrustTheOldValueOfWhatItHasJustTurnedTo) {
  for (int cheap_rooms = 1; cheap_rooms <= 25; ++cheap_rooms) {
    SCOPED_TRACE(cheap_rooms);
    Cssp cssp(many_ways(cheap_rooms, 0.005));
    SearchGraph graph(cssp);
    heuristics::ZeroHeuristic zero;
    ScalarisedSsp ssp(graph, zero, std::vector{1.0, 0.0});
    const auto algorithm = make_ssp_algorithm(inner_named(GetParam()), ssp);
    Monitor monitor;
    ASSERT_TRUE(algorithm->solve({1e-6, false}, monitor));
    ssp.set_weights(std::vector{1.0, 1.0});
    algorithm->weights_changed();
    ASSERT_TRUE(algorithm->solve({0.01, false}, monitor));
    EXPECT_EQ(broken_promise(ssp, 0.01), "");
  }
}

TEST_P(EveryAlgorithm, FindsOutThatThereIsNoProperPolicy) {
  ExplicitBuilder builder({{"cost"}, {}, {}});
  builder.add_action("s", "try", {1}, {{0.5, "g"}, {0.5, "trap"}});
  builder.add_action("trap", "pace", {1}, {{1.0, "cell"}});
  builder.add_action("cell", "pace", {1}, {{1.0, "trap"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp(graph, zero, std::vector{1.0});
  Monitor monitor;
  ASSERT_TRUE(make_ssp_algorithm(inner_named(GetParam()), ssp)->solve({1e-6, false}, monitor));
  EXPECT_EQ(ssp.value(ssp.initial_state()), infinity);
  // Trials are long before they count as caught.
  if (GetParam() != "lrtdp") {
    EXPECT_LE(ssp.num_backups(), 150);
  }
}

// Values of s and t would rise by 1 with every backup.
TEST_P(EveryAlgorithm, LeavesATrapThatIsExpensiveToLeave) {
  ExplicitBuilder builder({{"cost"}, {}, {}});
  builder.add_action("s", "there", {1}, {{1.0, "t"}});
  builder.add_action("t", "back", {1}, {{1.0, "s"}});
  builder.add_action("t", "out", {1e6}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp(graph, zero, std::vector{1.0});
  Monitor monitor;
  ASSERT_TRUE(make_ssp_algorithm(inner_named(GetParam()), ssp)->solve({1e-6, false}, monitor));
  EXPECT_EQ(ssp.value(ssp.initial_state()), 1e6 + 1);
  if (GetParam() != "lrtdp") {
    EXPECT_LE(ssp.num_backups(), 150);
  }
}

TEST_P(EveryAlgorithm, ALimitEndsIt) {
  Cssp cssp(testing::random_model(1, testing::random_options(1, 12)));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  std::vector<double> weights(cssp.num_costs(), 1.0);
  ScalarisedSsp ssp(graph, zero, weights);
  Monitor monitor(0.0, 0, nullptr);
  EXPECT_FALSE(make_ssp_algorithm(inner_named(GetParam()), ssp)->solve({1e-6, false}, monitor));
}

/// The heuristic that knows nothing, and presses Ctrl-C when it has been asked `patience` times.
class ImpatientHeuristic final : public heuristics::Heuristic {
 public:
  ImpatientHeuristic(std::size_t patience, std::atomic<bool>& interrupt)
      : patience_(patience), interrupt_(interrupt) {}

  void set_weights(std::span<const double> /*weights*/) override {}
  bool depends_on_weights() const override { return false; }
  bool evaluate(StateId /*state*/, std::span<double> out) override {
    std::fill(out.begin(), out.end(), 0.0);
    if (patience_ > 0 && --patience_ == 0) interrupt_ = true;
    return true;
  }

 private:
  std::size_t patience_;
  std::atomic<bool>& interrupt_;
};

TEST_P(EveryAlgorithm, GoesOnAfterALimit) {
  std::size_t interrupted = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(200); ++seed) {
    testing::RandomModelOptions options = testing::random_options(seed, 60);
    options.bounds = testing::BoundsKind::none;
    options.zero_primary_costs = false;
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options.text());
    Cssp cssp(testing::random_model(seed, options));
    std::vector<double> weights(cssp.num_costs(), 1.0);
    SearchGraph all(cssp);
    Monitor none;
    all.expand_all(none);
    const graph::ProperRegion region = graph::proper_region(all, none);
    const StateId start = all.initial_state();
    for (std::size_t patience = 2; patience < 60; patience += 1 + seed % 7) {
      std::atomic<bool> interrupt = false;
      Monitor monitor(infinity, 0, &interrupt);
      ImpatientHeuristic heuristic(patience, interrupt);
      SearchGraph graph(cssp);
      ScalarisedSsp ssp(graph, heuristic, weights);
      const auto algorithm = make_ssp_algorithm(inner_named(GetParam()), ssp);
      if (!algorithm->solve({1e-6, false}, monitor)) {
        ++interrupted;
        ASSERT_TRUE(algorithm->solve({1e-6, false}, none));
      }
      EXPECT_EQ(broken_promise(ssp, 1e-6), "");
      ASSERT_EQ(ssp.value(start) != infinity, region.contains(start));
      if (!region.contains(start)) continue;
      const double optimum = policy_iteration(all, region, weights, none).value[start.index()];
      EXPECT_NEAR(ssp.value(start), optimum, 1e-3 * std::max(1.0, optimum));
    }
    if (HasFailure()) break;
  }
  EXPECT_GE(interrupted, testing::at_full_scale(500));
}

/// Scalarisations in the order in which an outer search might ask for them: some far, some near.
std::vector<double> next_weights(std::vector<double> weights, SplitMix64& random) {
  weights[0] = 1;
  for (std::size_t i = 1; i < weights.size(); ++i) {
    if (random.unit() < 0.3)
      weights[i] = 0;
    else if (random.unit() < 0.5)
      weights[i] = std::pow(10.0, 4 * random.unit() - 2);
    else
      weights[i] *= 0.9 + 0.2 * random.unit();
  }
  return weights;
}

/// Solves one problem for several λ in a row, warm, and compares each with policy iteration.
void check_warm_starts(Cssp& cssp, heuristics::Heuristic& heuristic, const std::string& name,
                       bool strong, std::uint64_t seed) {
  Cssp whole = cssp;
  SearchGraph all(whole);
  Monitor monitor;
  all.expand_all(monitor);
  const graph::ProperRegion region = graph::proper_region(all, monitor);
  const bool solvable = region.contains(all.initial_state());
  SplitMix64 random(seed);
  std::vector<double> weights(cssp.num_costs(), 1.0);
  SearchGraph graph(cssp);
  ScalarisedSsp ssp(graph, heuristic, weights);
  if (seed % 5 < 3) ssp.use_scalar_residual();
  const auto algorithm = make_ssp_algorithm(inner_named(name), ssp);
  for (int round = 0; round < 6; ++round) {
    weights = next_weights(weights, random);
    ssp.set_weights(weights);
    algorithm->weights_changed();
    ASSERT_TRUE(algorithm->solve({1e-9, strong}, monitor));
    ASSERT_EQ(broken_promise(ssp, 1e-9), "");
    if (!solvable) {
      EXPECT_EQ(ssp.value(ssp.initial_state()), infinity);
      continue;
    }
    const OptimalValues truth = policy_iteration(all, region, weights, monitor);
    const double optimum = truth.value[all.initial_state().index()];
    ASSERT_TRUE(ssp.greedy_policy_is_closed());
    const Evaluation evaluation = evaluate(graph, ssp.greedy_policy());
    ASSERT_TRUE(evaluation.proper);
    const double tolerance = 1e-6 * std::max(1.0, optimum);
    EXPECT_NEAR(graph::weighted_cost(evaluation.costs, weights), optimum, tolerance);
    EXPECT_NEAR(ssp.value(ssp.initial_state()), optimum, tolerance);
  }
}

TEST_P(EveryAlgorithm, WarmStartsOnRandomModels) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(1000); ++seed) {
    testing::RandomModelOptions options = testing::random_options(seed, 12);
    options.bounds = testing::BoundsKind::none;
    options.zero_primary_costs = false;
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options.text());
    Cssp cssp(testing::random_model(seed, options));
    Monitor monitor;
    heuristics::ZeroHeuristic zero;
    SearchGraph graph(cssp);
    heuristics::DijkstraIdealPoint dijkstra(graph, monitor);
    const bool strong = seed % 2 == 0;
    if (seed % 4 < 2)
      check_warm_starts(cssp, zero, GetParam(), strong, seed);
    else
      check_warm_starts(cssp, dijkstra, GetParam(), strong, seed);
    if (HasFailure()) break;
  }
}

TEST_P(EveryAlgorithm, WarmStartsWithHeuristicsOfTheScalarisation) {
  std::vector<HeuristicKind> kinds;
  for (const std::string& name : heuristic_names())
    if (heuristics::needs_task(heuristic_named(name))) kinds.push_back(heuristic_named(name));
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cssp cssp(testing::random_task(seed));
    Monitor monitor;
    // Five seeds each: check_warm_starts() varies what it does with them.
    const std::size_t round = seed / 5;
    const HeuristicKind kind = kinds[round % kinds.size()];
    const HeuristicMode mode =
        round / kinds.size() % 2 == 0 ? HeuristicMode::lambda : HeuristicMode::ideal_point;
    SearchGraph graph(cssp);
    const auto heuristic = heuristics::make_heuristic(graph, kind, mode, monitor);
    check_warm_starts(cssp, *heuristic, GetParam(), seed % 3 == 0, seed);
    if (HasFailure()) break;
  }
}

/// Whatever the values are: they may prove that choices are proper, but not that they are not.
TEST(Postcondition, TellsChoicesThatGoRoundInCircles) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  for (const auto& [from, to] : {std::pair{"a", "b"}, {"b", "a"}}) {
    builder.add_action(from, "round", {1}, {{0.9, to}, {0.1, "c"}});
    builder.add_action(from, "out", {10}, {{1, "g"}});
  }
  builder.add_action("c", "round", {1}, {{1, "a"}});
  builder.add_action("c", "out", {10}, {{1, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  ScalarisedSsp ssp(graph, zero, std::vector{1.0});
  Monitor monitor;
  ASSERT_TRUE(ssp.expand_all(monitor));
  const auto choose = [&](std::string_view action) {
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      for (const PairId p : graph.pairs(StateId(s)))
        if (cssp.action_name(graph.action(p)) == action) ssp.set_choice(StateId(s), p);
  };
  SplitMix64 random(1);
  for (int i = 0; i < 200; ++i) {
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (!graph.is_goal(StateId(s))) ssp.assign_value(StateId(s), 20 * random.unit());
    choose("round");
    EXPECT_FALSE(greedy_policy_is_proper(ssp));
    choose("out");
    EXPECT_TRUE(greedy_policy_is_proper(ssp));
  }
}

}  // namespace
}  // namespace carl::ssp
