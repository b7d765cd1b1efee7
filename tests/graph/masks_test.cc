// A masked graph must be the graph of a model that lacks these actions, for everything that reads
// it; and giving up may change while a graph lives.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "carl/solve.h"
#include "graph/components.h"
#include "graph/predecessors.h"
#include "graph/proper_region.h"
#include "graph/zero_cost_loops.h"
#include "heuristics/dijkstra.h"
#include "support/other_models.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::graph {
namespace {

using testing::ExpandedModel;
using testing::random_model;
using testing::RandomModelOptions;

/// What a pair is, whatever its id.
struct Description {
  StateId state;
  ActionId action;
  std::vector<double> cost;
  double repeats = 0;
  std::vector<StateId> successors;
  std::vector<double> probabilities;
  friend bool operator==(const Description&, const Description&) = default;
};

Description describe(const SearchGraph& graph, PairId p) {
  const auto copy = [](auto span) {
    return std::vector<typename decltype(span)::value_type>(span.begin(), span.end());
  };
  return {graph.state(p),   graph.action(p),           copy(graph.cost(p)),
          graph.repeats(p), copy(graph.successors(p)), copy(graph.probabilities(p))};
}

std::vector<Description> pairs_of(const SearchGraph& graph, StateId s) {
  std::vector<Description> result;
  for (const PairId p : graph.pairs(s))
    result.push_back(describe(graph, p));
  EXPECT_EQ(graph.pairs(s).size(), result.size());
  EXPECT_EQ(graph.pairs(s).empty(), result.empty());
  return result;
}

std::vector<Description> predecessors_of(const Predecessors& index, const SearchGraph& graph,
                                         StateId s) {
  std::vector<Description> result;
  index.for_each(s, [&](PairId p) { result.push_back(describe(graph, p)); });
  return result;
}

/// Pairs, those by successor, those that end a run, and all of them backwards.
void expect_same_pairs(const SearchGraph& a, const SearchGraph& b) {
  ASSERT_EQ(a.num_states(), b.num_states());
  EXPECT_EQ(a.num_expanded(), b.num_expanded());
  EXPECT_EQ(a.num_known_pairs(), b.num_known_pairs());
  EXPECT_EQ(a.num_outcomes(), b.num_outcomes());
  EXPECT_EQ(a.num_generated_actions(), b.num_generated_actions());
  const Predecessors before_a(a);
  const Predecessors before_b(b);
  for (std::size_t i = 0; i < a.num_states(); ++i) {
    const StateId s(i);
    ASSERT_EQ(a.is_expanded(s), b.is_expanded(s));
    ASSERT_EQ(pairs_of(a, s), pairs_of(b, s)) << "state " << i;
    ASSERT_EQ(predecessors_of(before_a, a, s), predecessors_of(before_b, b, s)) << "state " << i;
  }
  const auto all = [](const SearchGraph& graph, const Predecessors& index) {
    std::vector<Description> result;
    graph.for_each_pair_backwards([&](PairId p) { result.push_back(describe(graph, p)); });
    index.for_each_ending([&](PairId p) { result.push_back(describe(graph, p)); });
    return result;
  };
  EXPECT_EQ(all(a, before_a), all(b, before_b));
}

void expect_same_answers(SearchGraph& a, SearchGraph& b) {
  Monitor monitor;
  const ProperRegion region_a = proper_region(a, monitor);
  const ProperRegion region_b = proper_region(b, monitor);
  EXPECT_EQ(region_a.member, region_b.member);
  EXPECT_EQ(region_a.order, region_b.order);
  for (std::size_t s = 0; s < a.num_states(); ++s) {
    ASSERT_EQ(region_a.choice[s].valid(), region_b.choice[s].valid());
    if (!region_a.choice[s].valid()) continue;
    EXPECT_EQ(describe(a, region_a.choice[s]), describe(b, region_b.choice[s]));
  }
  EXPECT_EQ(strongly_connected_components(a).of, strongly_connected_components(b).of);
  for (std::size_t c = 0; c < a.num_costs(); ++c) {
    std::vector<double> weights(a.num_costs(), 0.0);
    weights[c] = 1;
    const auto loops_a = find_zero_cost_loops(a, weights, monitor);
    const auto loops_b = find_zero_cost_loops(b, weights, monitor);
    ASSERT_EQ(loops_a.size(), loops_b.size());
    for (std::size_t i = 0; i < loops_a.size(); ++i) {
      EXPECT_EQ(loops_a[i].states, loops_b[i].states);
      ASSERT_EQ(loops_a[i].pairs.size(), loops_b[i].pairs.size());
      for (std::size_t k = 0; k < loops_a[i].pairs.size(); ++k)
        EXPECT_EQ(describe(a, loops_a[i].pairs[k]), describe(b, loops_b[i].pairs[k]));
    }
  }
  heuristics::DijkstraIdealPoint distance_a(a, monitor);
  heuristics::DijkstraIdealPoint distance_b(b, monitor);
  std::vector<double> h_a(a.num_costs());
  std::vector<double> h_b(a.num_costs());
  for (std::size_t s = 0; s < a.num_states(); ++s)
    if (a.is_expanded(StateId(s))) {
      EXPECT_EQ(distance_a.evaluate(StateId(s), h_a), distance_b.evaluate(StateId(s), h_b));
      EXPECT_EQ(h_a, h_b);
    }
}

RandomModelOptions options_of(std::uint64_t seed) {
  RandomModelOptions options = testing::random_options(seed, 12);
  options.self_loops = seed % 2 == 0;
  options.zero_secondary_costs = true;
  options.states = std::max<std::size_t>(options.states, 4);
  options.zero_cost_loop = seed % 7 == 0;
  options.bounds = testing::BoundsKind::none;
  options.costs = std::max<std::size_t>(options.costs, 2);
  return options;
}

/// Both ways in which a graph gets its pairs.
std::shared_ptr<Model> in_arrays_or_not(std::uint64_t seed, std::shared_ptr<Model> model) {
  if (seed % 3 == 0) return model;
  return std::make_shared<ExpandedModel>(std::move(model));
}

CsspOptions with_zero_bound(const Model& model) {
  CsspOptions options;
  options.bounds = {{model.cost_model().costs[1], 0.0}};
  return options;
}

TEST(Masks, AreAsIfActionsThatCostSomethingWereMissing) {
  std::size_t forbidden = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    const auto model = random_model(seed, options_of(seed));
    Cssp cssp(in_arrays_or_not(seed, model), with_zero_bound(*model));
    Cssp less(
        std::make_shared<ExpandedModel>(model, [&](ActionId a) { return model->cost(a)[1] > 0; }),
        with_zero_bound(*model));
    SearchGraph masked(cssp);
    SearchGraph without(less);
    Monitor monitor;
    ASSERT_TRUE(masked.expand_all(monitor));
    ASSERT_TRUE(without.expand_all(monitor));
    forbidden += masked.num_forbidden_actions();
    EXPECT_EQ(without.num_forbidden_actions(), 0U);
    expect_same_pairs(masked, without);
    expect_same_answers(masked, without);
  }
  EXPECT_GE(forbidden, testing::at_full_scale(11));
}

TEST(Masks, MayComeAndGoWhileTheGraphLives) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    const auto model = random_model(seed, options_of(seed));
    Cssp cssp(in_arrays_or_not(seed, model));
    Cssp bounded(in_arrays_or_not(seed, model), with_zero_bound(*model));
    SearchGraph graph(cssp);
    SearchGraph all(cssp);
    SearchGraph masked(bounded);
    Monitor monitor;
    ASSERT_TRUE(all.expand_all(monitor));
    ASSERT_TRUE(masked.expand_all(monitor));
    graph.forbid_costs({1});
    ASSERT_TRUE(graph.expand_all(monitor));
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      EXPECT_EQ(pairs_of(graph, StateId(s)), pairs_of(masked, StateId(s)));
    graph.forbid_costs({});
    ASSERT_TRUE(graph.expand_all(monitor));
    ASSERT_TRUE(graph.expanded_states().size() == all.expanded_states().size());
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      EXPECT_EQ(pairs_of(graph, StateId(s)), pairs_of(all, StateId(s)));
    EXPECT_EQ(proper_region(graph, monitor).member, proper_region(all, monitor).member);
  }
}

TEST(Masks, OfSinglePairs) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    const auto model = random_model(seed, options_of(seed));
    Cssp cssp(in_arrays_or_not(seed, model));
    SearchGraph graph(cssp);
    Monitor monitor;
    ASSERT_TRUE(graph.expand_all(monitor));
    const Predecessors index(graph);
    SplitMix64 random(seed);
    std::map<std::size_t, bool> forbidden;
    for (int i = 0; i < 5; ++i) {
      const PairId p(random.below(graph.num_pairs()));
      if (!graph.is_expanded(graph.state(p)) || !graph.is_allowed(p)) continue;
      graph.forbid(p);
      forbidden[p.index()] = true;
    }
    if (seed % 2 == 0) graph.forbid_costs({1});
    for (std::size_t s = 0; s < graph.num_states(); ++s) {
      std::vector<PairId> expected;
      for (const PairId p : graph.all_pairs(StateId(s)))
        if (graph.is_allowed(p)) expected.push_back(p);
      std::vector<PairId> listed;
      for (const PairId p : graph.pairs(StateId(s))) {
        EXPECT_FALSE(forbidden[p.index()]);
        EXPECT_TRUE(seed % 2 != 0 || graph.cost(p)[1] == 0);
        listed.push_back(p);
      }
      EXPECT_EQ(listed, expected);
      index.for_each(StateId(s), [&](PairId p) { EXPECT_TRUE(graph.is_allowed(p)); });
    }
    for (const auto& [p, is] : forbidden)
      if (is) graph.allow(PairId(p));
    for (const auto& [p, is] : forbidden)
      if (is) {
        EXPECT_EQ(graph.is_allowed(PairId(p)), seed % 2 != 0 || graph.cost(PairId(p))[1] == 0);
      }
  }
}

TEST(Masks, SolvingMeansTheSame) {
  std::size_t solved = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(100); ++seed) {
    SCOPED_TRACE(seed);
    RandomModelOptions options = options_of(seed);
    options.zero_cost_loop = false;
    const auto model = random_model(seed, options);
    const auto less =
        std::make_shared<ExpandedModel>(model, [&](ActionId a) { return model->cost(a)[1] > 0; });
    for (const char* algorithm : {"carl", "cg-ilao", "lp", "i-dual"}) {
      SCOPED_TRACE(algorithm);
      SolveOptions how;
      how.algorithm = algorithm_named(algorithm);
      how.search.heuristic = HeuristicKind::dijkstra;
      if (how.algorithm == Algorithm::lp) how.search.heuristic.reset();
      Monitor monitor;
      Cssp masked(in_arrays_or_not(seed, model), with_zero_bound(*model));
      Cssp without(less, with_zero_bound(*model));
      const Solution a = solve(masked, how, monitor);
      const Solution b = solve(without, how, monitor);
      if (b.status == Status::optimal) {
        ASSERT_EQ(a.status, b.status);
        EXPECT_EQ(*a.costs, *b.costs);
        ++solved;
      } else {
        EXPECT_NE(a.status, Status::optimal);  // a bound of zero may be to blame
      }
    }
  }
  EXPECT_GE(solved, testing::at_full_scale(11));
}

// --- giving up -----------------------------------------------------------------------------------

std::vector<double> penalties(const Cssp& cssp, double value) {
  std::vector<double> result(cssp.num_costs(), 0.0);
  result[0] = value;
  return result;
}

/// A graph that was told of what changed, and one that is new.
void expect_as_new(SearchGraph& graph, std::uint64_t seed, const std::shared_ptr<Model>& model,
                   const std::optional<std::vector<double>>& give_up) {
  Cssp cssp(in_arrays_or_not(seed, model));
  cssp.set_give_up(give_up);
  SearchGraph fresh(cssp);
  fresh.forbid_costs(graph.forbidden_costs());
  Monitor monitor;
  ASSERT_TRUE(fresh.expand_all(monitor));
  ASSERT_TRUE(graph.expand_all(monitor));
  expect_same_pairs(graph, fresh);
  expect_same_answers(graph, fresh);
}

TEST(GivingUp, MayChangeWhileTheGraphLives) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(200); ++seed) {
    SCOPED_TRACE(seed);
    RandomModelOptions options = options_of(seed);
    options.give_up = seed % 5 == 0;
    const auto model = random_model(seed, options);
    Cssp cssp(in_arrays_or_not(seed, model));
    SearchGraph graph(cssp);
    Monitor monitor;
    ASSERT_TRUE(graph.expand_all(monitor));
    for (const auto& give_up :
         {std::optional(penalties(cssp, 3)), std::optional(penalties(cssp, 7)),
          std::optional<std::vector<double>>(), std::optional(penalties(cssp, 0))}) {
      cssp.set_give_up(give_up);
      graph.give_up_changed();
      expect_as_new(graph, seed, model, give_up);
    }
  }
}

TEST(GivingUp, SharesItsCostsWithNothing) {
  ExplicitBuilder builder({{"time"}, {}, {{5.0}}});
  builder.add_action("a", "go", {5}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  const auto model = builder.build(builder.state("a"));
  for (const auto& made : {std::shared_ptr<Model>(model),
                           std::shared_ptr<Model>(std::make_shared<ExpandedModel>(model))}) {
    Cssp cssp(made);
    SearchGraph graph(cssp);
    const StateId a = graph.initial_state();
    graph.expand(a);
    cssp.set_give_up(std::vector{9.0});
    graph.give_up_changed();
    for (const PairId p : graph.pairs(a))
      EXPECT_EQ(graph.cost(p)[0], graph.ends(p) ? 9 : 5);
  }
}

TEST(GivingUp, IsMaskedByItsPenalties) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 0}}, {{5.0, 1.0}}});
  builder.add_action("a", "go", {5, 0}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  const auto model = builder.build(builder.state("a"));
  for (const auto& made : {std::shared_ptr<Model>(model),
                           std::shared_ptr<Model>(std::make_shared<ExpandedModel>(model))}) {
    Cssp cssp(made);
    SearchGraph graph(cssp);
    const StateId a = graph.initial_state();
    graph.expand(a);
    EXPECT_EQ(graph.pairs(a).size(), 1U);
    EXPECT_EQ(graph.all_pairs(a).size(), 2U);
    EXPECT_EQ(graph.num_known_pairs(), 1U);
    cssp.set_give_up(std::vector{5.0, 0.0});
    graph.give_up_changed();
    EXPECT_EQ(graph.pairs(a).size(), 2U);
    graph.forbid_costs({0});
    EXPECT_TRUE(graph.pairs(a).empty());
    graph.forbid_costs({});
    EXPECT_EQ(graph.pairs(a).size(), 2U);
  }
}

TEST(GivingUp, DeadEndsAreRemembered) {
  ExplicitBuilder builder({{"time"}, {}, {{5.0}}});
  builder.add_action("a", "go", {5}, {{1.0, "b"}});
  builder.add_action("b", "go", {5}, {{1.0, "a"}});
  const auto model = builder.build(builder.state("a"));
  for (const auto& made : {std::shared_ptr<Model>(model),
                           std::shared_ptr<Model>(std::make_shared<ExpandedModel>(model))}) {
    Cssp cssp(made);
    SearchGraph graph(cssp);
    const StateId a = graph.initial_state();
    const StateId b(1);
    graph.expand(a);
    graph.expand_to_give_up(b);
    EXPECT_FALSE(graph.is_known_dead_end(a));
    EXPECT_TRUE(graph.is_known_dead_end(b));
    ASSERT_EQ(graph.pairs(b).size(), 1U);
    EXPECT_EQ(graph.action(*graph.pairs(b).begin()), Cssp::give_up_action);
    cssp.set_give_up(std::nullopt);
    graph.give_up_changed();
    EXPECT_TRUE(graph.pairs(b).empty());
    EXPECT_EQ(graph.pairs(a).size(), 1U);
    cssp.set_give_up(std::vector{1.0});
    graph.give_up_changed();
    EXPECT_EQ(graph.pairs(b).size(), 1U);
    EXPECT_EQ(graph.pairs(a).size(), 2U);
    EXPECT_TRUE(graph.is_known_dead_end(b));
  }
}

}  // namespace
}  // namespace carl::graph
