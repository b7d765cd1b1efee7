// The extreme rays of a cone {x ≥ 0 : h_j·x ≥ 0}, kept up to date as half-spaces are added: the
// double description method. A half-space cuts off the rays on its wrong side; where it crosses the
// two-dimensional face between one of these and a ray on its right side, there is a new ray. With
// one more coordinate for the right-hand side this gives the vertices of the polyhedron below which
// no policy is, and of a hull, read the other way round, its facets.
//
// In rational arithmetic: with doubles a vertex may get lost among others that nearly coincide, and
// with it the proof that nothing is below a front. (cddlib does the same, but its number type and
// constants are global state, and it begins anew with each half-space.) Made for a handful of
// dimensions and some hundred half-spaces.
//
// T. S. Motzkin, H. Raiffa, G. L. Thompson and R. M. Thrall, "The double description method",
// Contributions to the Theory of Games II, 1953. K. Fukuda and A. Prodon, "Double description method
// revisited", Combinatorics and Computer Science, 1996.
#ifndef CARL_CSSP_EXTREME_RAYS_H
#define CARL_CSSP_EXTREME_RAYS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "util/rational.h"

namespace carl::cssp {

class ExtremeRays {
 public:
  struct Ray {
    std::size_t id = 0;  // of no other ray, before or after
    std::vector<Rational> x;
    /// The constraints that hold with equality, as bits: x_i ≥ 0 first, then half-spaces in the
    /// order in which they were added.
    std::vector<std::uint64_t> tight;

    bool is_tight(std::size_t constraint) const {
      return constraint / 64 < tight.size() && (tight[constraint / 64] >> constraint % 64 & 1) != 0;
    }
  };

  /// The orthant.
  explicit ExtremeRays(std::size_t dimension);
  void add(const std::vector<Rational>& half_space);

  const std::vector<Ray>& rays() const { return rays_; }
  std::size_t dimension() const { return dimension_; }
  std::size_t num_constraints() const { return num_constraints_; }

 private:
  bool are_adjacent(const Ray& a, const Ray& b) const;

  std::size_t dimension_;
  std::size_t num_constraints_;
  std::size_t next_id_ = 0;
  std::vector<Ray> rays_;
};

}  // namespace carl::cssp

#endif
