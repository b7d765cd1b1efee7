// The generator is an instrument: if it does not give what its options say, the suites that rely on
// it test less than they claim.
#include "support/random_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "support/scale.h"

namespace carl::testing {
namespace {

std::string text(ExplicitModel& model) {
  std::string result;
  Expansion expansion;
  for (std::size_t s = 0; s < model.num_states(); ++s) {
    model.expand(StateId(s), expansion);
    for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
      result += std::to_string(s) + " " + model.action_name(expansion.action(i));
      for (const double cost : model.cost(expansion.action(i)))
        result += " " + std::to_string(cost);
      for (std::size_t k = 0; k < expansion.successors(i).size(); ++k)
        result += " " + std::to_string(expansion.probabilities(i)[k]) + ">" +
                  std::to_string(expansion.successors(i)[k].index());
      result += "\n";
    }
  }
  for (const Bound& bound : model.cost_model().bounds)
    result += std::to_string(bound.cost) + "<=" + std::to_string(bound.upper) + "\n";
  return result;
}

/// States from which some policy reaches a goal with probability 1: drop actions that may leave the
/// set and states that cannot reach a goal within it, until nothing changes.
std::set<StateId> surely_safe(const ExplicitModel& model) {
  std::set<StateId> safe;
  for (std::size_t s = 0; s < model.num_states(); ++s)
    safe.insert(StateId(s));
  while (true) {
    std::set<StateId> reaching;
    for (std::size_t before = static_cast<std::size_t>(-1); before != reaching.size();) {
      before = reaching.size();
      for (const StateId state : safe) {
        if (model.is_goal(state)) reaching.insert(state);
        for (const ActionId action : model.actions(state)) {
          const auto successors = model.successors(action);
          const auto in = [&](const std::set<StateId>& set) {
            return [&](StateId s) { return set.count(s) > 0; };
          };
          if (std::all_of(successors.begin(), successors.end(), in(safe)) &&
              std::any_of(successors.begin(), successors.end(), in(reaching)))
            reaching.insert(state);
        }
      }
    }
    if (reaching == safe) return safe;
    safe = reaching;
  }
}

TEST(RandomModel, IsTheSameForTheSameSeed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomModelOptions options = random_options(seed, 8);
    EXPECT_EQ(text(*random_model(seed, options)), text(*random_model(seed, options)));
  }
  EXPECT_NE(text(*random_model(1)), text(*random_model(2)));
}

TEST(RandomModel, HasAProperPolicyUnlessDeadEndsAreUnavoidable) {
  for (std::uint64_t seed = 0; seed < scaled(300); ++seed) {
    const RandomModelOptions options = random_options(seed, 8);
    const auto model = random_model(seed, options);
    const bool proper = surely_safe(*model).count(model->initial_state()) > 0;
    EXPECT_EQ(proper, options.dead_ends != DeadEnds::unavoidable) << seed << ": " << options.text();
  }
}

TEST(RandomModel, KeepsToTheSizesAsked) {
  for (std::uint64_t seed = 0; seed < scaled(300); ++seed) {
    const RandomModelOptions options = random_options(seed, 8);
    const auto model = random_model(seed, options);
    EXPECT_EQ(model->num_states(), options.states + (options.dead_ends == DeadEnds::none ? 1 : 2));
    EXPECT_EQ(model->cost_model().costs.size(), options.costs);
    EXPECT_EQ(model->cost_model().give_up.has_value(), options.give_up);
    EXPECT_EQ(model->cost_model().bounds.size(),
              options.bounds == BoundsKind::none ? 0 : options.costs - 1);
    for (std::size_t s = 0; s < options.states; ++s) {
      EXPECT_GE(model->actions(StateId(s)).size(), 1U);
      EXPECT_LE(model->actions(StateId(s)).size(), options.actions + (options.self_loops ? 1 : 0));
    }
  }
}

TEST(RandomModel, ZeroPrimaryCostsOnlyWhereNoLoopComesOfIt) {
  std::size_t free_actions = 0;
  for (std::uint64_t seed = 0; seed < scaled(300); ++seed) {
    const RandomModelOptions options = random_options(seed, 8);
    const auto model = random_model(seed, options);
    for (std::size_t s = 0; s < options.states; ++s) {
      for (const ActionId action : model->actions(StateId(s))) {
        if (model->cost(action)[0] > 0) continue;
        ++free_actions;
        for (const StateId successor : model->successors(action))
          EXPECT_GT(successor.index(), s);
      }
    }
  }
  EXPECT_GT(free_actions, 0U);
}

TEST(RandomModel, CanBeAskedForAZeroCostLoop) {
  RandomModelOptions options;
  options.zero_cost_loop = true;
  const auto model = random_model(3, options);
  for (const std::size_t s : {0U, 1U}) {
    const ActionId last = model->actions(StateId(s)).back();
    EXPECT_EQ(model->action_name(last), "spin");
    EXPECT_EQ(model->cost(last)[0], 0);
    EXPECT_EQ(model->successors(last)[0], StateId(1 - s));
  }
}

TEST(RandomModel, HasNoCyclesIfNotAsked) {
  RandomModelOptions options;
  options.cycles = false;
  options.states = 20;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto model = random_model(seed, options);
    for (std::size_t s = 0; s < options.states; ++s)
      for (const ActionId action : model->actions(StateId(s)))
        for (const StateId successor : model->successors(action))
          EXPECT_GT(successor.index(), s);
  }
}

TEST(RandomModel, IntegerModelsAreExact) {
  RandomModelOptions options;
  options.integer_costs = true;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto model = random_model(seed, options);
    for (std::size_t a = 0; a < model->num_actions(); ++a) {
      for (const double cost : model->cost(ActionId(a)))
        EXPECT_EQ(cost, std::round(cost));
      for (const double probability : model->probabilities(ActionId(a)))
        EXPECT_EQ(probability * 4, std::round(probability * 4));
    }
  }
}

TEST(RandomModel, BoundsAreOfTheirKind) {
  RandomModelOptions options;
  options.costs = 2;
  const auto upper = [&](BoundsKind kind, std::uint64_t seed) {
    options.bounds = kind;
    return random_model(seed, options)->cost_model().bounds.front().upper;
  };
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_LT(upper(BoundsKind::tight, seed), upper(BoundsKind::slack, seed));
    EXPECT_EQ(upper(BoundsKind::zero, seed), 0);
    EXPECT_GT(upper(BoundsKind::contradictory, seed), 0);
    EXPECT_LT(upper(BoundsKind::contradictory, seed), upper(BoundsKind::tight, seed));
  }
}

}  // namespace
}  // namespace carl::testing
