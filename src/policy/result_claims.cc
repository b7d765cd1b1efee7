#include "policy/result_claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "policy/tolerances.h"

namespace carl::policy {
namespace {

class ResultCheck {
 public:
  ResultCheck(const Cssp& cssp, const ResultFile& result, const CheckReport& report,
              const std::vector<double>& dearest_step, double gap)
      : cssp_(cssp),
        result_(result),
        report_(report),
        costs_(*report.costs),
        dearest_step_(dearest_step),
        gap_(gap) {}

  std::vector<Finding> run() {
    if (judge_status()) {
      judge_costs();
      judge_bounds();
      judge_gap();
      judge_sizes();
      judge_mixture();
    }
    return std::move(findings_);
  }

 private:
  void report(std::string what, std::string expected, std::string found, const char* option = "") {
    findings_.push_back({CheckKind::result,
                         false,
                         {},
                         std::move(what),
                         std::move(expected),
                         std::move(found),
                         option});
  }
  void missing(const std::string& what, double expected) {
    report(what, fmt::format("{:.10g}", expected), "nothing");
  }
  void compare(const std::string& what, double expected, const std::optional<double>& claim,
               double step = 0) {
    if (!claim)
      missing(what, expected);
    else if (!costs_agree(expected, *claim, step))
      report(what, fmt::format("{}", expected), fmt::format("{}", *claim));
  }
  void compare_cost(const std::string& what, std::size_t cost, const std::optional<double>& claim) {
    compare(what, costs_[cost], claim, dearest_step_[cost]);
  }

  /// False if the result says that there is no policy: then it makes no claims about this one.
  bool judge_status() {
    const auto& status = result_.status;
    if (status == "optimal" || status == "limit" || status == "interrupted") return true;
    if (status == "no-proper-policy") {
      report("status", "another: this policy is proper", status);
    } else if (status == "infeasible") {
      const bool feasible =
          std::all_of(cssp_.bounds().begin(), cssp_.bounds().end(),
                      [&](const Bound& bound) { return within_bound(costs_[bound.cost], bound); });
      const bool counts = !result_.deterministic || report_.stochastic_states == 0;
      if (feasible && counts) report("status", "another: this policy meets all bounds", status);
    } else {
      report("status", "one that carl knows", status);
    }
    return false;
  }

  void judge_costs() {
    compare_cost("objective", 0, result_.objective);
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      const std::string& name = cssp_.cost_names()[i];
      std::optional<double> claim;
      for (const auto& [cost, value] : result_.costs)
        if (cost == name) claim = value;
      compare_cost(fmt::format("cost {}", name), i, claim);
    }
    for (const auto& [cost, value] : result_.costs)
      if (std::find(cssp_.cost_names().begin(), cssp_.cost_names().end(), cost) ==
          cssp_.cost_names().end())
        report(fmt::format("cost {}", cost), "none of this name in the model",
               fmt::format("{:.10g}", value));
  }

  void judge_bounds() {
    for (const Bound& bound : cssp_.bounds()) {
      const std::string& name = cssp_.cost_names()[bound.cost];
      const auto claim = std::find_if(result_.constraints.begin(), result_.constraints.end(),
                                      [&](const auto& c) { return c.cost == name; });
      if (claim == result_.constraints.end()) {
        missing(fmt::format("bound on {}", name), bound.upper);
        continue;
      }
      compare(fmt::format("bound on {}", name), bound.upper, claim->bound);
      compare_cost(fmt::format("value of the constraint on {}", name), bound.cost, claim->value);
      if (claim->multiplier && !(*claim->multiplier >= 0))
        report(fmt::format("multiplier of {}", name), "at least 0",
               fmt::format("{}", *claim->multiplier));
    }
    for (const ResultFile::Constraint& claim : result_.constraints)
      if (std::none_of(cssp_.bounds().begin(), cssp_.bounds().end(), [&](const Bound& bound) {
            return cssp_.cost_names()[bound.cost] == claim.cost;
          }))
        report(fmt::format("bound on {}", claim.cost), "none in the model",
               fmt::format("{}", claim.bound), "bounds");
  }

  void judge_gap() {
    if (!result_.lower_bound) {
      if (result_.status == "optimal") report("lower bound", "one", "none");
      return;
    }
    const double lower = *result_.lower_bound;
    if (!(lower <= costs_[0] * (1 + cost_tolerance)))
      report("lower bound", fmt::format("at most {}, the cost of this policy", costs_[0]),
             fmt::format("{}", lower));
    const double expected = relative_gap(costs_[0], lower);
    if (!result_.gap)
      missing("gap", expected);
    else if (!shares_agree(expected, *result_.gap))
      report("gap", fmt::format("{}", expected), fmt::format("{}", *result_.gap));
    if (result_.status == "optimal" && !(expected <= gap_ + share_tolerance))
      report("status", fmt::format("a gap of at most {}", gap_),
             fmt::format("optimal with a gap of {:.3g}", expected), "gap");
  }

  void judge_sizes() {
    compare("number of states", static_cast<double>(report_.states), result_.states);
    compare("number of states with a random choice", static_cast<double>(report_.stochastic_states),
            result_.stochastic_states);
  }

  /// Weights sum to one, and the weighted costs to those of the policy.
  void judge_mixture() {
    if (result_.mixture.empty()) return;
    double total = 0;
    std::vector<double> mixed(costs_.size(), 0.0);
    for (const MixtureComponent& part : result_.mixture) {
      if (!(part.weight >= 0) || part.costs.size() != costs_.size())
        return report("mixture", fmt::format("weights of at least 0 and {} costs", costs_.size()),
                      fmt::format("weight {} and {} costs", part.weight, part.costs.size()));
      total += part.weight;
      for (std::size_t i = 0; i < mixed.size(); ++i)
        mixed[i] += part.weight * part.costs[i];
    }
    if (!shares_agree(1, total)) report("weights of the mixture", "1", fmt::format("{}", total));
    for (std::size_t i = 0; i < mixed.size(); ++i)
      if (!mixed_costs_agree(costs_[i], mixed[i], dearest_step_[i]))
        report(fmt::format("weighted {} of the mixture", cssp_.cost_names()[i]),
               fmt::format("{}", costs_[i]), fmt::format("{}", mixed[i]));
  }

  const Cssp& cssp_;
  const ResultFile& result_;
  const CheckReport& report_;
  const std::vector<double>& costs_;
  const std::vector<double>& dearest_step_;
  double gap_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> judge_result(const Cssp& cssp, const ResultFile& result,
                                  const CheckReport& report,
                                  const std::vector<double>& dearest_step, double gap) {
  return ResultCheck(cssp, result, report, dearest_step, gap).run();
}

}  // namespace carl::policy
