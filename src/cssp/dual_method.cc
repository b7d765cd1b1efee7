#include "cssp/dual_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "cssp/constraint_weights.h"
#include "cssp/farkas.h"
#include "cssp/feasibility.h"
#include "cssp/lower_line.h"
#include "cssp/solution_policy.h"
#include "cssp/solve_record.h"
#include "graph/zero_cost_loops.h"
#include "ssp/flow_policy.h"
#include "ssp/policy_iteration.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

/// Textbook i-dual solves the LP again after every step.
constexpr int steps_between_lps(Algorithm algorithm) {
  return algorithm == Algorithm::i_dual_textbook ? 1 : 4;
}

constexpr int most_tightenings = 10;
constexpr double least_ignored_flow = 1e-10;
constexpr double largest_ignored_flow = 1e-6;

}  // namespace

DualMethod::DualMethod(Algorithm algorithm, HeuristicKind heuristic, Cssp& cssp,
                       const SolveOptions& options, Monitor& monitor)
    : cssp_(cssp),
      options_(options),
      monitor_(monitor),
      graph_(cssp),
      lp_(graph_),
      steps_between_lps_(steps_between_lps(algorithm)) {
  solution_.algorithm = to_string(algorithm);
  solution_.heuristic = to_string(heuristic);
}

Solution DualMethod::run() {
  const Timer timer;
  search();
  graph::reject_zero_cost_loops(graph_, monitor_);
  record_graph(graph_, solution_.statistics);
  solution_.statistics.lp_solves += lp_.solves();
  solution_.statistics.lp_iterations += lp_.iterations();
  record(solution_.statistics);
  Seconds& seconds = solution_.statistics.seconds;
  seconds.search = std::max(0.0, timer.seconds() - seconds.heuristic - seconds.extract);
  return std::move(solution_);
}

void DualMethod::search() {
  discover(graph_.initial_state());
  if (graph_.is_goal(graph_.initial_state())) return finish({}, ssp::evaluate(graph_, {}));
  initial_estimate_ = exit_.costs[0];
  while (!cannot_start()) {
    const lp::Status status =
        lp_.solve(monitor_, [&](std::size_t iterations) { report("linear program", iterations); });
    if (monitor_.reached()) return end();
    if (status == lp::Status::infeasible) {
      if (bar_hopeless() || explain_infeasibility()) continue;
      return;
    }
    if (status != lp::Status::optimal) return fail("the LP solver failed");
    if (ignored_flow_ > 0 && bar_hopeless()) continue;
    const ssp::Policy policy = policy_of_solution();
    if (options_.dual.max_expanded && graph_.num_expanded() >= *options_.dual.max_expanded)
      return end_by_size();
    if (expand_fringe(policy)) continue;
    if (monitor_.reached()) return end();
    const ssp::Evaluation evaluation = ssp::evaluate(graph_, policy);
    if (evaluation.proper) {
      if (!needs_margin(evaluation)) return finish(policy, evaluation);
      lp_.tighten_bounds(evaluation.costs);
      continue;
    }
    // Where flow is next to nothing, the policy went astray.
    if (bar_hopeless()) continue;
    ignored_flow_ = std::max(10 * ignored_flow_, least_ignored_flow);
    if (ignored_flow_ > largest_ignored_flow)
      return fail("the LP's policy does not reach a goal for certain");
  }
  solution_.status = Status::no_proper_policy;
  solution_.infeasibility.reset();
}

/// Evaluates a state that is discovered and adds it to the LP.
void DualMethod::discover(StateId s) {
  dead_end_.resize(graph_.num_states(), false);
  if (graph_.is_goal(s) || dead_end_[s.index()] || lp_.contains(s)) return;
  exit_.costs.assign(cssp_.num_costs(), 0.0);
  exit_.entries.clear();
  {
    const PhaseTimer timer(solution_.statistics.seconds.heuristic);
    dead_end_[s.index()] = !evaluate(s, exit_);
  }
  if (!dead_end_[s.index()]) return lp_.add_fringe_state(s, exit_);
  if (!cssp_.can_give_up()) return;  // no flow may come here
  lp_.add_fringe_state(s, {*cssp_.give_up_penalty(), {}});
}

graph::PairId DualMethod::expand(StateId s) {
  if (dead_end_[s.index()])
    graph_.expand_to_give_up(s);
  else
    graph_.expand(s);
  graph_.for_each_successor(s, [&](StateId successor) { discover(successor); });
  const graph::PairId greedy = lp_.replace_exit(s);
  if (!greedy.valid()) saw_hopeless_ = true;
  return greedy;
}

/// Expands a state and what the greedy actions lead to from there: a few states expanded in vain
/// cost less than solving the LP after every step.
void DualMethod::expand_ahead(StateId s) {
  std::vector<StateId> now{s};
  std::vector<StateId> next;
  for (int step = 0; step < steps_between_lps_ && !now.empty(); ++step) {
    next.clear();
    for (const StateId u : now) {
      if (graph_.is_goal(u) || graph_.is_expanded(u) || (step > 0 && dead_end_[u.index()]))
        continue;
      const graph::PairId greedy = expand(u);
      if (!greedy.valid()) continue;
      const auto successors = graph_.successors(greedy);
      next.insert(next.end(), successors.begin(), successors.end());
    }
    std::swap(now, next);
  }
}

bool DualMethod::expand_fringe(const ssp::Policy& policy) {
  bool any = false;
  for (std::size_t i = 0; i < policy.size(); ++i) {
    if (!policy.choices(i).empty()) continue;
    if (monitor_.reached()) return false;
    if (!graph_.is_expanded(policy.state(i))) expand_ahead(policy.state(i));
    any = true;
  }
  if (saw_hopeless_) bar_hopeless();
  return any;
}

/// The policy of the LP's flow, closed but for fringe states. It also goes where less flow gets
/// than the solver can tell from none: outcomes may be as unlikely as one likes.
ssp::Policy DualMethod::policy_of_solution() {
  const PhaseTimer timer(solution_.statistics.seconds.extract);
  if (ignored_flow_ == 0)
    return ssp::policy_of_flow(graph_, lp_.flow(), [&](StateId s) { return lp_.choice(s); });
  std::vector<double> flow = lp_.flow();
  for (double& y : flow)
    if (y < ignored_flow_) y = 0;
  // The region may be older than the state.
  return ssp::policy_of_flow(graph_, flow, [&](StateId s) {
    const bool known = s.index() < region_.choice.size() && region_.choice[s.index()].valid();
    return known ? region_.choice[s.index()] : lp_.choice(s);
  });
}

// --- states without hope ------------------------------------------------------------------------

/// Forbids all pairs that may end in a state from which neither a goal nor the fringe is reached
/// for certain. The LP would find out by itself, but only up to its tolerance. Returns whether
/// there was anything new.
bool DualMethod::bar_hopeless() {
  saw_hopeless_ = false;
  std::vector<bool> targets(graph_.num_states());
  for (std::size_t s = 0; s < targets.size(); ++s)
    targets[s] =
        graph_.is_goal(StateId(s)) || (lp_.contains(StateId(s)) && !graph_.is_expanded(StateId(s)));
  region_ = graph::proper_region(graph_, targets, monitor_);
  bool any = false;
  for (std::size_t p = 0; p < graph_.num_pairs(); ++p)
    if (!region_.allows(graph_, graph::PairId(p))) any |= lp_.bar(graph::PairId(p));
  return any || cannot_start();
}

bool DualMethod::hopeless(StateId s) const {
  if (dead_end_[s.index()]) return !cssp_.can_give_up();
  return s.index() < region_.member.size() && !region_.contains(s);
}

// --- what is returned ---------------------------------------------------------------------------

/// The policy misses a bound by a little, as the LP's tolerance allows.
bool DualMethod::needs_margin(const ssp::Evaluation& evaluation) {
  if (solution_.infeasibility || meets_bounds(cssp_, evaluation.costs)) return false;
  return ++tightenings_ <= most_tightenings;
}

void DualMethod::finish(const ssp::Policy& policy, const ssp::Evaluation& evaluation) {
  if (solution_.infeasibility) return;  // the policy is for the problem without bounds
  const PhaseTimer timer(solution_.statistics.seconds.extract);
  set_policy_if_feasible(policy, evaluation);
  set_lower_bound();
  if (solution_.gap() && *solution_.gap() <= options_.gap) solution_.status = Status::optimal;
  if (!solution_.costs)
    fail("the LP's policy misses a bound by more than rounding explains");
  else if (solution_.status != Status::optimal)
    fail("the LP's duals do not certify the requested gap");
}

void DualMethod::set_policy_if_feasible(const ssp::Policy& policy,
                                        const ssp::Evaluation& evaluation) {
  if (!evaluation.proper || !meets_bounds(cssp_, evaluation.costs)) return;
  set_policy(graph_, policy, evaluation, solution_);
  set_mixture_by_decomposition(graph_, policy, evaluation, options_, solution_);
}

/// From the last LP that was solved to its end, and what was known before the first.
void DualMethod::set_lower_bound() {
  const std::vector<double>& multipliers = lp_.multipliers();
  const LowerLine line =
      lower_line(graph_, multipliers, values_for(scalarisation(cssp_, multipliers)), monitor_);
  const LowerLine estimate{std::vector<double>(cssp_.num_costs(), 0.0), initial_estimate_};
  cssp::set_lower_bound(cssp_, std::array{line, estimate}, solution_);
}

std::vector<double> DualMethod::values_for(std::span<const double> weights) {
  std::vector<double> values = lp_.values();
  values.resize(graph_.num_states(), 0.0);
  bound_fringe(weights, values);
  for (std::size_t s = 0; s < values.size(); ++s) {
    if (graph_.is_goal(StateId(s)))
      values[s] = 0;
    else if (hopeless(StateId(s)))
      values[s] = std::numeric_limits<double>::infinity();
    else if (dead_end_[s])
      values[s] = graph::weighted_cost(*cssp_.give_up_penalty(), weights);
  }
  return values;
}

/// Whether there is a proper policy at all is another question, and comes first. If giving up is
/// not possible, the search goes on without bounds until it knows.
bool DualMethod::explain_infeasibility() {
  report("proof of infeasibility", lp_.iterations());
  const lp::Status status = lp_.solve_relaxed(monitor_);
  if (monitor_.reached()) {
    end_by_limit(monitor_, solution_);
    return false;
  }
  if (status != lp::Status::optimal) {
    // Perhaps there is no proper policy, perhaps it is for rounding errors: no proof of anything.
    fail(status == lp::Status::infeasible ? "the LP has no solution, not even without bounds"
                                          : "the LP solver failed");
    return false;
  }
  const std::vector<double>& weights = lp_.multipliers();
  solution_.infeasibility =
      prove_infeasibility(graph_, weights, values_for(per_cost(cssp_, weights)), monitor_);
  if (!solution_.infeasibility) {
    fail("the bounds are so close to infeasible that the LP cannot tell");
    return false;
  }
  solution_.status = Status::infeasible;
  lp_.lift_bounds();
  return !cssp_.can_give_up();
}

void DualMethod::end_by_size() {
  if (solution_.infeasibility) return;
  solution_.status = Status::limit;
  solution_.note = "the limit on expanded states was reached";
  set_lower_bound();
}

/// After a limit: what is known, and the policy of the last LP if giving up at its fringe will do.
void DualMethod::end() {
  if (solution_.infeasibility) return;
  const PhaseTimer timer(solution_.statistics.seconds.extract);
  const std::string warning = solution_.note;
  end_by_limit(monitor_, solution_);
  if (!warning.empty()) solution_.note += "; " + warning;
  if (lp_.flow().empty()) return;
  if (cssp_.can_give_up()) set_policy_by_giving_up();
  set_lower_bound();
  if (solution_.gap() && *solution_.gap() <= options_.gap) solution_.status = Status::optimal;
}

void DualMethod::set_policy_by_giving_up() {
  std::vector<double> flow = lp_.flow();
  flow.resize(graph_.num_pairs(), 0.0);
  const auto give_up = [&](StateId s) {
    for (const graph::PairId p : graph_.pairs(s))
      if (graph_.action(p) == Cssp::give_up_action) return p;
    return lp_.choice(s);
  };
  const ssp::Policy open = ssp::policy_of_flow(graph_, flow, give_up);
  for (std::size_t i = 0; i < open.size(); ++i)
    if (open.choices(i).empty()) graph_.expand_to_give_up(open.state(i));
  flow.resize(graph_.num_pairs(), 0.0);
  const ssp::Policy policy = ssp::policy_of_flow(graph_, flow, give_up);
  set_policy_if_feasible(policy, ssp::evaluate(graph_, policy));
}

void DualMethod::fail(const char* reason) {
  if (solution_.infeasibility) return;  // no more than that was to be found out
  solution_.status = Status::limit;
  if (is_relaxation()) solution_.note = fmt::format("numerical trouble: {}", reason);
}

void DualMethod::report(const char* phase, std::size_t iterations) const {
  monitor_.report([&](Progress& progress) {
    progress.phase = phase;
    progress.states = graph_.num_states();
    progress.iterations = iterations;
    if (is_relaxation() && !solution_.infeasibility && lp_.objective() > 0)
      progress.lower_bound = lp_.objective() * cssp_.units()[0];
  });
}

}  // namespace carl::cssp
