// L(λ), the optimal cost of the scalarised SSP less λ·u, and what each evaluation of it teaches:
//
//  - a deterministic policy with exact costs, a cut. The cut C0(π) + λ·(C(π) - u) is an upper
//    support of L whether or not π is optimal for the λ it was found with;
//  - a line that no policy is below, and so a lower bound on the optimum of the CSSP.
//
// Neither depends on the bounds u, so both outlive a change of them, see problem_changed().
#ifndef CARL_CSSP_LAGRANGIAN_H
#define CARL_CSSP_LAGRANGIAN_H

#include <span>
#include <vector>

#include "carl/cssp.h"
#include "cssp/lower_line.h"
#include "oracle/oracle.h"

namespace carl::cssp {

struct Cut {
  std::vector<double> costs;  // exact expected costs, one per cost of the problem
  oracle::PolicyHandle policy = 0;
};

class Lagrangian {
 public:
  using Outcome = oracle::Answer::Outcome;
  struct Answer {
    Outcome outcome = Outcome::limit;
    std::size_t cut = 0;       // index into cuts()
    bool is_new = false;       // this cut was not known before
    double lower_bound = 0;    // sound, on the weighted cost of every proper policy
    double weighted_cost = 0;  // of the cut's policy
    bool is_final = false;     // asking for these weights again would teach nothing more
  };

  Lagrangian(const Cssp& cssp, oracle::Oracle& oracle);

  /// One multiplier per constraint. The answer's bound and cost are those of [1 λ]·C, without -λ·u.
  Answer query(std::span<const double> multipliers);
  /// The same for any weights of the costs.
  Answer query_weights(std::span<const double> weights);
  /// λ of the last query.
  const std::vector<double>& multipliers() const { return multipliers_; }
  std::size_t num_queries() const { return num_queries_; }

  const std::vector<Cut>& cuts() const { return cuts_; }
  /// What the primary cost is about, by the first cut.
  double primary_scale() const;
  const std::vector<LowerLine>& lower_lines() const { return lines_; }

  /// Bounds or penalties are others than before. A cut holds whatever the bounds are, as long as no
  /// bound of zero forbids what its policy does. A line holds as long as nothing is allowed, and no
  /// penalty lower, that was not when it was found; and it says something only if all costs that
  /// count in it are bounded. What does not hold now may do so later.
  void problem_changed();
  /// The oracle has been restricted to fewer policies. Cuts are those of the policies that are left;
  /// of lines, which hold for fewer policies but not for more, these are known to hold. Lines that
  /// are found from now on hold until the next restriction, and are forgotten when the problem
  /// changes.
  void restricted(std::span<const LowerLine> lines);

  const Cssp& cssp() const { return cssp_; }
  const std::vector<Bound>& constraints() const { return cssp_.constraints(); }
  oracle::Oracle& oracle() { return oracle_; }
  const oracle::Oracle& oracle() const { return oracle_; }
  Monitor& monitor() { return oracle_.monitor(); }

 private:
  void take_allowed_cuts();

  const Cssp& cssp_;
  oracle::Oracle& oracle_;
  std::vector<double> multipliers_;
  std::size_t num_queries_ = 0;
  std::vector<Cut> cuts_;
  struct KnownLine {
    LowerLine line;
    LineConditions conditions;
  };
  std::vector<KnownLine> known_lines_;
  std::vector<LowerLine> lines_;  // of them, those that hold now
  bool is_restricted_ = false;
};

}  // namespace carl::cssp

#endif
