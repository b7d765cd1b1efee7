#include "policy/policy_chain.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "policy/findings.h"
#include "policy/tolerances.h"
#include "util/strongly_connected.h"

namespace carl::policy {

class PolicyWalk {
 public:
  PolicyWalk(Cssp& cssp, const Policy& policy, std::vector<Finding> when_resolved, Monitor& monitor)
      : cssp_(cssp),
        policy_(policy),
        monitor_(monitor),
        unknown_actions_are_reported_(!when_resolved.empty()) {
    chain_.num_costs_ = cssp.num_costs();
    result_.findings = std::move(when_resolved);
    result_.reached.assign(policy.size(), false);
  }

  WalkedPolicy run(Starts starts) {
    visit(cssp_.initial_state(), {}, {});
    follow_all();
    if (starts == Starts::all_entries) {
      for (std::size_t i = 0; i < policy_.size(); ++i)
        if (!result_.reached[i] && policy_[i].state.index() < cssp_.num_states())
          visit(policy_[i].state, {}, {});
      follow_all();
    }
    judge_entries();
    judge_proper();
    sort_by_kind(result_.findings);
    return std::move(result_);
  }

 private:
  void follow_all() {
    for (std::size_t node = chain_.first_choice_.size() - 1; node < chain_.size(); ++node) {
      monitor_.check();
      follow(node);
    }
  }

  void report(Finding finding) { result_.findings.push_back(std::move(finding)); }

  std::string state_text(StateId state) const { return policy::state_text(cssp_, state); }
  /// An action that is new to the problem has no name either; below the numbers that it has used
  /// there are no gaps.
  std::string action_text(ActionId action) const {
    return action == Cssp::give_up_action || action.index() < known_actions_
               ? cssp_.action_name(action)
               : fmt::format("action {}", action.index());
  }

  /// What can be told of each entry by itself.
  void judge_entries() {
    for (std::size_t i = 0; i < policy_.size(); ++i) {
      const Policy::Entry entry = policy_[i];
      const auto state = [&] { return state_text(entry.state); };
      judge_distribution(
          entry.choices, state, [&](ActionId action) { return action_text(action); },
          result_.findings);
      if (*policy_.find(entry.state) == i) continue;
      report(wrong(CheckKind::states, state(), "is listed twice"));
      result_.reached[i] = true;
    }
  }

  /// The node of a state that is reached for the first time after `action` in `from`, or again.
  std::uint32_t visit(StateId state, StateId from, ActionId action) {
    if (node_of_.size() <= state.index())
      node_of_.resize(std::max(cssp_.num_states(), state.index() + 1), unseen);
    std::uint32_t& node = node_of_[state.index()];
    if (node != unseen) return node;
    if (cssp_.is_goal(state)) return node = PolicyChain::goal;
    const auto entry = policy_.find(state);
    if (!entry) {
      report(wrong(CheckKind::closed, cssp_.state_name(state), "is reached, but not listed",
                   from.valid() ? fmt::format("an entry: {} in {} may lead there",
                                              cssp_.action_name(action), cssp_.state_name(from))
                                : "an entry: it is the initial state",
                   "none"));
      return node = PolicyChain::unlisted;
    }
    result_.reached[*entry] = true;
    node = static_cast<std::uint32_t>(chain_.size());
    chain_.states_.push_back(state);
    chain_.entries_.push_back(*entry);
    return node;
  }

  void follow(std::size_t node) {
    const StateId state = chain_.states_[node];
    const Policy::Entry entry = policy_[chain_.entries_[node]];
    cssp_.expand(state, expansion_);
    for (std::size_t a = 0; a < expansion_.num_actions(); ++a)
      if (expansion_.action(a) != Cssp::give_up_action)
        known_actions_ = std::max(known_actions_, expansion_.action(a).index() + 1);
    used_.clear();
    const double sum = sum_of(entry.choices);
    for (const Policy::Choice choice : entry.choices) {
      if (!choice.action.valid() && unknown_actions_are_reported_) continue;
      if (!used_.insert(choice.action).second)
        report(action_listed_twice(state_text(state), action_text(choice.action)));
      const std::size_t a = position_of(choice.action);
      if (a == expansion_.num_actions())
        report(inapplicable(state_text(state), action_text(choice.action), applicable_names()));
      else if (is_possible(choice.probability))
        add_choice(state, a, choice.probability / sum);
    }
    chain_.first_choice_.push_back(chain_.num_choices());
  }

  std::size_t position_of(ActionId action) const {
    std::size_t a = 0;
    while (a < expansion_.num_actions() && expansion_.action(a) != action)
      ++a;
    return a;
  }

  std::vector<std::string> applicable_names() const {
    std::vector<std::string> names;
    for (std::size_t a = 0; a < expansion_.num_actions(); ++a)
      names.push_back(cssp_.action_name(expansion_.action(a)));
    return names;
  }

  void add_choice(StateId state, std::size_t a, double probability) {
    const ActionId action = expansion_.action(a);
    if (cssp_.model().draws_initial_state(action)) chain_.draw_ = chain_.actions_.size();
    chain_.actions_.push_back(action);
    chain_.probabilities_.push_back(probability);
    const auto cost = cssp_.cost(action);
    chain_.costs_.insert(chain_.costs_.end(), cost.begin(), cost.end());
    const auto successors = expansion_.successors(a);
    const auto probabilities = expansion_.probabilities(a);
    for (std::size_t k = 0; k < successors.size(); ++k)
      if (is_possible(probabilities[k]))
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
      report(wrong(CheckKind::proper, cssp_.state_name(chain_.state(first)),
                   members[c].size() == 1
                       ? "the policy stays here for ever"
                       : fmt::format("the policy stays for ever among {} states, this being one",
                                     members[c].size()),
                   "a goal is reached with probability 1"));
    }
  }

  static constexpr std::uint32_t unseen = PolicyChain::goal - 2;

  Cssp& cssp_;
  const Policy& policy_;
  Monitor& monitor_;
  /// Invalid ids are names of a file that are no actions, and have their findings.
  bool unknown_actions_are_reported_;
  WalkedPolicy result_;
  PolicyChain& chain_ = result_.chain;
  std::size_t known_actions_ = 0;       // all with smaller numbers have names
  std::vector<std::uint32_t> node_of_;  // by state
  Expansion expansion_;
  absl::flat_hash_set<ActionId> used_;
};

bool WalkedPolicy::sound() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.warning || finding.kind == CheckKind::costs;
  });
}

WalkedPolicy walk(Cssp& cssp, const Policy& policy, std::vector<Finding> when_resolved,
                  Monitor& monitor, Starts starts) {
  return PolicyWalk(cssp, policy, std::move(when_resolved), monitor).run(starts);
}

}  // namespace carl::policy
