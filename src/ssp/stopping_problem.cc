#include "ssp/stopping_problem.h"

#include "ssp/factorization.h"

namespace carl::ssp {

void StoppingProblem::add_way(std::uint32_t node, long double outside, long double outside_value,
                              std::span<const Term> terms) {
  const std::size_t first = terms_.size();
  terms_.insert(terms_.end(), terms.begin(), terms.end());
  long double total = outside;
  for (const Term& term : terms)
    total += term.probability;
  ways_.push_back({node, outside, outside_value, total, first, terms_.size()});
}

std::vector<double> StoppingProblem::solve(double margin, std::size_t max_factorizations,
                                           Monitor& monitor) {
  choice_.assign(stop_.size(), stops);
  std::vector<double> x = stop_;
  for (std::size_t i = 0; i < max_factorizations && !monitor.reached(); ++i)
    if (!improve(margin, x) || !evaluate(margin, x)) break;
  return x;
}

/// By how much going on is worse than x(i).
double StoppingProblem::slack(const Way& way, const std::vector<double>& x) const {
  const long double own = x[way.node];
  long double sum = way.outside_value - way.outside * own;
  for (std::size_t t = way.first_term; t < way.last_term; ++t)
    sum += terms_[t].probability * (x[terms_[t].node] - own);
  return static_cast<double>(sum / way.total);
}

bool StoppingProblem::improve(double margin, const std::vector<double>& x) {
  bool improved = false;
  std::vector<double> least(stop_.size());
  for (std::size_t i = 0; i < stop_.size(); ++i)
    least[i] = margin * stop_[i] / 2;
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    const std::uint32_t node = ways_[w].node;
    const double worse_by = slack(ways_[w], x);
    if (choice_[node] == w || !(worse_by < least[node])) continue;
    least[node] = worse_by;
    choice_[node] = static_cast<std::uint32_t>(w);
    improved = true;
  }
  return improved;
}

/// False if the policy has no values, which rounding errors alone could bring about.
bool StoppingProblem::evaluate(double margin, std::vector<double>& x) {
  Matrix matrix;
  std::vector<double> right(stop_.size());
  const auto add = [&](std::size_t column, double value) {
    matrix.column.push_back(static_cast<int>(column));
    matrix.value.push_back(value);
  };
  for (std::size_t i = 0; i < stop_.size(); ++i) {
    right[i] = stop_[i];
    if (choice_[i] == stops) {
      add(i, 1.0);
      matrix.diagonal.push_back(1);
    } else {
      const Way& way = ways_[choice_[i]];
      right[i] = static_cast<double>(way.outside_value - margin * stop_[i] * way.total);
      add(i, static_cast<double>(way.total));
      matrix.diagonal.push_back(way.total);
      for (std::size_t t = way.first_term; t < way.last_term; ++t)
        add(terms_[t].node, -terms_[t].probability);
    }
    matrix.first.push_back(static_cast<int>(matrix.column.size()));
  }
  ++factorizations_;
  Factorization factorization(matrix);
  if (!factorization.ok()) return false;
  x = factorization.solve_rows(right);
  return true;
}

}  // namespace carl::ssp
