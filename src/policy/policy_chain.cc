#include "policy/policy_chain.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "model/validity.h"
#include "util/shown.h"
#include "util/strongly_connected.h"

namespace carl::policy {
namespace {

constexpr double sum_tolerance = 1e-9;
constexpr std::size_t shown_names = 5;

/// The first few of them.
std::string shown_list(const std::vector<std::string>& names) {
  const std::size_t n = std::min(names.size(), shown_names);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<long>(n), ", "),
                     n < names.size() ? ", …" : "");
}

/// A sum that does not depend on the order of a few numbers.
double sum_of(const std::vector<PolicyFile::Choice>& choices) {
  long double sum = 0;
  for (const PolicyFile::Choice& choice : choices)
    sum += choice.probability;
  return static_cast<double>(sum);
}

}  // namespace

class PolicyWalk {
 public:
  PolicyWalk(Cssp& cssp, const PolicyFile& policy, Monitor& monitor)
      : cssp_(cssp), policy_(policy), monitor_(monitor) {
    chain_.num_costs_ = cssp.num_costs();
    result_.reached.assign(policy.states.size(), false);
  }

  WalkedPolicy run() {
    index_entries();
    for (const PolicyFile::Entry& entry : policy_.states)
      judge_distribution(entry);
    visit(cssp_.initial_state(), {}, {});
    for (std::size_t node = 0; node < chain_.size(); ++node) {
      monitor_.check();
      follow(node);
    }
    judge_proper();
    return std::move(result_);
  }

 private:
  void report(CheckKind kind, const std::string& state, std::string what, std::string expected = {},
              std::string found = {}, const char* option = "") {
    result_.findings.push_back(
        {kind, false, state, std::move(what), std::move(expected), std::move(found), option});
  }

  void index_entries() {
    for (std::size_t i = 0; i < policy_.states.size(); ++i) {
      const PolicyFile::Entry& entry = policy_.states[i];
      if (entry.factored != cssp_.model().factored()) {
        report(CheckKind::states, entry.state, "is written in the wrong way",
               cssp_.model().factored() ? "a list of facts" : "the name of a state",
               entry.factored ? "a list of facts" : "the name of a state");
        result_.reached[i] = true;  // nobody need look for it
      }
      if (!entry_of_.emplace(entry.state, i).second) {
        report(CheckKind::states, entry.state, "is listed twice");
        result_.reached[i] = true;
      }
    }
  }

  void judge_distribution(const PolicyFile::Entry& entry) {
    if (entry.choices.empty())
      return report(CheckKind::distributions, entry.state, "has no actions");
    for (const PolicyFile::Choice& choice : entry.choices)
      if (!(choice.probability >= 0))
        report(CheckKind::distributions, entry.state,
               fmt::format("probability of {}", shown(choice.action)), "at least 0",
               fmt::format("{}", choice.probability));
    const double sum = sum_of(entry.choices);
    if (!(std::abs(sum - 1) <= sum_tolerance))
      report(CheckKind::distributions, entry.state, "sum of the probabilities", "1",
             fmt::format("{:.12g}", sum));
  }

  /// The node of a state that is reached for the first time after `action` in `from`, or again.
  std::uint32_t visit(StateId state, StateId from, ActionId action) {
    if (node_of_.size() <= state.index())
      node_of_.resize(std::max(cssp_.num_states(), state.index() + 1), unseen);
    std::uint32_t& node = node_of_[state.index()];
    if (node != unseen) return node;
    if (cssp_.is_goal(state)) return node = PolicyChain::goal;
    const std::string name = cssp_.state_name(state);
    const auto entry = entry_of_.find(name);
    if (entry == entry_of_.end()) {
      report(CheckKind::closed, name, "is reached, but not listed",
             from.valid() ? fmt::format("an entry: {} in {} may lead there",
                                        cssp_.action_name(action), cssp_.state_name(from))
                          : "an entry: it is the initial state",
             "none");
      return node = PolicyChain::unlisted;
    }
    result_.reached[entry->second] = true;
    node = static_cast<std::uint32_t>(chain_.size());
    chain_.states_.push_back(state);
    chain_.entries_.push_back(entry->second);
    return node;
  }

  void follow(std::size_t node) {
    const StateId state = chain_.states_[node];
    const PolicyFile::Entry& entry = policy_.states[chain_.entries_[node]];
    cssp_.expand(state, expansion_);
    names_.clear();
    for (std::size_t a = 0; a < expansion_.num_actions(); ++a)
      names_.push_back(cssp_.action_name(expansion_.action(a)));
    used_.clear();
    const double sum = sum_of(entry.choices);
    for (const PolicyFile::Choice& choice : entry.choices) {
      if (!used_.insert(choice.action).second)
        report(CheckKind::actions, entry.state, fmt::format("{} is listed twice", choice.action));
      const auto found = std::find(names_.begin(), names_.end(), choice.action);
      if (found == names_.end())
        report_inapplicable(entry.state, choice.action);
      else if (choice.probability > 0)
        add_choice(state, static_cast<std::size_t>(found - names_.begin()),
                   choice.probability / sum);
    }
    chain_.first_choice_.push_back(chain_.num_choices());
  }

  void report_inapplicable(const std::string& state, const std::string& action) {
    if (action == give_up_name)
      return report(CheckKind::actions, state, "gives up, which this problem does not allow",
                    "a penalty for giving up", "none", "give_up");
    report(CheckKind::actions, state, fmt::format("{} cannot be done here", shown(action)),
           names_.empty() ? "no action: this is a dead end"
                          : fmt::format("one of {}", shown_list(names_)),
           shown(action));
  }

  void add_choice(StateId state, std::size_t a, double probability) {
    const ActionId action = expansion_.action(a);
    chain_.actions_.push_back(action);
    chain_.probabilities_.push_back(probability);
    const auto cost = cssp_.cost(action);
    chain_.costs_.insert(chain_.costs_.end(), cost.begin(), cost.end());
    const auto successors = expansion_.successors(a);
    const auto probabilities = expansion_.probabilities(a);
    for (std::size_t k = 0; k < successors.size(); ++k)
      if (probabilities[k] > 0)
        chain_.transitions_.push_back(
            {probabilities[k], visit(successors[k], state, action), successors[k]});
    if (action == Cssp::give_up_action)
      chain_.transitions_.push_back({1.0, PolicyChain::goal, Cssp::given_up});
    chain_.first_transition_.push_back(chain_.transitions_.size());
  }

  /// A component that nothing leads out of is where the policy stays for ever. (A goal or an
  /// unlisted state is outside; the latter has a finding of its own.)
  void judge_proper() {
    const Components components = strongly_connected_components(
        chain_.size() + 1,
        [&](std::size_t v) { return v == 0 ? 0 : chain_.all_transitions(v - 1).size(); },
        [&](std::size_t v, std::size_t i) {
          const std::uint32_t to = chain_.all_transitions(v - 1)[i].to;
          return to < chain_.size() ? to + 1 : 0;  // node 0 is the outside
        });
    std::vector<bool> left(components.count, false);
    for (std::size_t node = 0; node < chain_.size(); ++node)
      for (const PolicyChain::Transition& t : chain_.all_transitions(node)) {
        const std::size_t to = t.to < chain_.size() ? t.to + 1 : 0;
        if (components.of[to] != components.of[node + 1]) left[components.of[node + 1]] = true;
      }
    const ComponentMembers members(components);
    for (std::size_t c = 0; c < components.count; ++c) {
      if (left[c] || c == components.of[0]) continue;
      const std::size_t first = members[c][0] - 1;
      // A state whose actions are all unusable has a finding for that.
      if (chain_.all_transitions(first).empty()) continue;
      report(CheckKind::proper, policy_.states[chain_.entry(first)].state,
             members[c].size() == 1
                 ? "the policy stays here for ever"
                 : fmt::format("the policy stays for ever among {} states, this being one",
                               members[c].size()),
             "a goal is reached with probability 1");
    }
  }

  static constexpr std::uint32_t unseen = PolicyChain::goal - 2;

  Cssp& cssp_;
  const PolicyFile& policy_;
  Monitor& monitor_;
  WalkedPolicy result_;
  PolicyChain& chain_ = result_.chain;
  absl::flat_hash_map<std::string_view, std::size_t> entry_of_;
  std::vector<std::uint32_t> node_of_;  // by state
  Expansion expansion_;
  std::vector<std::string> names_;  // of what can be done in a state
  absl::flat_hash_set<std::string_view> used_;
};

bool WalkedPolicy::sound() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.warning; });
}

WalkedPolicy walk(Cssp& cssp, const PolicyFile& policy, Monitor& monitor) {
  return PolicyWalk(cssp, policy, monitor).run();
}

}  // namespace carl::policy
