// What an action may do, as heuristics see it: for each conditional effect what must hold for it to
// happen, all conditions on the way to it included, and which parts of an effect never happen
// together. Nothing here looks at a state.
#ifndef CARL_TASK_CHANGES_H
#define CARL_TASK_CHANGES_H

#include <cstdint>
#include <span>
#include <vector>

#include "task/task.h"

namespace carl::task {

/// When a conditional effect happens.
struct Circumstances {
  /// One of these holds, each sorted by variable; the precondition is part of all. None if it never
  /// happens. If there would be very many, some facts are left out.
  std::vector<std::vector<Fact>> alternatives;
  std::vector<Fact> certain;  // that all of them have
  /// With which probability it is asked for its condition, if those of its parents hold.
  double probability = 1;
};

/// One for each conditional effect of the action.
std::vector<Circumstances> circumstances(const Action& action);

/// Something that happens with at most this probability if the condition holds.
struct Change {
  std::vector<Fact> condition;  // sorted by variable
  double probability = 1;
  std::span<const Fact> effects;  // of the task
  /// Changes of different groups have conditions that exclude each other.
  std::uint32_t group = 0;
};

/// First the outcomes of the action, then those of its conditional effects; all in one group.
std::vector<Change> changes_of(const Action& action);

/// The same for an action with conditional effects, in as many groups as there are at hand. If the
/// effects ask for the values of one variable more than for others, what does not ask for it is
/// listed once for each value, so that all that happens together has the same.
std::vector<Change> changes_by_context(const Task& task, const Action& action);

/// An outcome of a conditional effect, or of the action if that is `none`.
struct Part {
  std::uint32_t conditional = ConditionalEffect::none;
  std::uint32_t outcome = 0;
  friend bool operator==(const Part&, const Part&) = default;
};

/// True if it is known that two parts of the action's effect never happen together.
bool exclude_each_other(const Action& action, const std::vector<Circumstances>& when, Part a,
                        Part b);

/// The value that a condition fixes for a variable, or UINT32_MAX.
std::uint32_t fixed_value(std::span<const Fact> condition, VariableId variable);

}  // namespace carl::task

#endif
