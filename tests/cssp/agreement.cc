#include "cssp/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "util/random.h"

namespace carl {

Solution run(const std::shared_ptr<Model>& model, const SolveOptions& options,
             const CsspOptions& changes) {
  Cssp cssp(model, changes);
  Monitor monitor;
  return solve(cssp, options, monitor);
}

SolveOptions lp() {
  SolveOptions options;
  options.algorithm = Algorithm::lp;
  return options;
}

void expect_same(const Cssp& cssp, const Solution& solution, const Solution& truth) {
  ASSERT_EQ(to_string(solution.status), to_string(truth.status)) << solution.note;
  if (truth.infeasibility) {
    const Infeasibility& reason = *solution.infeasibility;
    EXPECT_EQ(reason.zero_bounds, truth.infeasibility->zero_bounds);
    if (reason.zero_bounds.empty()) {
      EXPECT_GT(reason.least, reason.allowed);
    }
  }
  if (!truth.costs) return;
  const double optimum = (*truth.costs)[0];
  const double scale = optimum;
  EXPECT_GE((*solution.costs)[0], optimum - 1e-7 * scale);
  EXPECT_LE((*solution.costs)[0], optimum + 1.001e-4 * scale);
  EXPECT_LE(*solution.lower_bound, optimum + 1e-8 * scale);
  EXPECT_LE(*solution.lower_bound, (*solution.costs)[0]);
  EXPECT_LE(*solution.gap(), 1e-4);
  for (const Bound& bound : cssp.bounds())
    EXPECT_LE((*solution.costs)[bound.cost], bound.upper * (1 + 1e-9));
  double weights = 0;
  std::vector<double> mixed(cssp.num_costs(), 0.0);
  for (const MixtureComponent& part : solution.mixture) {
    weights += part.weight;
    for (std::size_t i = 0; i < mixed.size(); ++i)
      mixed[i] += part.weight * part.costs[i];
  }
  EXPECT_NEAR(weights, 1, 1e-9);
  for (std::size_t i = 0; i < mixed.size(); ++i)
    EXPECT_NEAR(mixed[i], (*solution.costs)[i], 1e-9 * mixed[i]);
}

testing::RandomModelOptions options_for(std::uint64_t seed) {
  testing::RandomModelOptions options = testing::random_options(seed, 12);
  if (seed % 10 == 0) options.costs = 2 + seed / 10 % 16;
  return options;
}

CsspOptions random_bounds(const std::shared_ptr<Model>& model, std::uint64_t seed) {
  SplitMix64 random(seed);
  CsspOptions changes;
  Cssp cssp(model);
  const Solution free = run(model, lp());
  if (!free.costs) return changes;
  for (std::size_t i = 1; i < cssp.num_costs(); ++i)
    if (random.unit() < 0.8)
      changes.bounds.emplace_back(cssp.cost_names()[i],
                                  (*free.costs)[i] * (0.5 + 0.6 * random.unit()));
  return changes;
}

std::shared_ptr<Model> slippery_grid(int size) {
  ExplicitBuilder builder({{"time", "fuel", "risk"}, {{1, 2.0 * size}, {2, size / 4.0}}, {}});
  const auto cell = [&](int x, int y) {
    return builder.state(std::to_string(std::clamp(x, 0, size - 1)) + "," +
                         std::to_string(std::clamp(y, 0, size - 1)));
  };
  const StateId goal = cell(size - 1, size / 2);
  for (int x = 0; x < size; ++x)
    for (int y = 0; y < size; ++y)
      for (int move = 0; move < 8 && cell(x, y) != goal; ++move) {
        const bool fast = move >= 4;
        const double slip = fast ? 0.10 : 0.05;
        const int dx = move % 4 == 0 ? 1 : move % 4 == 1 ? -1 : 0;
        const int dy = move % 4 == 2 ? 1 : move % 4 == 3 ? -1 : 0;
        std::map<StateId, double> outcomes;
        outcomes[cell(x + dx, y + dy)] += 1 - 2 * slip;
        outcomes[cell(x + dy, y + dx)] += slip;
        outcomes[cell(x - dy, y - dx)] += slip;
        for (const auto& [to, probability] : outcomes)
          builder.add_outcome(probability, to);
        const auto risky = [&](int i) { return i >= size / 4 && i <= size - 1 - size / 4; };
        const std::vector<double> cost{fast ? 1.0 : 2.0, fast ? 3.0 : 1.0,
                                       risky(x) && risky(y) ? 1.0 : 0.0};
        builder.add_action(cell(x, y), "m" + std::to_string(move), cost);
      }
  builder.add_goal(goal);
  return builder.build(cell(0, size / 2));
}

}  // namespace carl
