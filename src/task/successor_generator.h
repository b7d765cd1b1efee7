// Finds the applicable actions of a state by a decision tree over the variables of their
// preconditions: a node looks at one variable and goes on to the actions that need its value and to
// those that do not care. What all actions below a node have in common is tested at once, as masks
// over words. The tree lies flat in a few arrays, and looking actions up allocates nothing.
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
  class Builder;

  static constexpr std::uint32_t none = UINT32_MAX;

  struct Node {
    // Into tests_: must hold for anything from here on. Only the first node of a chain has tests.
    std::uint32_t first_test = 0, last_test = 0;
    // Into actions_: need nothing more.
    std::uint32_t first_action = 0, last_action = 0;
    // Into children_. With a table: the child of each value; else pairs of a value and its child,
    // by value.
    std::uint32_t first_child = 0, num_children = 0;
    bool table = false;
    PackedField field;               // the variable that the children are about
    std::uint32_t dont_care = none;  // the next node of the chain
  };

  std::uint32_t child(const Node& node, std::uint32_t value) const;
  void visit(std::uint32_t node, const std::uint64_t* state,
             std::vector<std::uint32_t>& actions) const;

  std::vector<Node> nodes_;
  std::vector<PackedFacts> tests_;
  std::vector<std::uint32_t> children_;
  std::vector<std::uint32_t> actions_;
};

}  // namespace carl::task

#endif
