// The check of a policy, question by question; the answers come from resolve_policy (is a file about
// this problem?), policy_chain (is it a policy?), chain_evaluation and exact_costs (what does it
// cost?) and result_claims (is what was said true?).

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carl/check.h"
#include "policy/chain_evaluation.h"
#include "policy/coverage.h"
#include "policy/exact_costs.h"
#include "policy/findings.h"
#include "policy/policy_chain.h"
#include "policy/resolve_policy.h"
#include "policy/result_claims.h"
#include "policy/tolerances.h"
#include "policy/unreached_entries.h"

namespace carl {
namespace {

using namespace policy;

constexpr std::size_t longest_fraction = 60;

std::string counted(std::size_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

/// The most of each cost that is paid in one step.
std::vector<double> dearest_step(const PolicyChain& chain) {
  std::vector<double> result(chain.num_costs(), 0.0);
  for (std::size_t choice = 0; choice < chain.num_choices(); ++choice)
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = std::max(result[i], chain.cost(choice)[i]);
  return result;
}

class PolicyCheck {
 public:
  /// `text` and `file`, what has become of it, are null for a policy that comes from no file.
  PolicyCheck(Cssp& cssp, const Policy& policy, const PolicyFile* text, const ResolvedPolicy* file,
              const ResultFile* result, const CheckOptions& options, Monitor& monitor)
      : cssp_(cssp),
        policy_(policy),
        text_(text),
        file_(file),
        result_(result),
        options_(options),
        monitor_(monitor) {}

  CheckReport run() {
    walked_ = walk_from(Starts::initial_state);
    report_.findings = walked_.findings;
    if (covers_all())
      judge_all_states();
    else
      look_for_unreached_states();
    count_states();
    if (walked_.sound()) judge_costs();
    sort_by_kind(report_.findings);
    summarise();
    return std::move(report_);
  }

 private:
  bool covers_all() const { return text_ != nullptr && text_->covers_all; }

  WalkedPolicy walk_from(Starts starts) {
    return walk(cssp_, policy_, file_ != nullptr ? file_->findings : std::vector<Finding>(),
                monitor_, starts);
  }

  /// What is asked of the policy from the initial state is asked from all states that are listed.
  void judge_all_states() {
    everywhere_ = walk_from(Starts::all_entries);
    report_.findings = everywhere_.findings;
    look_for_states(file_->unreached);
    CoverageJudgement judgement = judge_coverage(cssp_, policy_, monitor_);
    covered_ = judgement.covered;
    if (judgement.missing > judgement.findings.size())
      judgement.findings.push_back(wrong(
          CheckKind::covered, {},
          fmt::format("so are {} other states", judgement.missing - judgement.findings.size())));
    for (Finding& finding : judgement.findings)
      report_.findings.push_back(std::move(finding));
  }

  void judge_costs() {
    const ComponentOrder order(walked_.chain);
    const ChainEvaluation evaluation = evaluate(walked_.chain, order, monitor_);
    if (!evaluation.is_finite()) return report_.findings.push_back(goal_too_rare());
    report_.costs = evaluation.costs;
    report_.steps = evaluation.steps;
    judge_visits(evaluation.visits);
    judge_values();
    if (options_.exact) compute_exactly(order, evaluation.visits);
    if (options_.bounds) judge_bounds();
    if (result_ == nullptr) return;
    for (Finding& finding :
         judge_result(cssp_, *result_, report_, dearest_step(walked_.chain), options_.gap))
      report_.findings.push_back(std::move(finding));
  }

  void look_for_unreached_states() {
    std::vector<std::string> unreached;
    if (file_ != nullptr) unreached = file_->unreached;
    for (std::size_t i = 0; i < policy_.size(); ++i)
      if (!walked_.reached[i]) unreached.push_back(state_text(cssp_, policy_[i].state));
    look_for_states(unreached);
  }

  void look_for_states(const std::vector<std::string>& unreached) {
    UnreachedEntries entries = look_for(cssp_, unreached, options_.max_states, monitor_);
    superfluous_ = entries.superfluous;
    for (Finding& finding : entries.findings)
      report_.findings.push_back(std::move(finding));
  }

  void count_states() {
    const PolicyChain& chain = walked_.chain;
    report_.states = chain.size();
    for (std::size_t node = 0; node < chain.size(); ++node)
      report_.stochastic_states += chain.first_choice(node + 1) - chain.first_choice(node) > 1;
  }

  void judge_visits(const std::vector<double>& visits) {
    for (std::size_t node = 0; node < visits.size(); ++node) {
      const Policy::Entry entry = policy_[walked_.chain.entry(node)];
      if (!entry.visits) continue;
      ++claimed_visits_;
      if (!visits_agree(visits[node], *entry.visits))
        report_.findings.push_back(wrong(CheckKind::visits, cssp_.state_name(entry.state),
                                         "expected visits", fmt::format("{:.10g}", visits[node]),
                                         fmt::format("{:.10g}", *entry.visits)));
    }
  }

  void judge_values() {
    const WalkedPolicy& walked = covers_all() ? everywhere_ : walked_;
    const PolicyChain& chain = walked.chain;
    const auto claimed = [&](std::size_t node) -> const std::vector<double>& {
      return text_->states[file_->entry_of[chain.entry(node)]].values;
    };
    for (std::size_t node = 0; text_ != nullptr && node < chain.size(); ++node)
      claimed_values_ += claimed(node).empty() ? 0 : 1;
    if (claimed_values_ == 0 || !walked.sound()) return;
    const std::vector<double> values = costs_to_go(chain, ComponentOrder(chain), monitor_);
    const std::size_t width = chain.num_costs();
    std::vector<double> largest(width, 0.0);
    for (std::size_t k = 0; k < values.size(); ++k)
      largest[k % width] = std::max(largest[k % width], values[k]);
    for (std::size_t node = 0; node < chain.size(); ++node)
      for (std::size_t i = 0; i < claimed(node).size() && i < width; ++i)
        if (const double value = values[node * width + i];
            !values_agree(value, claimed(node)[i], largest[i]))
          report_.findings.push_back(
              wrong(CheckKind::values, cssp_.state_name(chain.state(node)),
                    fmt::format("expected {} from here on", cssp_.cost_label(i)),
                    fmt::format("{:.10g}", value), fmt::format("{:.10g}", claimed(node)[i])));
  }

  void compute_exactly(const ComponentOrder& order, const std::vector<double>& visits) {
    ExactChain exact(cssp_, policy_, walked_.chain);
    const auto proved =
        proved_costs(walked_.chain, order, exact, visits, options_.max_exact_work, monitor_);
    if (!proved) {
      report_.findings.push_back({CheckKind::bounds,
                                  true,
                                  {},
                                  "costs are too uncertain for exact bounds on them",
                                  {},
                                  {}});
      return;
    }
    report_.exactly = proved->exactly;
    for (const CostInterval& cost : proved->costs) {
      std::string fraction = proved->exactly ? cost.lower.get_str() : "";
      if (fraction.size() > longest_fraction) fraction.clear();
      report_.exact.push_back(
          {rounded_down(cost.lower), rounded_up(cost.upper), std::move(fraction)});
    }
  }

  void judge_bounds() {
    for (const Bound& bound : cssp_.bounds()) {
      double cost = (*report_.costs)[bound.cost];
      if (!report_.exact.empty()) cost = report_.exact[bound.cost].upper;
      if (within_bound(cost, bound)) continue;
      ++missed_bounds_;
      report_.findings.push_back(
          wrong(CheckKind::bounds, {}, fmt::format("expected {}", cssp_.cost_label(bound.cost)),
                fmt::format("at most {}", bound.upper), fmt::format("{}", cost)));
    }
  }

  bool fails(CheckKind kind) const {
    return std::any_of(report_.findings.begin(), report_.findings.end(),
                       [&](const Finding& f) { return f.kind == kind && !f.warning; });
  }

  void add_line(CheckKind kind, std::string detail) {
    using Outcome = CheckReport::Outcome;
    report_.lines.push_back(
        {kind, fails(kind) ? Outcome::failed : Outcome::passed, std::move(detail)});
  }
  void skip(CheckKind kind, std::string reason) {
    report_.lines.push_back({kind, CheckReport::Outcome::skipped, std::move(reason)});
  }

  void summarise() {
    add_line(
        CheckKind::costs,
        fmt::format("{}", fmt::join(file_ != nullptr ? file_->costs : cssp_.cost_names(), ", ")));
    add_line(CheckKind::states,
             counted(file_ != nullptr ? file_->listed : policy_.size(), "state") + " listed" +
                 (superfluous_ > 0 ? fmt::format(", {} not needed", superfluous_) : ""));
    add_line(CheckKind::actions, "each can be done where it is chosen");
    add_line(CheckKind::distributions,
             counted(report_.stochastic_states, "state") + " with a random choice");
    add_line(CheckKind::closed, counted(report_.states, "state") + " met");
    if (fails(CheckKind::proper) || walked_.sound())
      add_line(CheckKind::proper, "a goal is reached with probability 1");
    else
      skip(CheckKind::proper, "cannot be told of such a policy");
    const char* no_costs = "cannot be computed for such a policy";
    if (!report_.costs)
      skip(CheckKind::visits, no_costs);
    else if (claimed_visits_ == 0 && report_.states > 0)
      skip(CheckKind::visits, file_ != nullptr ? "the file claims none" : "none are claimed");
    else
      add_line(CheckKind::visits,
               fmt::format("{:.6g} step{} expected", report_.steps, report_.steps == 1 ? "" : "s"));
    if (claimed_values_ > 0)
      add_line(CheckKind::values, counted(claimed_values_, "state") + " with expected costs");
    if (covers_all())
      add_line(CheckKind::covered,
               counted(covered_, "state") + ": all from which a goal can be reached");
    summarise_bounds(no_costs);
    if (result_ == nullptr) return;
    if (report_.costs)
      add_line(CheckKind::result, fmt::format("status {}", result_->status));
    else
      skip(CheckKind::result, no_costs);
  }

  void summarise_bounds(const char* no_costs) {
    const std::size_t bounds = cssp_.bounds().size();
    if (!options_.bounds)
      skip(CheckKind::bounds, "not asked for");
    else if (!report_.costs)
      skip(CheckKind::bounds, no_costs);
    else
      add_line(CheckKind::bounds,
               bounds == 0 ? "there are none"
                           : fmt::format("{} of {} met", bounds - missed_bounds_, bounds));
  }

  Cssp& cssp_;
  const Policy& policy_;
  const PolicyFile* text_;
  const ResolvedPolicy* file_;
  const ResultFile* result_;
  const CheckOptions& options_;
  Monitor& monitor_;
  WalkedPolicy walked_;
  WalkedPolicy everywhere_;  // if all states are said to be covered
  CheckReport report_;
  std::size_t covered_ = 0;
  std::size_t claimed_values_ = 0;
  std::size_t superfluous_ = 0;
  std::size_t claimed_visits_ = 0;
  std::size_t missed_bounds_ = 0;
};

}  // namespace

std::string_view to_string(CheckKind kind) {
  constexpr std::string_view names[] = {"costs",   "states", "actions", "distributions",
                                        "closed",  "proper", "visits",  "values",
                                        "covered", "bounds", "result"};
  return names[static_cast<std::size_t>(kind)];
}

bool CheckReport::holds() const {
  return sound(findings);
}

CheckReport check_policy(Cssp& cssp, const Policy& policy, const ResultFile* result,
                         const CheckOptions& options, Monitor& monitor) {
  return PolicyCheck(cssp, policy, nullptr, nullptr, result, options, monitor).run();
}

CheckReport check_policy(Cssp& cssp, const PolicyFile& policy, const ResultFile* result,
                         const CheckOptions& options, Monitor& monitor) {
  const ResolvedPolicy file =
      resolve(cssp, policy, monitor, policy.covers_all ? Reach::all : Reach::policy);
  return PolicyCheck(cssp, file.policy, &policy, &file, result, options, monitor).run();
}

}  // namespace carl
