// The judge of the soak is judged too: by known optima, and by enumerating all policies of tiny
// models.
#include "soak/exact_oracle.h"

#include <gtest/gtest.h>

#include "cssp/brute_force.h"
#include "support/random_model.h"
#include "support/scale.h"

namespace carl::soak {
namespace {

constexpr ExactOracle::Size most{.states = 50, .pairs = 200};

Cssp with_all_actions(const std::shared_ptr<Model>& model) {
  CsspOptions options;
  options.remove_forbidden_actions = false;
  return Cssp(model, options);
}

TEST(ExactOracle, SolvesAnExampleInFractions) {
  ExplicitBuilder builder({{"time", "price"}, {{1, 10}}, {}});
  builder.add_action("home", "taxi", {1, 30}, {{1, "work"}});
  builder.add_action("home", "walk", {10, 0}, {{1. / 4, "home"}, {3. / 4, "work"}});
  builder.add_goal(builder.state("work"));
  Cssp cssp = with_all_actions(builder.build(builder.state("home")));
  const ExactOracle oracle(cssp, most);
  ASSERT_TRUE(oracle.complete());
  const auto optimum = oracle.minimum(0, exact_bounds(cssp));
  ASSERT_TRUE(optimum);
  // A third of the runs take a taxi; walking takes 40/3.
  EXPECT_EQ(optimum->value, Rational(1, 3) + Rational(2, 3) * Rational(40, 3));
  EXPECT_EQ(optimum->costs[1], 10);
  EXPECT_EQ(optimum->multipliers[1], (Rational(40, 3) - 1) / 30);
  EXPECT_EQ(oracle.minimum(1, ExactOracle::Bounds(2))->value, 0);
}

TEST(ExactOracle, KnowsWhatBoundsOfZeroForbid) {
  ExplicitBuilder builder({{"time", "risk"}, {{1, 0}}, {}});
  builder.add_action("s", "jump", {1, 0.1}, {{1, "g"}});
  builder.add_action("s", "fall", {1, 0}, {{1, "pit"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp = with_all_actions(builder.build(builder.state("s")));
  const ExactOracle oracle(cssp, most);
  EXPECT_TRUE(oracle.has_proper_policy());
  EXPECT_FALSE(oracle.has_allowed_policy(exact_bounds(cssp)));
  EXPECT_FALSE(oracle.minimum(0, exact_bounds(cssp)));
  EXPECT_FALSE(oracle.has_free_loop(exact_bounds(cssp)));
}

TEST(ExactOracle, FindsFreeLoops) {
  testing::RandomModelOptions options;
  options.zero_cost_loop = true;
  Cssp cssp = with_all_actions(testing::random_model(1, options));
  EXPECT_TRUE(ExactOracle(cssp, most).has_free_loop(ExactOracle::Bounds(cssp.num_costs())));
}

TEST(ExactOracle, AgreesWithEnumeration) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    const testing::RandomModelOptions options = testing::random_options(seed, 4);
    SCOPED_TRACE(options.text());
    Cssp all = with_all_actions(testing::random_model(seed, options));
    const ExactOracle oracle(all, most);
    ASSERT_TRUE(oracle.complete());
    Cssp cssp(testing::random_model(seed, options));
    const auto truth = testing::brute_force(cssp, 60);
    if (!truth) continue;
    ++compared;
    EXPECT_EQ(oracle.has_allowed_policy(exact_bounds(all)), truth->proper_policy);
    // Bounds may be exactly on the edge, up to rounding.
    const auto optimum = oracle.minimum(0, exact_bounds(all, 1 + Rational(1, 1'000'000'000)));
    ASSERT_EQ(optimum.has_value(), truth->optimum.has_value());
    if (!optimum) continue;
    EXPECT_NEAR(to_double(optimum->value), *truth->optimum, 1e-6);
  }
  EXPECT_GE(compared, testing::at_full_scale(100));
}

}  // namespace
}  // namespace carl::soak
