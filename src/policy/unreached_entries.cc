#include "policy/unreached_entries.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "policy/findings.h"

namespace carl::policy {
namespace {

/// Breadth first, until visit() returns false or all are visited (true), or there are too many.
template <class Visit>
bool for_each_state(Cssp& cssp, std::size_t max_states, Monitor& monitor, Visit visit) {
  std::vector<bool> seen;
  std::vector<StateId> queue;
  const auto discover = [&](StateId state) {
    if (seen.size() <= state.index())
      seen.resize(std::max(cssp.num_states(), state.index() + 1), false);
    if (!seen[state.index()]) queue.push_back(state);
    seen[state.index()] = true;
  };
  discover(cssp.initial_state());
  Expansion expansion;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    monitor.check();
    if (next == max_states) return false;
    if (!visit(queue[next])) return true;
    if (cssp.is_goal(queue[next])) continue;
    cssp.expand(queue[next], expansion);
    for (std::size_t a = 0; a < expansion.num_actions(); ++a)
      for (const StateId successor : expansion.successors(a))
        discover(successor);
  }
  return true;
}

}  // namespace

UnreachedEntries look_for(Cssp& cssp, const std::vector<std::string>& states,
                          std::size_t max_states, Monitor& monitor) {
  UnreachedEntries result;
  const auto warn = [&](const std::string& state, const char* what, const char* option = "") {
    result.findings.push_back({CheckKind::states, true, state, what, {}, {}, option});
  };
  absl::flat_hash_set<std::string> wanted(states.begin(), states.end());
  const bool complete =
      wanted.empty() || for_each_state(cssp, max_states, monitor, [&](StateId state) {
        const std::string name = cssp.state_name(state);
        if (wanted.erase(name) == 0) return true;
        ++result.superfluous;
        warn(name, cssp.is_goal(state) ? "is a goal, where nothing is done"
                                       : "is not reached by the policy: its entry is not needed");
        return !wanted.empty();
      });
  for (const std::string& state : states) {
    if (!wanted.contains(state)) continue;
    if (complete)
      result.findings.push_back(
          wrong(CheckKind::states, state, "does not exist: no policy reaches such a state"));
    else
      warn(state, "is not reached by the policy, nor is it among the states looked at",
           "max_states");
  }
  return result;
}

}  // namespace carl::policy
