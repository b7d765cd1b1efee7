// The plain way: expand every reachable state, then solve the occupation-measure LP. No heuristic,
// no λ search: slow on large problems and therefore what everything else is compared with.
//
// The optimal policy without bounds, found by policy iteration, is a dual feasible basis of the LP:
// the dual simplex starts from it and only has to repair the violated bounds. If the LP has no
// solution, a second one finds weights of the bounds that prove it.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cssp/algorithms.h"
#include "cssp/constraint_weights.h"
#include "cssp/farkas.h"
#include "cssp/feasibility.h"
#include "cssp/lower_line.h"
#include "cssp/occupation_lp.h"
#include "cssp/solution_policy.h"
#include "cssp/solve_record.h"
#include "graph/proper_region.h"
#include "graph/zero_cost_loops.h"
#include "ssp/flow_policy.h"
#include "ssp/policy_iteration.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

constexpr int most_attempts = 10;

class LpAlgorithm {
 public:
  LpAlgorithm(Cssp& cssp, const SolveOptions& options, Monitor& monitor)
      : cssp_(cssp), options_(options), monitor_(monitor), graph_(cssp, options.threads) {
    solution_.algorithm = to_string(Algorithm::lp);
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
    if (!expand()) return end_by_limit(monitor_, solution_);
    region_ = graph::proper_region(graph_, monitor_);
    if (monitor_.reached()) return end_by_limit(monitor_, solution_);
    if (!region_.contains(graph_.initial_state())) {
      solution_.status = Status::no_proper_policy;
      return;
    }
    if (!monitor_.has_room_for(OccupationLp::bytes_needed(graph_, region_))) {
      end_by_limit(monitor_, solution_);
      solution_.note = "the linear program does not fit into the memory limit";
      return;
    }
    const PhaseTimer timer(solution_.statistics.seconds.search);
    report("policy iteration");
    const ssp::OptimalValues unconstrained =
        ssp::policy_iteration(graph_, region_, primary_weights(), monitor_);
    if (monitor_.reached_now()) return set_policy_if_feasible(unconstrained);
    OccupationLp lp(graph_, region_, OccupationLp::Kind::optimise);
    lp.start_from(unconstrained.choice);
    for (const Bound& bound : cssp_.constraints())
      upper_.push_back(bound.upper);
    for (int attempt = 1; attempt <= most_attempts; ++attempt) {
      const lp::Status status =
          lp.solve(monitor_, [&](std::size_t iterations) { report("linear program", iterations); });
      ++solution_.statistics.lp_solves;
      solution_.statistics.lp_iterations = lp.iterations();
      if (monitor_.reached()) return set_policy_if_feasible(unconstrained);
      if (status == lp::Status::infeasible && attempt == 1) {
        if (explain_infeasibility()) return;
        loosen_bounds(lp);
      } else if (status != lp::Status::optimal) {
        return give_out_failure(
            status == lp::Status::infeasible
                ? "the bounds are so close to infeasible that the LP cannot tell"
                : "the LP solver failed");
      } else if (finish(lp, unconstrained)) {
        return;
      }
    }
    give_out_failure("the LP's policy misses a bound by more than rounding explains");
  }

  bool expand() {
    const PhaseTimer timer(solution_.statistics.seconds.search);
    report("expanding");
    const bool complete = graph_.expand_all(monitor_);
    graph::reject_zero_cost_loops(graph_, monitor_);
    return complete;
  }

  std::vector<double> primary_weights() const { return scalarisation(cssp_, {}); }

  /// False if the policy exceeds a bound, as the tolerance of the solver allows; then the LP keeps
  /// a margin from now on.
  bool finish(OccupationLp& lp, const ssp::OptimalValues& unconstrained) {
    const PhaseTimer timer(solution_.statistics.seconds.extract);
    const ssp::Policy policy = ssp::policy_of_flow(
        graph_, lp.flow(), [&](StateId s) { return unconstrained.choice[s.index()]; });
    const ssp::Evaluation evaluation = ssp::evaluate(graph_, policy);
    if (evaluation.proper && !meets_bounds(cssp_, evaluation.costs)) {
      tighten_bounds(evaluation.costs, lp);
      return false;
    }
    if (evaluation.proper) set_policy_and_mixture(policy, evaluation);
    set_lower_bound(cssp_,
                    std::array{lower_line(graph_, lp.multipliers(), lp.values(), monitor_),
                               line_without_bounds(unconstrained)},
                    solution_);
    if (!evaluation.proper)
      give_out_failure("the LP's policy does not reach a goal for certain");
    else if (*solution_.gap() <= options_.gap)
      solution_.status = Status::optimal;
    else
      give_out_failure("the LP's duals do not certify the requested gap");
    return true;
  }

  void tighten_bounds(const std::vector<double>& costs, OccupationLp& lp) {
    for (std::size_t i = 0; i < upper_.size(); ++i) {
      const auto [cost, upper] = cssp_.constraints()[i];
      upper_[i] -= 2 * std::max(0.0, costs[cost] - upper);
      lp.set_upper(i, upper_[i]);
    }
  }

  /// Where bounds are met or missed by next to nothing: half of the tolerance on them.
  void loosen_bounds(OccupationLp& lp) {
    for (std::size_t i = 0; i < upper_.size(); ++i) {
      upper_[i] += bound_tolerance(cssp_.constraints()[i]) / 2;
      lp.set_upper(i, upper_[i]);
    }
  }

  void set_policy_and_mixture(const ssp::Policy& policy, const ssp::Evaluation& evaluation) {
    set_policy(graph_, policy, evaluation, solution_);
    set_mixture_by_decomposition(graph_, policy, evaluation, options_, solution_);
  }

  /// What the solver says is not a proof; its duals are weights that may yield one. False if not.
  bool explain_infeasibility() {
    report("proof of infeasibility");
    ++solution_.statistics.lp_solves;
    solution_.infeasibility = prove_infeasibility_by_lp(graph_, region_, monitor_);
    if (monitor_.reached()) {
      end_by_limit(monitor_, solution_);
      return true;
    }
    if (solution_.infeasibility) solution_.status = Status::infeasible;
    return solution_.infeasibility.has_value();
  }

  /// After a limit: the optimal policy without bounds, if it happens to meet them.
  void set_policy_if_feasible(const ssp::OptimalValues& unconstrained) {
    const ssp::Policy policy =
        ssp::deterministic_envelope(graph_, graph_.initial_state(), unconstrained.choice);
    const ssp::Evaluation evaluation = ssp::evaluate(graph_, policy);
    if (evaluation.proper && meets_bounds(cssp_, evaluation.costs))
      set_policy_and_mixture(policy, evaluation);
    if (unconstrained.complete)
      set_lower_bound(cssp_, std::array{line_without_bounds(unconstrained)}, solution_);
    end_by_limit(monitor_, solution_);
  }

  LowerLine line_without_bounds(const ssp::OptimalValues& unconstrained) {
    return lower_line(graph_, std::vector<double>(cssp_.constraints().size(), 0.0),
                      unconstrained.value, monitor_);
  }

  void give_out_failure(const char* reason) {
    solution_.status = Status::limit;
    solution_.note = fmt::format("numerical trouble: {}", reason);
  }

  void report(const char* phase, std::size_t iterations = 0) const {
    monitor_.report([&](Progress& progress) {
      progress.phase = phase;
      progress.states = graph_.num_states();
      progress.iterations = iterations;
    });
  }

  Cssp& cssp_;
  const SolveOptions& options_;
  Monitor& monitor_;
  graph::SearchGraph graph_;
  graph::ProperRegion region_;
  std::vector<double> upper_;  // of the LP's cost rows
  Solution solution_;
};

}  // namespace

Solution solve_lp_alone(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  return LpAlgorithm(cssp, options, monitor).run();
}

Solution solve_lp(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  return with_help_of_carl(solve_lp_alone(cssp, options, monitor), cssp, options, monitor);
}

}  // namespace carl::cssp
