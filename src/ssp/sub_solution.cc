#include "ssp/sub_solution.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "ssp/inequalities.h"
#include "ssp/lowering.h"
#include "util/rounding.h"

namespace carl::ssp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr long double rounding_of_long_double = 0x1.0p-63L;
// Violations by a smaller share of the value are rounding errors: sweeps would only move them about.
constexpr double rounding_of_values = 1e-12;
// Where larger ones are worth more sweeps than this, they are worth computing.
constexpr std::size_t sweeps_before_computing = 20;

/// What exact values of an optimal policy satisfy.
bool hold_but_for_rounding(const Inequalities& inequalities, std::size_t num_states) {
  for (std::size_t s = 0; s < num_states; ++s)
    if (!inequalities.hold_but_for(rounding_of_values, StateId(s))) return false;
  return true;
}

/// Keeps the best scaling found so far.
class Scaling {
 public:
  Scaling(const SearchGraph& graph, const Inequalities& inequalities,
          const std::vector<double>& value)
      : graph_(graph), inequalities_(inequalities), value_(value) {}

  double start() const { return value_[graph_.initial_state().index()]; }
  bool good_enough(double negligible_loss) const {
    return negligible_loss == infinity || start() <= best_.bound * (1 + negligible_loss);
  }
  SubSolution take() { return std::move(best_); }

  /// θ for the values as they are, if it gives a better bound.
  void look() {
    const bool first = best_.value.empty();
    const long double limit = first ? infinity : start() / best_.bound - 1;
    std::atomic<bool> is_beyond = false;  // then nobody need look any further
    const auto largest = [&](std::size_t begin, std::size_t end) {
      long double excess = 0;
      for (std::size_t s = begin; s < end && !is_beyond; ++s) {
        excess = std::max(excess, inequalities_.excess_at(StateId(s)));
        if (excess >= limit) is_beyond = true;
      }
      return excess;
    };
    const long double excess = graph_.threads().reduce(
        value_.size(), 0.0L, largest, [](long double a, long double b) { return std::max(a, b); });
    if (!first && is_beyond) return;
    const long double theta = 1 / (1 + excess);
    best_.value = value_;
    best_.theta = rounded_down(theta * (1 - 2 * rounding_of_long_double));
    best_.bound = static_cast<double>(theta * start());
  }

 private:
  const SearchGraph& graph_;
  const Inequalities& inequalities_;
  const std::vector<double>& value_;
  SubSolution best_;
};

}  // namespace

SubSolution make_sub_solution(const SearchGraph& graph, std::span<const double> weights,
                              std::vector<double> value, Monitor& monitor,
                              const SubSolutionOptions& options) {
  for (double& v : value)
    v = std::max(0.0, v);  // costs are not negative, so this only improves a sub-solution
  if (value[graph.initial_state().index()] == infinity) return {std::move(value), 1.0, infinity};
  const Inequalities inequalities(graph, weights, value, options.holds_as_written);
  Scaling scaling(graph, inequalities, value);
  scaling.look();
  if (scaling.good_enough(options.negligible_loss)) return scaling.take();
  Lowering lowering(graph, weights, inequalities, value, monitor);
  const bool exact = hold_but_for_rounding(inequalities, value.size());
  // V(s0) never rises again, so nothing more can be gained once it has come down to the bound.
  for (std::size_t i = 0; i < options.max_sweeps; ++i) {
    if (i > 0 && monitor.reached()) break;
    if (i == (exact ? 0 : sweeps_before_computing)) lowering.settle_everything();
    const bool changed = lowering.sweep();
    scaling.look();
    if (!changed || scaling.good_enough(options.negligible_loss)) break;
  }
  return scaling.take();
}

double sound_lower_bound(const SearchGraph& graph, std::span<const double> weights,
                         std::vector<double> value, Monitor& monitor, double negligible_loss) {
  return make_sub_solution(graph, weights, std::move(value), monitor,
                           {.negligible_loss = negligible_loss})
      .bound;
}

}  // namespace carl::ssp
