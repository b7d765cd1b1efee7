// What would make an infeasible problem feasible is compared with the LP: with a little more than
// suggested there is a policy, with a little less there is none.

#include "cssp/repair.h"

#include <gmock/gmock.h>

#include "agreement.h"
#include "carl/cssp.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl {
namespace {

using Verdict = LeastValue::Verdict;
using ::testing::ElementsAre;

constexpr double little = 1e-6;

struct Counts {
  std::size_t found = 0;
  std::size_t impossible = 0;
  std::size_t open = 0;
};

CsspOptions with_bounds(const Cssp& cssp, const std::vector<double>& upper) {
  CsspOptions changes;
  for (std::size_t b = 0; b < upper.size(); ++b)
    changes.bounds.emplace_back(cssp.cost_names()[cssp.bounds()[b].cost], upper[b]);
  return changes;
}

/// `change(t)` are the bounds for the value t.
template <class Change>
void expect_least(const std::shared_ptr<Model>& model, const Cssp& cssp, const LeastValue& least,
                  const Change& change, Counts& counts) {
  if (least.verdict == Verdict::impossible) {
    ++counts.impossible;
    EXPECT_EQ(run(model, lp(), with_bounds(cssp, change(1e12))).status, Status::infeasible);
    return;
  }
  if (least.verdict != Verdict::found) {
    ++counts.open;
    return;
  }
  ++counts.found;
  EXPECT_LE(least.necessary, least.sufficient * (1 + 1e-12));
  EXPECT_EQ(run(model, lp(), with_bounds(cssp, change(least.sufficient * (1 + little)))).status,
            Status::optimal)
      << least.sufficient;
  EXPECT_EQ(run(model, lp(), with_bounds(cssp, change(least.necessary * (1 - little)))).status,
            Status::infeasible)
      << least.necessary;
}

void expect_repair(const std::shared_ptr<Model>& model, const CsspOptions& changes,
                   const SolveOptions& options, Counts& counts) {
  Cssp cssp(model, changes);
  Monitor monitor;
  const Solution solution = solve(cssp, options, monitor);
  if (solution.status != Status::infeasible) return;
  ASSERT_TRUE(solution.repair);
  std::vector<double> upper;
  for (const Bound& bound : cssp.bounds())
    upper.push_back(bound.upper);
  ASSERT_EQ(solution.repair->alone.size(), upper.size());
  for (std::size_t b = 0; b < upper.size(); ++b) {
    SCOPED_TRACE(cssp.cost_names()[cssp.bounds()[b].cost]);
    expect_least(
        model, cssp, solution.repair->alone[b],
        [&](double t) {
          std::vector<double> changed = upper;
          changed[b] = t;
          return changed;
        },
        counts);
  }
  SCOPED_TRACE("all");
  expect_least(
      model, cssp, solution.repair->all,
      [&](double t) {
        std::vector<double> changed = upper;
        for (double& bound : changed)
          bound *= t;
        return changed;
      },
      counts);
  EXPECT_FALSE(sentences(cssp, *solution.repair).empty());
}

SolveOptions algorithm(std::uint64_t seed) {
  const char* names[] = {"carl", "carl", "carl", "lp", "i-dual"};
  SolveOptions options;
  options.algorithm = algorithm_named(names[seed % 5]);
  if (seed % 5 == 1) options.carl.outer = OuterAlgorithm::coordinate;
  if (seed % 5 == 2) options.carl.inner = InnerAlgorithm::cg_ilao;
  return options;
}

/// A share of what the best policy without bounds needs.
CsspOptions tight_bounds(const std::shared_ptr<Model>& model, std::uint64_t seed) {
  SplitMix64 random(seed);
  CsspOptions changes = random_bounds(model, seed);
  for (auto& [name, upper] : changes.bounds)
    upper *= 0.2 + 0.6 * random.unit();
  std::erase_if(changes.bounds, [](const auto& bound) { return bound.second == 0; });
  return changes;
}

TEST(Repair, OfRandomModels) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= testing::scaled(600); ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomModelOptions options = options_for(seed);
    options.bounds = testing::BoundsKind::none;
    const auto model = testing::random_model(seed, options);
    expect_repair(model, tight_bounds(model, seed), algorithm(seed), counts);
  }
  EXPECT_GE(counts.found, testing::at_full_scale(400));
  EXPECT_GE(counts.impossible, testing::at_full_scale(50));
  EXPECT_LE(counts.open, counts.found / 100);
}

TEST(Repair, OfRandomTasks) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= testing::scaled(150); ++seed) {
    SCOPED_TRACE(seed);
    const auto model = testing::random_task(seed);
    expect_repair(model, tight_bounds(model, seed), algorithm(seed), counts);
  }
  EXPECT_GE(counts.found, testing::at_full_scale(30));
  EXPECT_LE(counts.open, counts.found / 100);
}

std::shared_ptr<Model> commute(double price, double effort) {
  ExplicitBuilder builder({{"time", "price", "effort"}, {{1, price}, {2, effort}}, {}});
  builder.add_action("home", "taxi", {1, 30, 0}, {{1.0, "work"}});
  builder.add_action("home", "run", {2, 0, 20}, {{1.0, "work"}});
  builder.add_goal(builder.state("work"));
  return builder.build(builder.state("home"));
}

TEST(Repair, ByHand) {
  // Half of the bounds that are just enough: 30·p ≤ price and 20·(1 - p) ≤ effort.
  const Solution solution = run(commute(7.5, 5), {});
  ASSERT_EQ(solution.status, Status::infeasible);
  ASSERT_TRUE(solution.repair);
  EXPECT_NEAR(solution.repair->all.sufficient, 2, 1e-6);
  EXPECT_NEAR(solution.repair->alone[0].sufficient, 22.5, 1e-5);
  EXPECT_NEAR(solution.repair->alone[1].sufficient, 15, 1e-5);
  Cssp cssp(commute(7.5, 5));
  EXPECT_THAT(sentences(cssp, *solution.repair),
              ElementsAre("what would suffice, the other bounds left as they are:",
                          "  price ≤ 22.5 instead of 7.5", "  effort ≤ 15 instead of 5",
                          "or all bounds times 2"));
}

TEST(Repair, OfBoundsOfZero) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomModelOptions options = options_for(seed);
    options.bounds = testing::BoundsKind::none;
    options.zero_secondary_costs = true;
    const auto model = testing::random_model(seed, options);
    CsspOptions changes = tight_bounds(model, seed);
    SplitMix64 random(seed);
    for (auto& [name, upper] : changes.bounds)
      if (random.unit() < 0.5) upper = 0;
    expect_repair(model, changes, algorithm(seed), counts);
  }
  EXPECT_GE(counts.found, testing::at_full_scale(100));
  EXPECT_GE(counts.impossible, testing::at_full_scale(100));
  EXPECT_LE(counts.open, counts.found / 100);
}

TEST(Repair, OfBoundsOfZeroByHand) {
  const Solution both = run(commute(0, 0), {});
  ASSERT_EQ(both.status, Status::infeasible);
  ASSERT_TRUE(both.repair);
  EXPECT_NEAR(both.repair->alone[0].sufficient, 30, 1e-5);
  EXPECT_NEAR(both.repair->alone[1].sufficient, 20, 1e-5);
  EXPECT_EQ(both.repair->alone[0].verdict, Verdict::found);
  EXPECT_EQ(both.repair->alone[1].verdict, Verdict::found);
  EXPECT_EQ(both.repair->all.verdict, Verdict::impossible);
  const Solution one = run(commute(6, 0), {});
  ASSERT_EQ(one.status, Status::infeasible);
  EXPECT_NEAR(one.repair->alone[0].sufficient, 30, 1e-5);
  EXPECT_NEAR(one.repair->alone[1].sufficient, 16, 1e-5);
  EXPECT_NEAR(one.repair->all.sufficient, 5, 1e-6);
}

TEST(Repair, NumbersAreRoundedUp) {
  Cssp cssp(commute(1, 1));
  Repair repair;
  repair.alone = {{Verdict::found, 22.12345678, 22.12345678}, {Verdict::impossible, 0, 0}};
  repair.all = {Verdict::enclosed, 1.23456789, 1.12345678};
  EXPECT_THAT(sentences(cssp, repair),
              ElementsAre("what would suffice, the other bounds left as they are:",
                          "  price ≤ 22.1235 instead of 1", "  no bound on effort would",
                          "or all bounds times 1.23457; less than 1.12345 is not enough"));
}

TEST(Repair, NumbersHaveEnoughDigitsToTellThemApart) {
  Cssp cssp(commute(14.9999997, 19.99999));
  Repair repair;
  repair.alone = {{Verdict::found, 15, 15}, {Verdict::found, 20.000000001, 20.000000001}};
  repair.all = {Verdict::found, 1.0000000001, 1.0000000001};
  EXPECT_THAT(
      sentences(cssp, repair),
      ElementsAre("what would suffice, the other bounds left as they are:",
                  "  price ≤ 15 instead of 14.9999997", "  effort ≤ 20.00001 instead of 19.99999",
                  "or all bounds times 1.00001"));
}

TEST(Repair, IsLeftOutIfNotAskedFor) {
  SolveOptions options;
  options.explain = false;
  const Solution solution = run(commute(7.5, 5), options);
  EXPECT_EQ(solution.status, Status::infeasible);
  EXPECT_FALSE(solution.repair);
}

}  // namespace
}  // namespace carl
