#include "ssp/krylov_iteration.h"

#include <algorithm>
#include <cmath>

#include "ssp/bicgstab.h"

namespace carl::ssp {
namespace {

// Values that a policy begins with are evaluated to this share of their residual, later ones to this
// share of the residual of the last improvement.
constexpr double first_factor = 1e-3;
constexpr double worthwhile = 0.005;
// Values far better than asked for cost a few rounds more, and spare whoever makes lower bounds of them
// all mending: rounds go on till there as long as each halves the residual.
constexpr double far_below = 1e-4;
constexpr double still_worth_it = 0.5;
// It fails when so many rounds in a row have not made the residual smaller than ever before.
constexpr int most_fruitless_rounds = 40;
// Of the largest value: what smaller ones count as for scaling.
constexpr double least_scale = 1e-6;
// Residuals relative to the value that are rounding errors.
constexpr double rounding = 1e-14;
// What comes out of a system that is as good as singular is noise, of both signs, or huge.
constexpr double most = 1e100;
constexpr double noise = 1e-6;
// A rounder drop tolerance than for exact evaluation: one step or two is all that is needed.
constexpr IncompleteLuOptions rough_factors{.drop = 5e-3, .entries_per_decade = 16};

}  // namespace

KrylovIteration::KrylovIteration(ScalarisedSsp& ssp) : ssp_(ssp), preconditioner_(rough_factors) {}

bool KrylovIteration::evaluate(std::span<const StateId> component, double factor,
                               Monitor& monitor) {
  take_on(component);
  return solve_for_choices(component, factor, 0, monitor);
}

/// Until residuals are by a factor smaller than before, or the least that is worth it.
bool KrylovIteration::solve_for_choices(std::span<const StateId> component, double factor,
                                        double least, Monitor& monitor) {
  write_down(component);
  const auto largest = [&](const std::vector<double>& residual) {
    double result = 0;
    for (std::size_t i = 0; i < residual.size(); ++i) {
      const double size = std::abs(residual[i]) * scale_[i];
      if (!(size <= result)) result = size;  // also if it is not a number
    }
    return result;
  };
  const double now = largest(residual_);
  const double highest = *std::max_element(scale_.begin(), scale_.end());
  const double target = std::max({factor * now, least, rounding * highest});
  left_ = now;
  if (now <= target) return true;
  if (!std::isfinite(now) || !preconditioner_.factorize(matrix_, &monitor)) return false;
  const BiCgStab solver(matrix_, preconditioner_, BiCgStab::Factors::as_they_are, &monitor);
  const BiCgStab::Result correction = solver.solve(residual_, target, largest);
  if (!(correction.size <= target)) return false;
  double fall = 0;
  double rise = 0;
  for (std::size_t i = 0; i < component.size(); ++i) {
    const double value = ssp_.value(component[i]) + correction.x[i] * scale_[i];
    if (!(value <= most) || value < -noise * std::max(1.0, highest)) return false;
    fall = std::max(fall, -correction.x[i] * scale_[i]);
    rise = std::max(rise, correction.x[i] * scale_[i]);
  }
  for (std::size_t i = 0; i < component.size(); ++i)
    ssp_.assign_value(component[i], ssp_.value(component[i]) + correction.x[i] * scale_[i]);
  ssp_.count_backups(component.size());
  note_change(fall, rise);
  left_ = correction.size;
  return true;
}

void KrylovIteration::scale_by_values(std::span<const StateId> component) {
  scale_.clear();
  double highest = 0;
  for (const StateId s : component) {
    scale_.push_back(ssp_.value(s));
    highest = std::max(highest, scale_.back());
  }
  const double least = highest > 0 ? least_scale * highest : 1;
  for (double& value : scale_)
    value = std::max(value, least);
}

/// The system of the choices and what is left of it at the values at hand. Rows come in the order of the
/// component, but are written in that of the states' numbers, which is how the graph lies in memory.
void KrylovIteration::write_down(std::span<const StateId> component) {
  const SearchGraph& graph = ssp_.graph();
  scale_by_values(component);
  for (std::size_t i = 0; i < component.size(); ++i)
    position_[component[i].index()] = static_cast<std::uint32_t>(i);
  matrix_.first.assign(component.size() + 1, 0);
  for (const StateId s : by_number_)
    matrix_.first[position_[s.index()] + 1] = graph.successors(ssp_.choice(s)).size();
  for (std::size_t i = 0; i < component.size(); ++i)
    matrix_.first[i + 1] += matrix_.first[i];
  matrix_.column.resize(matrix_.first.back());
  matrix_.value.resize(matrix_.first.back());
  matrix_.diagonal.assign(component.size(), 1.0);
  residual_.resize(component.size());
  for (const StateId s : by_number_)
    write_row(s);
}

/// Outcomes outside the component are entries of zero.
void KrylovIteration::write_row(StateId s) {
  const SearchGraph& graph = ssp_.graph();
  const std::uint32_t i = position_[s.index()];
  const PairId p = ssp_.choice(s);
  const auto successors = graph.successors(p);
  const auto probabilities = graph.probabilities(p);
  std::size_t entry = matrix_.first[i];
  double sum = ssp_.cost(p);
  for (std::size_t k = 0; k < successors.size(); ++k, ++entry) {
    sum += probabilities[k] * ssp_.value(successors[k]);
    const std::uint32_t j = position_[successors[k].index()];
    matrix_.column[entry] = j != outside ? j : i;
    matrix_.value[entry] = j != outside ? -probabilities[k] * scale_[j] / scale_[i] : 0;
  }
  residual_[i] = (sum - ssp_.value(s)) / scale_[i];
}

/// What stays the same for as long as the component does.
void KrylovIteration::take_on(std::span<const StateId> component) {
  by_number_.assign(component.begin(), component.end());
  std::sort(by_number_.begin(), by_number_.end());
  position_.assign(ssp_.graph().num_states(), outside);
}

bool KrylovIteration::solve(std::span<StateId> component, double epsilon, Monitor& monitor) {
  const auto has_choice = [&](StateId s) {
    return ssp_.choice(s).valid() && ssp_.value(s) != infinity;
  };
  take_on(component);
  safe_till_.assign(ssp_.graph().num_states(), -1);
  change_ = 0;
  left_ = infinity;
  if (std::all_of(component.begin(), component.end(), has_choice) &&
      !solve_for_choices(component, first_factor, 0, monitor))
    return false;
  double before = infinity;
  double best = infinity;
  int since_best = 0;
  for (int round = 0; since_best < most_fruitless_rounds; ++round) {
    if (round % 2 == 0) sort_by_value(component);
    // To and fro, for what one direction carries far the other hardly moves. A state that the second
    // sweep does not look at may lag behind by what both have changed.
    const double forth = improve(true, monitor);
    const double residual = forth + improve(false, monitor);
    if (monitor.reached_now()) return false;
    report_search(ssp_, monitor);
    if (residual <= far_below * epsilon) return true;
    if (residual <= epsilon && residual > still_worth_it * before) return true;
    before = residual;
    since_best = residual < best ? 0 : since_best + 1;
    best = std::min(best, residual);
    if (!solve_for_choices(component, 0, worthwhile * residual, monitor)) return false;
  }
  return false;
}

/// Backs up the states whose choices may no longer be the best. Returns a bound on all residuals.
double KrylovIteration::improve(bool forward, Monitor& monitor) {
  double residual = 0;
  double fall = 0;
  double rise = 0;
  bool all = true;
  for (std::size_t i = 0; i < by_number_.size() && !monitor.reached(); ++i) {
    const StateId s = by_number_[forward ? i : by_number_.size() - 1 - i];
    if (change_ < safe_till_[s.index()]) {
      all = false;
      continue;
    }
    const double before = ssp_.value(s);
    const double margin = ssp_.assign_best_value_with_margin(s);
    safe_till_[s.index()] = change_ + margin;
    const double change = ssp_.value(s) - before;
    fall = std::max(fall, -change);
    rise = std::max(rise, change);
    // Where λ is huge, so are values, and their last digits never come to rest.
    if (std::abs(change) > rounding * std::abs(before))
      residual = std::max(residual, std::abs(change));
  }
  note_change(fall, rise);
  return all ? residual : residual + left_;
}

/// Ties by number, so that the order does not depend on the one before.
void KrylovIteration::sort_by_value(std::span<StateId> component) {
  keys_.clear();
  for (const StateId s : component)
    keys_.emplace_back(ssp_.value(s), s);
  std::sort(keys_.begin(), keys_.end());
  for (std::size_t i = 0; i < component.size(); ++i)
    component[i] = keys_[i].second;
}

}  // namespace carl::ssp
