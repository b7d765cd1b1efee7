#include "cssp/farkas.h"

#include <algorithm>

#include "cssp/extract.h"
#include "ssp/exact_bound.h"
#include "ssp/policy_iteration.h"
#include "ssp/zero_cost_loops.h"
#include "util/rounding.h"

namespace carl::cssp {
namespace {

/// Lowers values until no pair violates V ≤ Q, for costs that may be free. Where a policy can go
/// round at no cost (no loop to be rejected: primary costs do not count here) all values are the
/// same, and what counts are the pairs that lead out.
class Settlement {
 public:
  Settlement(const ssp::SearchGraph& graph, std::span<const double> weights,
             std::vector<double>& values)
      : graph_(graph),
        loops_(ssp::find_zero_cost_loops(graph, weights)),
        loop_of_(graph.num_states(), none),
        values_(values) {
    for (std::size_t row = 0; row < graph.num_cost_rows(); ++row)
      cost_.push_back(ssp::weighted_cost(graph.cost_of_row(row), weights));
    for (std::size_t i = 0; i < loops_.size(); ++i)
      for (const StateId s : loops_[i].states)
        loop_of_[s.index()] = i;
  }

  void run() {
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      bool changed = false;
      for (std::size_t s = values_.size(); s-- > 0;)
        if (loop_of_[s] == none && counts(values_[s]))
          changed |= lower(values_[s], least_way_out(StateId(s)));
      for (const ssp::ZeroCostLoop& loop : loops_) {
        double least = ssp::infinity;
        for (const StateId s : loop.states)
          least = std::min({least, values_[s.index()], least_way_out(s)});
        for (const StateId s : loop.states)
          changed |= lower(values_[s.index()], least);
      }
      if (!changed) return;
    }
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr int most_sweeps = 2000;

  static bool counts(double value) { return value > 0 && value != ssp::infinity; }

  static bool lower(double& value, double to) {
    if (!counts(value) || to >= value) return false;
    value = std::max(0.0, to);
    return true;
  }

  /// Least Q over the pairs of s; a chance to stay in the loop of s does not count.
  double least_way_out(StateId s) const {
    const std::size_t loop = loop_of_[s.index()];
    double least = ssp::infinity;
    for (const ssp::PairId p : graph_.pairs(s)) {
      long double total = 0;
      long double leaving = 0;
      long double value = 0;
      const auto successors = graph_.successors(p);
      const auto probabilities = graph_.probabilities(p);
      for (std::size_t k = 0; k < successors.size(); ++k) {
        total += probabilities[k];
        if (loop != none && loop_of_[successors[k].index()] == loop) continue;
        leaving += probabilities[k];
        value += static_cast<long double>(probabilities[k]) * values_[successors[k].index()];
      }
      if (leaving == 0) continue;
      least = std::min(least, rounded_down((cost_[graph_.cost_row(p)] * total + value) / leaving));
    }
    return least;
  }

  const ssp::SearchGraph& graph_;
  std::vector<ssp::ZeroCostLoop> loops_;
  std::vector<std::size_t> loop_of_;
  std::vector<double> cost_;  // per cost row
  std::vector<double>& values_;
};

Rational allowed(const Cssp& cssp, const std::vector<double>& r) {
  Rational sum = 0;
  for (std::size_t i = 0; i < r.size(); ++i)
    sum += Rational(r[i]) * Rational(cssp.constraints()[i].upper);
  return sum;
}

}  // namespace

std::optional<Infeasibility> prove_infeasibility(const ssp::SearchGraph& graph,
                                                 const std::vector<double>& r,
                                                 std::vector<double> values) {
  const std::vector<double> weights = secondary_weights(graph.cssp(), r);
  Settlement(graph, weights, values).run();
  const Rational least = ssp::exact_lower_bound(graph, weights, values);
  if (least <= allowed(graph.cssp(), r)) return std::nullopt;
  return infeasibility(graph.cssp(), r, to_double(least));
}

FarkasStep farkas_step(Lagrangian& lagrangian, const std::vector<double>& r, double rho) {
  const Cssp& cssp = lagrangian.cssp();
  const std::vector<double> r_weights = secondary_weights(cssp, r);
  const std::vector<double>& first = lagrangian.cuts().front().costs;
  std::vector<double> weights = r_weights;
  weights[0] +=
      rho * std::max(ssp::weighted_cost(first, r_weights), 1e-9) / std::max(first[0], 1e-9);

  FarkasStep step;
  step.answer = lagrangian.query_weights(weights);
  if (step.answer.outcome != Lagrangian::Outcome::answered) return step;
  const Cut& cut = lagrangian.cuts()[step.answer.cut];
  double excess = 0;
  for (std::size_t i = 0; i < r.size(); ++i)
    excess += r[i] * (cut.costs[cssp.constraints()[i].cost] - cssp.constraints()[i].upper);
  if (excess <= 0) return step;

  step.proof = prove_infeasibility(lagrangian.graph(), r, lagrangian.values_for(r_weights));
  return step;
}

}  // namespace carl::cssp
