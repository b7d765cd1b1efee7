// A policy file names states and actions; here they become those of a problem. The problem is
// walked from its initial state as the policy says, so that only what the policy can reach is ever
// expanded.

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "carl/error.h"
#include "carl/io.h"
#include "util/shown.h"

namespace carl {
namespace {

/// What the file says of one state, in terms of its applicable actions.
PolicyEntry resolve(const Cssp& cssp, StateId state, const PolicyFile::Entry& named,
                    const Expansion& expansion) {
  PolicyEntry entry{state, named.visits.value_or(0), {}};
  double sum = 0;
  for (const auto& [name, probability] : named.choices) {
    std::size_t k = 0;
    while (k < expansion.num_actions() && cssp.action_name(expansion.action(k)) != name)
      ++k;
    if (k == expansion.num_actions())
      throw InputError(fmt::format("the policy says {} in {}, where there is no such action",
                                   shown(name), cssp.state_name(state)));
    if (!(probability > 0 && probability <= 1 + 1e-9))
      throw InputError(fmt::format("in {} a probability is not above 0 and at most 1: {}",
                                   cssp.state_name(state), probability));
    entry.choices.push_back({expansion.action(k), probability});
    sum += probability;
  }
  if (entry.choices.empty())
    throw InputError(fmt::format("the policy has no action for {}", cssp.state_name(state)));
  if (std::abs(sum - 1) > 1e-6)
    throw InputError(fmt::format("the probabilities in {} sum to {}", cssp.state_name(state), sum));
  return entry;
}

using EntryOfState = absl::flat_hash_map<std::string, const PolicyFile::Entry*>;

EntryOfState index_by_state(const PolicyFile& file) {
  EntryOfState result;
  for (const PolicyFile::Entry& entry : file.states)
    if (!result.emplace(entry.state, &entry).second)
      throw InputError(fmt::format("the policy lists the state {} twice", shown(entry.state)));
  return result;
}

}  // namespace

StochasticPolicy resolve_policy(Cssp& cssp, const PolicyFile& file, Monitor& monitor) {
  if (file.costs != cssp.cost_names())
    throw InputError(fmt::format("the policy is of a problem with the costs {}, this one has {}",
                                 fmt::join(file.costs, ", "), fmt::join(cssp.cost_names(), ", ")));
  const EntryOfState entry_of = index_by_state(file);
  StochasticPolicy policy;
  Expansion expansion;
  std::vector<StateId> queue;
  absl::flat_hash_set<StateId> reached;
  const auto discover = [&](StateId state) {
    if (!cssp.is_goal(state) && reached.insert(state).second) queue.push_back(state);
  };
  discover(cssp.initial_state());
  for (std::size_t next = 0; next < queue.size(); ++next) {
    monitor.check();
    const StateId state = queue[next];
    const auto entry = entry_of.find(cssp.state_name(state));
    if (entry == entry_of.end())
      throw InputError(
          fmt::format("the policy does not say what to do in {}", cssp.state_name(state)),
          "is it a policy of this problem?");
    cssp.expand(state, expansion);
    policy.push_back(resolve(cssp, state, *entry->second, expansion));
    for (std::size_t k = 0; k < expansion.num_actions(); ++k)
      for (const auto& choice : policy.back().choices)
        if (choice.action == expansion.action(k))
          for (const StateId successor : expansion.successors(k))
            discover(successor);
  }
  return policy;
}

}  // namespace carl
