// The parts of the bundle search, each against what it is defined to be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cssp/exact_master.h"
#include "cssp/mixture_master.h"
#include "cssp/proximal_step.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::cssp {
namespace {

std::vector<ScaledCut> random_cuts(SplitMix64& random, std::size_t n) {
  std::vector<ScaledCut> cuts(1 + random.below(6));
  for (ScaledCut& cut : cuts) {
    cut.f = 3 * random.unit();
    for (std::size_t i = 0; i < n; ++i)
      cut.g.push_back(2 * random.unit() - (random.unit() < 0.7 ? 1.2 : 0.0));
  }
  return cuts;
}

double model(const std::vector<ScaledCut>& cuts, const std::vector<double>& multipliers) {
  double least = cuts.front().at(multipliers);
  for (const ScaledCut& cut : cuts)
    least = std::min(least, cut.at(multipliers));
  return least;
}

TEST(MixtureMaster, MixesTheTwoPoliciesOnEitherSideOfABound) {
  // Costs 1 and 4, one over the bound by 1, the other under it by 2.
  const MasterSolution master = solve_master({{1, {1}}, {4, {-2}}, {9, {-1}}}, {0});
  ASSERT_TRUE(master.feasible);
  EXPECT_NEAR(master.objective, 2, 1e-12);
  EXPECT_THAT(master.mixture, ::testing::ElementsAre(::testing::DoubleNear(2.0 / 3, 1e-12),
                                                     ::testing::DoubleNear(1.0 / 3, 1e-12), 0));
  EXPECT_THAT(master.multipliers, ::testing::ElementsAre(::testing::DoubleNear(1, 1e-12)));
}

/// Duality: the best mixture costs as much as the model of L promises at the multipliers, which is
/// its maximum; a direction that proves infeasibility makes every cut positive.
TEST(MixtureMaster, MultipliersProveTheMixtureOptimal) {
  std::size_t feasible = 0;
  const std::size_t cases = testing::scaled(2000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SplitMix64 random(seed);
    const std::size_t n = 1 + random.below(5);
    const std::vector<ScaledCut> cuts = random_cuts(random, n);
    const MasterSolution master = solve_master(cuts, std::vector<double>(n, 0.0));
    const MasterSolution exact = solve_master_exactly(cuts, std::vector<double>(n, 0.0));
    ASSERT_EQ(master.feasible, exact.feasible);
    EXPECT_NEAR(master.infeasibility, exact.infeasibility, 1e-9);
    EXPECT_NEAR(master.objective, exact.objective, 1e-9);
    ASSERT_THAT(master.multipliers, ::testing::Each(::testing::Ge(0)));
    if (!master.feasible) {
      for (ScaledCut cut : cuts) {
        cut.f = 0;
        EXPECT_GT(cut.at(master.multipliers), 0);
      }
      continue;
    }
    ++feasible;
    double weight = 0;
    double cost = 0;
    std::vector<double> g(n, 0.0);
    for (std::size_t k = 0; k < cuts.size(); ++k) {
      weight += master.mixture[k];
      cost += master.mixture[k] * cuts[k].f;
      for (std::size_t i = 0; i < n; ++i)
        g[i] += master.mixture[k] * cuts[k].g[i];
    }
    EXPECT_NEAR(weight, 1, 1e-9);
    EXPECT_THAT(g, ::testing::Each(::testing::Le(1e-9)));
    EXPECT_NEAR(cost, master.objective, 1e-9);
    EXPECT_NEAR(model(cuts, master.multipliers), cost, 1e-8);
    const auto used = std::count_if(master.mixture.begin(), master.mixture.end(),
                                    [](double w) { return w > 1e-9; });
    EXPECT_LE(static_cast<std::size_t>(used), n + 1);
  }
  EXPECT_GT(feasible, cases / 4);
  EXPECT_LT(feasible, cases * 9 / 10);
}

TEST(ProximalStep, NoPointNearbyIsBetter) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(2000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SplitMix64 random(seed);
    const std::size_t n = 1 + random.below(5);
    const std::vector<ScaledCut> cuts = random_cuts(random, n);
    std::vector<double> centre(n);
    for (double& c : centre)
      c = random.unit() < 0.3 ? 0 : random.unit();
    const double t = std::pow(10, 3 * random.unit() - 2);
    const auto objective = [&](const std::vector<double>& y) {
      double distance = 0;
      for (std::size_t i = 0; i < n; ++i)
        distance += (y[i] - centre[i]) * (y[i] - centre[i]);
      return model(cuts, y) - distance / (2 * t);
    };
    const std::vector<double> y = proximal_step(cuts, centre, t);
    ASSERT_THAT(y, ::testing::Each(::testing::Ge(0)));
    for (int i = 0; i < 200; ++i) {
      std::vector<double> other = y;
      const double size = std::pow(10, -4 * random.unit());
      for (double& v : other)
        v = std::max(0.0, v + size * (2 * random.unit() - 1));
      EXPECT_LE(objective(other), objective(y) + 1e-4 * std::max(1.0, std::abs(objective(y))));
    }
  }
}

}  // namespace
}  // namespace carl::cssp
