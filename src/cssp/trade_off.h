// The linear pieces of a convex piecewise linear function V on an interval, from few evaluations
// (Eisner and Severance, 1976). Each evaluation gives a tangent: a line that touches V there and is
// nowhere above it. Two tangents meet between their points. If V is on them there, that is the one
// breakpoint between; else the evaluation there has found a new piece, and there may be breakpoints
// on both sides. So V is evaluated about twice for each of its pieces.
//
// M. J. Eisner and D. G. Severance, "Mathematical techniques for efficient record segmentation in
// large shared databases", Journal of the ACM 23, 1976.
#ifndef CARL_CSSP_TRADE_OFF_H
#define CARL_CSSP_TRADE_OFF_H

#include <functional>
#include <optional>
#include <vector>

namespace carl::cssp {

/// V at a point, and a line below V that passes under it by no more than the precision of V.
struct Tangent {
  double at = 0;
  double value = 0;
  double lower = 0;  // the line, at the same point
  double slope = 0;

  double operator()(double x) const { return lower + slope * (x - at); }
};

/// V from one point to another: below the straight line between them, above the tangents. If it is
/// settled, one of the tangents touches all of it.
struct Piece {
  Tangent from;
  Tangent to;
  std::optional<Tangent> line;

  bool settled() const { return line.has_value(); }
  /// If it is settled.
  double slope() const { return line->slope; }
  double upper_bound(double x) const;
  double lower_bound(double x) const;
};

/// Fails if a limit is reached.
using Evaluate = std::function<std::optional<Tangent>(double)>;

/// Points this close are the same: 1e-9·max(1, |x|).
double same_point(double x);
/// V at a point, `value`, is on the line of a tangent there, as far as it can be told.
bool on_line(const Tangent& tangent, const Tangent& point);

/// From left to right; where neighbours are settled their slopes differ. None if both are the same
/// point.
std::vector<Piece> linear_pieces(const Tangent& left, const Tangent& right,
                                 const Evaluate& evaluate);

/// Where the piece begins that `right` and its tangent are on, if not before `left`: `left` then.
std::optional<double> start_of_last_piece(Tangent left, Tangent right, const Evaluate& evaluate);

}  // namespace carl::cssp

#endif
