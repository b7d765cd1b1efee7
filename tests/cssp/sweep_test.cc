// Sweeps against separate solves of the LP over all states, point by point, on random problems:
// values, shadow prices, breakpoints and both ends of the curve. And that they are cheap, counted
// in scalarised problems.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "carl/error.h"
#include "carl/sweep.h"
#include "cssp/agreement.h"
#include "cssp/paper_examples.h"
#include "cssp/trade_off.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl {
namespace {

/// A problem with bounds, the first of which is varied over a range around what is possible.
struct Case {
  std::shared_ptr<Model> model;
  CsspOptions changes;
  SweepRange range;
};

double scale(double value) {
  return std::max(1.0, std::abs(value));
}

/// The optimum by the LP over all states; infinite if there is none.
double optimum(const Case& c, double bound,
               const std::optional<std::pair<std::string, double>>& second = std::nullopt) {
  CsspOptions changes = c.changes;
  changes.bounds.emplace_back(c.range.cost, bound);
  if (second) changes.bounds.push_back(*second);
  const Solution solution = run(c.model, lp(), changes);
  EXPECT_NE(to_string(solution.status), "limit") << solution.note;
  return solution.costs ? (*solution.costs)[0] : std::numeric_limits<double>::infinity();
}

Sweep swept(const Case& c, const std::optional<SweepRange>& second = std::nullopt) {
  CsspOptions changes = c.changes;
  changes.bounds.emplace_back(c.range.cost, std::max(1.0, c.range.to));
  if (second) changes.bounds.emplace_back(second->cost, std::max(1.0, second->to));
  Cssp cssp(c.model, changes);
  Monitor monitor;
  SolveOptions options;
  return sweep(cssp, c.range, second, options, monitor);
}

void expect_points_as_solved(const Case& c, const SweepCurve& curve) {
  std::optional<std::pair<std::string, double>> second;
  for (const SweepPoint& point : curve.points) {
    SCOPED_TRACE("bound " + std::to_string(point.bound));
    const double truth = optimum(c, point.bound, second);
    if (truth == std::numeric_limits<double>::infinity()) {
      // A bound that is missed by a rounding error is met.
      if (curve.infeasible_below && point.bound > *curve.infeasible_below * (1 - 1e-8)) continue;
      EXPECT_EQ(to_string(point.status), "infeasible");
      continue;
    }
    ASSERT_EQ(to_string(point.status), "optimal");
    EXPECT_NEAR(*point.objective, truth, 1e-6 * scale(truth));
    EXPECT_LE(*point.lower_bound, truth + 1e-7 * scale(truth));
    EXPECT_GE(*point.multiplier, 0);
    ASSERT_TRUE(point.piece || curve.points.size() == 1 ||
                point.bound >= *curve.infeasible_below * (1 - 1e-8));
  }
}

/// Slopes rise from piece to piece, and the curve goes through its breakpoints with them.
void expect_breakpoints(const Case& c, const SweepCurve& curve) {
  for (std::size_t i = 0; i < curve.breakpoints.size(); ++i) {
    const SweepBreakpoint& b = curve.breakpoints[i];
    SCOPED_TRACE("breakpoint " + std::to_string(b.bound));
    const double nearby = 1e-6 * scale(b.bound);
    EXPECT_NEAR(optimum(c, b.bound + nearby), b.objective + b.slope * nearby,
                1e-6 * scale(b.objective));
    EXPECT_LE(b.slope, 1e-9);
    if (b.slope_before) {
      EXPECT_LT(*b.slope_before, b.slope);
    } else {
      EXPECT_EQ(b.bound, *curve.infeasible_below);
    }
    if (i + 1 == curve.breakpoints.size()) continue;
    const SweepBreakpoint& next = curve.breakpoints[i + 1];
    EXPECT_NEAR(b.slope, *next.slope_before, 1e-9 * scale(b.slope));
    const double middle = (b.bound + next.bound) / 2;
    const double line = (b.objective + next.objective) / 2;
    EXPECT_NEAR(optimum(c, middle), line, 1e-6 * scale(line));
  }
}

void expect_ends(const Case& c, const SweepCurve& curve) {
  ASSERT_TRUE(curve.slack_above);
  const double slack = *curve.slack_above;
  if (curve.infeasible_below) {
    const double least = *curve.infeasible_below;
    EXPECT_LE(least, slack * (1 + 1e-9));
    EXPECT_EQ(optimum(c, least - 1e-6 * scale(least)), std::numeric_limits<double>::infinity());
    EXPECT_LT(optimum(c, least + 1e-6 * scale(least)), std::numeric_limits<double>::infinity());
  }
  const double free = optimum(c, 1e6);
  EXPECT_NEAR(optimum(c, slack + 1e-6 * scale(slack)), free, 1e-7 * scale(free));
  const double before = slack - 1e-3 * scale(slack);
  if (before > curve.infeasible_below.value_or(0)) {
    EXPECT_GT(optimum(c, before), free);
  }
}

Case random_case(std::uint64_t seed) {
  Case c;
  SplitMix64 random(seed);
  if (seed % 4 == 0) {
    c.model = testing::random_task(seed);
  } else {
    testing::RandomModelOptions options = testing::random_options(seed, 10);
    options.costs = 2 + random.below(3);
    c.model = testing::random_model(seed, options);
  }
  c.changes = random_bounds(c.model, seed);
  const Cssp cssp(c.model);
  if (cssp.num_costs() < 2) return c;
  const Solution free = run(c.model, lp(), {{{cssp.cost_names()[1], 1e6}}, {}});
  c.range.cost = cssp.cost_names()[1];
  const double reference = free.costs ? (*free.costs)[1] : 5.0;
  c.range.from = seed % 3 == 0 ? 0.0 : 0.8 * reference * random.unit();
  c.range.to = c.range.from + 1.2 * reference * random.unit() + 1e-3;
  c.range.step = (c.range.to - c.range.from) / 6;
  return c;
}

TEST(Sweep, AgreesWithSeparateSolvesOnRandomProblems) {
  std::size_t kinks = 0;
  std::size_t infeasible = 0;
  std::size_t several_bounds = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(2000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = random_case(seed);
    if (c.range.cost.empty()) continue;
    const Sweep sweep = swept(c);
    ASSERT_EQ(sweep.curves.size(), 1U);
    const SweepCurve& curve = sweep.curves.front();
    if (optimum(c, 1e6) == std::numeric_limits<double>::infinity()) {
      EXPECT_NE(to_string(sweep.status), "optimal");
      EXPECT_FALSE(curve.infeasible_below || curve.slack_above);
    } else {
      EXPECT_EQ(sweep.note, "");
      expect_points_as_solved(c, curve);
      if (!HasFailure()) expect_breakpoints(c, curve);
      if (!HasFailure()) expect_ends(c, curve);
    }
    kinks += curve.breakpoints.size();
    infeasible += sweep.status == Status::infeasible;
    several_bounds += Cssp(c.model, c.changes).constraints().size() > 1;
    if (HasFailure()) break;
  }
  EXPECT_GT(kinks, testing::at_full_scale(500));
  EXPECT_GT(infeasible, testing::at_full_scale(30));
  EXPECT_GT(several_bounds, testing::at_full_scale(300));
}

/// Effort at most 10. Price at least 6.25: run with probability 3/8, else walk and take whatever
/// comes. At 15 the taxi has replaced walking; there is nothing to gain beyond.
TEST(Sweep, GettingToWork) {
  const Sweep sweep = swept({testing::getting_to_work(), {}, {"price", 0, 40, 5}});
  EXPECT_EQ(to_string(sweep.status), "optimal");
  const SweepCurve& curve = sweep.curves.front();
  EXPECT_NEAR(*curve.infeasible_below, 6.25, 1e-9);
  EXPECT_NEAR(*curve.slack_above, 15, 1e-7);
  ASSERT_EQ(curve.breakpoints.size(), 2U);
  EXPECT_NEAR(curve.breakpoints[0].objective, 2.25, 1e-8);
  EXPECT_FALSE(curve.breakpoints[0].slope_before);
  EXPECT_NEAR(curve.breakpoints[0].slope, -1.0 / 7, 1e-8);
  EXPECT_NEAR(*curve.breakpoints[1].slope_before, -1.0 / 7, 1e-8);
  EXPECT_NEAR(curve.breakpoints[1].slope, 0, 1e-12);
  ASSERT_EQ(curve.points.size(), 9U);
  EXPECT_EQ(to_string(curve.points[1].status), "infeasible");
  EXPECT_NEAR(*curve.points[2].objective, 12.0 / 7, 1e-8);
  EXPECT_NEAR(*curve.points[2].multiplier, 1.0 / 7, 1e-8);
  EXPECT_NEAR(*curve.points[8].objective, 1, 1e-8);
  EXPECT_EQ(*curve.points[8].multiplier, 0);
}

TEST(Sweep, OfTwoBoundsIsACurveForEachValueOfTheSecond) {
  const auto model = testing::interesting_for_coordinate_search();
  const SweepRange second{"c2", 5, 20, 5};
  const Sweep both = swept({model, {}, {"c1", 0, 40, 4}}, second);
  ASSERT_EQ(both.curves.size(), 4U);
  for (const SweepCurve& curve : both.curves) {
    SCOPED_TRACE(*curve.second);
    const Case one{model, {{{"c2", *curve.second}}, {}}, {"c1", 0, 40, 4}};
    expect_points_as_solved(one, curve);
    expect_breakpoints(one, curve);
    expect_ends(one, curve);
  }
}

TEST(Sweep, CostsFewerScalarisedProblemsThanSeparateSolves) {
  const auto model = slippery_grid(8);
  const SweepRange range{"fuel", 10, 30, 0.5};
  const Sweep sweep = swept({model, {}, range});
  ASSERT_EQ(to_string(sweep.status), "optimal");
  std::size_t separate = 0;
  for (const double value : range.values())
    separate += run(model, {}, {{{"fuel", value}}, {}}).statistics.scalarised_ssps;
  EXPECT_LT(2 * sweep.statistics.scalarised_ssps, separate);
}

TEST(Sweep, WithinALimitItKeepsWhatItKnows) {
  Cssp cssp(slippery_grid(8));
  Monitor monitor;
  monitor.set_listener([&](const Progress& progress) {
    if (progress.iterations > 12) monitor.interrupt();
  });
  const Sweep result = sweep(cssp, {"fuel", 10, 30, 5}, {}, {}, monitor);
  EXPECT_EQ(to_string(result.status), "interrupted");
  EXPECT_EQ(result.curves.front().points.size(), 5U);
  EXPECT_EQ(cssp.bounds()[0].upper, 16);  // put back
}

TEST(SweepRange, MustBeOne) {
  EXPECT_THAT((SweepRange{"fuel", 0, 1, 0.1}.values()), ::testing::SizeIs(11));
  EXPECT_THAT((SweepRange{"fuel", 2, 2, 1}.values()), ::testing::ElementsAre(2));
  EXPECT_THAT((SweepRange{"fuel", 0, 5, 2}.values()), ::testing::ElementsAre(0, 2, 4));
  for (const SweepRange& range :
       {SweepRange{"fuel", 2, 1, 1}, SweepRange{"fuel", -1, 1, 1}, SweepRange{"fuel", 0, 1, 0},
        SweepRange{"fuel", 0, 1, 1e-9}, SweepRange{"fuel", 0, INFINITY, 1}})
    EXPECT_THROW(range.values(), InputError);
}

}  // namespace
}  // namespace carl
