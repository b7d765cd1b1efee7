#include "ssp/decomposition.h"

#include <gtest/gtest.h>

#include "graph/proper_region.h"
#include "model/explicit_model.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

TEST(Decomposition, WeightedCostsAddUp) {
  SplitMix64 random(11);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + random.below(6);
    ExplicitBuilder builder({{"time", "fuel"}, {}, {}});
    const auto name = [&](std::size_t i) { return i == n ? std::string("g") : std::to_string(i); };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t a = 0; a < 3; ++a) {
        const double p = 0.3 + 0.5 * random.unit();
        const std::size_t to = random.below(n);
        builder.add_outcome(p, builder.state(name(i + 1)));
        if (to == i + 1)
          builder.add_outcome(1 - p, builder.state("g2"));
        else
          builder.add_outcome(1 - p, builder.state(name(to)));
        const std::array cost{random.unit() + 0.1, 5 * random.unit()};
        builder.add_action(builder.state(name(i)), std::to_string(a), cost);
      }
    builder.add_goal(builder.state("g"));
    builder.add_goal(builder.state("g2"));
    Cssp cssp(builder.build(builder.state("0")));
    SearchGraph graph(cssp);
    Monitor monitor;
    graph.expand_all(monitor);
    std::size_t surplus = 0;
    const Policy policy = envelope(graph, graph.initial_state(), [&](StateId s) {
      std::vector<Policy::Choice> choices;
      double sum = 0;
      for (const PairId p : graph.pairs(s)) {
        if (!choices.empty() && random.below(2) == 0) continue;
        choices.push_back({p, 0.1 + random.unit()});
        sum += choices.back().probability;
      }
      for (auto& choice : choices)
        choice.probability /= sum;
      surplus += choices.size() - 1;
      return choices;
    });
    const Evaluation evaluation = evaluate(graph, policy);
    ASSERT_TRUE(evaluation.proper);
    const auto parts = decompose(graph, policy, evaluation);
    EXPECT_LE(parts.size(), surplus + 1);
    double weight = 0;
    std::vector<double> costs(2, 0);
    for (const MixturePart& part : parts) {
      weight += part.weight;
      for (std::size_t c = 0; c < 2; ++c)
        costs[c] += part.weight * part.costs[c];
      for (std::size_t i = 0; i < part.policy.size(); ++i)
        EXPECT_EQ(part.policy.choices(i).size(), 1U);
    }
    EXPECT_NEAR(weight, 1, 1e-12);
    for (std::size_t c = 0; c < 2; ++c)
      EXPECT_NEAR(costs[c], evaluation.costs[c], 1e-8);
  }
}

}  // namespace
}  // namespace carl::ssp
