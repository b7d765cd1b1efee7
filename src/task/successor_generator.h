// Finds the applicable actions of a state by a decision tree over the variables of their
// preconditions: a node looks at one variable and goes on to the actions that need its value and to
// those that do not care. The tree lies flat in two arrays, and looking actions up allocates
// nothing.
#ifndef CARL_TASK_SUCCESSOR_GENERATOR_H
#define CARL_TASK_SUCCESSOR_GENERATOR_H

#include <cstdint>
#include <vector>

#include "task/packed_state.h"
#include "task/task.h"

namespace carl::task {

class SuccessorGenerator {
 public:
  SuccessorGenerator(const Task& task, const StateLayout& layout);

  /// Appends the indices of the applicable actions, in no particular but always the same order.
  void collect(const std::uint64_t* state, std::vector<std::uint32_t>& actions) const {
    if (!nodes_.empty()) visit(0, state, actions);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  struct Node {
    PackedField field;
    std::uint32_t first_action = 0, last_action = 0;  // into actions_: need nothing more
    /// With a table: the child of each value. Without: pairs of a value and its child, by value.
    std::uint32_t first_child = 0;  // into children_
    std::uint32_t num_children = 0;
    bool table = false;
    std::uint32_t dont_care = none;
  };

  /// A precondition over the variables in the order in which the tree asks for them.
  struct Entry {
    std::uint32_t action = 0;
    std::vector<Fact> facts;  // variables are ranks
  };

  std::uint32_t build(std::vector<Entry>& entries, std::size_t begin, std::size_t end,
                      std::size_t depth);
  void add_children(std::uint32_t node, std::vector<Entry>& entries, std::size_t begin,
                    std::size_t end, std::size_t depth);
  std::uint32_t child(const Node& node, std::uint32_t value) const;
  void visit(std::uint32_t node, const std::uint64_t* state,
             std::vector<std::uint32_t>& actions) const;

  std::vector<PackedField> fields_;        // by rank; needed while building
  std::vector<std::uint32_t> num_values_;  // by rank
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> children_;
  std::vector<std::uint32_t> actions_;
};

}  // namespace carl::task

#endif
