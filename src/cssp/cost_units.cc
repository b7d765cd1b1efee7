#include "cssp/cost_units.h"

#include <numeric>

namespace carl::cssp {
namespace {

// Of what an action typically costs.
constexpr double default_residual = 1e-4;

}  // namespace

CostUnits::CostUnits(Cssp& cssp, std::vector<double>& known, const std::vector<double>& scale)
    : cssp_(cssp), given_(cssp.units()) {
  if (known.empty())
    for (const double cost : scale)
      known.push_back(power_of_two_below(cost));
  units_ = known;
  std::vector<double> units = given_;
  for (std::size_t c = 0; c < units.size(); ++c)
    units[c] *= units_[c];
  primary_scale_ = scale[0] / units_[0];
  cssp.use_units(std::move(units));
}

CostUnits::~CostUnits() {
  cssp_.use_units(given_);
}

SolveOptions CostUnits::options(const SolveOptions& given) const {
  SolveOptions options = given;
  for (std::optional<double>* residual : {&options.search.epsilon, &options.carl.eta})
    *residual = *residual ? **residual / units_[0] : default_residual * primary_scale_;
  return options;
}

SweepRange CostUnits::range(const SweepRange& given) const {
  SweepRange range = given;
  for (std::size_t c = 0; c < units_.size(); ++c)
    if (cssp_.cost_names()[c] == given.cost)
      for (double* number : {&range.from, &range.to, &range.step})
        *number /= units_[c];
  return range;
}

/// One more unit of the bound saves so many units of the primary cost.
double CostUnits::of_multiplier(std::size_t bound) const {
  return units_[0] / units_[cssp_.bounds()[bound].cost];
}

void CostUnits::costs_to_model(std::vector<double>& costs) const {
  for (std::size_t c = 0; c < costs.size(); ++c)
    costs[c] *= units_[c];
}

void CostUnits::to_model(Infeasibility& reason) const {
  if (reason.weights.empty()) return;
  for (std::size_t b = 0; b < reason.weights.size(); ++b)
    reason.weights[b] /= units_[cssp_.bounds()[b].cost];
  const double sum = std::accumulate(reason.weights.begin(), reason.weights.end(), 0.0);
  for (double& weight : reason.weights)
    weight /= sum;
  reason.least /= sum;
  reason.allowed /= sum;
}

void CostUnits::to_model(Branching& branching) const {
  if (branching.costs_with_coins) costs_to_model(*branching.costs_with_coins);
  if (branching.lower_bound_with_coins) *branching.lower_bound_with_coins *= units_[0];
}

void CostUnits::to_model(Solution& solution) const {
  if (solution.costs) costs_to_model(*solution.costs);
  if (solution.lower_bound) *solution.lower_bound *= units_[0];
  if (solution.deterministic_costs) costs_to_model(*solution.deterministic_costs);
  if (solution.branching) to_model(*solution.branching);
  for (std::size_t b = 0; b < solution.multipliers.size(); ++b)
    solution.multipliers[b] *= of_multiplier(b);
  for (MixtureComponent& part : solution.mixture)
    costs_to_model(part.costs);
  if (solution.infeasibility) to_model(*solution.infeasibility);
  if (solution.repair)
    for (std::size_t b = 0; b < solution.repair->alone.size(); ++b)
      for (double* number :
           {&solution.repair->alone[b].sufficient, &solution.repair->alone[b].necessary})
        *number *= units_[cssp_.bounds()[b].cost];
  for (TracePoint& point : solution.trace) {
    for (std::size_t b = 0; b < point.multipliers.size(); ++b)
      point.multipliers[b] *= of_multiplier(b);
    point.value *= units_[0];
    point.lower_bound *= units_[0];
    if (point.upper_bound) *point.upper_bound *= units_[0];
  }
  for (std::vector<double>& costs : solution.cuts)
    costs_to_model(costs);
}

void CostUnits::to_model(ParetoFront& front) const {
  for (ParetoVertex& vertex : front.vertices)
    costs_to_model(vertex.costs);
  for (std::size_t i = 0; i < front.costs.size(); ++i) {
    const double unit = units_[front.costs[i]];
    if (!front.scale.empty()) front.scale[i] *= unit;
    for (ParetoLine& line : front.lines)
      line.weights[i] /= unit;
  }
  if (front.infeasibility) to_model(*front.infeasibility);
}

void CostUnits::to_model(Sweep& sweep) const {
  double swept = 1;
  double second = 1;
  for (std::size_t c = 0; c < units_.size(); ++c) {
    if (cssp_.cost_names()[c] == sweep.cost) swept = units_[c];
    if (sweep.second_cost && cssp_.cost_names()[c] == *sweep.second_cost) second = units_[c];
  }
  const auto multiply = [](std::optional<double>& number, double unit) {
    if (number) *number *= unit;
  };
  for (SweepCurve& curve : sweep.curves) {
    multiply(curve.second, second);
    for (SweepPoint& point : curve.points) {
      point.bound *= swept;
      multiply(point.objective, units_[0]);
      multiply(point.lower_bound, units_[0]);
      multiply(point.multiplier, units_[0] / swept);
    }
    for (SweepBreakpoint& point : curve.breakpoints) {
      point.bound *= swept;
      point.objective *= units_[0];
      multiply(point.slope_before, units_[0] / swept);
      point.slope *= units_[0] / swept;
    }
    multiply(curve.infeasible_below, swept);
    multiply(curve.slack_above, swept);
  }
}

}  // namespace carl::cssp
