// Relaxed exploration: which ground actions can ever be applicable, and which literals can ever be
// true, if what was true once stays true (and what was false once stays false).
//
// New facts are taken from a queue; each starts the joins of the schemas that have an atom it
// matches (semi-naive evaluation, as for Datalog). What a join cannot look up (disjunctions,
// quantifiers, negations, conditions of effects) is grounded for the binding found; if it does not
// hold yet, it waits in a circuit of counters. A literal and its negation are explored alike, so
// afterwards a literal that was not reached is never true, and one whose negation was not reached
// is always true.
#ifndef CARL_TASK_EXPLORATION_H
#define CARL_TASK_EXPLORATION_H

#include <cstdint>
#include <memory>
#include <vector>

#include "carl/monitor.h"
#include "pddl/read.h"
#include "task/atom_table.h"
#include "task/formula.h"
#include "task/join.h"
#include "task/lifted.h"
#include "task/static_numbers.h"

namespace carl::task {

/// Beyond this many ground actions nothing that follows would end in reasonable time or memory.
inline constexpr std::size_t max_ground_actions = 5'000'000;

/// A schema with objects for its parameters.
struct ActionInstance {
  std::uint32_t schema = 0;
  Arguments arguments;
};

struct Exploration {
  const LiftedTask* task = nullptr;
  std::unique_ptr<const StaticNumbers> numbers;
  JoinTables tables;
  AtomTable atoms;                      // of predicates that are not static
  std::vector<ActionInstance> actions;  // that can be applicable, by schema and arguments
};

Exploration explore(const LiftedTask& task, const std::vector<pddl::SourceText>& sources,
                    Monitor& monitor, std::size_t max_actions = max_ground_actions);

/// How literals of fluents are treated when a condition is grounded.
enum class Fold {
  reached,    // during exploration: a literal that was reached is true, others are open
  settled,    // afterwards: literals are true or false if they always are, else open
  unreached,  // to say what is missing: as `reached`, and static literals that are false are open
  open        // all of them are, positive static literals that are false among them
};

/// The ground condition for `bindings`; static atoms and comparisons are evaluated.
Formula ground_condition(const LiftedCondition& condition, Fold fold, Exploration& exploration,
                         Bindings& bindings, Monitor& monitor);

}  // namespace carl::task

#endif
