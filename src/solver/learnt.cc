#include "solver/learnt.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "carl/error.h"
#include "carl/question.h"
#include "cssp/algorithms.h"
#include "cssp/collapsed_problem.h"
#include "cssp/cost_units.h"
#include "cssp/dead_end.h"
#include "cssp/feasibility.h"
#include "cssp/front.h"
#include "cssp/repair.h"
#include "cssp/solution_policy.h"
#include "cssp/sweep.h"
#include "cssp/validate.h"
#include "cssp/zero_bounds.h"
#include "graph/zero_cost_loops.h"
#include "util/timer.h"

namespace carl::solver {
namespace {

/// What is known, if it serves these options, made ready for another solve; or else from scratch.
cssp::Scalarisation& scalarisation(Cssp& cssp, Learnt& learnt, const SolveOptions& options,
                                   Monitor& monitor) {
  const bool serves = learnt.scalarisation && !learnt.scalarisation->record &&
                      !options.checkpoint.enabled() && learnt.scalarisation->oracle.serves(options);
  if (serves) {
    learnt.scalarisation->begin(options, monitor);
  } else {
    learnt.scalarisation.reset();
    learnt.scalarisation = std::make_unique<cssp::Scalarisation>(cssp, options, monitor);
  }
  return *learnt.scalarisation;
}

Solution run(Cssp& cssp, Learnt& learnt, const SolveOptions& options, Monitor& monitor) {
  if (options.deterministic && !inner_algorithm(options.algorithm)) {
    const SolveOptions own = cssp::for_branching(options);
    return cssp::solve_deterministic(cssp, scalarisation(cssp, learnt, own, monitor), own, monitor);
  }
  switch (options.algorithm) {
    case Algorithm::carl:
      return cssp::solve_carl(cssp, scalarisation(cssp, learnt, options, monitor), options,
                              monitor);
    case Algorithm::automatic:
      if (learnt.scalarisation) scalarisation(cssp, learnt, options, monitor);
      return cssp::solve_auto(cssp, learnt.scalarisation, options, monitor);
    case Algorithm::i_dual:
    case Algorithm::i_dual_textbook:
      return cssp::solve_i_dual(cssp, options, monitor);
    case Algorithm::i2_dual:
      return cssp::solve_i2_dual(cssp, options, monitor);
    case Algorithm::lp:
      return cssp::solve_lp(cssp, options, monitor);
    case Algorithm::cg_ilao:
    case Algorithm::cg_ilao_paper:
    case Algorithm::ilao:
    case Algorithm::lrtdp:
    case Algorithm::vi:
      break;
  }
  return cssp::solve_ssp(cssp, options, monitor);
}

Solution ended_by(Algorithm algorithm, LimitKind kind) {
  Solution solution;
  solution.algorithm = to_string(algorithm);
  solution.status = kind == LimitKind::interrupt ? Status::interrupted : Status::limit;
  solution.note = LimitReached(kind).what();
  return solution;
}

void add_note(const std::string& note, Solution& solution) {
  solution.note += (solution.note.empty() ? "" : "; ") + note;
}

/// What is known for CARL, whatever algorithm was asked for: its heuristics need not suit CARL, or
/// not be admissible.
SolveOptions for_repair(const SolveOptions& options) {
  SolveOptions own;
  if (options.algorithm == Algorithm::carl &&
      options.search.heuristic_mode != HeuristicMode::c_roc) {
    own = options;
    own.checkpoint = {};  // which is of the answer
    return own;
  }
  own.threads = options.threads;
  own.seed = options.seed;
  own.search.epsilon = options.search.epsilon;
  return own;
}

/// For as long as this lives bounds of zero are constraints like the others, and all actions are
/// allowed.
class OpenedZeroBounds {
 public:
  explicit OpenedZeroBounds(Cssp& cssp) : cssp_(cssp) { cssp.remove_forbidden_actions(false); }
  ~OpenedZeroBounds() { cssp_.remove_forbidden_actions(true); }
  OpenedZeroBounds(const OpenedZeroBounds&) = delete;
  OpenedZeroBounds& operator=(const OpenedZeroBounds&) = delete;

 private:
  Cssp& cssp_;
};

void find_repair(Cssp& cssp, Learnt& learnt, const SolveOptions& options, Monitor& monitor,
                 Solution& solution) {
  const SolveOptions own_options = for_repair(options);
  if (!solution.repair)
    solution.repair = cssp::find_repair_from_scratch(
        scalarisation(cssp, learnt, own_options, monitor).lagrangian);
  const std::vector<std::size_t> zero_bounds = cssp.zero_bounds();
  if (!solution.repair || zero_bounds.empty()) return;
  for (const std::size_t b : zero_bounds)
    solution.repair->alone[b] = {};  // should a limit come first
  const OpenedZeroBounds opened(cssp);
  cssp::repair_zero_bounds(
      zero_bounds, scalarisation(cssp, learnt, own_options, monitor).lagrangian, *solution.repair);
}

/// Policies that toss coins meet the bounds, but they do not count: other bounds are not the remedy
/// that comes to mind.
bool needs_coins(const Solution& solution) {
  return solution.branching.has_value();
}

void work_out_why(Cssp& cssp, Learnt& learnt, const SolveOptions& options, Monitor& monitor,
                  Solution& solution) {
  if (solution.status == Status::no_proper_policy)
    solution.dead_end = cssp::find_dead_end(cssp, monitor);
  if (solution.status == Status::infeasible && !needs_coins(solution))
    find_repair(cssp, learnt, options, monitor, solution);
}

void note_what_is_missing(Monitor& monitor, Solution& solution) {
  const char* missing =
      solution.status == Status::no_proper_policy && !solution.dead_end
          ? "why there is no proper policy could not be worked out"
      : solution.status == Status::infeasible && !solution.repair && !needs_coins(solution)
          ? "what would suffice could not be worked out"
          : nullptr;
  if (missing == nullptr) return;
  add_note(monitor.reached() ? fmt::format("{}: {}", missing, LimitReached(monitor.kind()).what())
                             : missing,
           solution);
}

/// Extra work after the answer: whatever becomes of it is no reason to withhold that.
void explain(Cssp& cssp, Learnt& learnt, const SolveOptions& options, Monitor& monitor,
             Solution& solution) {
  try {
    work_out_why(cssp, learnt, options, monitor, solution);
    return note_what_is_missing(monitor, solution);
  } catch (const LimitReached&) {
  } catch (const std::bad_alloc&) {
  } catch (const InputError&) {  // a loop at no cost, among states that the answer did not need
  }
  learnt.scalarisation.reset();
  note_what_is_missing(monitor, solution);
}

/// A search that an exception has ended may be anywhere; what it had learnt is not to be relied on.
class ForgetUnlessDone {
 public:
  explicit ForgetUnlessDone(Learnt& learnt) : learnt_(learnt) {}
  ~ForgetUnlessDone() {
    if (!done_) learnt_.scalarisation.reset();
  }
  ForgetUnlessDone(const ForgetUnlessDone&) = delete;
  ForgetUnlessDone& operator=(const ForgetUnlessDone&) = delete;
  void done() { done_ = true; }

 private:
  Learnt& learnt_;
  bool done_ = false;
};

Solution solve_as_it_is(Cssp& cssp, Learnt& learnt, const SolveOptions& options, Monitor& monitor) {
  const Timer timer;
  cssp::validate(options, cssp);
  monitor.report([](Progress& progress) { progress = {}; });
  Solution solution;
  try {
    const cssp::CostUnits units(cssp, learnt.units);
    ForgetUnlessDone guard(learnt);
    const SolveOptions own_options = units.options(options);
    solution = run(cssp, learnt, own_options, monitor);
    if (solution.status == Status::no_proper_policy)
      cssp::blame_zero_bounds(cssp, monitor, solution);
    cssp::note_deterministic_policy(cssp, solution);
    if (options.explain) explain(cssp, learnt, own_options, monitor, solution);
    units.to_model(solution);
    guard.done();
  } catch (const LimitReached& limit) {
    solution = ended_by(options.algorithm, limit.kind());
  } catch (const std::bad_alloc&) {
    solution = ended_by(options.algorithm, LimitKind::memory);
    solution.note = "out of memory";
  }
  solution.statistics.seconds.total += timer.seconds();
  return solution;
}

// What the primary cost may be raised by where loops cost something, but nothing of it: the shares
// that are tried until the gap is small enough.
constexpr double shares_of_bounds[] = {1e-5, 1e-7, 1e-9};
constexpr double epsilon_of_share = 1e-4;
constexpr double share_for_sweeps = 1e-9;

/// What is left of a factored problem are its states.
SolveOptions for_collapsed(const SolveOptions& options) {
  SolveOptions own_options = options;
  own_options.mixture_policies = true;
  own_options.explain = false;
  own_options.checkpoint = {};
  own_options.search.heuristic.reset();
  own_options.search.heuristic_mode.reset();
  if (options.algorithm == Algorithm::i2_dual) own_options.algorithm = Algorithm::carl;
  return own_options;
}

/// What counts is the gap of the problem as it is. Where the optimum is small that of the raised one
/// may be large, so that little is asked of it at first.
Solution solve_with_shares(Cssp& cssp, cssp::CollapsedProblem& collapsed,
                           const SolveOptions& options, Monitor& monitor) {
  SolveOptions own_options = for_collapsed(options);
  Solution solution;
  for (const double share : shares_of_bounds) {
    collapsed.add_share_of_bounds(share);
    // What actions typically cost is next to nothing now.
    if (!options.search.epsilon)
      own_options.search.epsilon = epsilon_of_share * collapsed.most_added();
    Learnt learnt;
    for (const double gap : {std::max(0.1, options.gap), options.gap / 2}) {
      own_options.gap = gap;
      solution = solve_as_it_is(collapsed.cssp(), learnt, own_options, monitor);
      collapsed.to_original(options, solution);
      const bool has_answer =
          solution.status == Status::infeasible || solution.status == Status::no_proper_policy;
      if (has_answer) return solution;
      const bool feasible = solution.costs && cssp::meets_bounds(cssp, *solution.costs);
      if (const auto found = solution.gap(); feasible && found && *found <= options.gap) {
        solution.status = Status::optimal;
        return solution;
      }
      if (!monitor.reached()) continue;
      const Solution ended = ended_by(options.algorithm, monitor.kind());
      solution.status = ended.status;
      solution.note = ended.note;
      return solution;
    }
  }
  solution.status = Status::limit;
  add_note("loops at no primary cost leave a larger gap than was asked for", solution);
  return solution;
}

/// With all states of a free loop as one.
Solution solve_collapsed(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  try {
    cssp::CollapsedProblem collapsed(cssp, options.threads, monitor);
    Solution solution;
    if (collapsed.has_loops_at_no_primary_cost(monitor)) {
      solution = solve_with_shares(cssp, collapsed, options, monitor);
    } else {
      Learnt learnt;
      solution = solve_as_it_is(collapsed.cssp(), learnt, for_collapsed(options), monitor);
      collapsed.to_original(options, solution);
    }
    // What is collapsed has lost the pairs that bounds of zero forbid.
    if (solution.status == Status::no_proper_policy)
      cssp::blame_zero_bounds(cssp, monitor, solution);
    if (collapsed.has_loops()) add_note("loops at no cost count as single states", solution);
    if (options.checkpoint.enabled())
      add_note("there are no checkpoints of problems with loops at no cost", solution);
    return solution;
  } catch (const LimitReached& limit) {
    return ended_by(options.algorithm, limit.kind());
  }
}

Sweep sweep_as_it_is(Cssp& cssp, Learnt& learnt, const SweepRange& range,
                     const std::optional<SweepRange>& second, const SolveOptions& options,
                     Monitor& monitor) {
  for (const std::optional<SweepRange>& given : {std::optional(range), second})
    if (given) given->values();  // errors are in the units of the model
  const SolveOptions sweep_options = cssp::for_sweep(options);
  cssp::validate_for_any_bounds(sweep_options, cssp);
  monitor.report([](Progress& progress) { progress = {}; });
  const cssp::CostUnits units(cssp, learnt.units);
  ForgetUnlessDone guard(learnt);
  std::optional<SweepRange> second_in_units;
  if (second) second_in_units = units.range(*second);
  const SolveOptions own_options = units.options(sweep_options);
  Sweep result =
      cssp::run_sweep(cssp, scalarisation(cssp, learnt, own_options, monitor), units.range(range),
                      second_in_units, options.gap, own_options, monitor);
  units.to_model(result);
  guard.done();
  return result;
}

/// For as long as this lives there are no bounds on these costs.
class LiftedBounds {
 public:
  LiftedBounds(Cssp& cssp, const std::vector<std::size_t>& costs) : cssp_(cssp), original_(cssp) {
    for (const std::size_t cost : costs)
      cssp.set_bound(cssp.cost_names()[cost], std::numeric_limits<double>::infinity());
  }
  ~LiftedBounds() { cssp_ = std::move(original_); }
  LiftedBounds(const LiftedBounds&) = delete;
  LiftedBounds& operator=(const LiftedBounds&) = delete;

  /// Of these costs.
  std::vector<Bound> bounds() const {
    std::vector<Bound> lifted;
    for (const Bound& bound : original_.bounds())
      if (std::none_of(cssp_.bounds().begin(), cssp_.bounds().end(),
                       [&](const Bound& kept) { return kept.cost == bound.cost; }))
        lifted.push_back(bound);
    return lifted;
  }

 private:
  Cssp& cssp_;
  Cssp original_;
};

/// No step costs any of a probability, so that it would be a waste of time to search for a loop.
bool every_loop_is_free(const Cssp& cssp) {
  const Question* question = cssp.model().question();
  return question != nullptr && question->optimised() != nullptr &&
         question->optimised()->formula.starts_with("P[");
}

ParetoFront front_as_it_is(Cssp& cssp, Learnt& learnt, const std::vector<std::size_t>& costs,
                           const ParetoRequest& request, const SolveOptions& options,
                           Monitor& monitor) {
  monitor.report([](Progress& progress) { progress = {}; });
  const cssp::CostUnits units(cssp, learnt.units);
  ForgetUnlessDone guard(learnt);
  const SolveOptions own_options = units.options(options);
  ParetoFront front = cssp::run_front(cssp, scalarisation(cssp, learnt, own_options, monitor),
                                      costs, request, own_options, monitor);
  units.to_model(front);
  guard.done();
  return front;
}

/// With all states of a free loop as one.
ParetoFront front_collapsed(Cssp& cssp, const std::vector<std::size_t>& costs,
                            const ParetoRequest& request, const SolveOptions& options,
                            Monitor& monitor) {
  cssp::CollapsedProblem collapsed(cssp, options.threads, monitor, costs);
  SolveOptions own_options = options;
  own_options.search.heuristic.reset();
  Learnt learnt;
  ParetoFront front =
      front_as_it_is(collapsed.cssp(), learnt, costs, request, own_options, monitor);
  if (request.policies)
    for (ParetoVertex& vertex : front.vertices)
      collapsed.to_original(vertex.policy, vertex.costs, monitor);
  return front;
}

}  // namespace

Solution solve(Cssp& cssp, Learnt& learnt, const SolveOptions& options, Monitor& monitor) {
  if (every_loop_is_free(cssp)) {
    cssp::validate(options, cssp);
    return solve_collapsed(cssp, options, monitor);
  }
  try {
    return solve_as_it_is(cssp, learnt, options, monitor);
  } catch (const graph::ZeroCostLoopError&) {
    if (!allows_free_loops(cssp.model())) throw;
  }
  return solve_collapsed(cssp, options, monitor);
}

Sweep sweep(Cssp& cssp, Learnt& learnt, const SweepRange& range,
            const std::optional<SweepRange>& second, const SolveOptions& options,
            Monitor& monitor) {
  try {
    return sweep_as_it_is(cssp, learnt, range, second, options, monitor);
  } catch (const graph::ZeroCostLoopError&) {
    if (!allows_free_loops(cssp.model())) throw;
  }
  cssp::CollapsedProblem collapsed(cssp, options.threads, monitor);
  SolveOptions own_options = options;
  own_options.search.heuristic.reset();
  if (collapsed.has_loops_at_no_primary_cost(monitor))
    collapsed.add_share_of_bounds(share_for_sweeps);
  Learnt own;
  return sweep_as_it_is(collapsed.cssp(), own, range, second, own_options, monitor);
}

ParetoFront pareto(Cssp& cssp, Learnt& learnt, const ParetoRequest& request,
                   const SolveOptions& options, Monitor& monitor) {
  const std::vector<std::size_t> costs = cssp::front_costs(cssp, request);
  const SolveOptions front_options = cssp::for_front(options, request);
  cssp::validate_for_any_bounds(front_options, cssp);
  const LiftedBounds lifted(cssp, costs);
  ParetoFront front;
  try {
    front = front_as_it_is(cssp, learnt, costs, request, front_options, monitor);
  } catch (const graph::ZeroCostLoopError&) {
    if (!allows_free_loops(cssp.model())) throw;
    front = front_collapsed(cssp, costs, request, front_options, monitor);
  }
  front.lifted = lifted.bounds();
  return front;
}

}  // namespace carl::solver
