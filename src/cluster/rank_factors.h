// What the ranks know of the inverse of I - P: each has incomplete factors of its own rows, by the
// library's IncompleteLu, scaled by the values of the states and in their order (see
// ssp/incomplete_lu.h for why that is nearly exact).
//
// Parts are cut along values, and probability flows mostly downhill: what a rank depends on are the
// ranks below. So they solve one after the other, from the lowest on, each with what those below have found
// (multiplicative Schwarz, or block Gauss-Seidel). All at once would be wrong everywhere but in the lowest
// part, and such news travels one rank with every attempt, so that R ranks would take R of them. For slips
// uphill some layers of rows of the ranks above are among those that a rank factorizes, though
// what comes out is only used for its own (restricted Schwarz).
//
// Ranks need not stand idle while others solve: in the next sweep a rank corrects what the last one has
// left, as soon as those below have done so and those above have done the last sweep. So k sweeps of R ranks
// take as long as R + 2(k - 1) solutions of one part.
//
// X.-C. Cai and M. Sarkis, "A restricted additive Schwarz preconditioner for general sparse linear
// systems", SIAM Journal on Scientific Computing 21, 1999. Multiplicative ones: Y. Saad, "Iterative Methods
// for Sparse Linear Systems", 2nd edition, SIAM, 2003, chapter 14.
#ifndef CARL_CLUSTER_RANK_FACTORS_H
#define CARL_CLUSTER_RANK_FACTORS_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "cluster/borders.h"
#include "cluster/petsc.h"
#include "cluster/ranks.h"
#include "ssp/incomplete_lu.h"

namespace carl::cluster {

class RankFactors {
 public:
  /// Collective. `matrix` is I - P scaled by `scale`, which has a positive number for each own row. Rows
  /// of others are done without where there might be more than `most_entries` with them.
  RankFactors(Mat matrix, std::span<const double> scale, const Ranks& ranks, Monitor* monitor,
              std::uint64_t most_entries = most_of_petsc);

  /// False if this rank has none; nothing can be solved then.
  bool ok() const { return ok_; }
  /// Collective, with the same number of sweeps on all ranks. x ≈ A⁻¹ b.
  void solve_rows(Vec b, int sweeps, Vec x);
  /// Collective. x ≈ A⁻ᵀ b: exactly the transposed of what the other does.
  void solve_columns(Vec b, int sweeps, Vec x);

 private:
  void choose_rows(Mat matrix, const Ranks& ranks, double most_entries);
  void find_borders(Mat matrix, const Ranks& ranks);
  void order_by(Mat matrix, std::span<const double> scale);
  void read(Mat matrix);
  ssp::SparseRows block() const;
  void fetch(Vec from);
  template <class Function>
  void for_each_row(bool all, Function function) const;
  void subtract_product(bool is_first);
  void subtract_transposed_product(bool is_first);
  std::ptrdiff_t own_begin() const { return static_cast<std::ptrdiff_t>(borders_->num_below()); }
  std::span<double> own() { return std::span(value_).subspan(borders_->num_below(), own_); }

  std::size_t own_;                           // rows
  IndexSet rows_;                             // own ones, then some of ranks above, ascending
  IndexSet columns_;                          // with all that they lead to, ascending
  std::vector<std::uint32_t> column_of_row_;  // its place among the columns
  std::vector<std::size_t> first_;            // by row: into the following
  std::vector<std::uint32_t> column_;
  std::vector<double> entry_;
  std::vector<std::uint32_t> leads_below_;  // rows with entries in columns of ranks below
  Vector local_;                            // an entry for each row
  Scatter scatter_;                         // from owners
  std::vector<std::uint32_t> order_;        // of the rows, by value
  std::vector<double> work_;                // in that order
  std::vector<double> rest_;                // by row
  std::vector<double> value_;               // by column
  std::optional<Borders> borders_;          // of the columns
  Threads alone_{1};                        // a rank has one processor
  ssp::IncompleteLu factors_{alone_};
  bool ok_ = false;
};

}  // namespace carl::cluster

#endif
