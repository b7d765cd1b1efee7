// The choice between CARL and the dual methods, by what measurements say (docs/dual-methods.md); the
// rule is in oracle/strategy.h.

#include <fmt/format.h>

#include <utility>

#include "cssp/algorithms.h"
#include "heuristics/make_heuristic.h"
#include "oracle/strategy.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

Solution with_reason(Solution solution, const std::string& reason) {
  if (!solution.note.empty()) solution.note += "; ";
  solution.note += reason;
  return solution;
}

}  // namespace

Solution solve_auto(Cssp& cssp, std::unique_ptr<Scalarisation>& known, const SolveOptions& options,
                    Monitor& monitor) {
  const Timer timer;
  SolveOptions chosen = options;
  chosen.algorithm = Algorithm::carl;
  auto graph = std::make_unique<graph::SearchGraph>(cssp, options.threads);
  const auto by_carl = [&](const std::string& reason) {
    if (!known) known = std::make_unique<Scalarisation>(std::move(graph), chosen, monitor);
    return with_reason(solve_carl(cssp, *known, chosen, monitor), "auto chose carl: " + reason);
  };
  if (known) return by_carl("it has solved this problem before");
  if (heuristics::is_in_memory(cssp))
    return by_carl("all states fit in memory and are expanded at once");
  const graph::SearchGraph::Bookmark start = graph->bookmark();
  if (oracle::expand_small_space(*graph, monitor, oracle::most_states_for_auto_to_expand))
    return by_carl("all states fit in memory and are expanded at once");
  graph->return_to(start);
  if (!heuristics::has_task(cssp)) return by_carl("i2-dual needs a factored problem");
  SolveOptions trial = options;
  trial.algorithm = Algorithm::i2_dual;
  trial.search.heuristic = HeuristicKind::roc;
  trial.search.heuristic_mode.reset();
  trial.dual.max_expanded = oracle::most_states_of_i2_dual;
  Solution solution = solve_i2_dual(cssp, trial, monitor);
  if (monitor.reached())
    return with_reason(std::move(solution), "auto was giving i2-dual a try, the problem is large");
  if (solution.status != Status::limit)
    return with_reason(std::move(solution),
                       "auto chose i2-dual: the problem is large, and ROC tells enough about it");
  const double lost = timer.seconds();
  solution =
      by_carl(fmt::format("the problem is large, and i2-dual did not settle it within {} states",
                          oracle::most_states_of_i2_dual));
  solution.statistics.seconds.search += lost;
  return solution;
}

}  // namespace carl::cssp
