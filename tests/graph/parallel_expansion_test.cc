// Whatever the number of threads, the same graph and the same answer, bit for bit.

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>

#include "carl/generate.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "graph/search_graph.h"
#include "heuristics/dijkstra.h"
#include "model/batch_expansion.h"
#include "model/explicit_model.h"
#include "oracle/strategy.h"
#include "support/load.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl::graph {
namespace {

constexpr std::size_t all_states = std::numeric_limits<std::size_t>::max();

/// Bounds of zero, penalties and shuffled actions, by turns.
CsspOptions options_of(std::uint64_t seed, const Model& model) {
  CsspOptions options;
  const CostModel& costs = model.cost_model();
  if (seed % 3 == 0) options.seed = seed;
  if (seed % 4 == 0 && costs.costs.size() > 1) options.bounds = {{costs.costs[1], 0.0}};
  if (seed % 5 == 0) options.give_up = {{costs.costs[0], 100.0}};
  return options;
}

template <class Range>
std::vector<typename Range::value_type> copy(const Range& range) {
  return {range.begin(), range.end()};
}

void expect_equal(const Expansion& a, const Expansion& b) {
  ASSERT_EQ(a.num_actions(), b.num_actions());
  for (std::size_t i = 0; i < a.num_actions(); ++i) {
    EXPECT_EQ(a.action(i), b.action(i));
    EXPECT_EQ(copy(a.successors(i)), copy(b.successors(i)));
    EXPECT_EQ(copy(a.probabilities(i)), copy(b.probabilities(i)));
  }
}

void expect_equal(const SearchGraph& a, const SearchGraph& b) {
  ASSERT_EQ(a.num_states(), b.num_states());
  ASSERT_EQ(a.num_pairs(), b.num_pairs());
  ASSERT_EQ(a.num_outcomes(), b.num_outcomes());
  EXPECT_EQ(a.num_expanded(), b.num_expanded());
  EXPECT_EQ(a.num_generated_actions(), b.num_generated_actions());
  EXPECT_EQ(a.num_cost_rows(), b.num_cost_rows());
  EXPECT_EQ(a.bytes(), b.bytes());
  EXPECT_EQ(a.cssp().num_states(), b.cssp().num_states());
  EXPECT_EQ(a.num_known_pairs(), b.num_known_pairs());
  EXPECT_EQ(a.num_forbidden_actions(), b.num_forbidden_actions());
  for (std::size_t i = 0; i < a.num_states(); ++i) {
    const StateId s(i);
    ASSERT_EQ(a.is_goal(s), b.is_goal(s));
    ASSERT_EQ(a.is_expanded(s), b.is_expanded(s));
    ASSERT_EQ(a.pairs(s).size(), b.pairs(s).size());
    ASSERT_TRUE(a.pairs(s).begin() == b.pairs(s).begin());
    ASSERT_EQ(a.cssp().state_facts(s), b.cssp().state_facts(s));
  }
  for (std::size_t i = 0; i < a.num_pairs(); ++i) {
    const PairId p(i);
    ASSERT_EQ(a.is_allowed(p), b.is_allowed(p));
    ASSERT_EQ(a.action(p), b.action(p));
    ASSERT_EQ(a.state(p), b.state(p));
    ASSERT_EQ(a.cost_row(p), b.cost_row(p));
    ASSERT_EQ(copy(a.cost(p)), copy(b.cost(p)));
    ASSERT_EQ(a.repeats(p), b.repeats(p));
    ASSERT_EQ(copy(a.successors(p)), copy(b.successors(p)));
    ASSERT_EQ(copy(a.probabilities(p)), copy(b.probabilities(p)));
  }
}

/// Breadth first, in batches of up to `batch_size` that are cut into small blocks.
void expect_expansions_of_one_thread(std::uint64_t seed, std::size_t threads,
                                     std::size_t states_per_block) {
  const auto make = [&] {
    return seed % 3 == 0 ? testing::random_conditional_task(seed) : testing::random_task(seed);
  };
  const CsspOptions options = options_of(seed, *make());
  Cssp one(make(), options);
  Cssp many(make(), options);
  const Threads pool(threads);
  BatchExpander expander(many, pool);
  ExpansionBatch batch(states_per_block);
  Expansion expansion;
  Monitor monitor;
  many.initial_state();
  for (std::size_t next = 0; next < many.num_states();) {
    batch.clear();
    std::vector<StateId> states;
    for (; next < many.num_states() && states.size() < 5 * states_per_block; ++next)
      if (!many.is_goal(StateId(next))) states.emplace_back(next);
    for (const StateId s : states)
      batch.add(s);
    ASSERT_TRUE(expander.generate(batch, monitor, [] {}));
    for (std::size_t i = 0; i < states.size(); ++i) {
      one.expand_with_forbidden(states[i], expansion);
      expander.learn(batch, i);
      EXPECT_EQ(one.num_states(), many.num_states());
    }
    Expansion again;
    for (std::size_t i = 0; i < states.size(); ++i) {
      one.expand_with_forbidden(states[i], again);
      expect_equal(again, expander.take(batch, i));
    }
  }
}

TEST(BatchExpander, SaysWhatExpandingOneByOneSays) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    expect_expansions_of_one_thread(seed, 1 + seed % 4, 1 + seed % 7);
  }
}

TEST(BatchExpander, EndsAtALimitAndPassesExceptionsOn) {
  Cssp cssp(testing::random_task(1));
  ExpansionBatch batch(1);
  batch.add(cssp.initial_state());
  batch.add(cssp.initial_state());
  Monitor none(0.0, 0, nullptr);
  bool meanwhile = false;
  EXPECT_FALSE(BatchExpander(cssp, Threads(1)).generate(batch, none, [&] { meanwhile = true; }));
  EXPECT_TRUE(meanwhile);
  Monitor monitor;
  const Threads two(2);
  BatchExpander expander(cssp, two);
  EXPECT_THROW(expander.generate(batch, monitor, [] { throw std::bad_alloc(); }), std::bad_alloc);
}

std::shared_ptr<Model> generated(const std::string& domain,
                                 const std::vector<std::pair<std::string, std::string>>& values) {
  const auto instance = generate_instance(domain, values, 1);
  return testing::load_text(instance.domain_text + instance.problem_text);
}

/// Graphs of 1 to 4 threads, cut off at some number of states, continued to some number of expanded
/// ones, and to the end.
template <class MakeModel>
void expect_same_graphs(MakeModel make, const CsspOptions& options, std::size_t max_states) {
  Monitor monitor;
  const auto expand = [&](SearchGraph& graph, std::size_t most, std::size_t expanded = all_states) {
    return graph.expand_all(monitor, most, expanded);
  };
  for (std::size_t threads = 2; threads <= 4; ++threads) {
    SCOPED_TRACE(threads);
    Cssp cssp(make(), options);
    Cssp same(make(), options);
    SearchGraph one(cssp);
    SearchGraph many(same, threads);
    EXPECT_EQ(expand(one, max_states), expand(many, max_states));
    expect_equal(one, many);
    EXPECT_EQ(expand(one, all_states, max_states), expand(many, all_states, max_states));
    EXPECT_LE(one.num_expanded(), max_states + 1);
    expect_equal(one, many);
    EXPECT_TRUE(expand(one, all_states));
    EXPECT_TRUE(expand(many, all_states));
    expect_equal(one, many);
  }
}

TEST(ParallelExpansion, GivesTheSameGraphsOfRandomTasks) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    const auto make = [&] { return testing::random_task(seed); };
    expect_same_graphs(make, options_of(seed, *make()), 1 + seed % 20);
  }
}

TEST(ParallelExpansion, GivesTheSameGraphsOfTheBenchmarks) {
  const auto sar = [] { return generated("sar", {{"n", "3"}, {"d", "2"}, {"r", "0.75"}}); };
  const auto elevators = [] {
    return generated("elevators", {{"e", "2"}, {"w", "1"}, {"h", "1"}});
  };
  const auto exbw = [] { return generated("exbw", {{"id", "t4"}}); };
  for (const std::size_t most : {1U, 700U, 20000U}) {
    CsspOptions shuffled;
    shuffled.seed = most;
    expect_same_graphs(sar, {}, most);
    expect_same_graphs(elevators, shuffled, most);
    expect_same_graphs(exbw, {}, most);
  }
}

TEST(ParallelExpansion, LeavesOtherModelsToOneThread) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(30); ++seed)
    expect_same_graphs([&] { return testing::random_model(seed); }, {}, 3);
}

/// The result file without times and memory of the process.
std::string answer(Cssp cssp, const SolveOptions& options) {
  Monitor monitor;
  const Solution solution = solve(cssp, options, monitor);
  std::ostringstream text;
  write_result(cssp, solution, text);
  auto json = nlohmann::json::parse(text.str());
  json["statistics"].erase("seconds");
  if (json["statistics"].contains("multiplier_search"))
    json["statistics"]["multiplier_search"].erase("seconds");
  json["statistics"].erase("peak_memory_mb");
  for (auto& point : json["trace"])
    point.erase("seconds");
  std::ostringstream policy;
  if (solution.costs) write_policy(cssp, solution.policy, policy);
  return json.dump(1) + policy.str();
}

TEST(ParallelExpansion, GivesTheSameAnswers) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(100); ++seed) {
    SCOPED_TRACE(seed);
    const CsspOptions changes = options_of(seed, *testing::random_task(seed));
    for (const char* algorithm : {"lp", "carl", "auto", "i-dual"}) {
      SCOPED_TRACE(algorithm);
      SolveOptions options;
      options.algorithm = algorithm_named(algorithm);
      if (options.algorithm == Algorithm::carl) options.carl.inner = InnerAlgorithm::vi;
      if (options.algorithm == Algorithm::i_dual)
        options.search.heuristic = HeuristicKind::dijkstra;
      const std::string one = answer(Cssp(testing::random_task(seed), changes), options);
      options.threads = 2 + seed % 3;
      EXPECT_EQ(one, answer(Cssp(testing::random_task(seed), changes), options));
    }
  }
}

TEST(ParallelDijkstra, GivesTheSameDistances) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(200); ++seed) {
    Cssp cssp(testing::random_model(seed, testing::random_options(seed, 60)));
    Monitor monitor;
    SearchGraph graph(cssp);
    heuristics::DijkstraIdealPoint one(graph, monitor);
    heuristics::DijkstraIdealPoint many(graph, monitor, 3);
    std::vector<double> a(cssp.num_costs());
    std::vector<double> b(cssp.num_costs());
    for (std::size_t s = 0; s < cssp.num_states(); ++s) {
      EXPECT_EQ(one.evaluate(StateId(s), a), many.evaluate(StateId(s), b));
      EXPECT_EQ(a, b);
    }
  }
}

TEST(ParallelDijkstra, EndsAtALimit) {
  std::atomic<bool> interrupt{true};
  Monitor monitor(1e9, 0, &interrupt);
  Cssp cssp(testing::random_model(1));
  SearchGraph graph(cssp);
  EXPECT_THROW(heuristics::DijkstraIdealPoint(graph, monitor, 2), LimitReached);
}

}  // namespace
}  // namespace carl::graph
