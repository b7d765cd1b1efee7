#include "cssp/mixture_of_cuts.h"

#include <algorithm>
#include <cmath>

namespace carl::cssp {
namespace {

constexpr double negligible_weight = 1e-9;

}  // namespace

std::vector<double> pruned(const Lagrangian& lagrangian, const std::vector<double>& mixture) {
  std::vector<double> rest = mixture;
  double sum = 0;
  for (double& weight : rest) {
    if (weight < negligible_weight) weight = 0;
    sum += weight;
  }
  std::vector<double> costs(lagrangian.cssp().num_costs(), 0.0);
  double primary = 0;
  for (std::size_t k = 0; k < rest.size(); ++k) {
    rest[k] /= sum;
    primary += mixture[k] * lagrangian.cuts()[k].costs[0];
    for (std::size_t i = 0; i < costs.size(); ++i)
      costs[i] += rest[k] * lagrangian.cuts()[k].costs[i];
  }
  const auto& constraints = lagrangian.constraints();
  const bool same = std::abs(costs[0] - primary) <= negligible_weight * primary &&
                    std::all_of(constraints.begin(), constraints.end(), [&](const Bound& bound) {
                      return excess(bound, costs[bound.cost]) == 0;
                    });
  return same ? rest : mixture;
}

std::vector<double> per_policy(const Lagrangian& lagrangian, const std::vector<double>& mixture) {
  std::vector<double> weights(lagrangian.oracle().num_policies(), 0.0);
  for (std::size_t k = 0; k < mixture.size(); ++k)
    weights[lagrangian.cuts()[k].policy] = mixture[k];
  return weights;
}

std::vector<MixtureComponent> components_of(const Lagrangian& lagrangian,
                                            const std::vector<double>& mixture,
                                            bool with_policies) {
  std::vector<MixtureComponent> components;
  for (std::size_t k = 0; k < mixture.size(); ++k) {
    if (mixture[k] <= 0) continue;
    const Cut& cut = lagrangian.cuts()[k];
    components.push_back({mixture[k], cut.costs, {}});
    if (with_policies) components.back().policy = lagrangian.oracle().policy(cut.policy);
  }
  std::stable_sort(components.begin(), components.end(),
                   [](const auto& a, const auto& b) { return a.weight > b.weight; });
  return components;
}

}  // namespace carl::cssp
