// What the ranks know of the inverse of I - P: each has incomplete factors of its own rows, by the
// library's IncompleteLu, scaled by the values of the states and in their order (see
// ssp/incomplete_lu.h for why that is nearly exact).
//
// Rows of other ranks that lie next to a rank's own are among those it factorizes, a few layers of
// them, though what comes out is only used for its own (restricted additive Schwarz). Parts are cut
// along values, so that what is wrong at a border travels uphill with the flow's dependence, to the
// next rank, and would come back with every slip; through the layers it hardly does.
//
// X.-C. Cai and M. Sarkis, "A restricted additive Schwarz preconditioner for general sparse linear
// systems", SIAM Journal on Scientific Computing 21, 1999.
#ifndef CARL_CLUSTER_RANK_FACTORS_H
#define CARL_CLUSTER_RANK_FACTORS_H

#include <cstdint>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "cluster/petsc.h"
#include "ssp/incomplete_lu.h"

namespace carl::cluster {

class RankFactors {
 public:
  /// Collective. `matrix` is I - P scaled by `scale`, which has a positive number for each own row.
  RankFactors(Mat matrix, std::span<const double> scale, Monitor* monitor);

  /// False if this rank has none; nothing can be solved then.
  bool ok() const { return ok_; }
  /// Collective. x ≈ A⁻¹ b.
  void solve_rows(Vec b, Vec x);
  /// Collective. x ≈ A⁻ᵀ b.
  void solve_columns(Vec b, Vec x);

 private:
  void choose_rows(Mat matrix);
  void order_by(Mat matrix, std::span<const double> scale);
  ssp::SparseRows block(Mat matrix) const;
  void fetch(Vec from);
  bool is_own(std::uint32_t row) const { return row >= before_ && row < before_ + own_; }

  std::size_t own_;                   // rows
  std::size_t before_ = 0;            // rows of others that come before them
  IndexSet rows_;                     // own ones and those of others, ascending
  Vector local_;                      // an entry for each
  Scatter scatter_;                   // from owners
  std::vector<std::uint32_t> order_;  // of the rows, by value
  std::vector<double> work_;          // in that order
  ssp::IncompleteLu factors_;
  bool ok_ = false;
};

}  // namespace carl::cluster

#endif
