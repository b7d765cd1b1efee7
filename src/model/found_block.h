// What can be done in the states of one block of work, before anybody has looked for their successors:
// these lie in parts by shards of the states' index (see task/state_index.h), so that whoever looks
// into a shard finds all that belong there one after the other.
#ifndef CARL_MODEL_FOUND_BLOCK_H
#define CARL_MODEL_FOUND_BLOCK_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "carl/ids.h"
#include "task/state_registry.h"
#include "util/growing_array.h"

namespace carl {

class FoundBlock {
 public:
  static constexpr std::size_t num_shards = task::StateRegistry::num_shards;

  /// Begins anew, with states as the registry has them.
  void begin(const task::StateRegistry& registry);
  void begin_action(ActionId action) {
    actions_.push_back({action, static_cast<std::uint32_t>(outcomes_.size())});
  }
  /// Where the next successor is to be written.
  std::uint64_t* next_successor() { return successor_.data(); }
  /// When it is written.
  void add(double probability) {
    const std::uint64_t hash = registry_->hash(successor_.data());
    const std::size_t shard = task::StateRegistry::shard(hash);
    std::uint64_t* const entry = parts_[shard].extend(1 + successor_.size());
    entry[0] = hash;
    task::copy_state(successor_.data(), successor_.size(), entry + 1);
    outcomes_.push_back({probability, static_cast<std::uint32_t>(shard)});
  }
  void end_state() { num_actions_.push_back(actions_.size()); }

  struct Action {
    ActionId action;
    std::uint32_t first;  // of its outcomes
  };
  struct Outcome {
    double probability;
    std::uint32_t successor;  // at first the shard that it belongs to
  };
  std::size_t num_actions() const { return actions_.size(); }
  /// Of the i-th state: their numbers are below its end, and not below that of the state before.
  std::size_t first_action(std::size_t i) const { return num_actions_[i]; }
  ActionId action(std::size_t a) const { return actions_[a].action; }
  std::span<const Outcome> outcomes(std::size_t a) const {
    const std::size_t last = a + 1 < actions_.size() ? actions_[a + 1].first : outcomes_.size();
    return std::span(outcomes_).subspan(actions_[a].first, last - actions_[a].first);
  }
  /// Calls visit(outcome, entry) for those of all actions, one after the other, with what their
  /// shards have of their successors. It may change both.
  template <class Visit>
  void for_each_outcome(const Visit& visit) {
    std::array<std::uint64_t*, num_shards> next;
    for (std::size_t s = 0; s < num_shards; ++s)
      next[s] = parts_[s].data();
    for (Outcome& outcome : outcomes_) {
      std::uint64_t*& entry = next[outcome.successor];
      std::uint64_t* const own = std::exchange(entry, entry + entry_size());
      visit(outcome, own);
    }
  }
  std::size_t num_outcomes() const { return outcomes_.size(); }

  /// The successors in a shard, in order: an entry is a number, first the hash, and the state.
  std::span<std::uint64_t> in_shard(std::size_t shard) {
    return {parts_[shard].data(), parts_[shard].size()};
  }
  std::size_t entry_size() const { return 1 + successor_.size(); }

 private:
  const task::StateRegistry* registry_ = nullptr;
  std::vector<std::uint64_t> successor_;
  std::vector<Action> actions_;
  std::vector<std::size_t> num_actions_;  // of the first so many states
  std::vector<Outcome> outcomes_;
  std::array<GrowingArray<std::uint64_t>, num_shards> parts_;
};

}  // namespace carl

#endif
