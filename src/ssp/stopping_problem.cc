#include "ssp/stopping_problem.h"

#include "ssp/factorization.h"

namespace carl::ssp {

void StoppingProblem::add_way(std::uint32_t node, double outside, std::span<const Term> terms) {
  const std::size_t first = terms_.size();
  terms_.insert(terms_.end(), terms.begin(), terms.end());
  ways_.push_back({node, outside, first, terms_.size()});
}

std::vector<double> StoppingProblem::solve(double margin, std::size_t max_factorizations,
                                           Limits& limits) {
  choice_.assign(stop_.size(), stops);
  std::vector<double> x = stop_;
  for (std::size_t i = 0; i < max_factorizations && !limits.reached(); ++i)
    if (!improve(margin, x) || !evaluate(margin, x)) break;
  return x;
}

double StoppingProblem::value_of(const Way& way, const std::vector<double>& x) const {
  long double sum = way.outside;
  for (std::size_t t = way.first_term; t < way.last_term; ++t)
    sum += static_cast<long double>(terms_[t].probability) * x[terms_[t].node];
  return static_cast<double>(sum);
}

bool StoppingProblem::improve(double margin, const std::vector<double>& x) {
  bool improved = false;
  std::vector<double> best = x;
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    const std::uint32_t node = ways_[w].node;
    const double spare = margin * stop_[node];
    const double value = value_of(ways_[w], x) - spare;
    if (!(value < best[node] - spare / 2)) continue;
    best[node] = value;
    choice_[node] = static_cast<std::uint32_t>(w);
    improved = true;
  }
  return improved;
}

/// False if the policy has no values, which rounding errors alone could bring about.
bool StoppingProblem::evaluate(double margin, std::vector<double>& x) const {
  Matrix matrix;
  std::vector<double> right(stop_.size());
  const auto add = [&](std::size_t column, double value) {
    matrix.column.push_back(static_cast<int>(column));
    matrix.value.push_back(value);
  };
  for (std::size_t i = 0; i < stop_.size(); ++i) {
    add(i, 1.0);
    right[i] = stop_[i];
    if (choice_[i] != stops) {
      const Way& way = ways_[choice_[i]];
      right[i] = way.outside - margin * stop_[i];
      for (std::size_t t = way.first_term; t < way.last_term; ++t)
        add(terms_[t].node, -terms_[t].probability);
    }
    matrix.first.push_back(static_cast<int>(matrix.column.size()));
  }
  Factorization factorization(matrix);
  if (!factorization.ok()) return false;
  x = factorization.solve_rows(right);
  return true;
}

}  // namespace carl::ssp
