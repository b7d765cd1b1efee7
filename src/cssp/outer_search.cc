#include "cssp/outer_search.h"

#include <algorithm>
#include <cmath>

#include "cssp/constraint_weights.h"
#include "cssp/lower_line.h"

namespace carl::cssp {

namespace {

constexpr double rounding = 1e-12;

}  // namespace

double violation(const Bound& bound, const std::vector<double>& costs) {
  const double difference = costs[bound.cost] - bound.upper;
  return std::abs(difference) <= rounding * bound.upper ? 0.0 : difference;
}

double OuterSearch::gap() const {
  const double upper = incumbent_.upper_bound;
  if (upper == std::numeric_limits<double>::infinity()) return upper;
  const Cssp& cssp = lagrangian_.cssp();
  const bool exact = std::all_of(
      lagrangian_.constraints().begin(), lagrangian_.constraints().end(),
      [&](const Bound& bound) { return (*incumbent_.costs)[bound.cost] <= bound.upper; });
  if (exact) return relative_gap(upper, incumbent_.lower_bound);
  double lower = 0;
  for (const LowerLine& line : lagrangian_.lower_lines())
    lower = std::max(lower, cssp::lower_bound(cssp, line, incumbent_.costs));
  return relative_gap(upper, lower);
}

Lagrangian::Answer OuterSearch::query(const std::vector<double>& multipliers) {
  report(multipliers);
  const Lagrangian::Answer answer = lagrangian_.query(multipliers);
  if (answer.outcome != Lagrangian::Outcome::answered) return answer;
  learn(lagrangian_.lower_lines().back());
  record(multipliers, answer.cut);
  return answer;
}

void OuterSearch::report(std::span<const double> multipliers) const {
  if (!is_watched_) return;
  const Cssp& cssp = lagrangian_.cssp();
  lagrangian_.monitor().report([&](Progress& progress) {
    const double unit = cssp.units()[0];
    progress.iterations = lagrangian_.num_queries() + 1;
    progress.multipliers.assign(multipliers.begin(), multipliers.end());
    for (std::size_t i = 0; i < multipliers.size(); ++i)
      progress.multipliers[i] *= unit / cssp.units()[cssp.constraints()[i].cost];
    if (incumbent_.lower_bound > 0) progress.lower_bound = incumbent_.lower_bound * unit;
    if (incumbent_.upper_bound < std::numeric_limits<double>::infinity())
      progress.upper_bound = incumbent_.upper_bound * unit;
  });
}

void OuterSearch::learn(const LowerLine& line) {
  const double bound = lower_bound(lagrangian_.cssp(), line);
  if (bound > incumbent_.lower_bound || incumbent_.multipliers.empty()) {
    incumbent_.lower_bound = std::max(bound, incumbent_.lower_bound);
    incumbent_.multipliers = per_constraint(lagrangian_.cssp(), line.multipliers);
  }
}

void OuterSearch::record(const std::vector<double>& multipliers, std::size_t cut) {
  settle_upper_bound(trace_);
  const std::vector<double>& costs = lagrangian_.cuts()[cut].costs;
  double value = costs[0];
  for (std::size_t i = 0; i < multipliers.size(); ++i)
    value += multipliers[i] * violation(lagrangian_.constraints()[i], costs);
  trace_.push_back({timer_.seconds(), per_bound(lagrangian_.cssp(), multipliers), cut, value,
                    incumbent_.lower_bound, std::nullopt});
}

void OuterSearch::settle_upper_bound(std::vector<TracePoint>& trace) const {
  if (!trace.empty() && incumbent_.upper_bound < std::numeric_limits<double>::infinity())
    trace.back().upper_bound = incumbent_.upper_bound;
}

void OuterSearch::continue_trace(const OuterSearch& other) {
  settle_upper_bound(trace_);
  const double began = timer_.seconds() - other.timer_.seconds();
  const double least = incumbent_.upper_bound;
  for (TracePoint& point : other.trace()) {
    point.seconds += began;
    point.lower_bound = std::max(point.lower_bound, incumbent_.lower_bound);
    if (least < point.upper_bound.value_or(std::numeric_limits<double>::infinity()))
      point.upper_bound = least;
    trace_.push_back(std::move(point));
  }
}

std::vector<TracePoint> OuterSearch::trace() const {
  std::vector<TracePoint> trace = trace_;
  settle_upper_bound(trace);
  return trace;
}

}  // namespace carl::cssp
