#include "cssp/front_query.h"

#include <algorithm>
#include <limits>

#include "cssp/constraint_weights.h"
#include "graph/q_value.h"

namespace carl::cssp {
namespace {

// Of the largest weight; costs are counted in units of what an action typically costs.
constexpr double no_weight = 1e-9;
constexpr double first_rho = 1e-3;
constexpr double rho_reduction = 1e-2;
constexpr double least_rho = 1e-9;
constexpr double negligible_loss = 1e-14;
constexpr int most_repetitions = 6;

}  // namespace

bool FrontQuery::needs_raising(const std::vector<double>& weights) const {
  return weights[0] < no_weight || std::any_of(costs_.begin(), costs_.end(), [&](std::size_t c) {
           return weights[c] < no_weight;
         });
}

std::vector<double> FrontQuery::raised(const std::vector<double>& weights, double rho) const {
  std::vector<double> result = weights;
  if (weights[0] < no_weight) result[0] = rho;
  for (const std::size_t c : costs_)
    if (weights[c] < no_weight) result[c] = rho;
  return result;
}

/// Who asks again is answered exactly.
Lagrangian::Answer FrontQuery::ask_precisely(std::span<const double> weights, double enough) {
  Lagrangian::Answer answer;
  bool is_new = false;
  for (int i = 0; i < most_repetitions; ++i) {
    if (i > 1) lagrangian_.oracle().tighten();
    answer = lagrangian_.query_weights(weights);
    is_new |= answer.is_new;
    if (answer.outcome != Lagrangian::Outcome::answered || answer.is_final ||
        answer.weighted_cost - answer.lower_bound <= enough)
      break;
  }
  answer.is_new = is_new;
  return answer;
}

FrontQuery::Answer FrontQuery::ask(std::span<const double> weights,
                                   std::span<const double> multipliers, double enough) {
  const Cssp& cssp = lagrangian_.cssp();
  std::vector<double> pure = per_cost(cssp, multipliers);
  for (std::size_t i = 0; i < costs_.size(); ++i)
    pure[costs_[i]] += weights[i];
  const double largest = *std::max_element(pure.begin(), pure.end());
  for (double& weight : pure)
    weight /= largest;
  enough /= largest;

  Answer result;
  double least = 0;
  const bool raise = needs_raising(pure);
  for (double rho = first_rho; rho >= least_rho; rho *= rho_reduction) {
    const std::vector<double> asked = raise ? raised(pure, rho) : pure;
    const Lagrangian::Answer answer = ask_precisely(asked, enough / 2);
    result.is_new |= answer.is_new;
    if (answer.outcome != Lagrangian::Outcome::answered) {
      if (rho == first_rho) return result;
      break;
    }
    result.outcome = answer.outcome;
    const double cost = graph::weighted_cost(lagrangian_.cuts()[answer.cut].costs, pure);
    const double bound =
        raise ? lagrangian_.oracle().bound_nearby(pure, negligible_loss, cost - enough / 2)
              : answer.lower_bound;
    if (bound < std::numeric_limits<double>::infinity()) least = std::max(least, bound);
    if (!raise || cost - least <= enough || lagrangian_.monitor().reached()) break;
  }
  long double right = least;
  for (std::size_t i = 0; i < multipliers.size(); ++i)
    right -= static_cast<long double>(multipliers[i] / largest) * cssp.constraints()[i].upper;
  for (const double weight : weights)
    result.line.weights.push_back(weight / largest);
  result.line.least = std::max(0.0, static_cast<double>(right));
  return result;
}

}  // namespace carl::cssp
