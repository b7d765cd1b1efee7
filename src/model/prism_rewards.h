// The reward structures of a PRISM model as costs, compiled. The reward of a state counts for every
// step from it, that of transitions for steps with the action; both are added up. Goals cost
// nothing, since no step leaves them.
#ifndef CARL_MODEL_PRISM_REWARDS_H
#define CARL_MODEL_PRISM_REWARDS_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/prism_code.h"
#include "model/prism_commands.h"
#include "prism/description.h"

namespace carl {

class PrismRewards {
 public:
  PrismRewards(const prism::Description& model, const PrismLayout& layout);

  /// If there are no reward structures, steps are counted.
  std::vector<std::string> names() const;
  std::size_t size() const { return structures_.empty() ? 1 : structures_.size(); }
  bool has_any(std::size_t structure) const { return structures_.empty() || has_any_[structure]; }
  /// Of every step from a state. They throw InputError.
  void of_state(const std::int64_t* values, std::span<double> out) const;
  /// Adds what a step with this action (or no_action) has beyond that.
  void add_of_action(std::uint32_t action, const std::int64_t* values, std::span<double> out) const;
  /// False if that is nothing, whatever the state.
  bool depends_on(std::uint32_t action) const { return !items_of(action).empty(); }

 private:
  struct Item {
    std::uint32_t structure;
    PrismCondition guard;
    PrismCode value;
    prism::Position position;
  };

  const std::vector<Item>& items_of(std::uint32_t action) const {
    return action == prism::no_action ? of_no_action_ : of_action_[action];
  }
  void add(const std::vector<Item>& items, const std::int64_t* values, std::span<double> out) const;

  const PrismLayout& layout_;
  std::vector<std::string> structures_;
  std::vector<bool> has_any_;
  std::vector<Item> of_states_;
  std::vector<Item> of_no_action_;
  std::vector<std::vector<Item>> of_action_;  // by action
};

}  // namespace carl

#endif
