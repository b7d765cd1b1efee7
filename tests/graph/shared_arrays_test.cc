// A graph that reads the arrays of an explicit model, and one that is told of its states one by
// one: the same pairs in the same order, and the same answers bit for bit. Offsets beyond 32 bits.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "carl/io.h"
#include "carl/solve.h"
#include "graph/predecessors.h"
#include "graph/search_graph.h"
#include "support/other_models.h"
#include "support/random_model.h"
#include "support/scale.h"

namespace carl::graph {
namespace {

using testing::ExpandedModel;
using testing::random_model;
using testing::RandomModelOptions;

/// The result file without times and memory, and the policy.
std::string answer(std::shared_ptr<Model> model, const SolveOptions& options) {
  Cssp cssp(std::move(model));
  Monitor monitor;
  const Solution solution = solve(cssp, options, monitor);
  std::ostringstream text;
  write_result(cssp, solution, text);
  auto json = nlohmann::json::parse(text.str());
  for (const char* key : {"seconds", "peak_memory_mb", "transition_bytes", "state_bytes"})
    json["statistics"].erase(key);
  if (json["statistics"].contains("multiplier_search"))
    json["statistics"]["multiplier_search"].erase("seconds");
  for (auto& point : json["trace"])
    point.erase("seconds");
  std::ostringstream policy;
  if (solution.costs) write_policy(cssp, solution.policy, policy);
  return json.dump(1) + policy.str();
}

TEST(SharedArrays, GiveTheSameAnswers) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(150); ++seed) {
    SCOPED_TRACE(seed);
    RandomModelOptions options = testing::random_options(seed, 15);
    options.self_loops = seed % 3 != 0;
    const auto model = random_model(seed, options);
    for (const char* algorithm : {"carl", "lp", "i-dual", "cg-ilao", "vi", "lrtdp"}) {
      SolveOptions how;
      how.algorithm = algorithm_named(algorithm);
      const bool takes_bounds = how.algorithm == Algorithm::carl ||
                                how.algorithm == Algorithm::lp ||
                                how.algorithm == Algorithm::i_dual;
      if (!takes_bounds && !model->cost_model().bounds.empty()) continue;
      if (how.algorithm == Algorithm::carl && seed % 2 == 0)
        how.carl.inner = InnerAlgorithm::cg_ilao;
      SCOPED_TRACE(algorithm);
      EXPECT_EQ(answer(model, how), answer(std::make_shared<ExpandedModel>(model), how));
    }
  }
}

TEST(SharedArrays, ReadsWhereTheModelHasThem) {
  const auto model = random_model(1);
  Cssp cssp(model);
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const PairView view = model->transitions(false)->pairs().view();
  for (const StateId s : graph.expanded_states())
    for (const PairId p : graph.pairs(s)) {
      EXPECT_EQ(graph.successors(p).data(), view.successors(p).data());
      EXPECT_EQ(graph.action(p).index(), p.index());
    }
}

TEST(SharedArrays, ActionsThatOnlyLoopAreNeverAllowed) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "wait", {0}, {{1.0, "a"}});
  builder.add_action("a", "hardly", {0}, {{1.0 - 1e-14, "a"}, {1e-14, "g"}});
  builder.add_action("a", "go", {1}, {{0.25, "g"}, {0.5, "a"}, {0.25, "b"}});
  builder.add_goal(builder.state("g"));
  builder.add_goal(builder.state("b"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  const StateId a = graph.initial_state();
  graph.expand(a);
  ASSERT_EQ(graph.pairs(a).size(), 1U);
  EXPECT_EQ(graph.all_pairs(a).size(), 3U);
  const PairId go = *graph.pairs(a).begin();
  EXPECT_EQ(cssp.action_name(graph.action(go)), "go");
  EXPECT_EQ(graph.repeats(go), 2);
  EXPECT_EQ(graph.probabilities(go)[1], 0.5);
  for (const PairId p : graph.all_pairs(a)) {
    graph.forbid(p);
    graph.allow(p);
    EXPECT_EQ(graph.is_allowed(p), p == go);
    EXPECT_FALSE(graph.ends(p));
  }
}

// Who has the memory for it may have more than 2^32 outcomes; a test has not.
TEST(PairArrays, OffsetsHave64Bits) {
  EXPECT_EQ(sizeof(PairView::Pair::first_outcome), 8U);
  PairArrays arrays;
  EXPECT_TRUE(arrays.has_room((std::size_t{1} << 32) - 2));
  EXPECT_FALSE(arrays.has_room((std::size_t{1} << 32) - 1));
}

TEST(Predecessors, AreTheSameHoweverTheyAreHeld) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(50); ++seed) {
    Cssp cssp(random_model(seed, testing::random_options(seed, 20)));
    SearchGraph graph(cssp);
    Predecessors lists(graph);
    Predecessors short_lists(graph, 7);  // many sets of lists
    Monitor monitor;
    graph.expand_all(monitor);
    lists.update();
    short_lists.update();
    const Predecessors sorted(graph);
    const auto all = [&](const Predecessors& index, StateId s) {
      std::vector<PairId> result;
      index.for_each(s, [&](PairId p) { result.push_back(p); });
      return result;
    };
    for (std::size_t s = 0; s < graph.num_states(); ++s) {
      EXPECT_EQ(all(lists, StateId(s)), all(sorted, StateId(s)));
      EXPECT_EQ(all(short_lists, StateId(s)), all(sorted, StateId(s)));
    }
  }
}

}  // namespace
}  // namespace carl::graph
