// A solve on many ranks. The outer search is the library's own and runs on the first rank, over an
// oracle that asks all of them.

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "carl/cluster.h"
#include "carl/error.h"
#include "carl/question.h"
#include "cluster/agreement.h"
#include "cluster/cluster_oracle.h"
#include "cluster/common_scale.h"
#include "cluster/engine.h"
#include "cluster/prepared_rows.h"
#include "cssp/cost_units.h"
#include "cssp/dead_end.h"
#include "cssp/oracle_solution.h"
#include "cssp/solution_policy.h"
#include "cssp/validate.h"
#include "graph/zero_cost_loops.h"
#include "oracle/checkpointed_oracle.h"
#include "util/timer.h"

namespace carl::cluster {
namespace {

/// What many ranks cannot do is left to the first.
bool is_for_many_ranks(const Cssp& cssp, const SolveOptions& options) {
  return (options.algorithm == Algorithm::carl || options.algorithm == Algorithm::automatic) &&
         options.carl.outer == OuterAlgorithm::bundle && !options.deterministic &&
         options.search.heuristic_mode != HeuristicMode::c_roc && !allows_free_loops(cssp.model());
}

Solution solve_on_first(Cssp& cssp, const SolveOptions& options, Monitor& monitor,
                        const Ranks& ranks) {
  if (!ranks.is_first()) return {};
  Solution solution = carl::solve(cssp, options, monitor);
  note_one_rank(solution);
  return solution;
}

class ParallelSolve {
 public:
  ParallelSolve(Cssp& cssp, const SolveOptions& options, const std::string& policy,
                const Ranks& ranks, Monitor& monitor)
      : cssp_(cssp), options_(options), policy_(policy), ranks_(ranks), watch_(ranks, monitor) {
    solution_.algorithm = to_string(Algorithm::carl);
    solution_.outer = to_string(OuterAlgorithm::bundle);
  }

  Solution run() {
    ProblemRows problem = read_rows(cssp_, options_, ranks_, watch_);
    const GlobalId found = problem.rows.ownership().total();
    PreparedRows prepared = prepare(problem, cssp_.zero_costs(), ranks_, watch_);
    if (prepared.outcome == PreparedRows::Outcome::zero_cost_loop) reject_loops();
    if (prepared.outcome == PreparedRows::Outcome::no_proper_policy) {
      solution_.status = Status::no_proper_policy;
      blame_zero_bounds(problem);
    } else {
      const Homes homes(cssp_, problem.homes, ranks_);
      Engine engine(std::move(prepared), options_.gap, homes, ranks_, watch_);
      if (!search(engine)) return {};
      record(found, engine);
      keep_policy(engine);
    }
    if (!ranks_.is_first()) return {};
    cssp::note_deterministic_policy(cssp_, solution_);
    if (options_.explain) explain();
    return std::move(solution_);
  }

 private:
  /// The message names states and actions: that is the library's, on one rank, which alone expands all
  /// of the problem for it.
  void reject_loops() {
    if (cssp_.model().share())
      throw graph::ZeroCostLoopError(
          "a loop at zero primary cost that never needs to reach the goal",
          "give its actions a small positive cost");
    together(ranks_, [&] {
      if (!ranks_.is_first()) return;
      Cssp own = cssp_;
      graph::SearchGraph graph(own, options_.threads);
      graph.expand_all(watch_.monitor());
      graph::reject_zero_cost_loops(graph, watch_.monitor());
      throw LimitReached(watch_.monitor().kind());
    });
  }

  /// As cssp/zero_bounds.h does.
  void blame_zero_bounds(const ProblemRows& problem) {
    const auto exists_with = [&](const std::vector<std::size_t>& bounds) {
      const Cssp other = cssp_.with_zero_bounds_only(bounds);
      return has_proper_policy(problem, other.zero_costs(), ranks_, watch_);
    };
    std::vector<std::size_t> blamed = cssp_.zero_bounds();
    if (blamed.empty() || !exists_with({})) return;
    for (std::size_t i = 0; i < blamed.size() && blamed.size() > 1;) {
      std::vector<std::size_t> others = blamed;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      if (exists_with(others))
        ++i;
      else
        blamed = std::move(others);
    }
    solution_.status = Status::infeasible;
    solution_.infeasibility.emplace();
    solution_.infeasibility->zero_bounds = std::move(blamed);
  }

  /// An error of the first rank is thrown there when the others know of it; they return false.
  bool search(Engine& engine) {
    std::exception_ptr failure;
    if (!ranks_.is_first()) serve(engine);
    try {
      if (ranks_.is_first()) search_on_first(engine);
    } catch (...) {
      failure = std::current_exception();
    }
    const bool failed = ranks_.any(failure != nullptr);
    if (failure) std::rethrow_exception(failure);
    return !failed;
  }

  void search_on_first(Engine& engine) {
    ClusterOracle oracle(engine);
    if (!options_.checkpoint.enabled()) {
      cssp::Lagrangian lagrangian(cssp_, oracle);
      solution_ = cssp::solve_by_oracle(lagrangian, options_);
      return;
    }
    oracle::CheckpointedOracle record(oracle, oracle, cssp_, options_.checkpoint);
    cssp::Lagrangian lagrangian(cssp_, record);
    solution_ = cssp::solve_by_oracle(lagrangian, options_);
    cssp::tell_of(record, solution_);
  }

  /// Where no rank has all of it.
  void keep_policy(const Engine& engine) {
    const bool found = ranks_.any(ranks_.is_first() && solution_.costs);
    if (!cssp_.model().share() || !found) return;
    solution_.spread_policy = engine.mixed_size();
    if (!policy_.empty()) engine.write_mixed(policy_);
  }

  void record(GlobalId found, const Engine& engine) {
    Statistics& statistics = solution_.statistics;
    statistics.expanded = ranks_.sum(std::uint64_t{engine.rows().size()});
    statistics.generated = found;
    statistics.state_action_pairs = ranks_.sum(std::uint64_t{engine.rows().num_pairs()});
    statistics.transitions = ranks_.sum(std::uint64_t{engine.rows().num_outcomes()});
    statistics.transition_bytes = ranks_.sum(std::uint64_t{engine.rows().bytes()});
  }

  /// Extra work after the answer: whatever becomes of it is no reason to withhold that.
  void explain() {
    try {
      if (solution_.status == Status::no_proper_policy && !cssp_.model().share())
        solution_.dead_end = cssp::find_dead_end(cssp_, watch_.monitor());
    } catch (const LimitReached&) {
    } catch (const InputError&) {
    }
  }

  Cssp& cssp_;
  const SolveOptions& options_;
  const std::string& policy_;
  const Ranks& ranks_;
  Watch watch_;
  Solution solution_;
};

Solution ended_by(const LimitReached& limit) {
  Solution solution;
  solution.algorithm = to_string(Algorithm::carl);
  solution.status = limit.kind() == LimitKind::interrupt ? Status::interrupted : Status::limit;
  solution.note = limit.what();
  return solution;
}

}  // namespace

void note_one_rank(Solution& solution) {
  solution.note += (solution.note.empty() ? "" : "; ") + std::string("solved by one rank");
}

Solution solve(Cssp& cssp, const SolveOptions& options, Monitor& monitor,
               const std::string& policy) {
  const Ranks ranks(MPI_COMM_WORLD);
  const Timer timer;
  cssp::validate(options, cssp);
  if (!is_for_many_ranks(cssp, options)) return solve_on_first(cssp, options, monitor, ranks);
  monitor.report([](Progress& progress) { progress = {}; });
  Solution solution;
  try {
    std::vector<double> known;
    const cssp::CostUnits units(cssp, known, common_cost_scale(cssp, ranks));
    const SolveOptions own_options = units.options(options);
    solution = ParallelSolve(cssp, own_options, policy, ranks, monitor).run();
    if (ranks.is_first()) units.to_model(solution);
  } catch (const LimitReached& limit) {
    solution = ended_by(limit);
  }
  solution.statistics.seconds.total += timer.seconds();
  return solution;
}

}  // namespace carl::cluster
