#include "cssp/lagrangian.h"

#include <algorithm>

#include "cssp/constraint_weights.h"

namespace carl::cssp {
namespace {

// A primary cost that is a smaller share of another cost is not what bounds will be met for.
constexpr double least_share = 1e-3;

}  // namespace

Lagrangian::Lagrangian(const Cssp& cssp, oracle::Oracle& oracle) : cssp_(cssp), oracle_(oracle) {}

Lagrangian::Answer Lagrangian::query(std::span<const double> multipliers) {
  multipliers_.assign(multipliers.begin(), multipliers.end());
  const Answer answer = query_weights(scalarisation(cssp_, multipliers));
  if (answer.outcome == Outcome::answered) {
    lines_.push_back({per_cost(cssp_, multipliers), answer.lower_bound});
    if (!is_restricted_) known_lines_.push_back({lines_.back(), LineConditions(cssp_)});
  }
  return answer;
}

void Lagrangian::take_allowed_cuts() {
  cuts_.clear();
  for (oracle::PolicyHandle k = 0; k < oracle_.num_policies(); ++k)
    if (oracle_.is_allowed(k)) cuts_.push_back({oracle_.costs(k), k});
}

void Lagrangian::restricted(std::span<const LowerLine> lines) {
  is_restricted_ = true;
  take_allowed_cuts();
  lines_.assign(lines.begin(), lines.end());
}

void Lagrangian::problem_changed() {
  is_restricted_ = false;
  take_allowed_cuts();
  lines_.clear();
  for (const auto& [line, conditions] : known_lines_)
    if (conditions.cover(cssp_) && is_about(cssp_, line)) lines_.push_back(line);
  // Known cuts may be all that it takes: no policy costs less than nothing.
  if (lines_.empty()) lines_.push_back({std::vector<double>(cssp_.num_costs(), 0.0), 0.0});
}

/// The policy that is found without regard to the bounds may pay next to nothing, or nothing at all.
/// Every cost is in units of what an action typically costs, so another one tells how many actions
/// are paid for.
double Lagrangian::primary_scale() const {
  const std::vector<double>& first = cuts_.front().costs;
  const double largest = *std::max_element(first.begin(), first.end());
  if (first[0] > least_share * largest) return first[0];
  return largest > 0 ? largest : 1.0;
}

Lagrangian::Answer Lagrangian::query_weights(std::span<const double> weights) {
  ++num_queries_;
  const oracle::Answer answer = oracle_.ask(weights);
  Answer result{answer.outcome, 0, answer.is_new, answer.lower_bound, answer.weighted_cost,
                answer.is_final};
  if (answer.outcome != Outcome::answered) return result;
  const auto known = std::find_if(cuts_.begin(), cuts_.end(),
                                  [&](const Cut& cut) { return cut.policy == answer.policy; });
  result.cut = static_cast<std::size_t>(known - cuts_.begin());
  if (known == cuts_.end()) cuts_.push_back({oracle_.costs(answer.policy), answer.policy});
  return result;
}

}  // namespace carl::cssp
