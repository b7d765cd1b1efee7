// How far a point is above or below what mixtures of known policies attain. For a point v in the
// costs of a front,
//
//   min t   s.t.  Σ μ_k C(π_k) ≤ v + t·scale,   Σ μ_k (C_b(π_k) - u_b) ≤ 0,   Σ μ = 1,  μ, t ≥ 0
//
// with a row of the first kind for each cost of the front and one of the second for each bound. The
// duals are the weights to ask an oracle for: those of the facet that v is seen through, and of the
// bounds their multipliers there. So bounds need no search of their own.
#ifndef CARL_CSSP_FRONT_HULL_H
#define CARL_CSSP_FRONT_HULL_H

#include <optional>
#include <span>
#include <vector>

namespace carl::cssp {

/// What a policy costs: in the respects of the front divided by their scale, and by how much it
/// exceeds each bound, divided by the bound.
struct FrontPoint {
  std::vector<double> costs;
  std::vector<double> violations;
};

struct FrontDistance {
  double distance = 0;              // t of this very mixture
  std::vector<double> mixture;      // one weight per point
  std::vector<double> weights;      // one per cost of the front, summing to 1; none if t = 0
  std::vector<double> multipliers;  // one per bound
};

/// Nothing if no mixture meets the bounds, or doubles are not enough to tell. `except` is left out
/// of the points.
std::optional<FrontDistance> distance_below(const std::vector<FrontPoint>& points,
                                            std::span<const double> v,
                                            std::optional<std::size_t> except = std::nullopt);

/// The mixture that meets the bounds and costs least with these weights of the front's costs.
std::optional<FrontDistance> best_mixture(const std::vector<FrontPoint>& points,
                                          std::span<const double> weights);

}  // namespace carl::cssp

#endif
