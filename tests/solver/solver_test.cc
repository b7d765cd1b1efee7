// What Solver promises, one promise at a time; random sequences of calls are in
// call_sequence_test.cc.

#include "carl/solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "carl/error.h"
#include "carl/explicit_builder.h"
#include "support/test_clock.h"

namespace carl {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A road of ten stages. Each can be driven fast, which takes fuel, slowly, or at some risk; how much
/// is won by it differs, so that many policies are optimal for some bounds.
std::shared_ptr<Model> road() {
  constexpr std::size_t stages = 10;
  ExplicitBuilder builder({{"time", "fuel", "risk"}, {{1, 20.0}}, {}});
  builder.add_states(stages + 1);
  for (std::size_t s = 0; s < stages; ++s) {
    const double length = 1 + 0.1 * static_cast<double>(s);
    const auto add = [&](double chance, double time, double fuel, double risk) {
      builder.add_outcome(chance, StateId(s + 1));
      if (chance < 1) builder.add_outcome(1 - chance, StateId(s));
      builder.add_action(StateId(s), std::vector<double>{time, fuel, risk});
    };
    add(1, 1, 3 * length, 0);
    add(0.5, 2 * length, 0.5, 0);
    add(0.9, 1.5, 1, 0.1 * length);
  }
  builder.add_goal(StateId(stages));
  return builder.build(StateId(0));
}

Solution solve(Solver& solver, const SolveOptions& options = {}) {
  Monitor monitor;
  return solver.solve(options, monitor);
}

/// With a solver that knows nothing.
Solution solve_fresh(const Cssp& now) {
  CsspOptions options;
  for (const std::string& cost : now.cost_names())
    options.bounds.emplace_back(cost, infinity);
  for (const Bound& bound : now.bounds())
    options.bounds.emplace_back(now.cost_names()[bound.cost], bound.upper);
  Cssp cssp(road(), options);
  std::optional<std::vector<std::pair<std::string, double>>> penalties;
  if (now.give_up_penalty()) {
    penalties.emplace();
    for (std::size_t i = 0; i < now.num_costs(); ++i)
      penalties->emplace_back(now.cost_names()[i], (*now.give_up_penalty())[i]);
  }
  cssp.set_penalties(penalties);
  Monitor monitor;
  return carl::solve(cssp, {}, monitor);
}

/// The same answer as a fresh solve gives, which is returned.
Solution expect_like_fresh(Solver& solver) {
  const Solution warm = solve(solver);
  const Solution fresh = solve_fresh(solver.cssp());
  EXPECT_EQ(to_string(warm.status), to_string(fresh.status));
  EXPECT_EQ(warm.costs.has_value(), fresh.costs.has_value());
  if (warm.costs && fresh.costs) {
    EXPECT_NEAR((*warm.costs)[0], (*fresh.costs)[0], 1e-4 * (*fresh.costs)[0]);
  }
  return warm;
}

TEST(Solver, AsksLessThanFreshSolves) {
  Solver solver(road());
  solve(solver);
  std::size_t warm = 0;
  std::size_t fresh = 0;
  for (const double fuel : {18.0, 15.0, 22.0, 12.0, 14.0, 15.5}) {
    solver.set_bound("fuel", fuel);
    warm += expect_like_fresh(solver).statistics.scalarised_ssps;
    fresh += solve_fresh(solver.cssp()).statistics.scalarised_ssps;
  }
  EXPECT_LT(2 * warm, fresh);
}

TEST(Solver, AsksNothingIfNothingHasChanged) {
  Solver solver(road());
  const Solution first = solve(solver);
  const Solution second = solve(solver);
  EXPECT_GT(first.statistics.scalarised_ssps, 1U);
  EXPECT_EQ(second.statistics.scalarised_ssps, 0U);
  EXPECT_EQ(second.status, Status::optimal);
  EXPECT_EQ(*second.costs, *first.costs);
}

TEST(Solver, CountsTheSolveAtHandOnly) {
  Solver solver(road());
  SolveOptions options;
  options.carl.inner = InnerAlgorithm::cg_ilao;
  const Solution first = solve(solver, options);
  const Solution second = solve(solver, options);
  EXPECT_GT(first.statistics.backups, 0U);
  EXPECT_GT(first.statistics.q_values, 0U);
  EXPECT_GT(first.statistics.evaluated, 0U);
  EXPECT_EQ(second.statistics.backups, 0U);
  EXPECT_EQ(second.statistics.q_values, 0U);
  EXPECT_EQ(second.statistics.evaluated, 0U);
  EXPECT_EQ(second.statistics.expanded, first.statistics.expanded);  // what there is of the graph
}

TEST(Solver, ForgetsAll) {
  Solver solver(road());
  const std::size_t first = solve(solver).statistics.scalarised_ssps;
  solver.forget();
  EXPECT_EQ(solve(solver).statistics.scalarised_ssps, first);
}

TEST(Solver, TakesBoundsOfZeroAndInfinity) {
  Solver solver(road());
  solver.set_bound("fuel", infinity);
  EXPECT_TRUE(solver.cssp().bounds().empty());
  const Solution free = expect_like_fresh(solver);
  EXPECT_DOUBLE_EQ((*free.costs)[0], 10);
  solver.set_bound("risk", 0);
  solver.set_bound("fuel", 20);
  EXPECT_EQ((*expect_like_fresh(solver).costs)[2], 0);
  solver.set_bound("fuel", 0);
  EXPECT_EQ(expect_like_fresh(solver).status, Status::infeasible);
  solver.set_bound("risk", infinity);
  EXPECT_EQ(expect_like_fresh(solver).status, Status::infeasible);
  solver.set_bound("fuel", 20);
  expect_like_fresh(solver);
  solver.set_bound("fuel", infinity);
  EXPECT_EQ(*expect_like_fresh(solver).costs, *free.costs);
}

TEST(Solver, TakesPenaltiesForGivingUp) {
  Solver solver(road());
  const Solution without = expect_like_fresh(solver);
  solver.set_give_up({{{"time", 5.0}}});
  EXPECT_DOUBLE_EQ((*expect_like_fresh(solver).costs)[0], 5);
  for (const double penalty : {7.0, 30.0, 3.0}) {
    solver.set_give_up({{{"time", penalty}, {"fuel", 4.0}}});
    expect_like_fresh(solver);
  }
  solver.set_give_up(std::nullopt);
  EXPECT_DOUBLE_EQ((*expect_like_fresh(solver).costs)[0], (*without.costs)[0]);
}

TEST(Solver, IsInterruptedFromAnotherThread) {
  Solver solver(road());
  Monitor monitor;
  std::size_t reports = 0;
  monitor.set_listener([&](const Progress&) {
    if (++reports == 4) std::thread([&] { monitor.interrupt(); }).join();
  });
  EXPECT_EQ(solver.solve({}, monitor).status, Status::interrupted);
  EXPECT_GE(reports, 4U);
  EXPECT_EQ(expect_like_fresh(solver).status, Status::optimal);
}

/// Wherever a limit ends a solve: what was begun then is of no use to the next. Dead ends make the
/// analysis of the graph take several rounds, between which the clock is looked at.
TEST(Solver, GoesOnAfterBeingInterruptedAnywhere) {
  for (std::size_t looks = 0; looks < 8; ++looks) {
    ExplicitBuilder builder({{"time", "fuel", "risk"}, {}, {}});
    builder.add_states(5);
    builder.add_goal(StateId(4));
    const auto add = [&](std::size_t state, std::vector<std::pair<double, std::size_t>> outcomes,
                         const std::vector<double>& cost) {
      for (const auto& [probability, successor] : outcomes)
        builder.add_outcome(probability, StateId(successor));
      builder.add_action(StateId(state), cost);
    };
    add(0, {{1, 4}}, {3, 0, 3});
    add(0, {{0.5, 1}, {0.5, 2}}, {3, 0, 2});
    add(0, {{1, 3}}, {3, 2, 0});
    add(1, {{1, 3}}, {1, 0, 0});
    add(3, {{1, 4}}, {2, 2, 0});
    add(3, {{1, 0}}, {2, 0, 0});
    Solver solver(builder.build(StateId(0)));
    Monitor first = testing::monitor_of_looks(looks);
    solver.solve({}, first);
    solver.set_bound("fuel", 1);
    EXPECT_EQ(solve(solver).status, Status::optimal) << looks;
    solver.set_bound("risk", 1);
    Monitor second = testing::monitor_of_looks(looks);
    solver.solve({}, second);
    EXPECT_EQ(solve(solver).status, Status::infeasible) << looks;
  }
}

TEST(Solver, StaysUsableAfterErrors) {
  Solver solver(road());
  solve(solver);
  EXPECT_THROW(solver.set_bound("speed", 1), OptionError);
  EXPECT_THROW(solver.set_bound("fuel", -1), OptionError);
  EXPECT_THROW(solver.set_bound("fuel", std::nan("")), OptionError);
  EXPECT_THROW(solver.set_give_up({{{"time", 1.0}, {"speed", 1.0}}}), OptionError);
  SolveOptions wrong;
  wrong.gap = -1;
  EXPECT_THROW(solve(solver, wrong), OptionError);
  wrong = {};
  wrong.algorithm = Algorithm::vi;  // for problems without bounds
  EXPECT_THROW(solve(solver, wrong), OptionError);
  EXPECT_EQ(expect_like_fresh(solver).statistics.scalarised_ssps, 0U);
  Monitor monitor;
  EXPECT_THROW(solver.sweep({"speed", 1, 2, 1}, {}, {}, monitor), InputError);
  EXPECT_THROW(solver.sweep({"fuel", 2, 1, 1}, {}, {}, monitor), InputError);
  EXPECT_THROW(solver.sweep({"fuel", 1, 2, 1}, SweepRange{"fuel", 1, 2, 1}, {}, monitor),
               InputError);
  ASSERT_EQ(solver.cssp().bounds().size(), 1U);
  EXPECT_EQ(solver.cssp().bounds()[0].upper, 20);
  EXPECT_FALSE(solver.cssp().give_up_penalty());
  expect_like_fresh(solver);
}

TEST(Solver, SweepsCostsWithAnyBoundOrNone) {
  Solver solver(road());
  solver.set_bound("risk", 0);
  Monitor monitor;
  const std::vector<SweepRange> ranges{
      {"fuel", 10, 20, 5}, {"risk", 0, 1, 0.5}, {"time", 14, 20, 2}};
  for (const SweepRange& range : ranges) {
    const Sweep sweep = solver.sweep(range, {}, {}, monitor);
    const std::vector<Bound>& bounds = solver.cssp().bounds();
    ASSERT_EQ(bounds.size(), 2U) << range.cost;
    EXPECT_EQ(bounds[0].upper, 20);
    EXPECT_EQ(bounds[1].upper, 0);
    for (const SweepPoint& point : sweep.curves.at(0).points) {
      Solver at{Cssp(solver.cssp())};
      at.set_bound(range.cost, point.bound);
      const Solution solution = expect_like_fresh(at);
      EXPECT_EQ(to_string(point.status), to_string(solution.status)) << range.cost;
      if (solution.costs) {
        EXPECT_NEAR(*point.objective, (*solution.costs)[0], 1e-4 * (*solution.costs)[0]);
      }
    }
  }
  expect_like_fresh(solver);
}

TEST(Solver, LearnsFromSweeps) {
  Solver solver(road());
  Monitor monitor;
  solver.sweep({"fuel", 12, 20, 2}, {}, {}, monitor);
  for (const double fuel : {14.0, 18.0}) {
    solver.set_bound("fuel", fuel);
    EXPECT_EQ(expect_like_fresh(solver).statistics.scalarised_ssps, 0U) << fuel;
  }
}

TEST(Solver, IsMoved) {
  Solver solver(road());
  const Solution first = solve(solver);
  Solver other(std::move(solver));
  EXPECT_EQ(solve(other).statistics.scalarised_ssps, 0U);
  solver = std::move(other);
  EXPECT_EQ(*solve(solver).costs, *first.costs);
}

}  // namespace
}  // namespace carl
