#include "model/prism_rewards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "prism/operations.h"
#include "util/cost_limit.h"

namespace carl {

PrismRewards::PrismRewards(const prism::Description& model, const PrismLayout& layout)
    : layout_(layout), of_action_(model.actions.size()) {
  for (const prism::Rewards& rewards : model.rewards) {
    const auto structure = static_cast<std::uint32_t>(structures_.size());
    structures_.push_back(rewards.name);
    has_any_.push_back(false);
    for (const prism::RewardItem& item : rewards.items) {
      const bool is_never = item.guard.is_constant() && !item.guard.value.truth();
      const bool is_zero = item.value.is_constant() && item.value.value.number() == 0;
      if (is_never || is_zero) continue;
      has_any_[structure] = true;
      std::vector<Item>& items = !item.of_transitions              ? of_states_
                                 : item.action == prism::no_action ? of_no_action_
                                                                   : of_action_[item.action];
      items.push_back({structure, PrismCondition(item.guard, layout.num_variables()),
                       PrismCode(item.value, layout.num_variables()), item.position});
    }
  }
}

std::vector<std::string> PrismRewards::names() const {
  return structures_.empty() ? std::vector<std::string>{"steps"} : structures_;
}

void PrismRewards::of_state(const std::int64_t* values, std::span<double> out) const {
  std::fill(out.begin(), out.end(), structures_.empty() ? 1.0 : 0.0);
  add(of_states_, values, out);
}

void PrismRewards::add_of_action(std::uint32_t action, const std::int64_t* values,
                                 std::span<double> out) const {
  add(items_of(action), values, out);
}

void PrismRewards::add(const std::vector<Item>& items, const std::int64_t* values,
                       std::span<double> out) const {
  for (const Item& item : items) {
    double value = 0;
    try {
      if (!item.guard.holds(values)) continue;
      value = item.value.real(values);
    } catch (const prism::EvaluationError& error) {
      throw prism::error_at(item.position,
                            fmt::format("{} ({})", error.what(), in_state(layout_, values)));
    }
    const std::string& name = structures_[item.structure];
    if (std::isnan(value) || value < 0)
      throw prism::error_at(item.position,
                            fmt::format("the reward {} is {} ({})", prism::quoted(name),
                                        number_text(value), in_state(layout_, values)),
                            "rewards are costs, which must not be negative");
    out[item.structure] += value;
    if (out[item.structure] > largest_cost)
      throw prism::error_at(
          item.position,
          fmt::format("{} ({})",
                      above_largest_cost("reward " + prism::quoted(name), out[item.structure]),
                      in_state(layout_, values)),
          largest_cost_hint);
  }
}

}  // namespace carl
