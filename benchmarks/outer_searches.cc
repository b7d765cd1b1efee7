// How many scalarised SSPs the outer searches need: random layered problems with 1 to 16
// constraints, each solved by both. Bounds are those of the uniform mixture of the policies that
// are best for one cost each, so they can be met, and most of them bind.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "carl/solve.h"
#include "model/explicit_model.h"
#include "util/random.h"

namespace {

constexpr std::size_t layers = 12;
constexpr std::size_t width = 20;
constexpr std::size_t actions = 4;

std::string state_name(std::size_t layer, std::size_t i) {
  return layer == layers ? "goal" : fmt::format("{}.{}", layer, i);
}

std::shared_ptr<carl::Model> make_model(std::uint64_t seed, std::size_t n,
                                        const std::vector<carl::Bound>& bounds, std::size_t first) {
  carl::SplitMix64 random(seed);
  carl::CostModel costs;
  for (std::size_t i = 0; i <= n; ++i)
    costs.costs.push_back(fmt::format("c{}", i));
  // The cost that is to be minimised comes first.
  std::swap(costs.costs[0], costs.costs[first]);
  costs.bounds = bounds;
  carl::ExplicitBuilder builder(costs);
  for (std::size_t layer = 0; layer < layers; ++layer)
    for (std::size_t i = 0; i < (layer == 0 ? 1 : width); ++i)
      for (std::size_t a = 0; a < actions; ++a) {
        std::vector<double> cost;
        for (std::size_t c = 0; c <= n; ++c)
          cost.push_back(0.1 + 10 * random.unit());
        std::swap(cost[0], cost[first]);
        const double p = 0.1 + 0.8 * random.unit();
        const std::size_t left = random.below(width);
        const std::size_t right = (left + 1 + random.below(width - 1)) % width;
        const bool last = layer + 1 == layers;
        builder.add_outcome(last ? 1.0 : p, builder.state(state_name(layer + 1, left)));
        if (!last) builder.add_outcome(1 - p, builder.state(state_name(layer + 1, right)));
        builder.add_action(builder.state(state_name(layer, i)), fmt::format("a{}", a), cost);
      }
  builder.add_goal(builder.state("goal"));
  return builder.build(builder.state(state_name(0, 0)));
}

carl::Solution solve(const std::shared_ptr<carl::Model>& model, const std::string& outer) {
  carl::Cssp cssp(model);
  carl::Monitor monitor;
  carl::SolveOptions options;
  options.carl.outer = carl::outer_named(outer);
  return carl::solve(cssp, options, monitor);
}

std::vector<carl::Bound> make_bounds(std::uint64_t seed, std::size_t n) {
  std::vector<double> sum(n + 1, 0.0);
  for (std::size_t first = 0; first <= n; ++first) {
    const carl::Solution best = solve(make_model(seed, n, {}, first), "bundle");
    std::vector<double> costs = *best.costs;
    std::swap(costs[0], costs[first]);
    for (std::size_t i = 0; i <= n; ++i)
      sum[i] += costs[i];
  }
  std::vector<carl::Bound> bounds;
  for (std::size_t i = 1; i <= n; ++i)
    bounds.push_back({i, sum[i] / static_cast<double>(n + 1)});
  return bounds;
}

}  // namespace

int main() {
  constexpr std::uint64_t instances = 20;
  fmt::print(
      "| constraints | bundle: SSPs, mean (most) | coordinate: SSPs, mean (most) | coordinate "
      "stuck |\n");
  fmt::print("| ---: | ---: | ---: | ---: |\n");
  for (const std::size_t n : {1, 2, 4, 8, 16}) {
    std::size_t sum[2] = {0, 0};
    std::size_t most[2] = {0, 0};
    std::size_t stuck = 0;
    for (std::uint64_t seed = 1; seed <= instances; ++seed) {
      const auto model = make_model(seed, n, make_bounds(seed, n), 0);
      for (const int k : {0, 1}) {
        const carl::Solution solution = solve(model, k == 0 ? "bundle" : "coordinate");
        if (solution.status != carl::Status::optimal)
          fmt::print(stderr, "n = {}, seed {}: {}\n", n, seed, solution.note);
        sum[k] += solution.statistics.scalarised_ssps;
        most[k] = std::max(most[k], solution.statistics.scalarised_ssps);
        stuck += solution.note.find("stuck") != std::string::npos;
      }
    }
    fmt::print("| {} | {:.1f} ({}) | {:.1f} ({}) | {} of {} |\n", n,
               static_cast<double>(sum[0]) / instances, most[0],
               static_cast<double>(sum[1]) / instances, most[1], stuck, instances);
    std::fflush(stdout);
  }
  return 0;
}
