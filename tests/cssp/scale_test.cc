// The answer must not depend on the unit of a cost. One cost of a random model, with its bound and
// penalty, is multiplied by a factor. A power of two changes no digit, so the answer must be the
// same bit for bit; a power of ten rounds every number, so it must be the same to nine digits. For
// every algorithm, explicit and factored models.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "carl/solve.h"
#include "cssp/agreement.h"
#include "model/cost_scale.h"
#include "model/explicit_model.h"
#include "support/options_text.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl {
namespace {

struct Change {
  std::size_t cost = 0;
  double factor = 1;
  bool exact = true;  // a power of two
};

CostModel changed(CostModel costs, const Change& change) {
  for (Bound& bound : costs.bounds)
    if (bound.cost == change.cost) bound.upper *= change.factor;
  if (costs.give_up) (*costs.give_up)[change.cost] *= change.factor;
  return costs;
}

std::shared_ptr<Model> changed(const ExplicitModel& model, const Change& change) {
  ExplicitBuilder builder(changed(model.cost_model(), change));
  for (std::size_t s = 0; s < model.num_states(); ++s)
    builder.state(model.state_name(StateId(s)));
  for (std::size_t s = 0; s < model.num_states(); ++s) {
    if (model.is_goal(StateId(s))) builder.add_goal(StateId(s));
    for (const ActionId action : model.actions(StateId(s))) {
      for (std::size_t k = 0; k < model.successors(action).size(); ++k)
        builder.add_outcome(model.probabilities(action)[k], model.successors(action)[k]);
      std::vector<double> cost(model.cost(action).begin(), model.cost(action).end());
      cost[change.cost] *= change.factor;
      builder.add_action(StateId(s), model.action_name(action), cost);
    }
  }
  return builder.build(const_cast<ExplicitModel&>(model).initial_state());
}

std::shared_ptr<Model> changed(const TaskModel& model, const Change& change) {
  task::Task task = model.task();
  task.costs = changed(task.costs, change);
  for (std::vector<double>& costs : task.cost_vectors)
    costs[change.cost] *= change.factor;
  return make_task_model(std::move(task));
}

SolveOptions configuration(std::uint64_t seed, bool bounds, bool factored) {
  SolveOptions options;
  const std::vector<std::string>& inner = inner_names();
  switch (seed % 8) {
    case 0:
      options.algorithm = Algorithm::lp;
      break;
    case 1:
      options.algorithm = Algorithm::i_dual;
      break;
    case 2:
      options.algorithm = factored ? Algorithm::i2_dual : Algorithm::automatic;
      break;
    case 3:
      options.carl.outer = OuterAlgorithm::coordinate;
      break;
    case 4:
      if (!bounds) options.algorithm = algorithm_named(inner[seed / 8 % inner.size()]);
      break;
    default:
      options.carl.inner = inner_named(inner[seed / 8 % inner.size()]);
  }
  return options;
}

/// The costs of the primary cost and of the others, after the change is taken back.
std::vector<double> costs_before(const Solution& solution, const Change& change) {
  std::vector<double> costs = *solution.costs;
  costs[change.cost] /= change.factor;
  return costs;
}

void expect_same_number(double expected, double found, bool exact) {
  const double tolerance = exact ? 0.0 : 1e-9 * std::abs(expected);
  EXPECT_NEAR(expected, found, tolerance);
}

/// `unique`: rounding does not decide between policies that are equally good.
void expect_same_answer(const Solution& before, const Solution& after, const Change& change,
                        bool unique) {
  ASSERT_EQ(to_string(before.status), to_string(after.status)) << before.note << "; " << after.note;
  ASSERT_EQ(before.costs.has_value(), after.costs.has_value());
  if (!before.costs) return;
  const std::vector<double> costs = costs_before(after, change);
  expect_same_number((*before.costs)[0], costs[0], change.exact);
  if (!change.exact && !unique) return;
  for (std::size_t i = 0; i < costs.size(); ++i)
    expect_same_number((*before.costs)[i], costs[i], change.exact);
  ASSERT_EQ(before.policy.size(), after.policy.size());
  for (std::size_t i = 0; i < before.policy.size(); ++i) {
    ASSERT_EQ(before.policy[i].state, after.policy[i].state);
    ASSERT_EQ(before.policy[i].choices.size(), after.policy[i].choices.size());
    for (std::size_t k = 0; k < before.policy[i].choices.size(); ++k) {
      EXPECT_EQ(before.policy[i].choices[k].action, after.policy[i].choices[k].action);
      EXPECT_NEAR(before.policy[i].choices[k].probability, after.policy[i].choices[k].probability,
                  change.exact ? 0.0 : 1e-9);
    }
  }
  if (!change.exact) return;
  const double unit = change.cost == 0 ? change.factor : 1.0;
  EXPECT_EQ(*before.lower_bound * unit, *after.lower_bound);
  EXPECT_EQ(*before.gap(), *after.gap());
  EXPECT_EQ(before.statistics.backups, after.statistics.backups);
  EXPECT_EQ(before.statistics.lp_iterations, after.statistics.lp_iterations);
}

const std::vector<Change> factors{{0, std::ldexp(1.0, 20), true},
                                  {0, std::ldexp(1.0, -20), true},
                                  {0, 1e6, false},
                                  {0, 1e-6, false}};

CsspOptions changed(CsspOptions options, const Cssp& cssp, const Change& change) {
  for (auto& [name, upper] : options.bounds)
    if (name == cssp.cost_names()[change.cost]) upper *= change.factor;
  return options;
}

TEST(Scale, ExplicitModelsInOtherUnits) {
  std::size_t bounded = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(1500); ++seed) {
    const testing::RandomModelOptions random = options_for(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + random.text());
    const auto model = testing::random_model(seed, random);
    const bool has_bounds = !Cssp(model).constraints().empty();
    bounded += has_bounds;
    const SolveOptions options = configuration(seed, has_bounds, false);
    SCOPED_TRACE(testing::text_of(options));
    Change change{seed % model->cost_model().costs.size(), 1, true};
    const Solution before = run(changed(*model, change), options);
    for (const Change& factor : factors) {
      change.factor = factor.factor;
      change.exact = factor.exact;
      SCOPED_TRACE("cost " + std::to_string(change.cost) + " times " +
                   std::to_string(change.factor));
      expect_same_answer(before, run(changed(*model, change), options), change,
                         !random.integer_costs);
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(bounded, testing::scaled(500));
}

/// However badly conditioned a model is, a power of two must not change a bit.
TEST(Scale, IllConditionedModelsInOtherUnits) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    testing::RandomModelOptions random = testing::random_options(seed, 8);
    random.near_loops = seed % 2 == 0;
    random.tiny_probabilities = seed % 3 == 0;
    random.wide_costs = seed % 5 != 0;
    random.integer_costs = false;
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + random.text());
    const auto model = testing::random_model(seed, random);
    for (const char* algorithm : {"carl", "lp", "i-dual"}) {
      SCOPED_TRACE(algorithm);
      SolveOptions options;
      options.algorithm = algorithm_named(algorithm);
      Change change{seed % model->cost_model().costs.size(), 1, true};
      const Solution before = run(changed(*model, change), options);
      for (const int exponent : {-20, -33}) {  // costs have a largest size
        change.factor = std::ldexp(1.0, exponent);
        expect_same_answer(before, run(changed(*model, change), options), change, true);
      }
    }
    if (HasFailure()) break;
  }
}

TEST(Scale, TasksInOtherUnits) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(250); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto model = testing::random_task(seed);
    const CsspOptions bounds = random_bounds(model, seed);
    const Cssp cssp(model, bounds);
    const SolveOptions options = configuration(seed, !cssp.constraints().empty(), true);
    SCOPED_TRACE(testing::text_of(options));
    Change change{seed % cssp.num_costs(), 1, true};
    // States are numbered as they are discovered, so a model that was solved before will not do.
    const Solution before = run(changed(*model, change), options, bounds);
    for (const Change& factor : factors) {
      change.factor = factor.factor;
      change.exact = factor.exact;
      SCOPED_TRACE("cost " + std::to_string(change.cost) + " times " +
                   std::to_string(change.factor));
      expect_same_answer(before,
                         run(changed(*model, change), options, changed(bounds, cssp, change)),
                         change, false);
    }
    if (HasFailure()) break;
  }
}

/// Residuals that are asked for are in the units of the model.
TEST(Scale, EpsilonIsAbsoluteWhenGiven) {
  const auto model = slippery_grid(8);
  SolveOptions options;
  options.algorithm = Algorithm::carl;
  options.carl.inner = InnerAlgorithm::vi;
  options.gap = 1;
  options.search.epsilon = 1e-9;
  const std::size_t fine = run(model, options).statistics.backups;
  options.search.epsilon = 10;
  const std::size_t coarse = run(model, options).statistics.backups;
  options.search.epsilon.reset();
  const std::size_t by_default = run(model, options).statistics.backups;
  EXPECT_LT(coarse, by_default);
  EXPECT_LT(by_default, fine);
}

TEST(Scale, IsTheMedianOfWhatActionsCost) {
  ExplicitBuilder builder({{"c0", "c1", "c2", "c3"}, {{2, 5}}, {}});
  builder.add_action("s", "a", {1, 0, 0, 0}, {{1.0, "g"}});
  builder.add_action("s", "b", {3, 0, 0, 0}, {{1.0, "g"}});
  builder.add_action("s", "c", {900, 8, 0, 0}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  EXPECT_THAT(cost_scale(cssp), ::testing::ElementsAre(3, 8, 5, 1));
  EXPECT_EQ(power_of_two_below(3), 2);
  EXPECT_EQ(power_of_two_below(4), 4);
  EXPECT_EQ(power_of_two_below(0.3), 0.25);
}

}  // namespace
}  // namespace carl
