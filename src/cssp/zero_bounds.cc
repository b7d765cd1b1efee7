#include "cssp/zero_bounds.h"

#include <limits>

#include "cssp/algorithms.h"
#include "cssp/solve_record.h"
#include "graph/proper_region.h"
#include "oracle/strategy.h"

namespace carl::cssp {
namespace {

/// On the graph if all states can be expanded, else by one search that does not care how good the
/// policy is.
bool has_proper_policy(Cssp cssp, Monitor& monitor) {
  if (cssp.can_give_up()) return true;
  graph::SearchGraph graph(cssp);
  if (oracle::expand_small_space(graph, monitor)) {
    const bool exists = graph::proper_region(graph, monitor).contains(graph.initial_state());
    monitor.check();
    return exists;
  }
  SolveOptions options;
  options.algorithm = Algorithm::cg_ilao;
  options.gap = std::numeric_limits<double>::infinity();
  const Solution solution = solve_ssp(cssp, options, monitor);
  monitor.check();
  return solution.status != Status::no_proper_policy;
}

}  // namespace

std::optional<Infeasibility> blame_zero_bounds(const Cssp& cssp, Monitor& monitor) {
  std::vector<std::size_t> blamed = cssp.zero_bounds();
  if (blamed.empty()) return std::nullopt;
  if (!has_proper_policy(cssp.with_zero_bounds_only({}), monitor)) return std::nullopt;
  for (std::size_t i = 0; i < blamed.size() && blamed.size() > 1;) {
    std::vector<std::size_t> others = blamed;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (has_proper_policy(cssp.with_zero_bounds_only(others), monitor))
      ++i;
    else
      blamed = std::move(others);
  }
  Infeasibility reason;
  reason.zero_bounds = std::move(blamed);
  return reason;
}

void blame_zero_bounds(const Cssp& cssp, Monitor& monitor, Solution& solution) {
  try {
    solution.infeasibility = blame_zero_bounds(cssp, monitor);
    if (solution.infeasibility) solution.status = Status::infeasible;
  } catch (const LimitReached&) {
    end_by_limit(monitor, solution);
    solution.note +=
        "; no policy meets the bounds of 0, but whether one is proper without them is "
        "not known";
  }
}

}  // namespace carl::cssp
