#include "ssp/krylov_iteration.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace carl::ssp {
namespace {

// Values that a policy begins with are evaluated to this share of their residual, later ones to this
// share of the residual of the last improvement.
constexpr double first_factor = 1e-3;
constexpr double worthwhile = 0.005;
// But residuals are to be smaller than what steps cost: then the policy that is greedy for these values
// is proper. Else it may go round in circles, where that costs less than it seems to save. As this may be
// out of reach, it is not tried beyond some share of what must be.
constexpr double share_of_step = 0.1;
constexpr double least_share_of_target = 1e-3;
// Where little is left to improve, this times ε, going to and fro once is enough; else twice.
constexpr double little = 100;
// Values far better than asked for cost a few rounds more, and spare whoever makes lower bounds of them
// all mending: if nothing is said about such bounds, rounds go on till there as long as each halves the
// residual.
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
// If values have changed by less than this share of the largest, their order is as good as before.
constexpr double noticeable = 1e-3;
// Blocks of a sweep: few, so that news gets far within one.
constexpr std::size_t blocks_of_sweep = 16;
constexpr std::size_t least_block = 1024;

double larger(double a, double b) {
  return std::max(a, b);
}

}  // namespace

KrylovIteration::KrylovIteration(ScalarisedSsp& ssp)
    : ssp_(ssp),
      threads_(ssp.graph().threads()),
      preconditioner_(threads_, rough_factors),
      local_change_(threads_) {}

bool KrylovIteration::evaluate(std::span<const StateId> component, double factor,
                               Monitor& monitor) {
  take_on(component);
  return solve_for_choices(component, factor, 0, monitor);
}

/// Of scaled residuals, without the scale.
double KrylovIteration::largest(const std::vector<double>& residual) const {
  const auto of = [&](std::size_t begin, std::size_t end) {
    double result = 0;
    for (std::size_t i = begin; i < end; ++i)
      result = larger_or_nan(result, std::abs(residual[i]) * scale_[i]);
    return result;
  };
  return threads_.reduce(residual.size(), 0.0, of, larger_or_nan);
}

/// Until residuals are by a factor smaller than before, or the least that is worth it.
bool KrylovIteration::solve_for_choices(std::span<const StateId> component, double factor,
                                        double least, Monitor& monitor) {
  const double highest = write_down(component);
  const auto size = [&](const std::vector<double>& residual) { return largest(residual); };
  const double now = largest(residual_);
  const double target = std::max({factor * now, least, rounding * highest});
  if (now <= target) return true;
  const double wish =
      std::clamp(share_of_step * least_cost_, least_share_of_target * target, target);
  if (!std::isfinite(now) || !preconditioner_.factorize(matrix_, &monitor)) return false;
  const BiCgStab solver(matrix_, preconditioner_, BiCgStab::Factors::as_they_are, threads_,
                        &monitor, workspace_);
  const BiCgStab::Result correction = solver.solve(residual_, wish, size);
  if (!(correction.size <= target) || !add(correction.x, component, highest)) return false;
  ssp_.count_backups(component.size());
  return true;
}

/// False, and nothing is added, if the sum cannot be values.
bool KrylovIteration::add(const std::vector<double>& correction, std::span<const StateId> component,
                          double highest) {
  const auto change = [&](std::size_t i) { return correction[i] * scale_[i]; };
  const auto is_value = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double value = ssp_.value(component[i]) + change(i);
      if (!(value <= most) || value < -noise * std::max(1.0, highest)) return false;
    }
    return true;
  };
  if (!threads_.reduce(component.size(), true, is_value, std::logical_and<>())) return false;
  const auto largest_change = [&](double sign) {
    const auto of = [&](std::size_t begin, std::size_t end) {
      double result = 0;
      for (std::size_t i = begin; i < end; ++i)
        result = std::max(result, sign * change(i));
      return result;
    };
    return threads_.reduce(component.size(), 0.0, of, larger);
  };
  note_change(largest_change(-1), largest_change(1));
  ssp_.let_vectors_lag();
  static_assert(Threads::elements_per_block % LocalChange::block_size == 0);
  threads_.for_each(by_number_.size(), [&](std::size_t i) {
    const StateId s = by_number_[i];
    const double by = change(position_[s.index()]);
    ssp_.store_value(s, ssp_.value(s) + by);
    local_change_.note(i, by);
  });
  local_change_.end_step();
  return true;
}

/// Returns the largest.
double KrylovIteration::scale_by_values(std::span<const StateId> component) {
  scale_.resize(component.size());
  const auto of = [&](std::size_t begin, std::size_t end) {
    double highest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      scale_[i] = ssp_.value(component[i]);
      highest = std::max(highest, scale_[i]);
    }
    return highest;
  };
  const double highest = threads_.reduce(component.size(), 0.0, of, larger);
  const double least = highest > 0 ? least_scale * highest : 1;
  threads_.for_each(component.size(),
                    [&](std::size_t i) { scale_[i] = std::max(scale_[i], least); });
  return std::max(highest, least);
}

/// The system of the choices and what is left of it at the values at hand. Rows come in the order of the
/// component, but are written in that of the states' numbers, which is how the graph lies in memory.
/// Returns the largest value, as far as it is one.
double KrylovIteration::write_down(std::span<const StateId> component) {
  const SearchGraph& graph = ssp_.graph();
  const std::size_t size = component.size();
  const double highest = scale_by_values(component);
  threads_.for_each(size, [&](std::size_t i) {
    position_[component[i].index()] = static_cast<std::uint32_t>(i);
  });
  matrix_.first.assign(size + 1, 0);
  threads_.for_each(size, [&](std::size_t i) {
    const StateId s = by_number_[i];
    matrix_.first[position_[s.index()] + 1] = graph.successors(ssp_.choice(s)).size();
  });
  for (std::size_t i = 0; i < size; ++i)
    matrix_.first[i + 1] += matrix_.first[i];
  matrix_.column.resize(matrix_.first.back());
  matrix_.value.resize(matrix_.first.back());
  matrix_.diagonal.assign(size, 1.0);
  residual_.resize(size);
  const auto write_rows = [&](std::size_t begin, std::size_t end) {
    double least = infinity;
    for (std::size_t i = begin; i < end; ++i) {
      write_row(by_number_[i]);
      least = std::min(least, ssp_.cost(ssp_.choice(by_number_[i])));
    }
    return least;
  };
  least_cost_ = threads_.reduce(size, infinity, write_rows,
                                [](double a, double b) { return std::min(a, b); });
  return highest;
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

/// What stays the same for as long as the component does, whatever the order of its states.
void KrylovIteration::take_on(std::span<const StateId> component) {
  if (component.data() == taken_on_.data() && component.size() == taken_on_.size() &&
      position_.size() == ssp_.graph().num_states())
    return;
  taken_on_ = component;
  by_number_.assign(component.begin(), component.end());
  std::sort(by_number_.begin(), by_number_.end());
  position_.assign(ssp_.graph().num_states(), outside);
  local_change_.take_on(ssp_.graph(), by_number_);
}

bool KrylovIteration::solve(std::span<StateId> component, const Consistency& consistency,
                            Monitor& monitor) {
  const double epsilon = consistency.epsilon;
  const auto has_choice = [&](StateId s) {
    return ssp_.choice(s).valid() && ssp_.value(s) != infinity;
  };
  take_on(component);
  local_change_.forget();
  safe_till_.assign(component.size(), -1);
  change_ = 0;
  sorted_till_ = 0;
  least_cost_ = 0;
  last_place_ = {};
  is_for_policy_alone_ = false;
  if (std::all_of(component.begin(), component.end(), has_choice) &&
      !solve_for_choices(component, first_factor, 0, monitor))
    return false;
  double before = infinity;
  double best = infinity;
  int since_best = 0;
  for (int round = 0; since_best < most_fruitless_rounds; ++round) {
    if (change_ >= sorted_till_) sort_by_value(component);
    const double residual = improve(epsilon, monitor);
    if (monitor.reached_now()) return false;
    report_search(ssp_, monitor);
    if (is_good_enough(residual, consistency)) return true;
    const double enough_for_bounds = consistency.negligible_loss * least_cost_;
    if (residual <= std::max(std::min(epsilon, enough_for_bounds), far_below * epsilon))
      return true;
    if (residual <= epsilon && residual > still_worth_it * before) return true;
    before = residual;
    since_best = residual < best ? 0 : since_best + 1;
    best = std::min(best, residual);
    if (!solve_for_choices(component, 0, worthwhile * residual, monitor)) return false;
  }
  return false;
}

/// For whoever is far from the end. A bound made of the values loses what residuals are beside the cost
/// of a step; a policy costs more than the best by what is still to be won, which mostly is less than the
/// last improvement has won, as soon as residuals are small beside values: until then news is on its way.
bool KrylovIteration::is_good_enough(double residual, const Consistency& consistency) {
  const double share = consistency.tolerable_loss;
  if (residual <= share * least_cost_) return true;
  if (consistency.for_bounds || share == 0) return false;
  const Place before = std::exchange(last_place_, place());
  const auto has_settled = [&](double now, double then) {
    return std::abs(now - then) <= share * now;
  };
  is_for_policy_alone_ = residual <= share * last_place_.mean &&
                         has_settled(last_place_.mean, before.mean) &&
                         has_settled(last_place_.start, before.start);
  return is_for_policy_alone_;
}

KrylovIteration::Place KrylovIteration::place() const {
  const auto sum = [&](std::size_t begin, std::size_t end) {
    double result = 0;
    for (std::size_t i = begin; i < end; ++i)
      result += ssp_.value(by_number_[i]);
    return result;
  };
  const double total = threads_.reduce(by_number_.size(), 0.0, sum, std::plus<>());
  return {ssp_.value(ssp_.initial_state()), total / static_cast<double>(by_number_.size())};
}

/// Sweeps to and fro, for what one direction carries far the other hardly moves. Returns a bound on all
/// residuals.
double KrylovIteration::improve(double epsilon, Monitor& monitor) {
  const auto to_and_fro = [&] {
    sweep(true, monitor);
    return sweep(false, monitor);
  };
  const double residual = to_and_fro();
  return residual <= little * epsilon ? residual : to_and_fro();
}

/// Backs up all states. Returns the largest change, which bounds all residuals.
double KrylovIteration::sweep(bool forward, Monitor& monitor) {
  const std::size_t size = by_number_.size();
  before_.resize(ssp_.graph().num_states());
  threads_.for_each(ssp_.values().size(), [&](std::size_t s) { before_[s] = ssp_.values()[s]; });
  ssp_.let_vectors_lag();
  const std::size_t block_size =
      std::max(least_block, Threads::num_blocks(size, blocks_of_sweep * LocalChange::block_size) *
                                LocalChange::block_size);
  const auto sweep_unless_ended = [&](std::size_t begin, std::size_t end) {
    return monitor.reached_now() ? Sweep{} : sweep_block(begin, end, forward);
  };
  const auto together = [](Sweep a, const Sweep& b) {
    a.fall = std::max(a.fall, b.fall);
    a.rise = std::max(a.rise, b.rise);
    a.residual = std::max(a.residual, b.residual);
    a.backups += b.backups;
    a.q_values += b.q_values;
    return a;
  };
  const Sweep done = threads_.reduce(size, Sweep{}, sweep_unless_ended, together, block_size);
  note_change(done.fall, done.rise);
  local_change_.end_step();
  ssp_.count_backups(done.backups);
  ssp_.count_q_values(done.q_values);
  return done.residual;
}

KrylovIteration::Sweep KrylovIteration::sweep_block(std::size_t begin, std::size_t end,
                                                    bool forward) {
  Sweep done;
  for (std::size_t k = begin; k < end; ++k) {
    const std::size_t i = forward ? k : end - 1 - (k - begin);
    const bool is_first_of_block = (forward ? i : i + 1) % LocalChange::block_size == 0;
    if (is_first_of_block || k == begin) local_change_.look_around(i, begin, end, done.seen);
    back_up(i, by_number_[begin], by_number_[end - 1], done);
  }
  return done;
}

/// States from the first to the last are in the same block.
void KrylovIteration::back_up(std::size_t i, StateId first, StateId last, Sweep& done) {
  const StateId s = by_number_[i];
  const auto value = [&](StateId t) {
    return t < first || last < t ? before_[t.index()] : ssp_.value(t);
  };
  const auto q = [&](PairId p) {
    ++done.q_values;
    return q_value(ssp_.graph(), p, ssp_.cost(p), value);
  };
  const PairId chosen = ssp_.choice(s);
  Candidate best{chosen, chosen.valid() ? q(chosen) : infinity};
  if (!(local_change_.at(i) + done.seen.width() < safe_till_[i])) {
    const double margin = find_best(s, q, best);
    // Some successors have changed in this sweep, others will: the margin before it was no less than that.
    safe_till_[i] = local_change_.at(i) + margin - done.seen.width();
    ssp_.set_choice(s, best.pair);
  }
  const double before = ssp_.value(s);
  const double change = best.q - before;
  ++done.backups;
  done.fall = std::max(done.fall, -change);
  done.rise = std::max(done.rise, change);
  // Where λ is huge, so are values, and their last digits never come to rest.
  if (std::abs(change) > rounding * std::abs(before))
    done.residual = std::max(done.residual, std::abs(change));
  ssp_.store_value(s, best.q);
  local_change_.note(i, change);
  done.seen.include(change);
}

/// Ties go to `best`, which is the choice made before. Returns by how much the second best is worse.
template <class Q>
double KrylovIteration::find_best(StateId s, const Q& q, Candidate& best) const {
  const PairId chosen = best.pair;
  double second = infinity;
  for (const PairId p : ssp_.graph().pairs(s)) {
    if (p == chosen) continue;
    const double value = q(p);
    if (value < best.q - ScalarisedSsp::tie * value) {
      second = best.q;
      best = {p, value};
    } else {
      second = std::min(second, value);
    }
  }
  return second - best.q;
}

/// Ties by number, so that the order does not depend on the one before.
void KrylovIteration::sort_by_value(std::span<StateId> component) {
  std::vector<double> values(component.size());
  threads_.for_each(values.size(), [&](std::size_t i) { values[i] = ssp_.value(by_number_[i]); });
  const std::vector<std::uint32_t> order = threads_.ascending(values);
  sorted_till_ = change_ + noticeable * values[order.back()];
  threads_.for_each(component.size(), [&](std::size_t i) { component[i] = by_number_[order[i]]; });
}

}  // namespace carl::ssp
