// CARL (algorithm 2 of the paper): search for the multipliers λ* that maximise L(λ), one scalarised
// SSP after the other, and combine the optimal policies of the last one into a stochastic policy
// that meets the bounds. Whichever outer search did the work, the answer is certified here: exact
// costs of the stationary policy that is returned, and a sound lower bound.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cssp/algorithms.h"
#include "cssp/farkas.h"
#include "cssp/feasibility.h"
#include "cssp/flow_policy.h"
#include "cssp/lagrangian.h"
#include "cssp/lower_line.h"
#include "cssp/outer_search.h"
#include "cssp/repair.h"
#include "cssp/solution_policy.h"
#include "cssp/solve_record.h"
#include "heuristics/constrained_roc.h"
#include "ssp/decomposition.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

constexpr double negligible_weight = 1e-9;
// Nobody asks for the costs-to-go.
constexpr ssp::EvaluationOptions costs_and_visits{.value_tolerance = 1e-2};

class Carl {
 public:
  Carl(Cssp& cssp, const SolveOptions& options, Monitor& monitor)
      : cssp_(cssp), options_(options), monitor_(monitor), lagrangian_(cssp, options, monitor) {
    solution_.algorithm = to_string(Algorithm::carl);
    solution_.outer = to_string(options.carl.outer);
  }

  Solution run() {
    search_ = make_search();
    lagrangian_.set_observer([&] { report(); });
    const End end = search_->run();
    const double search_seconds = timer_.seconds();
    solution_.heuristic = to_string(lagrangian_.heuristic());  // it may have changed its mind
    finish(end);
    solution_.trace = search_->trace();
    for (const Cut& cut : lagrangian_.cuts())
      solution_.cuts.push_back(cut.costs);
    record_graph(lagrangian_.graph(), solution_.statistics);
    lagrangian_.record(solution_.statistics);
    Seconds& seconds = solution_.statistics.seconds;
    seconds.search = std::max(0.0, search_seconds - seconds.heuristic);
    // Last, so that all of the above is about the answer.
    if (end == End::infeasible && options_.explain) solution_.repair = find_repair(lagrangian_);
    return std::move(solution_);
  }

  bool is_small() const { return is_small_and_expanded(lagrangian_.graph()); }

 private:
  std::unique_ptr<OuterSearch> make_search() {
    if (options_.carl.outer == OuterAlgorithm::coordinate)
      return make_coordinate_search(lagrangian_, options_);
    // Start where C-ROC would put the multipliers: that spares the unconstrained region, the most
    // expensive one when bounds are tight.
    std::vector<double> start;
    if (!cssp_.constraints().empty()) {
      const PhaseTimer timer(solution_.statistics.seconds.heuristic);
      if (const auto roc = heuristics::constrained_roc(cssp_, monitor_)) start = roc->multipliers;
      ++solution_.statistics.lp_solves;
    }
    return make_bundle_search(lagrangian_, options_, std::move(start));
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
    set_lower_bound(cssp_, lagrangian_.lower_lines(), solution_);
    if (solution_.gap() && *solution_.gap() <= options_.gap) {
      solution_.status = Status::optimal;
    } else if (end == End::limit) {
      end_by_limit(monitor_, solution_);
    } else {
      solution_.status = Status::limit;
      solution_.note = fmt::format("numerical trouble: {}", solution_.note);
    }
  }

  /// Without the parts that only rounding errors ask for: those of next to no weight without which
  /// the rest still meets the bounds and costs the same.
  std::vector<double> pruned(const std::vector<double>& mixture) const {
    std::vector<double> rest = mixture;
    double sum = 0;
    for (double& weight : rest) {
      if (weight < negligible_weight) weight = 0;
      sum += weight;
    }
    std::vector<double> costs(cssp_.num_costs(), 0.0);
    double primary = 0;
    for (std::size_t k = 0; k < rest.size(); ++k) {
      rest[k] /= sum;
      primary += mixture[k] * lagrangian_.cuts()[k].costs[0];
      for (std::size_t i = 0; i < costs.size(); ++i)
        costs[i] += rest[k] * lagrangian_.cuts()[k].costs[i];
    }
    const auto& constraints = cssp_.constraints();
    const bool same = std::abs(costs[0] - primary) <= negligible_weight * primary &&
                      std::all_of(constraints.begin(), constraints.end(), [&](const Bound& bound) {
                        return excess(bound, costs[bound.cost]) == 0;
                      });
    return same ? rest : mixture;
  }

  /// The stationary policy of the summed occupation measures has the costs of the mixture.
  void set_policy_of(const Incumbent& incumbent) {
    if (!incumbent.costs) return;
    const std::vector<double> mixture = pruned(incumbent.mixture);
    const graph::SearchGraph& graph = lagrangian_.graph();
    std::vector<graph::PairId> fallback(graph.num_states());
    std::vector<double> flow = incumbent.flow;
    const Flow kind = incumbent.mixture.empty() ? Flow::of_lp : Flow::of_policies;
    if (kind == Flow::of_policies) flow = flow_of_mixture(mixture, fallback);
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (!fallback[s].valid()) fallback[s] = lagrangian_.ssp().choice(StateId(s));
    const ssp::Policy policy = policy_of_flow(
        graph, flow, [&](StateId s) { return fallback[s.index()]; }, kind);
    const ssp::Evaluation evaluation = ssp::evaluate(graph, policy, costs_and_visits);
    if (!evaluation.proper || !meets_bounds(cssp_, evaluation.costs)) {
      solution_.note = "the policy misses a bound by more than rounding explains";
      return;
    }
    set_policy(graph, policy, evaluation, solution_);
    if (kind == Flow::of_policies) set_mixture(mixture);
    if (kind == Flow::of_policies && mixture_adds_up(solution_)) return;
    solution_.mixture.clear();
    set_mixture_by_decomposition(graph, policy, evaluation, options_, solution_);
  }

  std::vector<double> flow_of_mixture(const std::vector<double>& mixture,
                                      std::vector<graph::PairId>& fallback) const {
    const graph::SearchGraph& graph = lagrangian_.graph();
    std::vector<double> flow(graph.num_pairs(), 0.0);
    for (std::size_t k = 0; k < mixture.size(); ++k) {
      if (mixture[k] == 0) continue;
      const ssp::Policy& policy = lagrangian_.cuts()[k].policy;
      const ssp::Evaluation evaluation = ssp::evaluate(graph, policy, costs_and_visits);
      for (std::size_t i = 0; i < policy.size(); ++i) {
        const graph::PairId pair = policy.choices(i)[0].pair;
        flow[pair.index()] += mixture[k] * evaluation.visits[i];
        fallback[policy.state(i).index()] = pair;
      }
    }
    return flow;
  }

  void set_mixture(const std::vector<double>& mixture) {
    for (std::size_t k = 0; k < mixture.size(); ++k)
      if (mixture[k] > 0) {
        const Cut& cut = lagrangian_.cuts()[k];
        add_mixture_component(lagrangian_.graph(), mixture[k], cut.policy, cut.costs, options_,
                              solution_);
      }
    std::stable_sort(solution_.mixture.begin(), solution_.mixture.end(),
                     [](const auto& a, const auto& b) { return a.weight > b.weight; });
  }

  void report() const {
    if (!options_.progress) return;
    Progress progress{
        "λ search", lagrangian_.graph().num_states(), lagrangian_.num_queries(), {}, {}, {}};
    progress.multipliers = lagrangian_.multipliers();
    const Incumbent& incumbent = search_->incumbent();
    if (incumbent.lower_bound > 0) progress.lower_bound = incumbent.lower_bound;
    if (incumbent.upper_bound < ssp::infinity) progress.upper_bound = incumbent.upper_bound;
    options_.progress(progress);
  }

  Timer timer_;
  Cssp& cssp_;
  const SolveOptions& options_;
  Monitor& monitor_;
  Lagrangian lagrangian_;
  std::unique_ptr<OuterSearch> search_;
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
  return Carl(cssp, options, monitor).run();
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

Solution solve_carl(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  Carl carl(cssp, options, monitor);
  Solution solution = carl.run();
  if (solution.status == Status::limit && !monitor.reached() && carl.is_small())
    take_answer(solve_lp_alone(cssp, options, monitor), "the LP over all states", solution);
  return solution;
}

}  // namespace carl::cssp
