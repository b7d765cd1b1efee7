#include "ssp/lower_bound.h"

#include <gtest/gtest.h>

#include <array>

#include "model/explicit_model.h"
#include "ssp/policy_iteration.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

std::shared_ptr<Model> ladder(int rungs) {
  ExplicitModelBuilder builder({{"time"}, {}, {}});
  const auto name = [](int i) { return "s" + std::to_string(i); };
  for (int i = 0; i < rungs; ++i) {
    builder.add_action(name(i), "up", {1}, {{0.6, name(i + 1)}, {0.4, name(i / 2)}});
    builder.add_action(name(i), "jump", {2.5},
                       {{0.5, name(std::min(rungs, i + 3))}, {0.5, name(0)}});
  }
  builder.add_goal(builder.state(name(rungs)));
  return builder.build(builder.state("s0"));
}

TEST(LowerBound, IsTightForOptimalValues) {
  Cssp cssp(ladder(12));
  SearchGraph graph(cssp);
  Limits limits;
  graph.expand_all(limits);
  auto optimal = policy_iteration(graph, proper_region(graph), std::array{1.0}, limits);
  const double optimum = optimal.value[graph.initial_state().index()];
  const double bound = sound_lower_bound(graph, std::array{1.0}, optimal.value);
  EXPECT_LE(bound, optimum * (1 + 1e-15));
  EXPECT_NEAR(bound, optimum, 1e-9 * optimum);
}

TEST(LowerBound, HoldsWhateverTheValues) {
  Cssp cssp(ladder(12));
  SearchGraph graph(cssp);
  Limits limits;
  graph.expand_all(limits);
  const auto optimal = policy_iteration(graph, proper_region(graph), std::array{1.0}, limits);
  const double optimum = optimal.value[graph.initial_state().index()];
  SplitMix64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> value = optimal.value;
    const double error = std::pow(10.0, -static_cast<double>(random.below(8)));
    for (double& v : value)
      if (v > 0) v *= 1 + error * (2 * random.unit() - 0.5);
    EXPECT_LE(sound_lower_bound(graph, std::array{1.0}, value), optimum * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace carl::ssp
