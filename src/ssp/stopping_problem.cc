#include "ssp/stopping_problem.h"

#include <algorithm>

#include "ssp/factorization.h"
#include "ssp/krylov.h"

namespace carl::ssp {
namespace {

// Values are rounded to doubles, which changes an average by less than this (relative).
constexpr double error_of_values = 4 * 0x1.0p-53;
// Beyond this a factorization takes longer than a bound is worth.
constexpr std::size_t largest_factorized = 50'000;
// Residuals of Krylov methods, in terms of what rounding does.
constexpr double aim = 0.5;
constexpr double good_enough = 2;
// Where stopping is worth about as much as going on by the best ways, these have values that are not
// much more.
constexpr double like = 2;

}  // namespace

void StoppingProblem::add_way(const WayOn& way, std::span<const Term> terms) {
  const std::size_t first = terms_.size();
  terms_.insert(terms_.end(), terms.begin(), terms.end());
  long double total = way.outside;
  for (const Term& term : terms)
    total += term.probability;
  ways_.push_back({way, total, first, terms_.size()});
}

std::vector<double> StoppingProblem::solve(double margin, std::size_t max_factorizations,
                                           Monitor& monitor) {
  std::vector<double> x = stop_;
  go_on_everywhere(x);
  if (!evaluate(margin, x, monitor) || !are_like_stopping(x)) {
    choice_.assign(stop_.size(), stops);
    x = stop_;
  }
  for (std::size_t i = 0; i < max_factorizations && !monitor.reached(); ++i)
    if (!improve(margin, x) || !evaluate(margin, x, monitor)) break;
  return x;
}

/// By the best way, where there is one.
void StoppingProblem::go_on_everywhere(const std::vector<double>& x) {
  choice_.assign(stop_.size(), stops);
  std::vector<double> least(stop_.size(), 0.0);
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    const std::uint32_t node = ways_[w].node;
    const double slack = this->slack(ways_[w], x);
    if (choice_[node] != stops && !(slack < least[node])) continue;
    least[node] = slack;
    choice_[node] = static_cast<std::uint32_t>(w);
  }
}

/// What going round without end would cost is nothing like that.
bool StoppingProblem::are_like_stopping(const std::vector<double>& x) const {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i] >= 0 && x[i] <= like * stop_[i])) return false;
  return true;
}

/// By how much going on is worse than x(i).
double StoppingProblem::slack(const Way& way, const std::vector<double>& x) const {
  const long double own = x[way.node];
  long double sum = way.cost + way.outside_value - way.outside * own;
  for (std::size_t t = way.first_term; t < way.last_term; ++t)
    sum += terms_[t].probability * (x[terms_[t].node] - own);
  return static_cast<double>(sum / way.total);
}

/// What rounding may do to the slack of a way that is taken.
double StoppingProblem::rounding(const Way& way, double margin) const {
  const double error = static_cast<double>(way.error / way.total);
  return margin * error_of_values * stop_[way.node] + error;
}

/// What that slack shall be.
double StoppingProblem::spare(const Way& way, double margin) const {
  const double wanted = rounding(way, margin);
  return way.cost > 0 ? std::min(wanted, static_cast<double>(way.cost / way.total / 2)) : wanted;
}

bool StoppingProblem::improve(double margin, const std::vector<double>& x) {
  bool improved = false;
  std::vector<double> best(stop_.size(), 0.0);
  for (std::size_t i = 0; i < stop_.size(); ++i) {
    if (choice_[i] == stops || !(x[i] > stop_[i])) continue;
    best[i] = x[i] - stop_[i];
    choice_[i] = stops;
    improved = true;
  }
  for (std::size_t w = 0; w < ways_.size(); ++w) {
    const std::uint32_t node = ways_[w].node;
    const double missing = spare(ways_[w], margin) / 2 - slack(ways_[w], x);
    if (choice_[node] == w || !(missing > best[node])) continue;
    best[node] = missing;
    choice_[node] = static_cast<std::uint32_t>(w);
    improved = true;
  }
  return improved;
}

/// False if the policy has no values, which rounding errors alone could bring about, or a limit was
/// reached.
bool StoppingProblem::evaluate(double margin, std::vector<double>& x, Monitor& monitor) {
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
      right[i] = static_cast<double>(way.cost + way.outside_value - spare(way, margin) * way.total);
      add(i, static_cast<double>(way.total));
      matrix.diagonal.push_back(way.total);
      for (std::size_t t = way.first_term; t < way.last_term; ++t)
        add(terms_[t].node, -terms_[t].probability);
    }
    matrix.first.push_back(static_cast<int>(matrix.column.size()));
  }
  ++factorizations_;
  if (stop_.size() >= least_for_krylov_ && solve_by_krylov(matrix, right, margin, x, monitor))
    return true;
  if (stop_.size() > largest_factorized || monitor.reached()) return false;
  Factorization factorization(matrix, {.monitor = &monitor});
  if (!factorization.ok()) return false;
  x = factorization.solve_rows(right);
  return true;
}

/// From the values of the policy before. As exact as factorizations are: residuals of about what rounding
/// does, which is what ways have to spare unless they cost less.
bool StoppingProblem::solve_by_krylov(const Matrix& matrix, const std::vector<double>& right,
                                      double margin, std::vector<double>& x,
                                      Monitor& monitor) const {
  std::vector<double> unit(stop_.size());
  for (std::size_t i = 0; i < stop_.size(); ++i) {
    unit[i] = error_of_values * stop_[i];
    if (choice_[i] == stops) continue;
    const Way& way = ways_[choice_[i]];
    unit[i] = rounding(way, margin) * static_cast<double>(way.total);
  }
  const Krylov krylov(matrix, stop_, threads_, &monitor);
  std::vector<double> better = x;
  if (!krylov.ok() || !(krylov.solve_rows(right, unit, aim, better) <= good_enough)) return false;
  x = std::move(better);
  return true;
}

}  // namespace carl::ssp
