// The linear equations of a policy over the rows of all ranks: (I - P) x = b for costs-to-go, and
// the transposed ones for visits. What PETSc sees is the system scaled by the values of the states, as
// in ssp/krylov.h. It is solved by sweeps over the incomplete factors of all ranks (rank_factors.h) or,
// where these win little, by BiCGStab, which they precondition. What that solves for are corrections:
// residuals are computed here, in long double and row by row, until they are as small as asked for, or as
// doubles can tell. Where the iteration does not get there one with ILU(0) of each rank's own block takes
// over, then a parallel LU (MUMPS).
//
// H. A. van der Vorst, "Bi-CGSTAB: a fast and smoothly converging variant of Bi-CG for the solution
// of nonsymmetric linear systems", SIAM Journal on Scientific and Statistical Computing 13, 1992.
#ifndef CARL_CLUSTER_POLICY_MATRIX_H
#define CARL_CLUSTER_POLICY_MATRIX_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cluster/ghosts.h"
#include "cluster/petsc.h"
#include "cluster/rank_factors.h"
#include "cluster/ranks.h"
#include "cluster/rows.h"
#include "cluster/watch.h"

namespace carl::cluster {

/// What a policy does in the states of a rank.
class RankPolicy {
 public:
  struct Choice {
    std::uint32_t pair = 0;
    double probability = 1;
  };

  RankPolicy() = default;
  /// One pair for each state.
  explicit RankPolicy(std::span<const std::uint32_t> pairs);
  void add_choice(std::uint32_t pair, double probability) {
    choices_.push_back({pair, probability});
  }
  void end_state() { first_.push_back(choices_.size()); }
  std::span<const Choice> choices(std::size_t state) const {
    return {choices_.data() + first_[state], choices_.data() + first_[state + 1]};
  }

 private:
  std::vector<std::uint64_t> first_{0};
  std::vector<Choice> choices_;
};

/// How much work the equations were.
struct SolverWork {
  std::uint64_t systems = 0;
  std::uint64_t sweeps = 0;          // of factors, beside those in iterations
  std::uint64_t iterations = 0;      // of BiCGStab, with two sweeps each
  std::uint64_t factorizations = 0;  // where iterations were not enough
};

/// Collective. Throws TooLarge, on all ranks, if one of them has more entries of a matrix than can be
/// numbered.
void check_entries(std::size_t own, const Ranks& ranks, std::uint64_t most = most_of_petsc);

/// What iterations do when a limit is reached. A parallel factorization, which nothing can end, is not
/// begun after that in either case.
enum class AtLimit { end, go_on };

class PolicyMatrix {
 public:
  /// As good as doubles can represent a solution.
  static constexpr double exact = 2e-15;

  /// `scale` has about the value of each slot's state; only how many iterations it takes depends on
  /// it.
  PolicyMatrix(const Rows& rows, const Ghosts& ghosts, const Ranks& ranks, const RankPolicy& policy,
               std::vector<double> scale, SolverWork& work, Watch& watch, AtLimit at_limit);

  /// `b` has an entry per own state, `x` one per slot: a start on the way in, the solution on the way
  /// out. False if there is none to be found in doubles, or a limit has ended it.
  /// Residuals, relative to the entries of their rows, are at most `precision`, if that can be.
  bool solve(const std::vector<double>& b, std::vector<double>& x, double precision = exact);
  /// x (I - P) = b.
  bool solve_transposed(const std::vector<double>& b, std::vector<double>& x);

  /// b - (I - P) x, by own state.
  std::vector<double> residual(const std::vector<double>& b, const std::vector<double>& x) const;
  /// b - x (I - P), by own state.
  std::vector<double> residual_transposed(const std::vector<double>& b,
                                          const std::vector<double>& x) const;

 private:
  /// What solves for corrections, best first: where one is not enough the next takes over.
  enum class Method { rank_factors, rank_ilu0, factorization };

  void scale_by(std::vector<double> scale);
  void assemble();
  void choose(Method method);
  void choose_iteration();
  void choose_factorization();
  bool has_time_to_factorize();
  bool ends_at_limits() const { return at_limit_ == AtLimit::end; }
  bool has_ended() const { return ends_at_limits() && watch_.has_been_reached(); }
  static PetscErrorCode test(KSP solver, PetscInt iteration, PetscReal norm,
                             KSPConvergedReason* reason, void* matrix);
  void start_with_preconditioner(bool transposed);
  int sweeps_for(double reduction) const;
  double sweep(bool transposed, int sweeps);
  bool correct_by_sweeps(bool transposed);
  bool iterate(bool transposed);
  bool correct(const std::vector<double>& residual, bool transposed, double reduction,
               std::vector<double>& x);
  bool refine(const std::vector<double>& b, bool transposed, double precision,
              std::vector<double>& x);
  bool solve(const std::vector<double>& b, bool transposed, double precision,
             std::vector<double>& x);
  double size_of(const std::vector<double>& residual, const std::vector<double>& b,
                 const std::vector<double>& x) const;

  const Rows& rows_;
  const Ghosts& ghosts_;
  const Ranks& ranks_;
  const RankPolicy& policy_;
  SolverWork& work_;
  Watch& watch_;
  AtLimit at_limit_;
  std::vector<double> scale_;  // by slot
  Matrix matrix_;              // V⁻¹ (I - P) V with V = diag(scale)
  std::optional<RankFactors> factors_;
  double first_norm_ = 0;  // of the residual that is to be corrected
  Vector right_;
  Vector solution_;
  Vector rest_;  // of the right side, after sweeps
  Vector change_;
  LinearSolver solver_;
  Method method_ = Method::rank_factors;
  double reduction_ = 0;  // of the residual, that a correction is to achieve
  double rate_;           // what a sweep leaves of it
  double seconds_ = 0;    // that matrix and incomplete factors took
};

}  // namespace carl::cluster

#endif
