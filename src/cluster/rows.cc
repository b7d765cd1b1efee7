#include "cluster/rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "cluster/agreement.h"

namespace carl::cluster {

std::size_t Ownership::owner(GlobalId state) const {
  // Ranks without states share the beginning of the next.
  const auto after = std::upper_bound(first.begin(), first.end(), state);
  return static_cast<std::size_t>(after - first.begin()) - 1;
}

Ownership Ownership::even(GlobalId total, const Ranks& ranks) {
  Ownership ownership;
  for (std::size_t r = 0; r <= ranks.count(); ++r)
    ownership.first.push_back(total / ranks.count() * r +
                              std::min<GlobalId>(r, total % ranks.count()));
  return ownership;
}

Ownership Ownership::of(std::uint64_t own, const Ranks& ranks) {
  Ownership ownership{{0}};
  for (const std::uint64_t count : ranks.gather_to_all(own))
    ownership.first.push_back(ownership.first.back() + count);
  return ownership;
}

void Rows::add_outcome(GlobalId target, double probability) {
  global_target_.push_back(target);
  probability_.push_back(probability);
}

void Rows::add_pair(ActionId action, std::span<const double> cost, double repeats) {
  action_.push_back(action);
  cost_.assign(cost.begin(), cost.end());
  cost_.push_back(repeats);
  cost_row_.push_back(costs_->intern(cost_));
  first_outcome_.push_back(probability_.size());
}

void Rows::end_state(std::uint64_t name) {
  names_.push_back(name);
  first_pair_.push_back(cost_row_.size());
}

void Rows::check_numbers(const Ranks& ranks, const MostNumbers& most) const {
  if (ownership_.total() > most.states)
    throw TooLarge(
        fmt::format("{} states are more than PETSc was built for, which is {}; with "
                    "indices of 64 bits it has room for more",
                    ownership_.total(), most.states));
  together(ranks, [&] {
    const std::size_t own = std::max(num_slots(), num_pairs());
    if (own > most.of_a_rank)
      throw TooLarge(
          fmt::format("one rank has {} pairs of states and actions, and {} at most can "
                      "be numbered: use more ranks",
                      own, most.of_a_rank));
  });
}

void Rows::finish(Ownership ownership, const Ranks& ranks, const MostNumbers& most) {
  ownership_ = std::move(ownership);
  begin_ = ownership_.begin(ranks);
  const GlobalId end = begin_ + size();
  const auto is_own = [&](GlobalId target) { return target >= begin_ && target < end; };
  for (const GlobalId target : global_target_)
    if (target != goal_id && !is_own(target)) ghosts_.push_back(target);
  std::sort(ghosts_.begin(), ghosts_.end());
  ghosts_.erase(std::unique(ghosts_.begin(), ghosts_.end()), ghosts_.end());
  ghosts_.shrink_to_fit();
  check_numbers(ranks, most);
  target_.reserve(global_target_.size());
  for (const GlobalId target : global_target_) {
    if (target == goal_id) {
      target_.push_back(goal_slot());
    } else if (is_own(target)) {
      target_.push_back(static_cast<std::uint32_t>(target - begin_));
    } else {
      const auto place = std::lower_bound(ghosts_.begin(), ghosts_.end(), target);
      target_.push_back(
          static_cast<std::uint32_t>(size() + static_cast<std::size_t>(place - ghosts_.begin())));
    }
  }
  global_target_ = std::vector<GlobalId>();
  costs_->forget_index();
}

std::size_t Rows::bytes() const {
  return names_.size() * 8 + first_pair_.size() * 8 + action_.size() * 8 +
         first_outcome_.size() * 8 + target_.size() * 12 + ghosts_.size() * 8 + costs_->bytes();
}

}  // namespace carl::cluster
