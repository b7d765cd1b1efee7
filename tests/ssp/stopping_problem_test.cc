// Stopping problems whose policies are evaluated by factorizations and by Krylov methods.

#include "ssp/stopping_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "carl/monitor.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

struct RandomWay {
  StoppingProblem::WayOn way;
  std::vector<StoppingProblem::Term> terms;
};

/// Nodes in the order of their values, which ways on can undercut: from costs of about what a step is
/// worth to next to nothing, and ways that leave in one step, once in 10^5, or never.
struct RandomProblem {
  explicit RandomProblem(std::uint64_t seed) {
    SplitMix64 random(seed);
    const std::size_t size = 2 + random.below(60);
    const std::size_t zeros = random.below(7);
    const double leaving = zeros == 6 ? 0.0 : std::pow(10.0, -static_cast<double>(zeros));
    const double step = std::pow(10.0, 1 - static_cast<double>(random.below(8)));
    for (std::size_t i = 0; i < size; ++i)
      stop.push_back(1 + random.unit() * 100);
    std::sort(stop.begin(), stop.end());
    for (std::uint32_t i = 0; i < size; ++i)
      for (std::size_t w = random.below(4) + (leaving == 0 ? 1 : 0); w > 0; --w)
        add_way(i, leaving, step, random);
  }

  void add_way(std::uint32_t node, double leaving, double step, SplitMix64& random) {
    std::set<std::uint32_t> to;
    for (std::size_t k = 1 + random.below(3); k > 0; --k)
      to.insert(static_cast<std::uint32_t>(random.below(stop.size())));
    to.erase(node);
    RandomWay result;
    const double outside = to.empty() ? 1 : leaving;
    for (const std::uint32_t other : to)
      result.terms.push_back({(1 - outside) / static_cast<double>(to.size()), other});
    result.way = {node, step * random.unit(), outside, outside * random.unit() * stop[node],
                  1e-17 * stop[node]};
    ways.push_back(std::move(result));
  }

  std::vector<double> solve(std::size_t least_for_krylov) const {
    const Threads threads;
    StoppingProblem problem(stop, threads, least_for_krylov);
    for (const RandomWay& way : ways)
      problem.add_way(way.way, way.terms);
    Monitor monitor;
    return problem.solve(2, 50, monitor);
  }

  /// By how much the worst inequality is violated, in terms of the value.
  double violation(const std::vector<double>& x) const {
    long double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      worst = std::max<long double>(worst, (x[i] - stop[i]) / stop[i]);
    for (const auto& [way, terms] : ways) {
      const long double own = x[way.node];
      long double slack = way.cost + way.outside_value - way.outside * own;
      for (const StoppingProblem::Term& term : terms)
        slack += term.probability * (x[term.node] - own);
      worst = std::max(worst, -slack / stop[way.node]);
    }
    return static_cast<double>(worst);
  }

  /// No policy ends for less, since no step costs less than nothing.
  double least_end() const {
    double least = stop.front();
    for (const auto& [way, terms] : ways)
      if (way.outside > 0)
        least = std::min(least, static_cast<double>(way.outside_value / way.outside));
    return least;
  }

  std::vector<double> stop;
  std::vector<RandomWay> ways;
};

TEST(StoppingProblem, KrylovMethodsGiveWhatFactorizationsGive) {
  constexpr double rounding = 1e-15;
  for (std::uint64_t seed = 1; seed <= testing::scaled(2000); ++seed) {
    const RandomProblem problem(seed);
    const std::vector<double> by_factors = problem.solve(std::numeric_limits<std::size_t>::max());
    const std::vector<double> by_krylov = problem.solve(1);
    EXPECT_LE(problem.violation(by_factors), rounding) << seed;
    EXPECT_LE(problem.violation(by_krylov), rounding) << seed;
    for (std::size_t i = 0; i < by_factors.size(); ++i)
      EXPECT_NEAR(by_krylov[i], by_factors[i], 1e-8 * problem.stop[i]) << seed;
    const double least = problem.least_end() * (1 - 1e-9);
    EXPECT_GE(*std::min_element(by_factors.begin(), by_factors.end()), least) << seed;
  }
}

}  // namespace
}  // namespace carl::ssp
