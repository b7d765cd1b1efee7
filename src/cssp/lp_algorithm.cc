// The plain way: expand every reachable state, then solve the occupation-measure LP. No heuristic,
// no λ search: slow on large problems and therefore what everything else is compared with.
//
// The optimal policy without bounds, found by policy iteration, is a dual feasible basis of the LP:
// the dual simplex starts from it and only has to repair the violated bounds. If the LP has no
// solution, a second one finds weights of the bounds that prove it.

#include <fmt/format.h>

#include <cmath>

#include "cssp/algorithms.h"
#include "cssp/extract.h"
#include "cssp/occupation_lp.h"
#include "ssp/policy_iteration.h"
#include "ssp/proper_region.h"
#include "ssp/sub_solution.h"
#include "ssp/zero_cost_loops.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

// Below this the relaxed LP's optimum is rounding: the bounds can be met.
constexpr double least_infeasibility = 1e-9;

class LpAlgorithm {
 public:
  LpAlgorithm(Cssp& cssp, const SolveOptions& options, Limits& limits)
      : cssp_(cssp), options_(options), limits_(limits), graph_(cssp, options.threads) {
    solution_.algorithm = "lp";
  }

  Solution run() {
    solve();
    Seconds& seconds = solution_.statistics.seconds;
    seconds.search -= seconds.extract;  // extraction happens inside the search
    record_graph(graph_, solution_.statistics);
    return std::move(solution_);
  }

 private:
  void solve() {
    if (!expand()) return end_by_limit(limits_, solution_);
    region_ = ssp::proper_region(graph_);
    if (!region_.contains(graph_.initial_state())) {
      solution_.status = Status::no_proper_policy;
      return;
    }
    const PhaseTimer timer(solution_.statistics.seconds.search);
    report("policy iteration");
    const ssp::OptimalValues unconstrained =
        ssp::policy_iteration(graph_, region_, primary_weights(), limits_);
    OccupationLp lp(graph_, region_, OccupationLp::Kind::optimise);
    lp.start_from(unconstrained.choice);
    const lp::Status status =
        lp.solve(limits_, [&](std::size_t iterations) { report("linear program", iterations); });
    ++solution_.statistics.lp_solves;
    solution_.statistics.lp_iterations += lp.iterations();
    if (limits_.reached()) return hand_out_if_feasible(unconstrained);
    if (status == lp::Status::optimal)
      finish(lp, unconstrained.choice);
    else if (status == lp::Status::infeasible)
      explain_infeasibility(unconstrained.choice);
    else
      give_out_failure("the LP solver failed");
  }

  bool expand() {
    const PhaseTimer timer(solution_.statistics.seconds.search);
    const bool complete = graph_.expand_all(limits_, [&] { report("expanding"); });
    ssp::reject_zero_cost_loops(graph_);
    return complete;
  }

  std::vector<double> primary_weights() const { return scalarisation(cssp_, {}); }

  void finish(const OccupationLp& lp, const std::vector<ssp::PairId>& fallback) {
    const PhaseTimer timer(solution_.statistics.seconds.extract);
    const ssp::Policy policy =
        policy_of_flow(graph_, lp.flow(), [&](StateId s) { return fallback[s.index()]; });
    const ssp::Evaluation evaluation = ssp::evaluate(graph_, policy);
    set_lower_bound(lp);
    if (!evaluation.proper || !meets_bounds(cssp_, evaluation.costs))
      return give_out_failure("the LP's policy misses a bound by more than rounding explains");
    hand_out_all(policy, evaluation);
    if (*solution_.gap() <= options_.gap)
      solution_.status = Status::optimal;
    else
      give_out_failure("the LP's duals do not certify the requested gap");
  }

  void hand_out_all(const ssp::Policy& policy, const ssp::Evaluation& evaluation) {
    hand_out(graph_, policy, evaluation, solution_);
    hand_out_decomposition(graph_, policy, evaluation, options_, solution_);
  }

  void set_lower_bound(const OccupationLp& lp) {
    const std::vector<double> multipliers = lp.multipliers();
    solution_.lower_bound = lagrangian_bound(graph_, multipliers, lp.values(), limits_);
    solution_.multipliers = per_bound(cssp_, multipliers);
  }

  void explain_infeasibility(const std::vector<ssp::PairId>& start) {
    report("proof of infeasibility");
    OccupationLp lp(graph_, region_, OccupationLp::Kind::relax);
    lp.start_from(start);
    const lp::Status status = lp.solve(limits_);
    ++solution_.statistics.lp_solves;
    solution_.statistics.lp_iterations += lp.iterations();
    if (limits_.reached()) return end_by_limit(limits_, solution_);
    if (status != lp::Status::optimal || lp.objective() < least_infeasibility)
      return give_out_failure("the bounds are so close to infeasible that the LP cannot tell");
    const std::vector<double> weights = lp.multipliers();
    double allowed = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      allowed += weights[i] * cssp_.constraints()[i].upper;
    solution_.infeasibility = infeasibility(cssp_, weights, allowed + lp.objective());
    solution_.status = Status::infeasible;
  }

  /// After a limit: the optimal policy without bounds, if it happens to meet them.
  void hand_out_if_feasible(const ssp::OptimalValues& unconstrained) {
    const ssp::Policy policy =
        ssp::deterministic_envelope(graph_, graph_.initial_state(), unconstrained.choice);
    const ssp::Evaluation evaluation = ssp::evaluate(graph_, policy);
    if (unconstrained.complete)
      solution_.lower_bound =
          ssp::sound_lower_bound(graph_, primary_weights(), unconstrained.value, limits_);
    if (evaluation.proper && meets_bounds(cssp_, evaluation.costs))
      hand_out_all(policy, evaluation);
    end_by_limit(limits_, solution_);
  }

  void give_out_failure(const char* reason) {
    solution_.status = Status::limit;
    solution_.note = fmt::format("numerical trouble: {}", reason);
  }

  void report(const char* phase, std::size_t iterations = 0) const {
    if (!options_.progress) return;
    options_.progress({phase, graph_.num_states(), iterations, {}, {}, {}});
  }

  Cssp& cssp_;
  const SolveOptions& options_;
  Limits& limits_;
  ssp::SearchGraph graph_;
  ssp::ProperRegion region_;
  Solution solution_;
};

}  // namespace

Solution solve_lp(Cssp& cssp, const SolveOptions& options, Limits& limits) {
  return LpAlgorithm(cssp, options, limits).run();
}

}  // namespace carl::cssp
