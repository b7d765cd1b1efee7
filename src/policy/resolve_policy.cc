#include "policy/resolve_policy.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "carl/io.h"
#include "policy/coverage.h"
#include "policy/findings.h"
#include "policy/tolerances.h"

namespace carl {
namespace policy {
namespace {

class Resolution {
 public:
  Resolution(Cssp& cssp, const PolicyFile& file, Monitor& monitor, Reach reach)
      : cssp_(cssp),
        file_(file),
        monitor_(monitor),
        reach_(reach),
        is_used_(file.states.size(), false) {}

  ResolvedPolicy run() {
    result_.costs = file_.costs;
    result_.listed = file_.states.size();
    judge_costs();
    index_entries();
    discover(cssp_.initial_state());
    for (; num_resolved_ < queue_.size(); ++num_resolved_)
      resolve_state(queue_[num_resolved_]);
    if (reach_ == Reach::all) resolve_others();
    judge_unused_entries();
    return std::move(result_);
  }

 private:
  void report(Finding finding) { result_.findings.push_back(std::move(finding)); }

  void judge_costs() {
    if (file_.costs == cssp_.cost_names()) return;
    report(wrong(CheckKind::costs, {}, "the policy is about other costs than the model",
                 fmt::format("{}", fmt::join(cssp_.cost_names(), ", ")),
                 fmt::format("{}", fmt::join(file_.costs, ", "))));
  }

  void index_entries() {
    const bool factored = cssp_.model().factored();
    const auto written_as = [](bool as_facts) {
      return as_facts ? "a list of facts" : "the name of a state";
    };
    has_finding_.assign(file_.states.size(), false);
    for (std::size_t i = 0; i < file_.states.size(); ++i) {
      const PolicyFile::Entry& entry = file_.states[i];
      if (entry.factored != factored) {
        report(wrong(CheckKind::states, entry.state, "is written in the wrong way",
                     written_as(factored), written_as(entry.factored)));
        has_finding_[i] = true;
      }
      if (!entry_of_.emplace(entry.state, i).second) {
        report(wrong(CheckKind::states, entry.state, "is listed twice"));
        has_finding_[i] = true;
      }
    }
  }

  void discover(StateId state) {
    if (is_reached_.size() <= state.index())
      is_reached_.resize(std::max(cssp_.num_states(), state.index() + 1), false);
    if (is_reached_[state.index()]) return;
    is_reached_[state.index()] = true;
    if (!cssp_.is_goal(state)) queue_.push_back(state);
  }

  /// What the policy does not meet, after all that it meets.
  void resolve_others() {
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      if (next >= num_resolved_) resolve_state(queue_[next]);
      cssp_.expand(queue_[next], expansion_);
      for (std::size_t a = 0; a < expansion_.num_actions(); ++a)
        if (!is_forbidden_by_bounds(cssp_, expansion_.action(a))) discover_successors(a);
    }
  }

  void resolve_state(StateId state) {
    monitor_.check();
    const auto found = entry_of_.find(cssp_.state_name(state));
    if (found == entry_of_.end()) return;  // whoever walks the policy will miss it
    const PolicyFile::Entry& entry = file_.states[found->second];
    is_used_[found->second] = true;
    result_.policy.add_state(state, entry.visits);
    result_.entry_of.push_back(found->second);
    cssp_.expand(state, expansion_);
    names_.clear();
    unknown_.clear();
    for (const PolicyFile::Choice& choice : entry.choices) {
      const std::size_t a = position_of(choice.action);
      if (a == expansion_.num_actions()) {
        report_unknown(entry.state, choice.action);
        result_.policy.add_choice(ActionId(), choice.probability);
        continue;
      }
      result_.policy.add_choice(expansion_.action(a), choice.probability);
      if (is_possible(choice.probability)) discover_successors(a);
    }
  }

  /// Names are asked for as far as they are needed: most states have one choice.
  std::size_t position_of(const std::string& action) {
    const auto known = std::find(names_.begin(), names_.end(), action);
    if (known != names_.end()) return static_cast<std::size_t>(known - names_.begin());
    while (names_.size() < expansion_.num_actions()) {
      names_.push_back(cssp_.action_name(expansion_.action(names_.size())));
      if (names_.back() == action) return names_.size() - 1;
    }
    return names_.size();
  }

  /// After position_of() has looked at all names.
  void report_unknown(const std::string& state, const std::string& action) {
    if (!unknown_.insert(action).second) report(action_listed_twice(state, action));
    report(inapplicable(state, action, names_));
  }

  void discover_successors(std::size_t a) {
    const auto successors = expansion_.successors(a);
    const auto probabilities = expansion_.probabilities(a);
    for (std::size_t k = 0; k < successors.size(); ++k)
      if (is_possible(probabilities[k])) discover(successors[k]);
  }

  void judge_unused_entries() {
    for (std::size_t i = 0; i < file_.states.size(); ++i) {
      if (is_used_[i]) continue;
      const PolicyFile::Entry& entry = file_.states[i];
      judge_distribution(
          entry.choices, [&] { return entry.state; },
          [](const std::string& action) { return std::string_view(action); }, result_.findings);
      // Nobody need look for a state that is listed elsewhere, or written as none can be.
      if (!has_finding_[i]) result_.unreached.push_back(entry.state);
    }
  }

  Cssp& cssp_;
  const PolicyFile& file_;
  Monitor& monitor_;
  Reach reach_;
  ResolvedPolicy result_;
  absl::flat_hash_map<std::string_view, std::size_t> entry_of_;
  std::vector<bool> has_finding_;  // by entry, of its state
  std::vector<bool> is_used_;      // by entry
  std::vector<bool> is_reached_;   // by state
  std::vector<StateId> queue_;
  std::size_t num_resolved_ = 0;  // of the queue: what the policy meets
  Expansion expansion_;
  std::vector<std::string> names_;                 // of the first actions of a state
  absl::flat_hash_set<std::string_view> unknown_;  // that a state lists
};

}  // namespace

ResolvedPolicy resolve(Cssp& cssp, const PolicyFile& file, Monitor& monitor, Reach reach) {
  return Resolution(cssp, file, monitor, reach).run();
}

}  // namespace policy

Policy resolve_policy(Cssp& cssp, const PolicyFile& file, Monitor& monitor, Entries entries) {
  policy::ResolvedPolicy resolved = policy::resolve(
      cssp, file, monitor, entries == Entries::all ? policy::Reach::all : policy::Reach::policy);
  policy::sort_by_kind(resolved.findings);
  policy::require_sound(resolved.findings);
  return std::move(resolved.policy);
}

}  // namespace carl
