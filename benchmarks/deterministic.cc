// How many nodes it takes to find the best policy that tosses no coin, on random models that are small
// enough to count all policies: by branching on coin tosses, by Cbc on the integer program over
// occupation measures, and by enumerating policies in the order of their Lagrangian at the best
// multipliers, as S. Hong and B. Williams do (Artificial Intelligence 316, 2023), of which only the
// number of policies is counted. Disagreements about the optimum are errors.
//
//   build/release/bench_deterministic

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "carl/solve.h"
#include "cssp/brute_force.h"
#include "support/deterministic_milp.h"
#include "support/random_model.h"

namespace carl {
namespace {

constexpr std::size_t most_policies = 50'000;

struct Sums {
  std::size_t models = 0;
  double price = 0;
  double policies = 0;
  double nodes = 0;
  double scalarised = 0;
  double milp_nodes = 0;
  double enumerated = 0;
};

/// Policies whose Lagrangian at λ* does not exceed the optimum: none of them can be left out.
std::size_t to_be_enumerated(const std::set<std::vector<double>>& policies, const Cssp& cssp,
                             const std::vector<double>& multipliers, double optimum) {
  const auto lagrangian = [&](const std::vector<double>& costs) {
    double value = costs[0];
    for (std::size_t b = 0; b < cssp.bounds().size(); ++b)
      value += multipliers[b] * (costs[cssp.bounds()[b].cost] - cssp.bounds()[b].upper);
    return value;
  };
  return static_cast<std::size_t>(std::count_if(
      policies.begin(), policies.end(),
      [&](const std::vector<double>& costs) { return lagrangian(costs) <= optimum * (1 + 1e-9); }));
}

void measure(std::uint64_t seed, std::size_t states, std::size_t costs, Sums& sums) {
  testing::RandomModelOptions random;
  random.states = states;
  random.costs = costs;
  random.bounds = testing::BoundsKind::tight;
  Cssp cssp(testing::random_model(seed, random));
  const auto policies = testing::policy_costs(cssp, most_policies);
  if (!policies) return;
  Monitor unlimited;
  SolveOptions options;
  options.gap = 0;
  const Solution with_coins = solve(cssp, options, unlimited);
  options.deterministic = true;
  const Solution solution = solve(cssp, options, unlimited);
  if (!solution.costs || with_coins.multipliers.empty()) return;
  const double optimum = solution.costs->front();
  const auto milp = testing::solve_deterministic_milp(cssp, optimum, 600);
  if (!milp || !milp->optimum || std::abs(*milp->optimum - optimum) > 1e-6 * optimum) {
    fmt::print(stderr, "seed {}: {} by branching, {} by Cbc\n", seed, optimum,
               milp ? milp->optimum.value_or(-1) : -1);
    std::exit(1);
  }
  ++sums.models;
  sums.price += 100 * (optimum - with_coins.costs->front()) / optimum;
  sums.policies += static_cast<double>(policies->size());
  sums.nodes += static_cast<double>(solution.branching->nodes);
  sums.scalarised += static_cast<double>(solution.statistics.scalarised_ssps);
  sums.milp_nodes += static_cast<double>(milp->nodes);
  sums.enumerated +=
      static_cast<double>(to_be_enumerated(*policies, cssp, with_coins.multipliers, optimum));
}

void print_row(std::size_t states, std::size_t costs) {
  Sums sums;
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    measure(seed, states, costs, sums);
  const auto n = static_cast<double>(std::max<std::size_t>(1, sums.models));
  fmt::print("| {} | {} | {} | {:.2f} | {:.0f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", states,
             costs - 1, sums.models, sums.price / n, sums.policies / n, sums.nodes / n,
             sums.scalarised / n, sums.milp_nodes / n, sums.enumerated / n);
}

}  // namespace
}  // namespace carl

int main() {
  fmt::print(
      "| states | bounds | models | coins save % | policies | nodes | scalarised problems | nodes "
      "of "
      "Cbc | policies enumerated |\n"
      "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (const std::size_t states : {8U, 12U, 15U})
    for (const std::size_t costs : {2U, 3U, 5U})
      carl::print_row(states, costs);
}
