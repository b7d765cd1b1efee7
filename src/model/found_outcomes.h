// What was found in a state, before anybody asked which ids its successors have. Looking for a state
// waits for memory, so all successors of a state are looked for together: each is announced when it
// is found, and when all are there what is needed is on its way to the cache.
#ifndef CARL_MODEL_FOUND_OUTCOMES_H
#define CARL_MODEL_FOUND_OUTCOMES_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "carl/model.h"
#include "task/state_registry.h"

namespace carl {

class FoundOutcomes {
 public:
  /// Of states of so many words.
  explicit FoundOutcomes(std::size_t num_words) : num_words_(num_words) {}

  void clear() {
    actions_.clear();
    outcomes_.clear();
  }
  void begin_action(ActionId action) { actions_.push_back({action, outcomes_.size()}); }
  /// Where the next successor is to be written.
  std::uint64_t* next_successor() {
    const std::size_t begin = outcomes_.size() * num_words_;
    if (successors_.size() < begin + num_words_) successors_.resize(2 * begin + num_words_);
    return successors_.data() + begin;
  }
  /// When it is written. `ids` is told that it will be asked for it: ids.expect(words) may return a
  /// hash value, to be given with every further question.
  template <class Ids>
  void add(double probability, const Ids& ids) {
    outcomes_.push_back(
        {probability, ids.expect(successors_.data() + outcomes_.size() * num_words_)});
  }

  /// Adds all to `out`, with the ids that ids.id(words, hash) says. Before, if ids.looks_ahead(), it
  /// is told of each that this is near: ids.expect_now(hash).
  template <class Ids>
  void write(Expansion& out, const Ids& ids) const {
    if (ids.looks_ahead())
      for (const Outcome& outcome : outcomes_)
        ids.expect_now(outcome.hash);
    const std::uint64_t* successor = successors_.data();
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      const std::size_t last = i + 1 < actions_.size() ? actions_[i + 1].first : outcomes_.size();
      out.begin_action(actions_[i].action);
      for (std::size_t k = actions_[i].first; k < last; ++k, successor += num_words_)
        out.add_outcome(outcomes_[k].probability, ids.id(successor, outcomes_[k].hash));
    }
  }

 private:
  struct Action {
    ActionId action;
    std::size_t first;  // of its outcomes
  };
  struct Outcome {
    double probability;
    std::uint64_t hash;
  };

  std::size_t num_words_;
  std::vector<Action> actions_;
  std::vector<Outcome> outcomes_;
  std::vector<std::uint64_t> successors_;  // one after the other
};

/// Those who look for states in a registry.
struct LookAhead {
  const task::StateRegistry& known;

  bool looks_ahead() const { return known.waits_for_memory(); }
  std::uint64_t expect(const std::uint64_t* words) const {
    const std::uint64_t hash = known.hash(words);
    if (looks_ahead()) known.prefetch(hash);
    return hash;
  }
  void expect_now(std::uint64_t hash) const { known.prefetch_state(hash); }
};

/// Ids of the states of a registry, which learns those that are new.
struct RegistryIds : LookAhead {
  explicit RegistryIds(task::StateRegistry& registry) : LookAhead{registry}, states(registry) {}
  StateId id(const std::uint64_t* words, std::uint64_t hash) const {
    return states.insert(words, hash);
  }
  task::StateRegistry& states;
};

/// Outcomes that `ids` is told of when they are found.
template <class Ids>
struct AnnouncedOutcomes {
  FoundOutcomes& found;
  const Ids& ids;

  void begin_action(ActionId action) const { found.begin_action(action); }
  std::uint64_t* next_successor() const { return found.next_successor(); }
  void add(double probability) const { found.add(probability, ids); }
};

}  // namespace carl

#endif
