// CARL (algorithm 2 of the paper): search for the multipliers λ* that maximise L(λ), one scalarised
// SSP after the other, and combine the optimal policies of the last one into a stochastic policy
// that meets the bounds. Whichever outer search did the work, the answer is certified here: exact
// costs of the stationary policy that is returned, and a sound lower bound.
//
// J. Schmalz and F. Trevizan, "Solving Constrained Stochastic Shortest Path Problems with
// Scalarisation", ECAI 2025.

#include <fmt/format.h>

#include <algorithm>

#include "cssp/algorithms.h"
#include "cssp/constraint_weights.h"
#include "cssp/farkas.h"
#include "cssp/feasibility.h"
#include "cssp/lagrangian.h"
#include "cssp/lower_line.h"
#include "cssp/mixture_of_cuts.h"
#include "cssp/oracle_solution.h"
#include "cssp/outer_search.h"
#include "cssp/repair.h"
#include "cssp/scalarisation.h"
#include "cssp/search_effort.h"
#include "cssp/solution_policy.h"
#include "cssp/solve_record.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

class Carl {
 public:
  Carl(Cssp& cssp, Scalarisation& scalarisation, const SolveOptions& options)
      : cssp_(cssp),
        options_(options),
        oracle_(scalarisation.oracle),
        lagrangian_(scalarisation.lagrangian) {
    solution_.algorithm = to_string(Algorithm::carl);
    solution_.outer = to_string(options.carl.outer);
  }

  Solution run() {
    oracle_.monitor().report([](Progress& progress) { progress.phase = "λ search"; });
    search_ = make_search();
    if (auto solution = by_dual_method()) return std::move(*solution);
    const End end = search_->run();
    const MultiplierSearch searched = effort(oracle_, timer_);
    solution_.heuristic = to_string(oracle_.heuristic());  // it may have changed its mind
    finish(end);
    solution_.trace = search_->trace();
    record_cuts();
    record_graph(oracle_.graph(), solution_.statistics);
    oracle_.record(solution_.statistics);
    Seconds& seconds = solution_.statistics.seconds;
    const Extraction& extraction = search_->extraction();
    seconds.search = std::max(0.0, searched.seconds - seconds.heuristic - extraction.seconds);
    seconds.extract += extraction.seconds;
    solution_.statistics.lp_solves += extraction.lp_solves;
    MultiplierSearch& found =
        solution_.statistics.multiplier_search.emplace(difference(searched, extraction.effort));
    count_multipliers(cssp_, solution_, found);
    // Last, so that all of the above is about the answer.
    if (!oracle_.is_admissible())
      own_up_to_c_roc();
    else if (end == End::infeasible && options_.explain)
      solution_.repair = find_repair(lagrangian_);
    return std::move(solution_);
  }

 private:
  /// Nothing was proved before the end. The repair, too, is left to others.
  void own_up_to_c_roc() {
    for (TracePoint& point : solution_.trace)
      point.lower_bound = 0;
    if (!solution_.trace.empty())
      solution_.trace.back().lower_bound = solution_.lower_bound.value_or(0.0);
    solution_.heuristic = to_string(HeuristicMode::c_roc);
    solution_.note += (solution_.note.empty() ? "" : "; ") + std::string(c_roc_warning);
  }

  /// Policies found by scalarised problems, and those that a policy extracted from ties is a mixture
  /// of: some of them may be optimal for the last multipliers without having been an answer.
  void record_cuts() {
    std::vector<std::vector<double>>& cuts = solution_.cuts;
    for (const Cut& cut : lagrangian_.cuts())
      cuts.push_back(cut.costs);
    for (const MixtureComponent& part : solution_.mixture)
      if (std::find(cuts.begin(), cuts.end(), part.costs) == cuts.end()) cuts.push_back(part.costs);
  }

  std::unique_ptr<OuterSearch> make_search() {
    if (options_.carl.outer == OuterAlgorithm::coordinate)
      return make_coordinate_search(lagrangian_, oracle_, options_);
    // Start where C-ROC would put the multipliers: that spares the unconstrained region, the most
    // expensive one when bounds are tight.
    BundleStart start{{}, proof_by_small_lp(oracle_)};
    if (!cssp_.constraints().empty() && lagrangian_.cuts().empty()) {
      const PhaseTimer timer(solution_.statistics.seconds.heuristic);
      if (const auto roc = oracle_.heuristics().constrained_roc(oracle_.monitor()))
        first_multipliers_ = start.multipliers = roc->multipliers;
      ++solution_.statistics.lp_solves;
    }
    return make_bundle_search(lagrangian_, options_, std::move(start));
  }

  /// Where ROC says much more than the search it may say almost all there is to know, and i²-dual is
  /// done after some hundred states or not at all: see oracle/strategy.h.
  std::optional<Solution> by_dual_method() {
    if (first_multipliers_.empty() ||
        !oracle_.roc_says_much_more(scalarisation(cssp_, first_multipliers_)))
      return std::nullopt;
    SolveOptions trial = options_;
    trial.algorithm = Algorithm::i2_dual;
    trial.search.heuristic = HeuristicKind::roc;
    trial.search.heuristic_mode.reset();
    trial.dual.max_expanded = oracle::most_states_of_i2_dual_before_carl;
    Solution solution = solve_i2_dual(cssp_, trial, oracle_.monitor());
    if (solution.status != Status::optimal) return std::nullopt;
    solution.note = "carl gave i2-dual a try: ROC tells enough about the problem";
    Statistics search;
    oracle_.record(search);
    solution.statistics.evaluated += search.evaluated;
    solution.statistics.seconds.heuristic += search.seconds.heuristic;
    solution.statistics.seconds.search = timer_.seconds() - solution.statistics.seconds.heuristic -
                                         solution.statistics.seconds.extract;
    return solution;
  }

  void finish(End end) {
    const PhaseTimer timer(solution_.statistics.seconds.extract);
    const Incumbent& incumbent = search_->incumbent();
    solution_.note = incumbent.note;
    if (end == End::no_proper_policy) {
      solution_.status = Status::no_proper_policy;
      return;
    }
    if (end == End::infeasible) {
      solution_.status = Status::infeasible;
      solution_.infeasibility = incumbent.infeasibility;
      return;
    }
    set_policy_of(incumbent);
    set_lower_bound(cssp_, lines_to_claim(), solution_);
    if (solution_.gap() && *solution_.gap() <= options_.gap) {
      solution_.status = Status::optimal;
    } else if (end == End::limit) {
      end_by_limit(oracle_.monitor(), solution_);
    } else if (!oracle_.is_admissible()) {
      solution_.status = Status::limit;
    } else {
      solution_.status = Status::limit;
      solution_.note = fmt::format("numerical trouble: {}", solution_.note);
    }
  }

  /// What a search guided by C-ROC takes for lower bounds are none: for the multipliers that it ended
  /// with there is one by an admissible heuristic.
  std::vector<LowerLine> lines_to_claim() {
    if (oracle_.is_admissible()) return lagrangian_.lower_lines();
    const std::vector<double>& multipliers = search_->incumbent().multipliers;
    std::vector<LowerLine> lines{{std::vector<double>(cssp_.num_costs(), 0.0), 0.0}};
    if (!lagrangian_.cuts().empty())
      lines.push_back(
          {per_cost(cssp_, multipliers), oracle_.proved_bound(scalarisation(cssp_, multipliers))});
    return lines;
  }

  /// The policy of the upper bound; it is a mixture of cuts unless coordinate search found it.
  void set_policy_of(const Incumbent& incumbent) {
    if (!incumbent.costs) return;
    const std::vector<double> mixture = pruned(lagrangian_, incumbent.mixture);
    oracle::EvaluatedPolicy found =
        mixture.empty() ? oracle_.policy_of(incumbent.flow, ssp::Flow::of_lp)
                        : lagrangian_.oracle().mix(per_policy(lagrangian_, mixture));
    if (!found.proper || !meets_bounds(cssp_, found.costs)) {
      solution_.note = "the policy misses a bound by more than rounding explains";
      return;
    }
    solution_.costs = std::move(found.costs);
    solution_.policy = std::move(found.policy);
    solution_.mixture = components_of(lagrangian_, mixture, options_.mixture_policies);
    if (!mixture.empty() && mixture_adds_up(solution_)) return;
    solution_.mixture = oracle_.take_apart(solution_.policy, options_.mixture_policies);
    // Where visits go into the millions, taking apart may lose too many digits.
    if (!mixture_adds_up(solution_)) solution_.mixture.clear();
  }

  Timer timer_;
  Cssp& cssp_;
  const SolveOptions& options_;
  oracle::SearchOracle& oracle_;
  Lagrangian& lagrangian_;
  std::unique_ptr<OuterSearch> search_;
  std::vector<double> first_multipliers_;  // if C-ROC tells them
  Solution solution_;
};

/// If `solution` ended by rounding errors and `other` did not, it becomes that of `solution`, which
/// keeps its own statistics and names; `who` finished the work.
void take_answer(Solution other, const char* who, Solution& solution) {
  if (other.status == Status::limit || other.status == Status::interrupted) return;
  solution.status = other.status;
  solution.costs = std::move(other.costs);
  solution.lower_bound = other.lower_bound;
  solution.multipliers = std::move(other.multipliers);
  solution.policy = std::move(other.policy);
  solution.mixture = std::move(other.mixture);
  solution.infeasibility = std::move(other.infeasibility);
  solution.note += fmt::format("; {} finished", who);
}

}  // namespace

Solution solve_carl_alone(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  Scalarisation scalarisation(cssp, options, monitor);
  return Carl(cssp, scalarisation, options).run();
}

Solution with_help_of_carl(Solution solution, Cssp& cssp, const SolveOptions& options,
                           Monitor& monitor) {
  if (solution.status != Status::limit || monitor.reached() || options.dual.max_expanded)
    return solution;
  SolveOptions others = options;
  others.algorithm = Algorithm::carl;
  others.carl.outer = OuterAlgorithm::bundle;
  others.carl.inner.reset();
  others.search.heuristic.reset();
  others.search.heuristic_mode.reset();
  take_answer(solve_carl_alone(cssp, others, monitor), "carl", solution);
  return solution;
}

Solution solve_carl(Cssp& cssp, Scalarisation& scalarisation, const SolveOptions& options,
                    Monitor& monitor) {
  Solution solution = Carl(cssp, scalarisation, options).run();
  if (scalarisation.record) tell_of(*scalarisation.record, solution);
  if (solution.status == Status::limit && !monitor.reached() &&
      scalarisation.oracle.is_admissible() && is_small_and_expanded(scalarisation.oracle.graph()))
    take_answer(solve_lp_alone(cssp, options, monitor), "the LP over all states", solution);
  return solution;
}

}  // namespace carl::cssp
