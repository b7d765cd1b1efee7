// Policies that toss no coin, against the enumeration of all of them: the same optimum, a lower
// bound that is one, and the right reason where there is none. On random models and tasks with
// bounds anywhere, above all exactly where a policy is, and on what an engineer would try first.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "carl/check.h"
#include "carl/explicit_builder.h"
#include "carl/solver.h"
#include "cssp/agreement.h"
#include "cssp/brute_force.h"
#include "cssp/paper_examples.h"
#include "support/deterministic_milp.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl {
namespace {

constexpr std::size_t most_policies = 3000;

using Costs = std::vector<double>;

/// The least primary cost of those that exceed no bound by more than this share of it.
std::optional<double> least(const std::vector<Costs>& policies, const Cssp& cssp, double share) {
  std::optional<double> best;
  for (const Costs& costs : policies) {
    const bool meets = std::all_of(
        cssp.bounds().begin(), cssp.bounds().end(),
        [&](const Bound& bound) { return costs[bound.cost] <= bound.upper * (1 + share); });
    if (meets && (!best || costs[0] < *best)) best = costs[0];
  }
  return best;
}

/// Bounds of most costs but the first: exactly what some policy costs, what two of them cost on
/// average, so that coins are of use, or something else.
CsspOptions bounds_near(const std::vector<Costs>& policies, const Cssp& cssp, SplitMix64& random) {
  CsspOptions changes;
  const Costs& one = policies[random.below(policies.size())];
  const Costs& other = policies[random.below(policies.size())];
  const std::uint64_t kind = random.below(4);
  const double share = random.unit();
  for (std::size_t i = 1; i < one.size(); ++i) {
    if (random.unit() < 0.1) continue;
    const double bound = kind == 0   ? one[i]
                         : kind == 1 ? one[i] * (0.7 + 0.6 * random.unit())
                                     : share * one[i] + (1 - share) * other[i];
    changes.bounds.emplace_back(cssp.cost_names()[i], bound);
  }
  return changes;
}

std::optional<std::vector<Costs>> all_policies(Cssp& cssp) {
  const auto costs = testing::policy_costs(cssp, most_policies);
  if (!costs) return std::nullopt;
  return std::vector<Costs>(costs->begin(), costs->end());
}

struct Seen {
  std::size_t optimal = 0;
  std::size_t infeasible = 0;
  std::size_t only_with_coins = 0;
  std::size_t branched = 0;
};

void expect_best(const Cssp& cssp, const std::vector<Costs>& policies, const Solution& solution,
                 double gap, Seen& seen) {
  const std::optional<double> surely = least(policies, cssp, 1e-11);
  const std::optional<double> perhaps = least(policies, cssp, 1.01e-9);
  if (policies.empty()) {
    EXPECT_NE(to_string(solution.status), "optimal");
    return;
  }
  if (solution.status == Status::infeasible) {
    EXPECT_FALSE(surely) << *surely << " is possible";
    EXPECT_FALSE(solution.costs);
    EXPECT_NE(solution.infeasibility.has_value(), solution.branching.has_value());
    ++seen.infeasible;
    seen.only_with_coins += solution.branching.has_value();
    return;
  }
  ASSERT_EQ(to_string(solution.status), "optimal") << solution.note;
  ASSERT_TRUE(perhaps);
  ASSERT_TRUE(solution.costs);
  EXPECT_TRUE(solution.policy.is_deterministic());
  const double cost = solution.costs->front();
  EXPECT_GE(cost, *perhaps * (1 - 1e-9));
  if (surely) {
    EXPECT_LE(cost, *surely * (1 + gap + 2e-9));
    EXPECT_LE(*solution.lower_bound, *surely * (1 + 1e-9));
  }
  EXPECT_LE(*solution.gap(), std::max(gap, 1e-9));
  for (const Bound& bound : cssp.bounds())
    EXPECT_LE((*solution.costs)[bound.cost], bound.upper * (1 + 1e-9));
  ++seen.optimal;
  seen.branched += solution.branching && solution.branching->nodes > 1;
}

/// The library's checks share no code with its solvers.
void expect_policy_costs_that(const std::shared_ptr<Model>& model, CsspOptions changes,
                              const Solution& solution) {
  if (!solution.costs) return;
  changes.remove_forbidden_actions = false;
  Cssp cssp(model, changes);
  Monitor monitor;
  const CheckReport report = check_policy(cssp, solution.policy, nullptr, {}, monitor);
  ASSERT_TRUE(report.costs);
  for (std::size_t i = 0; i < cssp.num_costs(); ++i)
    EXPECT_NEAR((*report.costs)[i], (*solution.costs)[i], 1e-9 * (*solution.costs)[i]);
}

SolveOptions without_coins(double gap, const std::string& inner = "vi") {
  SolveOptions options;
  options.deterministic = true;
  options.gap = gap;
  options.carl.inner = inner_named(inner);
  return options;
}

TEST(Deterministic, EqualsBruteForceOnRandomModels) {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= testing::scaled(6000); ++seed) {
    testing::RandomModelOptions random = testing::random_options(seed, 6);
    if (seed % 3 == 0) {  // where coins are mostly of use
      random = {};
      random.states = 5;
      random.costs = 2 + seed / 3 % 3;
      random.give_up = seed % 2 == 0;
      random.self_loops = true;
    }
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + random.text());
    const auto model = testing::random_model(seed, random);
    SplitMix64 dice(seed);
    CsspOptions changes;
    {
      Cssp free(model);
      const auto policies = all_policies(free);
      if (!policies) continue;
      if (!policies->empty() && seed % 8 != 0) changes = bounds_near(*policies, free, dice);
    }
    Cssp cssp(model, changes);
    const auto policies = all_policies(cssp);
    const double gap = seed % 2 == 0 ? 0.0 : 1e-4;
    const Solution solution =
        run(model, without_coins(gap, inner_names()[seed % inner_names().size()]), changes);
    expect_best(cssp, *policies, solution, gap, seen);
    expect_policy_costs_that(model, changes, solution);
    if (HasFailure()) break;
  }
  EXPECT_GE(seen.optimal, testing::at_full_scale(2000));
  EXPECT_GE(seen.branched, testing::at_full_scale(500));
  EXPECT_GE(seen.infeasible, testing::at_full_scale(300));
  EXPECT_GE(seen.only_with_coins, testing::at_full_scale(30));
}

TEST(Deterministic, EqualsBruteForceOnRandomTasks) {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= testing::scaled(3000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto model = testing::random_task(seed);
    SplitMix64 dice(seed);
    Cssp free(model);
    const auto all = all_policies(free);
    if (!all || all->empty()) continue;
    const CsspOptions changes = bounds_near(*all, free, dice);
    Cssp cssp(model, changes);
    const auto policies = all_policies(cssp);
    SolveOptions options = without_coins(0, inner_names()[seed % inner_names().size()]);
    options.search.heuristic = heuristic_named(heuristic_names()[seed % heuristic_names().size()]);
    expect_best(cssp, *policies, run(model, options, changes), 0, seen);
    if (HasFailure()) break;
  }
  EXPECT_GE(seen.optimal, testing::at_full_scale(300));
  EXPECT_GE(seen.branched, testing::at_full_scale(40));
}

/// A little less of everything than what the best policy without bounds takes.
CsspOptions slightly_tight(const std::shared_ptr<Model>& model, std::size_t costs,
                           std::uint64_t seed) {
  SplitMix64 random(seed);
  CsspOptions changes;
  const Solution free = run(model, lp());
  for (std::size_t i = 1; i < costs; ++i)
    changes.bounds.emplace_back(Cssp(model).cost_names()[i],
                                (*free.costs)[i] * (0.85 + 0.14 * random.unit()));
  return changes;
}

/// Small but too large to enumerate: the integer program over occupation measures, by Cbc.
TEST(Deterministic, EqualsTheIntegerProgram) {
  std::size_t optimal = 0;
  std::size_t infeasible = 0;
  std::size_t branched = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomModelOptions random;
    random.states = 10 + seed % 15;
    random.costs = 2 + seed % 2;
    random.give_up = seed % 5 == 0;
    random.integer_costs = seed % 4 == 0;
    const auto model = testing::random_model(seed, random);
    const CsspOptions changes = slightly_tight(model, random.costs, seed);
    const Solution solution = run(model, without_coins(0), changes);
    if (solution.status == Status::infeasible && solution.infeasibility) continue;
    Cssp cssp(model, changes);
    std::optional<double> upper_bound;
    if (solution.costs) upper_bound = solution.costs->front() * (1 + 1e-6);
    const auto milp = testing::solve_deterministic_milp(cssp, upper_bound, 600);
    if (!milp) continue;  // where nothing is bounded, infeasible may be
    if (milp->optimal && milp->optimum) {
      ASSERT_TRUE(solution.costs) << solution.note << ", but " << *milp->optimum << " is possible";
      EXPECT_NEAR(solution.costs->front(), *milp->optimum, 1e-6 * *milp->optimum);
      ++optimal;
      branched += solution.branching->nodes > 1;
    } else if (milp->infeasible) {
      EXPECT_EQ(to_string(solution.status), "infeasible");
      ++infeasible;
    }
    if (HasFailure()) break;
  }
  EXPECT_GE(optimal, testing::at_full_scale(150));
  EXPECT_GE(branched, testing::at_full_scale(60));
  EXPECT_GE(infeasible, testing::at_full_scale(1));
}

TEST(Deterministic, GettingToWork) {
  const Solution solution = run(testing::getting_to_work(), without_coins(0));
  ASSERT_EQ(to_string(solution.status), "optimal");
  EXPECT_NEAR(solution.costs->front(), 3, 1e-9);  // on foot, and by train if there is one
  ASSERT_TRUE(solution.branching);
  EXPECT_NEAR(solution.branching->costs_with_coins->front(), 1, 1e-9);
  EXPECT_TRUE(solution.multipliers.empty());
  EXPECT_EQ(solution.mixture.size(), 1U);
}

TEST(Deterministic, TheSummaryOfAnAnswerWithCoinsKnowsOneWithout) {
  const Solution solution = run(testing::getting_to_work(), {});
  ASSERT_TRUE(solution.deterministic_costs || solution.cuts.size() < 3);
  EXPECT_FALSE(solution.branching);
}

/// Either of two ways exceeds one of the bounds.
std::shared_ptr<Model> two_ways() {
  ExplicitBuilder builder({{"time", "fuel", "toll"}, {{1, 5}, {2, 5}}, {}});
  builder.add_action("s", "road", {1, 8, 0}, {{1.0, "g"}});
  builder.add_action("s", "motorway", {1, 0, 8}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s"));
}

TEST(Deterministic, ThereMayBeNoneAlthoughCoinsDo) {
  const Solution solution = run(two_ways(), without_coins(0));
  EXPECT_EQ(to_string(solution.status), "infeasible");
  EXPECT_FALSE(solution.infeasibility);
  EXPECT_FALSE(solution.repair);
  EXPECT_TRUE(solution.note.empty()) << solution.note;
  ASSERT_TRUE(solution.branching);
  EXPECT_NEAR(solution.branching->costs_with_coins->front(), 1, 1e-9);
}

TEST(Deterministic, OtherReasonsAreTheSameAsWithCoins) {
  CsspOptions nothing;
  nothing.bounds = {{"fuel", 1}, {"toll", 1}};
  const Solution infeasible = run(two_ways(), without_coins(0), nothing);
  EXPECT_EQ(to_string(infeasible.status), "infeasible");
  EXPECT_TRUE(infeasible.infeasibility);
  EXPECT_TRUE(infeasible.repair);
  EXPECT_FALSE(infeasible.branching);
  nothing.bounds = {{"fuel", 0}, {"toll", 0}};
  const Solution zero = run(two_ways(), without_coins(0), nothing);
  EXPECT_EQ(to_string(zero.status), "infeasible");
  EXPECT_FALSE(zero.infeasibility->zero_bounds.empty());
}

/// With a choice between k ways in each of n stages, all of which cost the same in sum: exponentially
/// many policies that are equally good.
std::shared_ptr<Model> many_ties(int stages, double upper) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, upper}}, {}});
  for (int i = 0; i < stages; ++i) {
    const std::string from = std::to_string(i);
    const std::string to = std::to_string(i + 1);
    builder.add_action(from, "slow", {2, 1}, {{1.0, to}});
    builder.add_action(from, "fast", {1, 2}, {{1.0, to}});
    builder.add_action(from, "risky", {1, 1}, {{0.5, to}, {0.5, from}});
  }
  builder.add_goal(builder.state(std::to_string(stages)));
  return builder.build(builder.state("0"));
}

TEST(Deterministic, TiesDoNotMultiply) {
  const Solution exact = run(many_ties(40, 55), without_coins(0));
  ASSERT_EQ(to_string(exact.status), "optimal");
  EXPECT_NEAR(exact.costs->front(), 65, 1e-9);
  EXPECT_LE(exact.branching->nodes, 10U);
  // Of half a unit of fuel no use can be made.
  const Solution between = run(many_ties(8, 12.5), without_coins(0));
  ASSERT_EQ(to_string(between.status), "optimal");
  EXPECT_NEAR(between.costs->front(), 12, 1e-9);
}

TEST(Deterministic, WithoutBoundsThereIsNothingToBranchOn) {
  CsspOptions lifted;
  lifted.bounds = {{"fuel", std::numeric_limits<double>::infinity()}};
  const Solution solution = run(many_ties(5, 1), without_coins(0), lifted);
  EXPECT_EQ(to_string(solution.status), "optimal");
  EXPECT_EQ(solution.branching->nodes, 0U);
  SolveOptions options;
  options.deterministic = true;
  options.algorithm = Algorithm::cg_ilao;
  EXPECT_EQ(to_string(run(many_ties(5, 1), options, lifted).status), "optimal");
}

/// An interrupt anywhere: a policy that meets the bounds or none, and a lower bound that is one.
TEST(Deterministic, AnInterruptReturnsTheBestSoFar) {
  testing::RandomModelOptions random;
  random.states = 30;
  random.costs = 3;
  std::size_t with_policy = 0;
  std::size_t stopped = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(40); ++seed) {
    const auto model = testing::random_model(seed, random);
    const CsspOptions changes = slightly_tight(model, random.costs, seed);
    const Solution truth = run(model, without_coins(0), changes);
    for (const std::size_t reports : {1U, 5U, 20U, 40U, 80U, 160U, 320U}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(reports) + " reports");
      Cssp cssp(model, changes);
      Monitor monitor;
      std::size_t seen = 0;
      monitor.set_listener([&](const Progress&) {
        if (++seen == reports) monitor.interrupt();
      });
      const Solution solution = solve(cssp, without_coins(0), monitor);
      for (std::size_t b = 0; b < changes.bounds.size(); ++b)
        EXPECT_EQ(cssp.bounds()[b].upper, changes.bounds[b].second);
      if (solution.status != Status::interrupted) {
        EXPECT_EQ(to_string(solution.status), to_string(truth.status));
        continue;
      }
      ++stopped;
      if (!truth.costs) continue;
      if (solution.lower_bound) {
        EXPECT_LE(*solution.lower_bound, truth.costs->front() * (1 + 1e-9));
      }
      if (!solution.costs) continue;
      ++with_policy;
      EXPECT_TRUE(solution.policy.is_deterministic());
      EXPECT_GE(solution.costs->front(), truth.costs->front() * (1 - 1e-9));
    }
  }
  EXPECT_GE(stopped, testing::at_full_scale(30));
  EXPECT_GE(with_policy, testing::at_full_scale(5));
}

/// What a solver has learnt without coins must not be taken for something that holds with them, nor
/// for other bounds.
TEST(Deterministic, ASolverGoesOnAsIfNothingHadHappened) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SplitMix64 dice(seed);
    testing::RandomModelOptions random = testing::random_options(seed, 8);
    const auto model = testing::random_model(seed, random);
    Solver solver(model);
    Monitor monitor;
    for (int step = 0; step < 6; ++step) {
      const std::size_t cost = dice.below(solver.cssp().num_costs());
      const auto& bounds = solver.cssp().bounds();
      const auto bound = std::find_if(bounds.begin(), bounds.end(),
                                      [&](const Bound& b) { return b.cost == cost; });
      if (bound != bounds.end())
        solver.set_bound(solver.cssp().cost_names()[cost],
                         bound->upper * (0.6 + 0.8 * dice.unit()));
      SolveOptions options;
      options.gap = 1e-7;
      options.carl.inner = inner_named(inner_names()[seed % inner_names().size()]);
      options.deterministic = dice.below(2) == 0;
      Cssp same = solver.cssp();
      const Solution fresh = solve(same, options, monitor);
      const Solution warm = solver.solve(options, monitor);
      ASSERT_EQ(to_string(warm.status), to_string(fresh.status)) << warm.note << fresh.note;
      if (!fresh.costs) continue;
      EXPECT_NEAR(warm.costs->front(), fresh.costs->front(), 3e-7 * fresh.costs->front());
    }
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace carl
