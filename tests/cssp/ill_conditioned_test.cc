// Models that strain floating point: near-loops, tiny probabilities, costs of all sizes, and bounds
// at the edge of what can be met or off it by a little. All algorithms must give answers that fit
// together: the status that the construction of the bound implies, lower bounds that no other
// algorithm's policy undercuts, mixtures that add up.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "carl/solve.h"
#include "cssp/agreement.h"
#include "model/explicit_model.h"
#include "support/options_text.h"
#include "support/random_model.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl {
namespace {

testing::RandomModelOptions ill_conditioned(std::uint64_t seed) {
  SplitMix64 random(seed);
  testing::RandomModelOptions options = testing::random_options(seed, 8);
  options.bounds = testing::BoundsKind::none;
  options.dead_ends = testing::DeadEnds::none;
  options.costs = 2 + random.below(2);
  options.integer_costs = false;
  options.near_loops = random.unit() < 0.5;
  options.tiny_probabilities = random.unit() < 0.5;
  options.wide_costs = random.unit() < 0.5;
  return options;
}

/// The model with cost 1 as the only one: what the least of it is.
std::optional<double> least_second_cost(const ExplicitModel& model) {
  const CostModel& costs = model.cost_model();
  CostModel second{{costs.costs[1]}, {}, {}};
  if (costs.give_up) second.give_up = {{(*costs.give_up)[1]}};
  ExplicitBuilder builder(second);
  for (std::size_t s = 0; s < model.num_states(); ++s)
    builder.state(model.state_name(StateId(s)));
  for (std::size_t s = 0; s < model.num_states(); ++s) {
    if (model.is_goal(StateId(s))) builder.add_goal(StateId(s));
    for (const ActionId action : model.actions(StateId(s))) {
      const double cost = model.cost(action)[1];
      if (cost == 0) return std::nullopt;  // loops at no cost might come of it
      for (std::size_t k = 0; k < model.successors(action).size(); ++k)
        builder.add_outcome(model.probabilities(action)[k], model.successors(action)[k]);
      builder.add_action(StateId(s), model.action_name(action), {&cost, 1});
    }
  }
  SolveOptions options;
  options.algorithm = Algorithm::lp;
  options.gap = 1e-11;
  const Solution solution =
      run(builder.build(const_cast<ExplicitModel&>(model).initial_state()), options);
  if (solution.status != Status::optimal) return std::nullopt;
  return (*solution.costs)[0];
}

void expect_consistent(const Cssp& cssp, const Solution& solution) {
  if (solution.status == Status::infeasible) {
    ASSERT_TRUE(solution.infeasibility);
    EXPECT_GT(solution.infeasibility->least, solution.infeasibility->allowed * (1 - 1e-15));
  }
  if (!solution.costs || !solution.lower_bound) return;
  EXPECT_LE(*solution.lower_bound, (*solution.costs)[0]);
  if (solution.status == Status::optimal) {
    EXPECT_LE(*solution.gap(), 1e-4);
  }
  for (const Bound& bound : cssp.bounds())
    EXPECT_LE((*solution.costs)[bound.cost], bound.upper * (1 + 1e-9));
  if (solution.mixture.empty()) return;
  for (std::size_t i = 0; i < cssp.num_costs(); ++i) {
    double mixed = 0;
    for (const MixtureComponent& part : solution.mixture)
      mixed += part.weight * part.costs[i];
    EXPECT_NEAR(mixed, (*solution.costs)[i], 1.01e-9 * mixed);
  }
}

std::vector<SolveOptions> algorithms(std::uint64_t seed) {
  std::vector<SolveOptions> result;
  for (const char* algorithm : {"carl", "lp", "i-dual"})
    result.emplace_back().algorithm = algorithm_named(algorithm);
  if (seed % 8 == 0) result.emplace_back().carl.outer = OuterAlgorithm::coordinate;
  return result;
}

TEST(IllConditioned, AlgorithmsAgreeAroundTheLeastBound) {
  std::size_t solves = 0;
  std::size_t ended_by_limit = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    const testing::RandomModelOptions random = ill_conditioned(seed);
    const auto model = testing::random_model(seed, random);
    const std::optional<double> least = least_second_cost(*model);
    if (!least || *least == 0) continue;
    const double distance =
        seed % 9 == 0 ? 0.0 : std::pow(10.0, -static_cast<double>(1 + seed % 9));
    const double share = seed % 2 == 0 ? distance : -distance;
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + random.text() + ", bound off by " +
                 std::to_string(share));
    CsspOptions changes;
    changes.bounds.emplace_back(model->cost_model().costs[1], *least * (1 + share));
    const Cssp cssp(model, changes);
    std::vector<Solution> solutions;
    for (const SolveOptions& options : algorithms(seed)) {
      SCOPED_TRACE(testing::text_of(options));
      Cssp own(model, changes);
      Monitor monitor;
      solutions.push_back(solve(own, options, monitor));
      const Solution& solution = solutions.back();
      ++solves;
      ended_by_limit += solution.status == Status::limit;
      infeasible += solution.status == Status::infeasible;
      expect_consistent(cssp, solution);
      if (solution.status == Status::limit || distance < 3e-9) continue;
      EXPECT_EQ(to_string(solution.status), share > 0 ? "optimal" : "infeasible") << solution.note;
    }
    for (const Solution& a : solutions)
      for (const Solution& b : solutions) {
        if (!a.lower_bound || !b.costs) continue;
        if (excess(cssp.bounds()[0], (*b.costs)[1]) > 0) continue;
        EXPECT_LE(*a.lower_bound, (*b.costs)[0] * (1 + 1e-9)) << a.algorithm << " " << b.algorithm;
      }
    if (HasFailure()) break;
  }
  EXPECT_GE(solves, testing::scaled(400));
  EXPECT_GE(infeasible, testing::scaled(100));
  EXPECT_LE(ended_by_limit, solves / 100);
}

}  // namespace
}  // namespace carl
