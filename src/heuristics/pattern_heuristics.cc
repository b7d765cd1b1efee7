#include "heuristics/pattern_heuristics.h"

#include <algorithm>
#include <limits>

#include "graph/q_value.h"

namespace carl::heuristics {
namespace {

// Weights have moved far if one has changed by this factor in relation to another.
constexpr double far = 4;
// What the first selection may take: on exploding blocks world, where it is of no use, 1 to 3% of the
// instructions of a solve.
constexpr std::size_t first_work = 1'000'000;
constexpr std::size_t most_work = 100'000'000;
// An estimate takes about as long as this much work of a selection.
constexpr std::size_t work_per_estimate = 300;
// For the same weights a selection is worth repeating if it may do so many times the work.
constexpr std::size_t growth_of_work = 8;

/// The least ratio between weights of the same cost in relation to the largest: 1 if they are the
/// same up to a factor, 0 if a cost has weight in one of them only.
double similarity(std::span<const double> a, std::span<const double> b) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0 && b[i] == 0) continue;
    least = std::min(least, a[i] / b[i]);
    most = std::max(most, a[i] / b[i]);
  }
  return most > 0 ? least / most : 1.0;
}

void write_penalty(const Cssp& cssp, std::span<double> out) {
  if (cssp.can_give_up())
    std::copy(cssp.give_up_penalty()->begin(), cssp.give_up_penalty()->end(), out.begin());
}

}  // namespace

LambdaPatternDatabase::LambdaPatternDatabase(const TaskContext& context)
    : context_(context), hmax_(context, EstimatorKind::hmax) {}

void LambdaPatternDatabase::set_weights(std::span<const double> weights) {
  hmax_.set_weights(weights);
  weights_.assign(weights.begin(), weights.end());
  if (!is_to_be_selected(weights)) {
    if (selected_.database) selected_.database->set_weights(weights);
    return;
  }
  SelectionLimits limits;
  limits.work = selected_weights_.empty() ? first_work : affordable_work();
  selected_ = select_pattern(context_, weights, limits);
  selected_weights_ = weights_;
  evaluations_at_selection_ = evaluations_;
}

/// As much as has been spent on estimates since the last selection.
std::size_t LambdaPatternDatabase::affordable_work() const {
  return std::min(most_work, work_per_estimate * (evaluations_ - evaluations_at_selection_));
}

bool LambdaPatternDatabase::is_to_be_selected(std::span<const double> weights) const {
  if (selected_weights_.empty()) return true;
  if (similarity(weights, selected_weights_) < 1 / far) return affordable_work() > first_work;
  return !selected_.is_carried_out && affordable_work() > growth_of_work * selected_.work;
}

bool LambdaPatternDatabase::evaluate(StateId state, std::span<double> out) {
  ++evaluations_;
  if (!hmax_.evaluate(state, out)) return false;
  if (!selected_.database) return true;
  context_.model.values(state, values_);
  const PatternDatabase& database = *selected_.database;
  const StateId projected = database.find(values_);
  if (!projected.valid()) return true;
  if (database.is_hopeless(projected)) {
    write_penalty(context_.cssp, out);
    return false;
  }
  if (database.value(projected) > graph::weighted_cost(out, weights_))
    database.vector(projected, out);
  return true;
}

IdealPatternDatabases::IdealPatternDatabases(const TaskContext& context)
    : context_(context), hmax_(context, EstimatorKind::hmax) {
  const std::size_t n = context.cssp.num_costs();
  SelectionLimits limits;
  limits.work = first_work;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> weights(n, 0.0);
    weights[i] = 1;
    selected_.push_back(select_pattern(context, weights, limits));
  }
}

bool IdealPatternDatabases::evaluate(StateId state, std::span<double> out) {
  ++evaluations_;
  if (!hmax_.evaluate(state, out)) return false;
  context_.model.values(state, values_);
  for (std::size_t i = 0; i < selected_.size(); ++i) {
    if (!selected_[i].database) continue;
    const StateId projected = selected_[i].database->find(values_);
    if (!projected.valid()) continue;
    if (selected_[i].database->is_hopeless(projected)) {
      write_penalty(context_.cssp, out);
      return false;
    }
    out[i] = std::max(out[i], selected_[i].database->value(projected));
  }
  return true;
}

}  // namespace carl::heuristics
