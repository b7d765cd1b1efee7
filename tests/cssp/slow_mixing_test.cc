// Problems whose policies take 10^5 steps: sweeps over their states settle at that pace, so they
// need exact policy iteration, lower bounds that cope with free actions, and an outer search that
// does not ask the same question again and again.

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "carl/explicit_builder.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "cssp/agreement.h"
#include "support/scale.h"
#include "support/slow_models.h"
#include "support/source_path.h"

namespace carl {
namespace {

/// And the default.
std::vector<std::string> every_inner() {
  std::vector<std::string> names = inner_names();
  names.emplace_back();
  return names;
}

struct QueueCase {
  testing::Queue queue;
  double optimum;
  std::size_t queries;  // no more than these
};

/// The first four have 76 to 380 states, the last one 1,822.
const std::array<QueueCase, 5> queues{{{{3, 6000, 1000}, 2.4995834028, 2},
                                       {{3, 6000, 50}, 3130.72398245, 12},
                                       {{3, 6000, 5}, 3768.84693, 12},
                                       {{20, 60000, 1}, 36610.904154, 12},
                                       {{100, 100000, 20}, 50614.0282, 18}}};

void expect_optimal(const Solution& solution, double optimum, double gap) {
  ASSERT_EQ(to_string(solution.status), "optimal") << solution.note;
  EXPECT_NEAR((*solution.costs)[0], optimum, (gap + 1e-9) * optimum);
  EXPECT_LE(*solution.lower_bound, optimum * (1 + 1e-9));
}

Solution solve_to(double gap, const std::shared_ptr<Model>& model, const std::string& inner) {
  SolveOptions options;
  if (!inner.empty()) options.carl.inner = inner_named(inner);
  options.gap = gap;
  return run(model, options);
}

TEST(SlowMixing, QueuesTakeSomeTenQueries) {
  for (const QueueCase& c : queues)
    for (const std::string& inner : every_inner())
      for (const double gap : {1e-4, 1e-6}) {
        SCOPED_TRACE(::testing::Message() << c.queue.length << ", at most " << c.queue.losses
                                          << " lost, " << inner << ", gap " << gap);
        const Solution solution = solve_to(gap, testing::queue_model(c.queue), inner);
        expect_optimal(solution, c.optimum, gap);
        EXPECT_TRUE(solution.note.empty()) << solution.note;
        EXPECT_LE(solution.statistics.scalarised_ssps, c.queries);
        EXPECT_LE(solution.statistics.backups, 10'000'000u);
      }
}

TEST(SlowMixing, WithoutBoundsToo) {
  for (const std::string& algorithm : inner_names()) {
    SCOPED_TRACE(algorithm);
    SolveOptions options;
    options.algorithm = algorithm_named(algorithm);
    options.gap = 1e-9;
    const Solution solution =
        run(testing::queue_model({3, 6000, 5}), options,
            {.bounds = {{"lost", std::numeric_limits<double>::infinity()}}, .give_up = {}});
    expect_optimal(solution, 2.4995834028, 1e-9);
    EXPECT_LE(solution.statistics.backups, 2'000'000u);
  }
}

/// A symmetric walk takes as many steps as its length has squares.
TEST(SlowMixing, WalksOnALine) {
  for (const int length : {100, 300, 1000}) {
    const double fuel = 5.0 * length;
    const auto model = testing::walk_model({length, 0.5, 0.55, fuel});
    const Solution truth = run(model, lp());
    for (const std::string& inner : every_inner()) {
      SCOPED_TRACE(::testing::Message() << length << " states, " << inner);
      const Solution solution = solve_to(1e-6, model, inner);
      expect_optimal(solution, (*truth.costs)[0], 1e-6);
      EXPECT_LE(solution.statistics.scalarised_ssps, 20u);
      // Searches make some hundred for each state before they leave sweeping, and LRTDP wanders
      // about what it knows before it finds another state.
      EXPECT_LE(solution.statistics.backups,
                (inner == "lrtdp" ? 80'000u : 20'000u) * static_cast<std::size_t>(length));
    }
  }
}

/// One in which work is worth it from some place on: as λ grows, that place moves.
TEST(SlowMixing, PoliciesWithAThreshold) {
  const auto model = testing::threshold_model({500, 1e5, 20'000});
  const Solution truth = run(model, lp());
  const Solution solution = solve_to(1e-6, model, {});
  expect_optimal(solution, (*truth.costs)[0], 1e-6);
  EXPECT_LE(solution.statistics.scalarised_ssps, 9u);
  EXPECT_LE(solution.statistics.backups, 5'000'000u);
}

/// Power managers, rovers, and all the others, small and with random parameters.
TEST(SlowMixing, RandomSlowModelsAgreeWithTheLp) {
  std::size_t optimal = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300) && !::testing::Test::HasFailure();
       ++seed) {
    SCOPED_TRACE(testing::slow_model_text(seed));
    const auto model = testing::random_slow_model(seed);
    const std::vector<std::string> inner = every_inner();
    const Solution solution =
        solve_to(1e-6, model, seed % 3 == 0 ? inner[seed % inner.size()] : std::string());
    const Solution truth = run(model, lp());
    ASSERT_EQ(to_string(solution.status), to_string(truth.status)) << solution.note;
    EXPECT_LE(solution.statistics.scalarised_ssps, 40u);
    std::map<std::vector<double>, std::size_t> tried;
    for (const TracePoint& point : solution.trace)
      EXPECT_LT(++tried[point.multipliers], 10U);
    infeasible += truth.status == Status::infeasible;
    if (truth.status != Status::optimal) continue;
    ++optimal;
    expect_same(Cssp(model), solution, truth);
    EXPECT_TRUE(solution.note.empty()) << solution.note;
  }
  EXPECT_GE(optimal, testing::at_full_scale(180));
  EXPECT_GE(infeasible, testing::at_full_scale(30));
}

/// Rounding errors tell tied actions apart: choices changed for ever, and the vectors with them
/// that coordinate search wants settled.
TEST(SlowMixing, TiedActionsDoNotKeepCoordinateSearchBusy) {
  for (const std::string& inner : inner_names()) {
    SCOPED_TRACE(inner);
    ExplicitBuilder builder({{"time", "fuel", "risk"}, {}, {}});
    builder.set_bounds({{1, 2.0}, {2, 3.333366666666667}});
    builder.add_action("s0", "a0", {1, 1, 2}, {{0.5, "s1"}, {0.5, "goal"}});
    builder.add_action("s0", "a1", {3, 1, 1}, {{0.5, "s1"}, {0.5, "goal"}});
    builder.add_action("s1", "a0", {3, 2, 1}, {{0.5, "goal"}, {0.5, "s1"}});
    builder.add_action("s1", "a1", {3, 1, 3}, {{0.5, "s0"}, {0.5, "goal"}});
    builder.add_goal(builder.state("goal"));
    Cssp cssp(builder.build(builder.state("s0")));
    Monitor monitor;
    SolveOptions options;
    options.carl.outer = OuterAlgorithm::coordinate;
    options.carl.inner = inner_named(inner);
    options.search.heuristic = HeuristicKind::zero;
    const Solution solution = solve(cssp, options, monitor);
    ASSERT_EQ(to_string(solution.status), "optimal") << solution.note;
    EXPECT_NEAR((*solution.costs)[0], 5.99993, 1e-3);
  }
}

/// Values that only ever fell, a little at a time, kept CG-iLAO* busy for ever, deaf to limits; by
/// default the outer search asked for ever larger multipliers.
TEST(SlowMixing, AnInfeasibleProblemBehindLoopsThatAreHardlyEverLeft) {
  for (const std::string& inner : every_inner()) {
    SCOPED_TRACE(inner);
    Monitor monitor;
    Cssp cssp(load_model({tests::source_path("tests/cssp/data/infeasible-behind-near-loops.json")},
                         monitor));
    SolveOptions options;
    if (!inner.empty()) options.carl.inner = inner_named(inner);
    const Solution solution = solve(cssp, options, monitor);
    ASSERT_EQ(to_string(solution.status), "infeasible") << solution.note;
    EXPECT_GT(solution.infeasibility->least, 4.68);
    EXPECT_LT(solution.infeasibility->least, 95.46);
    EXPECT_LE(solution.statistics.backups, 1'000'000);
  }
}

/// The bound is met by one part in 1e8, after a billion steps. Where doubles cannot tell, the note
/// says what could not be done.
TEST(SlowMixing, TroubleOfCoordinateSearchHasAReason) {
  ExplicitBuilder builder({{"c0", "c1"}, {}, {}});
  builder.set_bounds({{1, 119791489.24310671}});
  builder.add_action("s0", "a0", {1e8, 119791488.10073245}, {{1.0, "s6"}});
  builder.add_action("s6", "a0", {1e8, 0.0002},
                     {{9.062541272686021e-05, "goal"}, {0.9999093745872731, "s6"}});
  builder.add_action("s6", "a1", {1e8, 0}, {{1e-05, "s7"}, {0.99999, "s6"}});
  builder.add_action("s7", "a0", {1e8, 0},
                     {{0.6570982255114022, "goal"}, {0.34290177448859793, "s4"}});
  builder.add_action("s4", "a0", {1e8, 0}, {{1e-06, "goal"}, {0.999999, "s4"}});
  builder.add_goal(builder.state("goal"));
  Cssp cssp(builder.build(builder.state("s0")));
  Monitor monitor;
  SolveOptions options;
  options.carl.outer = OuterAlgorithm::coordinate;
  const Solution solution = solve(cssp, options, monitor);
  ASSERT_EQ(to_string(solution.status), "optimal") << solution.note;
  EXPECT_EQ(solution.note.find("numerical trouble: "), 0u);
  EXPECT_EQ(solution.note.find("numerical trouble: ;"), std::string::npos) << solution.note;
}

/// Every second of so many steps begins anew every other time, so that a run takes 2^(steps/2)
/// steps. What doubles cannot hold is trouble, no crash and no claim that there is no policy.
std::shared_ptr<Model> ever_anew(std::size_t steps, bool bounded) {
  ExplicitBuilder builder({{"time", "fuel"}, {}, {}});
  if (bounded) builder.set_bounds({{1, 12.0}});
  builder.add_states(steps + 1);
  builder.add_goal(StateId(steps));
  for (std::size_t i = 0; i < steps; ++i)
    for (const double fuel : {1.0, 0.5}) {
      builder.add_outcome(i % 2 == 1 ? 0.5 : 1.0, StateId(i + 1));
      if (i % 2 == 1) builder.add_outcome(0.5, StateId(0));
      builder.add_action(StateId(i), std::vector<double>{1.5 - fuel, fuel});
    }
  return builder.build(StateId(0));
}

TEST(SlowMixing, PoliciesThatAreTooExpensiveForDoubles) {
  for (const std::size_t steps : {1000U, 2100U})
    for (const bool bounded : {true, false})
      for (int variant = 0; variant < 6; ++variant) {
        SolveOptions options;
        if (variant == 1) options.deterministic = true;
        if (variant == 2) options.carl.outer = OuterAlgorithm::coordinate;
        if (variant == 3) options.carl.inner = InnerAlgorithm::ilao;
        if (variant == 4) options.algorithm = Algorithm::lp;
        if (variant == 5) options.carl.inner = InnerAlgorithm::vi;
        SCOPED_TRACE(::testing::Message() << steps << " steps, " << bounded << ", " << variant);
        Cssp cssp(ever_anew(steps, bounded));
        Monitor monitor(1.0, 0);
        const Solution solution = solve(cssp, options, monitor);
        EXPECT_NE(solution.status, Status::no_proper_policy);
        EXPECT_NE(solution.status, Status::optimal);
        EXPECT_TRUE(solution.status != Status::infeasible || bounded);
        EXPECT_FALSE(solution.costs);
      }
}

}  // namespace
}  // namespace carl
