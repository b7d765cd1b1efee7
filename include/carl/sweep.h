// The optimal cost as a function of a bound. V(u) is convex, piecewise linear and does not rise
// with u; so a few solves give all of it exactly: the points where its slope, the shadow price of
// the bound, changes, where it begins and where it becomes level.
#ifndef CARL_SWEEP_H
#define CARL_SWEEP_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/solve.h"

namespace carl {

/// from, from + step, …, up to `to`.
struct SweepRange {
  std::string cost;
  double from = 0;
  double to = 0;
  double step = 1;

  /// Throws InputError for a range without values, or with too many.
  std::vector<double> values() const;
};

/// The optimum at one value of the bound.
struct SweepPoint {
  double bound = 0;
  Status status = Status::limit;
  /// Optimal, or the best known if a limit was reached: then the optimum is between the two.
  std::optional<double> objective;
  std::optional<double> lower_bound;
  /// Shadow price: what one more unit of the bound saves. At a breakpoint that of the piece to the
  /// right; at the end of the range, if it is one, any of the two.
  std::optional<double> multiplier;
  /// The linear piece that it lies on, counted from 0 at the left end of the range.
  std::optional<std::size_t> piece;
};

/// Where the slope of V changes. At the least bound that can be met there is none before.
struct SweepBreakpoint {
  double bound = 0;
  double objective = 0;
  std::optional<double> slope_before;
  double slope = 0;  // after it
};

struct SweepCurve {
  std::optional<double> second;  // the other swept bound, for which this is the curve
  std::vector<SweepPoint> points;
  std::vector<SweepBreakpoint> breakpoints;  // within the range
  /// Smaller bounds cannot be met; none if every bound can, or no bound at all.
  std::optional<double> infeasible_below;
  /// The least bound from which on it does not matter; none if it was not found.
  std::optional<double> slack_above;
};

struct SweepEffort {
  std::size_t scalarised_ssps = 0;
  double seconds = 0;
};

struct Sweep {
  /// optimal: all points are settled; infeasible: all of them are infeasible.
  Status status = Status::limit;
  std::string cost;
  std::optional<std::string> second_cost;
  std::vector<SweepCurve> curves;  // one, or one for each value of the second bound
  /// Of `statistics`, what the first solve took.
  std::optional<SweepEffort> first_point;
  Statistics statistics;
  std::string note;
};

/// The problem must have the swept bounds as constraints(); they are changed, and left as they
/// were. SolveOptions: `algorithm` and `outer` do not apply, and a gap much smaller than the one
/// asked for is aimed at. Throws InputError as solve() does, and LimitReached if a limit is reached
/// before anything is known.
Sweep sweep(Cssp& cssp, const SweepRange& range, const std::optional<SweepRange>& second,
            const SolveOptions& options, Monitor& monitor);

}  // namespace carl

#endif
