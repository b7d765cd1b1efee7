// The part of Landmarks that prices risky steps (see risky_steps.h). Landmarks come with orders: what
// a landmark needs must come true before it. If a fact is true now, or comes true along with some
// landmark, and a later landmark excludes it, then it must be let go before that one; and all goals
// that the later one must come before are false till then.
//
// Let the estimate for the costs be a sum W of landmarks, each of which is met at most once, and let
// there be a way to let go of a fact after which, with probability p, no goal state is reached any
// more. Whoever takes it pays its cost and, with probability p, the penalty D of giving up instead of
// what is left of W. So as long as W ≤ H for some H ≤ D, the way may be priced at its cost plus
// p (D - H), and the estimate is min(W, H): a run that is lost costs D, which is H and p (D - H)
// divided by p; a run that gives up by itself costs D ≥ H; and others pay for all of W.
#include <algorithm>
#include <limits>

#include "heuristics/landmarks.h"

namespace carl::heuristics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

/// If the only action that can be the first to achieve a landmark adds a fact along with it, and the
/// landmark is needed for something that excludes the fact, the fact must be let go in between. The
/// same holds for facts of the state that a landmark excludes.
double Landmarks::take_cost_of_risky_steps(std::span<const std::uint32_t> state,
                                           std::vector<ActionUse>& uses) {
  double sum = 0;
  let_go_.clear();
  spent_.clear();
  for (std::size_t v = 0; v < state.size(); ++v) {
    const std::uint32_t fact = relaxed_->fact(v, state[v]);
    if (risks_.ways(fact).empty()) continue;
    RiskySteps::Goals goals = 0;
    for (std::uint32_t i = 1; i < landmarks_.size(); ++i)
      if (risks_.exclude(landmarks_[i].fact, fact)) goals |= goals_after(i, fact);
    if (goals != 0) sum += take_cost_of_letting_go(fact, goals, uses);
  }
  for (std::uint32_t i = 1; i < landmarks_.size(); ++i) {
    if (landmarks_[i].last != landmarks_[i].first + 1) continue;
    for (const std::uint32_t fact : first_achievers_[landmarks_[i].first]->along) {
      const RiskySteps::Goals goals = true_[fact] ? 0 : goals_after(i, fact);
      if (goals != 0) sum += take_cost_of_letting_go(fact, goals, uses);
    }
  }
  return sum;
}

/// If this landmark, or one that must come later, excludes the fact and must come before a goal: the
/// goals that must be achieved from there on. They are false as long as the fact has not been let go.
RiskySteps::Goals Landmarks::goals_after(std::uint32_t landmark, std::uint32_t fact) {
  RiskySteps::Goals goals = 0;
  visited_.assign(2 * landmarks_.size(), 0);  // 2 l + 1: by way of one that excludes the fact
  const auto visit = [&](std::uint32_t node) {
    if (!visited_[node]) stack_.push_back(node);
    visited_[node] = 1;
  };
  visit(2 * landmark);
  while (!stack_.empty()) {
    const std::uint32_t node = stack_.back();
    stack_.pop_back();
    const Landmark& at = landmarks_[node / 2];
    const std::uint32_t excluded = node % 2 != 0 || risks_.exclude(at.fact, fact) ? 1 : 0;
    for (std::uint32_t k = at.orders; k != RelaxedTask::none; k = orders_[k].next) {
      if (orders_[k].later != 0)
        visit(2 * orders_[k].later + excluded);
      else if (node % 2 != 0)
        goals |= risks_.from(at.fact);
    }
  }
  return goals;
}

/// The first time that the fact is let go. An outcome after which no goal state is reached any more
/// adds to the cost of a way what giving up costs more than the rest of the estimate may say.
double Landmarks::take_cost_of_letting_go(std::uint32_t fact, RiskySteps::Goals goals,
                                          std::vector<ActionUse>& uses) {
  if (std::find(let_go_.begin(), let_go_.end(), fact) != let_go_.end()) return 0;
  let_go_.push_back(fact);
  made_true_.clear();
  for (const RiskySteps::Way& way : risks_.ways(fact)) {
    if (!std::all_of(way.only_later.begin(), way.only_later.end(),
                     [&](std::uint32_t needed) { return true_[needed]; }))
      continue;
    const bool spent = std::find(spent_.begin(), spent_.end(), way.action) != spent_.end();
    const double bonus =
        spent ? 0.0 : risks_.risk(way.action, goals) * (1 - share_of_giving_up) * give_up_cost_;
    const std::uint32_t need =
        bonus > 0 ? RelaxedTask::none : dearest_need(way.action, left_[way.action]);
    if (need == RelaxedTask::none) {
      bonus_[way.action] = bonus;
      add_member(way.action, 1.0);
    } else if (std::find(made_true_.begin(), made_true_.end(), need) == made_true_.end()) {
      made_true_.push_back(need);
      for (const Achiever& achiever : achievers_[need])
        if (may_be_first(achiever)) add_member(achiever);
    }
  }
  return take_cost_of_members(uses);
}

/// A false fact that the action needs and that costs more than this to make true.
std::uint32_t Landmarks::dearest_need(std::uint32_t action, double cost) const {
  std::uint32_t dearest = RelaxedTask::none;
  for (const std::uint32_t fact : risks_.needs(action)) {
    if (true_[fact] || has_too_many_[fact]) continue;
    double least = infinity;
    for (const Achiever& achiever : achievers_[fact])
      if (may_be_first(achiever))
        least = std::min(least, left_[achiever.payer] / achiever.probability);
    if (least == infinity || least <= cost) continue;
    cost = least;
    dearest = fact;
  }
  return dearest;
}

}  // namespace carl::heuristics
