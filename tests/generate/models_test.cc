// Explicit models that compute themselves: every state is sound, and what is drawn depends on the seed.

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "carl/error.h"
#include "carl/generate.h"
#include "carl/model.h"

namespace carl {
namespace {

TEST(GeneratedModels, EveryStateIsSound) {
  for (const BenchmarkDomain& family : benchmark_models()) {
    const std::shared_ptr<Model> model = generate_model(family.name, {}, 5);
    Expansion expansion;
    std::size_t goals = 0;
    for (std::size_t s = 0; s < model->num_states(); ++s) {
      if (model->is_goal(StateId(s))) {
        ++goals;
        continue;
      }
      model->expand(StateId(s), expansion);
      ASSERT_GT(expansion.num_actions(), 0U) << family.name << " " << s;
      for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
        const auto probabilities = expansion.probabilities(a);
        EXPECT_NEAR(std::accumulate(probabilities.begin(), probabilities.end(), 0.0), 1, 1e-12);
        for (const double probability : probabilities)
          EXPECT_GE(probability, 0);
        for (const StateId successor : expansion.successors(a))
          EXPECT_LT(successor.index(), model->num_states());
        EXPECT_EQ(model->cost(expansion.action(a)).size(), 3U);
      }
    }
    EXPECT_EQ(goals, 1U);
  }
}

/// From every state one gets to every other that is no goal: that is what they are for.
TEST(GeneratedModels, AreOneComponent) {
  for (const BenchmarkDomain& family : benchmark_models()) {
    const std::shared_ptr<Model> model =
        generate_model(family.name, {{family.name == "grid" ? "n" : "capacity", "3"}}, 1);
    const std::size_t n = model->num_states();
    std::vector<std::vector<std::size_t>> next(n);
    std::vector<std::vector<std::size_t>> before(n);
    Expansion expansion;
    for (std::size_t s = 0; s < n; ++s) {
      if (model->is_goal(StateId(s))) continue;
      model->expand(StateId(s), expansion);
      for (std::size_t a = 0; a < expansion.num_actions(); ++a)
        for (const StateId successor : expansion.successors(a)) {
          if (model->is_goal(successor)) continue;
          next[s].push_back(successor.index());
          before[successor.index()].push_back(s);
        }
    }
    const auto reached = [&](const std::vector<std::vector<std::size_t>>& edges) {
      std::vector<bool> seen(n, false);
      std::vector<std::size_t> todo{model->initial_state().index()};
      seen[todo.front()] = true;
      std::size_t count = 0;
      while (!todo.empty()) {
        const std::size_t s = todo.back();
        todo.pop_back();
        ++count;
        for (const std::size_t t : edges[s])
          if (!seen[t]) {
            seen[t] = true;
            todo.push_back(t);
          }
      }
      return count;
    };
    EXPECT_EQ(reached(next), n - 1) << family.name;
    EXPECT_EQ(reached(before), n - 1) << family.name;
  }
}

TEST(GeneratedModels, TheSeedDrawsRates) {
  const auto rates = [](std::uint64_t seed) {
    const std::shared_ptr<Model> model = generate_model("queues", {}, seed);
    Expansion expansion;
    model->expand(StateId(0), expansion);
    return std::vector<double>(expansion.probabilities(0).begin(),
                               expansion.probabilities(0).end());
  };
  EXPECT_EQ(rates(1), rates(1));
  EXPECT_NE(rates(1), rates(2));
}

TEST(GeneratedModels, UnknownOnesAreRefused) {
  try {
    generate_model("sar", {}, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "there is no family of models 'sar'");
    EXPECT_EQ(error.hint(), "the families are grid, queues");
  }
}

}  // namespace
}  // namespace carl
