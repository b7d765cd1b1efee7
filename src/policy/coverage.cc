#include "policy/coverage.h"

#include <algorithm>

#include "policy/findings.h"
#include "policy/reachable_space.h"

namespace carl::policy {
namespace {

// Where many states are missing, some of them will do.
constexpr std::size_t most_findings = 10;

}  // namespace

bool is_forbidden_by_bounds(const Cssp& cssp, ActionId action) {
  return std::any_of(cssp.bounds().begin(), cssp.bounds().end(), [&](const Bound& bound) {
    return bound.upper == 0 && cssp.cost(action)[bound.cost] > 0;
  });
}

CoverageJudgement judge_coverage(Cssp& cssp, const Policy& policy, Monitor& monitor) {
  ReachableSpace::Rules rules;
  rules.treatment = [](StateId) { return ReachableSpace::Treatment::expand; };
  rules.forbidden = [&](ActionId action) { return is_forbidden_by_bounds(cssp, action); };
  const ReachableSpace space(cssp, rules, monitor);
  CoverageJudgement result;
  for (const StateId s : space.states()) {
    if (cssp.is_goal(s) || !space.is_proper(s)) continue;
    if (policy.find(s)) {
      ++result.covered;
      continue;
    }
    if (++result.missing <= most_findings)
      result.findings.push_back(wrong(CheckKind::covered, cssp.state_name(s),
                                      "can be reached, but is not listed",
                                      "an entry: a goal can be reached from there", "none"));
  }
  return result;
}

}  // namespace carl::policy
