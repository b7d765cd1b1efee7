// Whatever the number of threads, the same graph and the same answer, bit for bit.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>

#include "carl/error.h"
#include "carl/generate.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "graph/breadth_first_expansion.h"
#include "graph/search_graph.h"
#include "heuristics/dijkstra.h"
#include "model/batch_expansion.h"
#include "model/explicit_model.h"
#include "oracle/strategy.h"
#include "support/load.h"
#include "support/random_model.h"
#include "support/random_prism.h"
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

const std::vector<std::size_t> thread_counts{2, 3, 8};

/// Random problems of all kinds that several threads can expand.
std::shared_ptr<Model> random_problem(std::uint64_t seed) {
  switch (seed % 4) {
    case 0:
      return testing::random_conditional_task(seed);
    case 1:
      return testing::random_prism_model(seed);
    default:
      return testing::random_task(seed);
  }
}

/// Breadth first, in batches of up to five blocks.
void expect_expansions_of_one_thread(std::uint64_t seed, std::size_t threads,
                                     std::size_t states_per_block) {
  const CsspOptions options = options_of(seed, *random_problem(seed));
  Cssp one(random_problem(seed), options);
  Cssp many(random_problem(seed), options);
  if (!BatchExpander::can_expand(many)) return;
  const Threads pool(threads);
  BatchExpander expander(many, pool);
  ExpansionBatch batch(states_per_block);
  Expansion expansion;
  Expansion taken;
  Monitor monitor;
  many.initial_state();
  for (std::size_t next = 0; next < many.num_states();) {
    batch.clear();
    for (; next < many.num_states() && batch.size() < 5 * states_per_block; ++next)
      if (!many.is_goal(StateId(next))) batch.add(StateId(next));
    ASSERT_TRUE(expander.generate(batch, monitor));
    const std::size_t before = many.num_states();
    const std::size_t num_new = expander.find(batch);
    EXPECT_EQ(before, many.num_states());
    expander.learn(batch);
    EXPECT_EQ(before + num_new, many.num_states());
    for (std::size_t shard = 0; shard < BatchExpander::num_shards; ++shard)
      expander.index(batch, shard);
    ASSERT_EQ(batch.goals().size(), num_new);
    for (std::size_t s = before; s < many.num_states(); ++s)
      EXPECT_EQ(batch.goals()[s - before] == 1, many.is_goal(StateId(s)));
    for (std::size_t b = 0; b < batch.num_blocks(); ++b)
      for (std::size_t i = 0; i < batch.states(b).size(); ++i) {
        one.expand_with_forbidden(batch.states(b)[i], expansion);
        expander.take(batch, b, i, taken);
        expect_equal(expansion, taken);
      }
    ASSERT_EQ(one.num_states(), many.num_states());
  }
  EXPECT_EQ(one.model().state_bytes(), many.model().state_bytes());
}

TEST(BatchExpander, SaysWhatExpandingOneByOneSays) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    expect_expansions_of_one_thread(seed, 1 + seed % 5, 1 + seed % 7);
  }
}

TEST(BatchExpander, LeavesNothingBehindBeforeItHasLearnt) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(50); ++seed) {
    Cssp cssp(random_problem(seed), {});
    if (cssp.is_goal(cssp.initial_state())) continue;
    const std::size_t before = cssp.num_states();
    const std::size_t bytes = cssp.model().state_bytes();
    const Threads two(2);
    BatchExpander expander(cssp, two);
    ExpansionBatch batch(1);
    batch.add(cssp.initial_state());
    Monitor none(0.0, 0, nullptr);
    EXPECT_FALSE(expander.generate(batch, none));
    Monitor monitor;
    EXPECT_TRUE(expander.generate(batch, monitor));
    expander.find(batch);
    expander.forget();
    EXPECT_EQ(before, cssp.num_states());
    EXPECT_EQ(bytes, cssp.model().state_bytes());
  }
}

std::shared_ptr<Model> generated(const std::string& domain,
                                 const std::vector<std::pair<std::string, std::string>>& values) {
  const auto instance = generate_instance(domain, values, 1);
  return testing::load_text(instance.domain_text + instance.problem_text);
}

/// Graphs of one thread and of several, cut off at some number of states, continued to some number
/// of expanded ones, and to the end.
template <class MakeModel>
void expect_same_graphs(MakeModel make, const CsspOptions& options, std::size_t max_states,
                        const PiecesOfWork& pieces = {}) {
  Monitor monitor;
  const auto expand = [&](SearchGraph& graph, std::size_t most, std::size_t expanded = all_states) {
    return expand_breadth_first(graph, monitor, most, expanded, pieces);
  };
  for (const std::size_t threads : thread_counts) {
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

TEST(ParallelExpansion, GivesTheSameGraphs) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    const auto make = [&] { return random_problem(seed); };
    const PiecesOfWork pieces{1 + seed % 40, 1 + seed % 3, 1 + seed % 2};
    expect_same_graphs(make, options_of(seed, *make()), 1 + seed % 60, pieces);
  }
}

/// States that were expanded, and are not any more, have their pairs already.
TEST(ParallelExpansion, GoesOnFromABookmark) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(100); ++seed) {
    SCOPED_TRACE(seed);
    const CsspOptions options = options_of(seed, *random_problem(seed));
    Cssp cssp(random_problem(seed), options);
    Cssp same(random_problem(seed), options);
    SearchGraph one(cssp);
    SearchGraph many(same, 3);
    for (SearchGraph* graph : {&one, &many}) {
      Monitor monitor;
      expand_breadth_first(*graph, monitor, all_states, seed % 7, {10, 2, 1});
      const SearchGraph::Bookmark here = graph->bookmark();
      expand_breadth_first(*graph, monitor, all_states, 10 + seed % 11, {10, 2, 1});
      graph->return_to(here);
      EXPECT_TRUE(expand_breadth_first(*graph, monitor, all_states, all_states, {10, 2, 1}));
    }
    expect_equal(one, many);
  }
}

/// Wherever a limit ends it, what is there is the beginning of the whole graph.
TEST(ParallelExpansion, GoesOnAfterALimit) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(150); ++seed) {
    SCOPED_TRACE(seed);
    const CsspOptions options = options_of(seed, *random_problem(seed));
    Cssp cssp(random_problem(seed), options);
    Cssp same(random_problem(seed), options);
    SearchGraph one(cssp);
    SearchGraph many(same, thread_counts[seed % thread_counts.size()]);
    const PiecesOfWork pieces{1 + seed % 20, 1 + seed % 4, 1};
    Monitor monitor;
    EXPECT_TRUE(expand_breadth_first(one, monitor, all_states, all_states, pieces));
    std::atomic<std::size_t> looks{0};
    const std::size_t enough = 2 + seed % 9;
    Monitor ended(1.0, 0, nullptr, [&] {
      return Monitor::Clock::time_point(std::chrono::seconds(++looks < enough ? 0 : 2));
    });
    if (!expand_breadth_first(many, ended, all_states, all_states, pieces)) {
      EXPECT_EQ(ended.kind(), LimitKind::time);
      EXPECT_LE(many.num_states(), one.num_states());
    }
    EXPECT_TRUE(expand_breadth_first(many, monitor, all_states, all_states, pieces));
    expect_equal(one, many);
  }
}

TEST(ParallelExpansion, EndsWhenInterruptedByAnotherThread) {
  for (int round = 0; round < 20; ++round) {
    Cssp cssp(generated("exbw", {{"id", "t4"}}));
    SearchGraph graph(cssp, 3);
    std::atomic<bool> interrupt{false};
    Monitor monitor(1e9, 0, &interrupt);
    std::jthread other([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(100 * round));
      interrupt = true;
    });
    if (!graph.expand_all(monitor)) {
      EXPECT_EQ(monitor.kind(), LimitKind::interrupt);
    }
  }
}

/// Some of the random programs leave a range in some state.
TEST(ParallelExpansion, ThrowsWhatOneThreadThrows) {
  std::size_t thrown = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(200); ++seed) {
    SCOPED_TRACE(seed);
    const auto expand = [&](std::size_t threads) -> std::string {
      Cssp cssp(testing::random_prism_model(seed, true));
      SearchGraph graph(cssp, threads);
      Monitor monitor;
      try {
        expand_breadth_first(graph, monitor, all_states, all_states,
                             {1 + seed % 50, 1 + seed % 3, 1});
        return "nothing";
      } catch (const InputError& error) {
        return error.message() + " after " + std::to_string(graph.num_expanded());
      }
    };
    const std::string one = expand(1);
    thrown += one != "nothing";
    for (const std::size_t threads : thread_counts)
      EXPECT_EQ(one, expand(threads));
  }
  EXPECT_GT(thrown, testing::scaled(200) / 10);
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
    const bool is_prism = seed % 4 == 0;
    const auto make = [&]() -> std::shared_ptr<Model> {
      if (is_prism) return testing::random_prism_model(seed);
      return testing::random_task(seed);
    };
    const CsspOptions changes = options_of(seed, *make());
    for (const char* algorithm : {"lp", "carl", "auto", "i-dual"}) {
      SCOPED_TRACE(algorithm);
      SolveOptions options;
      options.algorithm = algorithm_named(algorithm);
      if (options.algorithm == Algorithm::carl) options.carl.inner = InnerAlgorithm::vi;
      if (options.algorithm == Algorithm::i_dual)
        options.search.heuristic = HeuristicKind::dijkstra;
      const std::string one = answer(Cssp(make(), changes), options);
      options.threads = thread_counts[seed % thread_counts.size()];
      EXPECT_EQ(one, answer(Cssp(make(), changes), options));
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
