// The check of a certificate, as docs/certificates.md defines it: expand what is reachable, find W,
// verify the inequality on every pair that stays in W, evaluate the policy, draw the conclusion.

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "carl/certificate.h"
#include "policy/bellman_inequality.h"
#include "policy/proved_policy.h"
#include "policy/reachable_space.h"
#include "policy/resolve_policy.h"
#include "util/shown.h"

namespace carl {
namespace {

using namespace policy;

constexpr std::size_t most_violations = 5;

/// A list of numbers as a certificate or a problem has it.
std::string shown_numbers(const Certificate::Numbers& numbers) {
  std::vector<std::string> parts;
  for (const auto& [cost, number] : numbers)
    parts.push_back(fmt::format("{} {}", shown(cost), number));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

Certificate::Numbers bounds_of(const Cssp& cssp) {
  Certificate::Numbers result;
  for (const Bound& bound : cssp.bounds())
    result.emplace_back(cssp.cost_names()[bound.cost], bound.upper);
  return result;
}

class CertificateCheck {
 public:
  CertificateCheck(Cssp& cssp, const Certificate& certificate, const PolicyFile* policy,
                   const CheckOptions& options, Monitor& monitor)
      : cssp_(cssp),
        certificate_(certificate),
        policy_(policy != nullptr    ? policy
                : certificate.policy ? &*certificate.policy
                                     : nullptr),
        options_(options),
        monitor_(monitor),
        numbers_(cssp) {}

  CertificateReport run() {
    report_.kind = certificate_.kind;
    judge_problem();
    index_states();
    if (sound()) judge_kind();
    if (sound())
      report_.verdict = report_.unexpanded > 0 ? CertificateReport::Verdict::proved_up_to_heuristic
                                               : CertificateReport::Verdict::proved;
    else
      report_.statement.clear();
    return std::move(report_);
  }

 private:
  struct Listed {
    std::size_t entry = 0;
    bool unexpanded = false;
  };

  bool sound() const { return report_.num_violations == 0; }

  void violate(std::string what, std::string expected = {}, std::string found = {},
               std::string state = {}, std::string action = {}, std::string option = {}) {
    ++report_.num_violations;
    if (report_.violations.size() < most_violations)
      report_.violations.push_back({std::move(what), std::move(state), std::move(action),
                                    std::move(expected), std::move(found), std::move(option)});
  }

  void judge_problem() {
    if (certificate_.costs != cssp_.cost_names())
      violate("the certificate is about other costs than the problem",
              fmt::format("{}", fmt::join(cssp_.cost_names(), ", ")),
              fmt::format("{}", fmt::join(certificate_.costs, ", ")));
    Certificate::Numbers bounds = bounds_of(cssp_);
    Certificate::Numbers claimed = certificate_.bounds;
    std::sort(bounds.begin(), bounds.end());
    std::sort(claimed.begin(), claimed.end());
    if (bounds != claimed)
      violate("the certificate is about other bounds than the problem", shown_numbers(bounds),
              shown_numbers(claimed), {}, {}, "bounds");
  }

  void index_states() {
    const auto add = [&](const std::vector<Certificate::Value>& values, bool unexpanded) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Certificate::Value& value = values[i];
        if (value.factored != cssp_.model().factored())
          violate("a state is written in the wrong way",
                  cssp_.model().factored() ? "a list of facts" : "the name of a state",
                  value.factored ? "a list of facts" : "the name of a state", value.state);
        if (!listed_.emplace(value.state, Listed{i, unexpanded}).second)
          violate("a state is listed twice", {}, {}, value.state);
      }
    };
    add(certificate_.values, false);
    add(certificate_.unexpanded, true);
  }

  void judge_kind() {
    switch (certificate_.kind) {
      case CertificateKind::optimal:
        return judge_optimum();
      case CertificateKind::infeasible:
        return judge_infeasibility();
      case CertificateKind::infeasible_zero_bounds:
        return judge_zero_bounds();
      case CertificateKind::no_proper_policy:
        if (is_in_w(Pairs::all, Unexpanded::as_listed))
          violate("some policy reaches a goal with certainty", "no proper policy",
                  "the initial state is in W", cssp_.state_name(cssp_.initial_state()));
        report_.statement = "no policy reaches a goal with certainty";
        return;
    }
  }

  enum class Pairs { all, remaining };
  enum class Unexpanded { as_listed, expand };

  ReachableSpace explore(Pairs pairs, Unexpanded unexpanded) {
    using Treatment = ReachableSpace::Treatment;
    ReachableSpace::Rules rules;
    rules.treatment = [&, unexpanded](StateId state) {
      if (certificate_.unexpanded.empty() || unexpanded == Unexpanded::expand)
        return Treatment::expand;
      const auto listed = listed_.find(cssp_.state_name(state));
      if (listed == listed_.end() || !listed->second.unexpanded) return Treatment::expand;
      const auto& value = certificate_.unexpanded[listed->second.entry].value;
      if (!value) ++report_.unexpanded;
      return value ? Treatment::target : Treatment::hopeless;
    };
    rules.forbidden = [&, pairs](ActionId action) {
      return pairs == Pairs::remaining && numbers_.forbidden(action);
    };
    return ReachableSpace(cssp_, rules, monitor_);
  }

  bool is_in_w(Pairs pairs, Unexpanded unexpanded) {
    return explore(pairs, unexpanded).is_proper(cssp_.initial_state());
  }

  void judge_zero_bounds() {
    std::vector<std::string> names;
    for (const Bound& bound : cssp_.bounds())
      if (bound.upper == 0) names.push_back(cssp_.cost_names()[bound.cost]);
    const std::string start = cssp_.state_name(cssp_.initial_state());
    if (names.empty()) return violate("no bound is zero", "a bound of zero", "none");
    if (is_in_w(Pairs::remaining, Unexpanded::as_listed))
      violate("the bounds of zero leave a policy that reaches a goal with certainty", "none",
              "the initial state is in W", start);
    else if (!is_in_w(Pairs::all, Unexpanded::expand))
      violate("no policy reaches a goal with certainty, whatever it may cost",
              "a proper policy that only the bounds of zero forbid",
              "the initial state is not in W", start);
    report_.statement = fmt::format(
        "no proper policy meets the bounds: without the actions that cost any {} no goal is "
        "reached with certainty",
        fmt::join(names, " or "));
  }

  /// The entry of a list of numbers by cost, which must be that of a bound and not negative.
  std::vector<Rational> per_bound(const Certificate::Numbers& numbers, const char* what) {
    std::vector<Rational> result(cssp_.bounds().size(), Rational(0));
    for (const auto& [cost, number] : numbers) {
      std::size_t b = 0;
      while (b < result.size() && cssp_.cost_names()[cssp_.bounds()[b].cost] != cost)
        ++b;
      if (b == result.size())
        violate(fmt::format("the {} of '{}' is not about a bound", what, shown(cost)));
      else if (!(number >= 0))
        violate(fmt::format("the {} of '{}'", what, cost), "at least 0", fmt::format("{}", number));
      else
        result[b] = decimal(number);
    }
    return result;
  }

  Rational upper(std::size_t bound) const { return decimal(cssp_.bounds()[bound].upper); }

  /// Σ w_b·(u_b + τ_b).
  Rational allowed(const std::vector<Rational>& weights,
                   const std::vector<Rational>& excess) const {
    Rational sum = 0;
    for (std::size_t b = 0; b < weights.size(); ++b)
      sum += weights[b] * (upper(b) + excess[b]);
    return sum;
  }

  /// θ·V(s0), if it is a lower bound on the cost of every proper policy for these weights of the
  /// costs.
  std::optional<Rational> weighted_lower_bound(const std::vector<Rational>& per_bound,
                                               bool with_primary) {
    std::vector<Rational> weights(cssp_.num_costs(), Rational(0));
    if (with_primary) weights[0] = 1;
    for (std::size_t b = 0; b < per_bound.size(); ++b)
      weights[cssp_.bounds()[b].cost] += per_bound[b];
    if (!(certificate_.theta >= 0 && certificate_.theta <= 1))
      violate("the factor of the values (theta)", "from 0 to 1",
              fmt::format("{}", certificate_.theta));
    if (!sound()) return std::nullopt;
    const ReachableSpace space = explore(Pairs::remaining, Unexpanded::as_listed);
    if (!space.is_proper(cssp_.initial_state())) {
      violate("no policy reaches a goal with certainty, so there is nothing to bound",
              "the initial state is in W", "it is not", cssp_.state_name(cssp_.initial_state()));
      return std::nullopt;
    }
    load_values(space);
    if (!sound()) return std::nullopt;
    judge_pairs(space, std::move(weights));
    if (!sound()) return std::nullopt;
    return decimal(certificate_.theta) * decimal(value_[cssp_.initial_state().index()]);
  }

  void load_values(const ReachableSpace& space) {
    value_.assign(cssp_.num_states(), 0.0);
    for (const StateId state : space.proper_states()) {
      monitor_.check();
      const std::string name = cssp_.state_name(state);
      const auto listed = listed_.find(name);
      if (listed == listed_.end())
        violate("a state has no value", "a value: the state can be reached, and a goal from it",
                "none", name);
      else
        value_[state.index()] = *certificate_.values[listed->second.entry].value;
    }
    for (const StateId state : space.proper_targets()) {
      const Listed& listed = listed_.at(cssp_.state_name(state));
      value_[state.index()] = *certificate_.unexpanded[listed.entry].value;
      // No cost is negative, so values up to zero need nobody's word.
      if (value_[state.index()] > 0) ++report_.unexpanded;
    }
  }

  void judge_pairs(const ReachableSpace& space, std::vector<Rational> weights) {
    BellmanInequality inequality(cssp_, std::move(weights), certificate_.theta, value_);
    report_.states = space.proper_states().size();
    for (const StateId state : space.proper_states())
      for (std::size_t p = space.first_pair(state); p < space.last_pair(state); ++p) {
        monitor_.check();
        if (!space.stays_proper(p)) continue;
        ++report_.pairs;
        if (const auto sides = inequality.violation(space, state, p)) {
          const Rational difference = sides->left - sides->right;
          violate("the value of a state is larger than a pair allows",
                  fmt::format("at most {}", to_double(sides->right)),
                  fmt::format("{}, too much by {}", to_double(sides->left), to_double(difference)),
                  cssp_.state_name(state), cssp_.action_name(space.action(p)));
          if (report_.num_violations >= most_violations) return;
        }
      }
    report_.pairs_in_rationals = inequality.num_in_rationals();
  }

  void judge_optimum() {
    const std::vector<Rational> multipliers = per_bound(certificate_.multipliers, "multiplier");
    const std::vector<Rational> excess = per_bound(certificate_.excess, "excess");
    for (std::size_t b = 0; b < excess.size(); ++b)
      if (cssp_.bounds()[b].upper == 0 && excess[b] > 0)
        violate("a bound of zero cannot be exceeded: what costs any of it is forbidden");
    const auto least = weighted_lower_bound(multipliers, true);
    if (!least) return;
    // No cost is negative, so nothing less than zero needs to be proved by values.
    const Rational bound = std::max(Rational(0), Rational(*least - allowed(multipliers, excess)));
    report_.lower_bound = rounded_down(bound);
    if (certificate_.lower_bound && decimal(*certificate_.lower_bound) > bound)
      violate("the claimed lower bound is not what the values prove",
              fmt::format("at most {}", *report_.lower_bound),
              fmt::format("{}", *certificate_.lower_bound));
    if (policy_ != nullptr)
      judge_policy(excess, bound);
    else
      report_.not_checked.emplace_back("the objective: there is no policy in the certificate");
    report_.statement =
        fmt::format("every proper policy {}has an expected {} of at least {}",
                    certificate_.bounds.empty() ? ""
                    : certificate_.excess.empty()
                        ? "within the bounds "
                        : fmt::format("that exceeds the bounds by no more than the policy ({}) ",
                                      shown_numbers(certificate_.excess)),
                    cssp_.cost_label(0), *report_.lower_bound);
  }

  void judge_policy(const std::vector<Rational>& excess, const Rational& bound) {
    const auto costs = policy_costs();
    if (!costs) return;
    const Rational& objective = (*costs)[0].upper;
    report_.objective = rounded_up(objective);
    if (certificate_.objective && objective > decimal(*certificate_.objective))
      violate(fmt::format("expected {} of the policy", cssp_.cost_label(0)),
              fmt::format("at most {}", *certificate_.objective),
              fmt::format("{}", *report_.objective));
    for (std::size_t b = 0; b < excess.size(); ++b) {
      const Rational& cost = (*costs)[cssp_.bounds()[b].cost].upper;
      if (cost > upper(b) + excess[b])
        violate(fmt::format("expected {} of the policy", cssp_.cost_label(cssp_.bounds()[b].cost)),
                fmt::format("at most {}{}", cssp_.bounds()[b].upper,
                            excess[b] > 0 ? fmt::format(" + {}", to_double(excess[b])) : ""),
                fmt::format("{}", rounded_up(cost)));
    }
    const Rational difference = objective - bound;
    report_.gap = objective == 0 ? (difference == 0 ? 0.0 : std::numeric_limits<double>::infinity())
                                 : std::max(0.0, rounded_up(difference / objective));
  }

  std::optional<std::vector<CostInterval>> policy_costs() {
    if (policy_->costs != cssp_.cost_names()) {
      violate("the policy is about other costs than the problem",
              fmt::format("{}", fmt::join(cssp_.cost_names(), ", ")),
              fmt::format("{}", fmt::join(policy_->costs, ", ")));
      return std::nullopt;
    }
    ResolvedPolicy resolved = resolve(cssp_, *policy_, monitor_);
    ProvedPolicy proved = prove_policy(cssp_, resolved.policy, std::move(resolved.findings),
                                       options_.max_exact_work, monitor_);
    for (const Finding& finding : proved.findings)
      violate("the policy does not fit the problem: " + finding.what, finding.expected,
              finding.found, finding.state, {}, finding.option);
    if (proved.findings.empty() && !proved.costs)
      violate("the costs of the policy are too uncertain for exact bounds on them");
    return std::move(proved.costs);
  }

  void judge_infeasibility() {
    const std::vector<Rational> ray = per_bound(certificate_.multipliers, "weight");
    const auto least = weighted_lower_bound(ray, false);
    if (!least) return;
    const Rational sum = allowed(ray, std::vector<Rational>(ray.size(), Rational(0)));
    if (*least <= sum)
      return violate("the bounds allow what every policy costs at least",
                     fmt::format("a weighted cost above {}", to_double(sum)),
                     fmt::format("{}", to_double(*least)));
    std::vector<std::string> terms;
    for (const auto& [cost, weight] : certificate_.multipliers)
      if (weight > 0) terms.push_back(fmt::format("{}·{}", weight, cost));
    report_.statement = fmt::format(
        "no proper policy meets the bounds: every one has {} ≥ {}, and the bounds allow {}",
        fmt::join(terms, " + "), rounded_down(*least), rounded_up(sum));
  }

  Cssp& cssp_;
  const Certificate& certificate_;
  const PolicyFile* policy_;
  const CheckOptions& options_;
  Monitor& monitor_;
  ExactNumbers numbers_;
  absl::flat_hash_map<std::string, Listed> listed_;
  std::vector<double> value_;  // by state
  CertificateReport report_;
};

}  // namespace

std::string_view to_string(CertificateKind kind) {
  constexpr std::string_view names[] = {"optimal", "infeasible", "infeasible-zero-bounds",
                                        "no-proper-policy"};
  return names[static_cast<std::size_t>(kind)];
}

CertificateReport check_certificate(Cssp& cssp, const Certificate& certificate,
                                    const PolicyFile* policy, const CheckOptions& options,
                                    Monitor& monitor) {
  return CertificateCheck(cssp, certificate, policy, options, monitor).run();
}

}  // namespace carl
