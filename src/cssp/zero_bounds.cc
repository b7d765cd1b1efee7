#include "cssp/zero_bounds.h"

#include <limits>

#include "carl/question.h"
#include "cssp/algorithms.h"
#include "cssp/solve_record.h"
#include "graph/proper_region.h"
#include "oracle/strategy.h"

namespace carl::cssp {
namespace {

/// Whether there is a proper policy without what some bounds of zero forbid: on one graph, with
/// masks, if all states can be expanded, else by searches that do not care how good the policy is.
class ProperPolicies {
 public:
  ProperPolicies(const Cssp& cssp, Monitor& monitor)
      : cssp_(cssp),
        without_bounds_(cssp.with_zero_bounds_only({})),
        monitor_(monitor),
        graph_(without_bounds_),
        is_whole_(expand(monitor)) {}

  /// `zero_bounds` are entries of Cssp::bounds().
  bool exist_with(const std::vector<std::size_t>& zero_bounds) {
    Cssp cssp = cssp_.with_zero_bounds_only(zero_bounds);
    if (cssp.can_give_up()) return true;
    if (!is_whole_) return is_found(cssp);
    graph_.forbid_costs(cssp.zero_costs());
    const bool exist = graph::proper_region(graph_, monitor_).contains(graph_.initial_state());
    monitor_.check();
    return exist;
  }

 private:
  /// Searches find no policy among loops at no cost.
  bool expand(Monitor& monitor) {
    return allows_free_loops(cssp_.model()) ? graph_.expand_all(monitor)
                                            : oracle::expand_small_space(graph_, monitor);
  }

  bool is_found(Cssp& cssp) {
    SolveOptions options;
    options.algorithm = Algorithm::cg_ilao;
    options.gap = std::numeric_limits<double>::infinity();
    const Solution solution = solve_ssp(cssp, options, monitor_);
    monitor_.check();
    return solution.status != Status::no_proper_policy;
  }

  const Cssp& cssp_;
  Cssp without_bounds_;
  Monitor& monitor_;
  graph::SearchGraph graph_;
  bool is_whole_;
};

}  // namespace

std::optional<Infeasibility> blame_zero_bounds(const Cssp& cssp, Monitor& monitor) {
  std::vector<std::size_t> blamed = cssp.zero_bounds();
  if (blamed.empty()) return std::nullopt;
  ProperPolicies policies(cssp, monitor);
  if (!policies.exist_with({})) return std::nullopt;
  for (std::size_t i = 0; i < blamed.size() && blamed.size() > 1;) {
    std::vector<std::size_t> others = blamed;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (policies.exist_with(others))
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
