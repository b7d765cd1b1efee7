// What a model offers whose states several threads can expand at once: its states are packed words
// in a registry, and all that generating successors changes is in room of the thread's own. Actions
// that are new get provisional ids, block of states by block; which ids they and successors really
// have is settled afterwards (see batch_expansion.h).
#ifndef CARL_MODEL_CONCURRENT_MODEL_H
#define CARL_MODEL_CONCURRENT_MODEL_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "carl/model.h"
#include "model/found_block.h"
#include "model/intern_table.h"
#include "task/state_registry.h"

namespace carl {

/// Actions that were not known before, as the model describes them: a key and what they cost. The
/// same one may be there several times.
class FreshActions {
 public:
  using Key = std::span<const std::uint32_t>;

  void begin(std::size_t num_known);
  /// A provisional id: the number of those known, and its number here. Throws LimitReached(memory)
  /// if there are no such numbers.
  ActionId add(Key key, std::span<const double> cost);

  std::size_t num_known() const { return num_known_; }
  std::size_t size() const { return keys_of_.size(); }
  Key key(std::size_t number) const { return keys_[keys_of_[number]]; }
  std::span<const double> cost(std::size_t number) const { return costs_[costs_of_[number]]; }

 private:
  std::size_t num_known_ = 0;
  InternTable<Key> keys_;
  VectorTable costs_;
  std::vector<std::uint32_t> keys_of_;
  std::vector<std::uint32_t> costs_of_;
};

class ConcurrentModel {
 public:
  /// What one thread needs room for.
  class Room {
   public:
    virtual ~Room() = default;
  };
  /// What can be done in some states, one after the other.
  struct Findings {
    FoundBlock block;
    FreshActions actions;
  };

  virtual std::unique_ptr<Room> make_room() const = 0;
  virtual task::StateRegistry& registry() = 0;
  virtual std::size_t num_known_actions() const = 0;
  /// Adds to `out` what expand() says of a state, equal successors of an action as often as they were
  /// found. By several threads at once, with room of their own, while nobody expands, adds states or
  /// learns actions.
  virtual void generate(StateId state, Room& room, Findings& out) const = 0;
  /// What is_goal() says. By several threads at once, likewise.
  virtual bool is_goal(StateId state, Room& room) const = 0;
  /// The id of a fresh action, of which others may have been learnt in the meantime.
  virtual ActionId learn(FreshActions::Key key, std::span<const double> cost) = 0;

 protected:
  ~ConcurrentModel() = default;
};

}  // namespace carl

#endif
