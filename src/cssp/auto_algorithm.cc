// The choice between CARL and the dual methods, by what measurements say (docs/dual-methods.md):
//
//  - A problem that is soon expanded as a whole is CARL's, with value iteration.
//  - On a larger one i²-dual with ROC may be done after a few hundred states, where ROC says almost
//    everything there is to know about the problem (the printer with six sheets: 0.1 s where
//    CARL is not done after 40). Its LPs become slow after some thousand states. So it gets a small
//    number of states to show what it can do.
//  - If that was not enough, CARL takes over.

#include <fmt/format.h>

#include "cssp/algorithms.h"
#include "graph/small_space.h"
#include "heuristics/make_heuristic.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

// Takes a few tenths of a second. CARL itself expands more than that, but not before i²-dual has
// had its chance.
constexpr std::size_t most_states_to_expand = 300'000;
constexpr std::size_t most_states_of_i2_dual = 1'500;

Solution with_reason(Solution solution, const std::string& reason) {
  if (!solution.note.empty()) solution.note += "; ";
  solution.note += reason;
  return solution;
}

bool can_be_expanded_as_a_whole(Cssp& cssp, std::size_t threads, Monitor& monitor) {
  if (heuristics::is_in_memory(cssp)) return true;
  graph::SearchGraph graph(cssp, threads);
  return graph::expand_small_space(graph, monitor, most_states_to_expand);
}

}  // namespace

Solution solve_auto(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  const Timer timer;
  SolveOptions chosen = options;
  chosen.algorithm = Algorithm::carl;
  if (can_be_expanded_as_a_whole(cssp, options.threads, monitor)) {
    if (!chosen.carl.inner && !chosen.search.heuristic) chosen.carl.inner = InnerAlgorithm::vi;
    return with_reason(solve_carl(cssp, chosen, monitor),
                       "auto chose carl: all states fit in memory and are expanded at once");
  }
  if (!heuristics::has_task(cssp))
    return with_reason(solve_carl(cssp, chosen, monitor),
                       "auto chose carl: i2-dual needs a factored problem");
  SolveOptions trial = options;
  trial.algorithm = Algorithm::i2_dual;
  trial.search.heuristic = HeuristicKind::roc;
  trial.search.heuristic_mode.reset();
  trial.dual.max_expanded = most_states_of_i2_dual;
  Solution solution = solve_i2_dual(cssp, trial, monitor);
  if (monitor.reached())
    return with_reason(std::move(solution), "auto was giving i2-dual a try, the problem is large");
  if (solution.status != Status::limit)
    return with_reason(std::move(solution),
                       "auto chose i2-dual: the problem is large, and ROC tells enough about it");
  const double lost = timer.seconds();
  solution = solve_carl(cssp, chosen, monitor);
  solution.statistics.seconds.search += lost;
  return with_reason(
      std::move(solution),
      fmt::format("auto chose carl: the problem is large, and i2-dual did not settle "
                  "it within {} states",
                  most_states_of_i2_dual));
}

}  // namespace carl::cssp
