// What the ranks know of the inverse of I - P: each has incomplete factors of its own rows, by the
// library's IncompleteLu, scaled by the values of the states and in their order (see
// ssp/incomplete_lu.h for why that is nearly exact).
//
// Some layers of rows of other ranks are among those that a rank factorizes, though what comes out is
// only used for its own (restricted additive Schwarz). Parts are cut along values: what a rank gets wrong
// at its upper border the next one depends on, and such news travels one rank with every application,
// so that R ranks take R of them. But without the layers slips uphill would bring errors back as well,
// and each iteration would win one digit at most.
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
#include "cluster/ranks.h"
#include "ssp/incomplete_lu.h"

namespace carl::cluster {

class RankFactors {
 public:
  /// Collective. `matrix` is I - P scaled by `scale`, which has a positive number for each own row.
  RankFactors(Mat matrix, std::span<const double> scale, const Ranks& ranks, Monitor* monitor);

  /// False if this rank has none; nothing can be solved then.
  bool ok() const { return ok_; }
  /// Collective. x ≈ A⁻¹ b.
  void solve_rows(Vec b, Vec x);
  /// Collective. x ≈ A⁻ᵀ b.
  void solve_columns(Vec b, Vec x);

 private:
  void choose_rows(Mat matrix, const Ranks& ranks);
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
  Threads alone_{1};                  // a rank has one processor
  ssp::IncompleteLu factors_{alone_};
  bool ok_ = false;
};

}  // namespace carl::cluster

#endif
