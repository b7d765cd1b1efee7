// The way to the optimum, as returned: bounds that only get better and end where the solution
// says, and at every λ visited the value of L, which is the minimum over all policies found.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "carl/solve.h"
#include "support/random_model.h"
#include "support/scale.h"

namespace carl {
namespace {

/// C0 + λ·(C - u) of a policy.
double value(const Cssp& cssp, const std::vector<double>& costs,
             const std::vector<double>& lambda) {
  double sum = costs[0];
  for (std::size_t b = 0; b < cssp.bounds().size(); ++b)
    sum += lambda[b] * (costs[cssp.bounds()[b].cost] - cssp.bounds()[b].upper);
  return sum;
}

void expect_sound(const Cssp& cssp, const Solution& solution) {
  double lower = 0;
  double upper = std::numeric_limits<double>::infinity();
  double seconds = 0;
  for (const TracePoint& point : solution.trace) {
    EXPECT_GE(point.seconds, seconds);
    EXPECT_GE(point.lower_bound, lower);
    EXPECT_LE(point.upper_bound.value_or(upper), upper);
    seconds = point.seconds;
    lower = point.lower_bound;
    upper = point.upper_bound.value_or(upper);
    ASSERT_EQ(point.multipliers.size(), cssp.bounds().size());
    ASSERT_LT(point.cut, solution.cuts.size());
    const double scale = std::max(1.0, std::abs(point.value));
    EXPECT_NEAR(point.value, value(cssp, solution.cuts[point.cut], point.multipliers),
                1e-9 * scale);
    // Policies found are as good as ε says, which is at most 1e-4 a step.
    for (const std::vector<double>& costs : solution.cuts)
      EXPECT_LE(point.value, value(cssp, costs, point.multipliers) + 1e-2 * scale);
    if (solution.status == Status::optimal) {
      EXPECT_LE(point.lower_bound, (*solution.costs)[0] + 1e-8 * scale);
    }
  }
  if (solution.status != Status::optimal) return;
  // Where the policy exceeds a bound within the tolerance, its own lower bound is a little less.
  EXPECT_LE(*solution.lower_bound, lower);
  EXPECT_NEAR(lower, *solution.lower_bound, 1e-7 * lower);
  EXPECT_NEAR(upper, (*solution.costs)[0], 1e-6 * std::max(1.0, upper));
}

/// The part of the effort that finding λ* took, and what the multipliers were.
void expect_effort_adds_up(const Cssp& cssp, const Solution& solution) {
  const Statistics& all = solution.statistics;
  ASSERT_TRUE(all.multiplier_search);
  const MultiplierSearch& search = *all.multiplier_search;
  EXPECT_LE(search.seconds, all.seconds.total);
  EXPECT_LE(all.seconds.scalarised_ssps, all.seconds.total);
  EXPECT_LE(search.scalarised_ssps, all.scalarised_ssps);
  EXPECT_LE(search.expanded, all.expanded);
  EXPECT_LE(search.evaluated, all.evaluated);
  EXPECT_LE(search.backups, all.backups);
  EXPECT_LE(search.q_values, all.q_values);
  std::map<std::vector<double>, std::size_t> tried;
  for (const TracePoint& point : solution.trace)
    EXPECT_LT(++tried[point.multipliers], 10U);
  EXPECT_EQ(search.distinct, tried.size());
  EXPECT_LE(search.distinct, search.scalarised_ssps);
  EXPECT_LE(search.nonzero, cssp.bounds().size());
  if (solution.status != Status::optimal) return;
  // Complementary slackness: where a bound has slack, its price is zero.
  std::size_t tight = 0;
  for (const Bound& bound : cssp.bounds())
    tight += (*solution.costs)[bound.cost] >= bound.upper * (1 - 1e-3);
  if (*solution.gap() < 1e-9 && (*solution.costs)[0] > 0) {
    EXPECT_LE(search.nonzero, tight);
  }
}

class Trace : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Carl, Trace, ::testing::ValuesIn(outer_names()),
                         [](const auto& outer) { return outer.param; });

TEST_P(Trace, IsSoundOnRandomModels) {
  std::size_t long_ones = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(1000); ++seed) {
    const testing::RandomModelOptions random = testing::random_options(seed, 12);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + random.text());
    Cssp cssp(testing::random_model(seed, random));
    SolveOptions options;
    options.carl.outer = outer_named(GetParam());
    Monitor monitor;
    const Solution solution = solve(cssp, options, monitor);
    EXPECT_TRUE(!solution.costs || !solution.trace.empty());
    expect_sound(cssp, solution);
    if (solution.status != Status::no_proper_policy) expect_effort_adds_up(cssp, solution);
    long_ones += solution.trace.size() > 2;
    if (HasFailure()) break;
  }
  EXPECT_GT(long_ones, testing::scaled(30));
}

}  // namespace
}  // namespace carl
