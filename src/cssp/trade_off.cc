#include "cssp/trade_off.h"

#include <algorithm>
#include <cmath>

namespace carl::cssp {
namespace {

// Values that differ by less, relative to max(1, |V|), are the same.
constexpr double precision = 1e-8;
// Where tangents meet closer to an end than this share of the interval, something steep ends there.
constexpr double least_share = 1e-6;

double tolerance(const Tangent& a, const Tangent& b) {
  return precision * std::max({1.0, std::abs(a.value), std::abs(b.value)}) + (a.value - a.lower) +
         (b.value - b.lower);
}

double meeting(const Tangent& left, const Tangent& right) {
  const double share_of_step = least_share * (right.at - left.at);
  const double x = left.at + (left.lower - right(left.at)) / (right.slope - left.slope);
  if (!std::isfinite(x)) return (left.at + right.at) / 2;
  return std::clamp(x, left.at + share_of_step, right.at - share_of_step);
}

bool same(const Tangent& left, const Tangent& right) {
  return right.at - left.at <= same_point(right.at);
}

void split(const Tangent& left, const Tangent& right, const Evaluate& evaluate,
           std::vector<Piece>& pieces) {
  if (on_line(left, right)) return pieces.push_back({left, right, left});
  if (same(left, right) || on_line(right, left)) return pieces.push_back({left, right, right});
  const std::optional<Tangent> between = evaluate(meeting(left, right));
  if (!between) return pieces.push_back({left, right, std::nullopt});
  split(left, *between, evaluate, pieces);
  split(*between, right, evaluate, pieces);
}

/// An evaluation amid a piece has cut it in two.
bool continues(const Piece& piece, const Piece& next) {
  if (!piece.settled() || !next.settled()) return false;
  const Piece both{piece.from, next.to, std::nullopt};
  return std::abs(both.upper_bound(next.from.at) - next.from.value) <=
         tolerance(piece.from, next.to);
}

}  // namespace

double Piece::upper_bound(double x) const {
  const double share = to.at > from.at ? (x - from.at) / (to.at - from.at) : 1.0;
  return from.value + share * (to.value - from.value);
}

double Piece::lower_bound(double x) const {
  return line ? (*line)(x) : std::max(from(x), to(x));
}

double same_point(double x) {
  return 1e-9 * std::max(1.0, std::abs(x));
}

bool on_line(const Tangent& tangent, const Tangent& point) {
  return tangent(point.at) >= point.value - tolerance(tangent, point);
}

std::vector<Piece> linear_pieces(const Tangent& left, const Tangent& right,
                                 const Evaluate& evaluate) {
  std::vector<Piece> found;
  if (same(left, right)) return found;
  split(left, right, evaluate, found);
  std::vector<Piece> pieces;
  for (const Piece& piece : found) {
    if (pieces.empty() || !continues(pieces.back(), piece)) {
      pieces.push_back(piece);
      continue;
    }
    Piece& whole = pieces.back();
    if (piece.to.at - piece.from.at > whole.to.at - whole.from.at) whole.line = piece.line;
    whole.to = piece.to;
  }
  return pieces;
}

std::optional<double> start_of_last_piece(Tangent left, Tangent right, const Evaluate& evaluate) {
  while (true) {
    if (on_line(right, left)) return left.at;
    if (same(left, right) || on_line(left, right)) return right.at;
    const std::optional<Tangent> between = evaluate(meeting(left, right));
    if (!between) return std::nullopt;
    if (on_line(right, *between)) {
      // Still the last piece; its own tangent may be that of the piece before.
      right = {between->at, between->value, right(between->at), right.slope};
    } else {
      left = *between;
    }
  }
}

}  // namespace carl::cssp
