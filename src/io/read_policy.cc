// A policy file names states and actions; here they become those of a problem. The file is read
// into a table by state, and the problem is then walked from its initial state as the policy says,
// so that only what the policy can reach is ever expanded.

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <utility>

#include "carl/error.h"
#include "carl/io.h"
#include "io/json_document.h"
#include "util/shown.h"

namespace carl {
namespace {

using io::JsonDocument;
using io::JsonKeys;
using Value = JsonDocument::Value;

struct NamedEntry {
  double visits = 0;
  std::vector<std::pair<std::string, double>> actions;  // with probabilities
};

/// By the state's facts, one per line.
using NamedPolicy = absl::flat_hash_map<std::string, NamedEntry>;

class PolicyReader {
 public:
  PolicyReader(const Cssp& cssp, const std::string& path, Limits& limits)
      : cssp_(cssp), document_(path, read_text(path, limits)), limits_(limits) {}

  NamedPolicy read() {
    document_.run([&] {
      static constexpr std::array<std::string_view, 4> known{"format", "version", "costs",
                                                             "states"};
      JsonKeys keys(document_, known);
      document_.each_root_field([&](std::string_view key, Value value) {
        switch (keys.take(key)) {
          case 0:
            if (text(value) != "carl-policy") document_.fail("the format must be \"carl-policy\"");
            break;
          case 1:
            if (document_.number(value) != 1) document_.fail("this version is not known here");
            break;
          case 2:
            read_costs(value);
            break;
          default:
            document_.each_element(value, [&](Value& state) { read_state(state); });
        }
        return true;
      });
      keys.check_complete();
    });
    return std::move(policy_);
  }

 private:
  std::string text(Value& value) {
    std::string scratch;
    return std::string(document_.string(value, scratch));
  }

  void read_costs(Value& value) {
    std::vector<std::string> costs;
    document_.each_element(value, [&](Value& name) { costs.push_back(text(name)); });
    if (costs != cssp_.cost_names())
      document_.fail(fmt::format("the policy is of a problem with the costs {}, this one has {}",
                                 fmt::join(costs, ", "), fmt::join(cssp_.cost_names(), ", ")));
  }

  void read_state(Value& value) {
    limits_.check();
    static constexpr std::array<std::string_view, 3> known{"state", "visits", "actions"};
    JsonKeys keys(document_, known);
    std::string state;
    NamedEntry entry;
    document_.each_field(value, [&](std::string_view key, Value member) {
      switch (keys.take(key)) {
        case 0:
          state = read_name(member);
          break;
        case 1:
          entry.visits = document_.number(member);
          break;
        default:
          document_.each_element(member, [&](Value& action) { read_action(action, entry); });
      }
    });
    keys.check_complete();
    if (!policy_.try_emplace(state, std::move(entry)).second)
      document_.fail(fmt::format("the state {} is listed twice", shown(state)));
  }

  std::string read_name(Value& value) {
    if (!cssp_.model().factored()) {
      std::string scratch;
      return std::string(document_.name(value, scratch));
    }
    std::vector<std::string> facts;
    document_.each_element(value, [&](Value& fact) { facts.push_back(text(fact)); });
    return fmt::format("{}", fmt::join(facts, "\n"));
  }

  void read_action(Value& value, NamedEntry& entry) {
    static constexpr std::array<std::string_view, 2> known{"name", "probability"};
    JsonKeys keys(document_, known);
    std::string name;
    double probability = 0;
    document_.each_field(value, [&](std::string_view key, Value member) {
      if (keys.take(key) == 0)
        name = text(member);
      else
        probability = document_.number(member);
    });
    keys.check_complete();
    if (!(probability > 0 && probability <= 1 + 1e-9))
      document_.fail("a probability must be above 0 and at most 1");
    entry.actions.emplace_back(std::move(name), probability);
  }

  const Cssp& cssp_;
  JsonDocument document_;
  Limits& limits_;
  NamedPolicy policy_;
};

/// What the file says of one state, in terms of its applicable actions.
PolicyEntry resolve(const Cssp& cssp, StateId state, const NamedEntry& named,
                    const Expansion& expansion) {
  PolicyEntry entry{state, named.visits, {}};
  double sum = 0;
  for (const auto& [name, probability] : named.actions) {
    std::size_t k = 0;
    while (k < expansion.num_actions() && cssp.action_name(expansion.action(k)) != name)
      ++k;
    if (k == expansion.num_actions())
      throw InputError(fmt::format("the policy says {} in {}, where there is no such action",
                                   shown(name), cssp.state_name(state)));
    entry.choices.push_back({expansion.action(k), probability});
    sum += probability;
  }
  if (entry.choices.empty())
    throw InputError(fmt::format("the policy has no action for {}", cssp.state_name(state)));
  if (std::abs(sum - 1) > 1e-6)
    throw InputError(fmt::format("the probabilities in {} sum to {}", cssp.state_name(state), sum));
  return entry;
}

}  // namespace

StochasticPolicy read_policy(Cssp& cssp, const std::string& path, Limits& limits) {
  const NamedPolicy named = PolicyReader(cssp, path, limits).read();
  StochasticPolicy policy;
  Expansion expansion;
  std::vector<StateId> queue;
  absl::flat_hash_set<StateId> met;
  const auto meet = [&](StateId state) {
    if (!cssp.is_goal(state) && met.insert(state).second) queue.push_back(state);
  };
  meet(cssp.initial_state());
  for (std::size_t next = 0; next < queue.size(); ++next) {
    limits.check();
    const StateId state = queue[next];
    const auto entry = named.find(fmt::format("{}", fmt::join(cssp.state_facts(state), "\n")));
    if (entry == named.end())
      throw InputError(fmt::format("the policy in '{}' does not say what to do in {}", path,
                                   cssp.state_name(state)),
                       "is it a policy of this problem?");
    cssp.expand(state, expansion);
    policy.push_back(resolve(cssp, state, entry->second, expansion));
    for (std::size_t k = 0; k < expansion.num_actions(); ++k)
      for (const auto& choice : policy.back().choices)
        if (choice.action == expansion.action(k))
          for (const StateId successor : expansion.successors(k))
            meet(successor);
  }
  return policy;
}

}  // namespace carl
