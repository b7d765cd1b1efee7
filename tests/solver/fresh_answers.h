// What a Solver's answer is compared with: the same problem, never seen before, solved by the LP over
// all its states. Each of the two answers encloses the optimum, so the intervals must meet; what is
// claimed beyond that (bounds that are met, policies, proofs of infeasibility, repairs) is verified
// one by one.
//
// A bound may be the very cost of a policy. Then the two may differ in whether it is met, which is a
// matter of rounding: both are right if the problem with the bounds moved by a ten-millionth is what
// the answer says.
#ifndef CARL_TESTS_SOLVER_FRESH_ANSWERS_H
#define CARL_TESTS_SOLVER_FRESH_ANSWERS_H

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carl/pareto.h"
#include "carl/policy_file.h"
#include "solver/call_sequence.h"

namespace carl::testing {

class FreshAnswers {
 public:
  explicit FreshAnswers(const ModelDraft& draft) : draft_(draft) {}

  /// What is wrong with an answer to this call; empty if nothing is. `policy` is that of the
  /// solution, by names.
  std::string judge(const Terms& terms, const SolveIt& call, const Solution& solution,
                    const PolicyFile& policy);
  std::string judge(const Terms& terms, const SweepIt& call, const Sweep& sweep);
  std::string judge(const Terms& terms, const FrontIt& call, const ParetoFront& front);
  /// The same for a call that threw this error: a fresh problem must be refused likewise.
  std::string judge_error(const Terms& terms, const SolveIt& call, const std::string& error);

 private:
  /// Of the LP. Bounds on the optimum if it is optimal.
  struct Truth {
    Status status = Status::limit;
    double lower = 0;
    double upper = 0;
  };

  const Truth& truth(const Terms& terms);
  Truth by_lp(const Terms& terms) const;
  bool agrees(const Terms& terms, Status status);
  /// Whether the optimum may be in this interval; either end may be open.
  std::string enclosure(const Terms& terms, std::optional<double> lower,
                        std::optional<double> upper);
  std::string against_truth(const Terms& terms, const Solution& solution);
  std::string against_fresh(const Terms& terms, const SolveIt& call, const Solution& solution);
  std::string check_policy_of(const Terms& terms, const Solution& solution,
                              const PolicyFile& policy) const;
  std::string check_proof(const Terms& terms, const Infeasibility& proof);
  std::string check_blamed(const Terms& terms, const std::vector<std::size_t>& zero_bounds);
  std::string check_repair(const Terms& terms, const Repair& repair);
  std::string check_point(const Terms& terms, const SweepPoint& point, bool interrupted);
  std::string check_curve(const Terms& terms, const SweepIt& call, const SweepCurve& curve);
  double greatest_cost(std::size_t cost) const;
  /// The expected costs of a policy that is cheap by these weights of the bounded costs, if there is
  /// a proper one.
  std::optional<std::vector<double>> cheap_policy(const Terms& terms,
                                                  const std::vector<double>& weights) const;

  const ModelDraft& draft_;
  std::deque<std::pair<Terms, Truth>> known_;
  std::size_t num_judged_ = 0;
};

}  // namespace carl::testing

#endif
