// The action schemas and the goal, prepared for grounding: conditions in negation normal form, and
// for everything that has variables (parameters, quantifiers) the part of its condition that can be
// joined over tables of facts, so that bindings are found by looking facts up and not by trying out
// all objects.
#ifndef CARL_TASK_LIFTED_H
#define CARL_TASK_LIFTED_H

#include <cstdint>
#include <vector>

#include "pddl/syntax_tree.h"

namespace carl::task {

/// Tables are numbered: one per predicate, then one per set of types that a variable ranges over.
struct JoinAtom {
  std::uint32_t relation = 0;
  std::vector<pddl::Term> terms;
};

struct Comparison {
  pddl::Term left, right;
  bool equal = true;
};

/// A comparison of static numbers.
struct NumberTest {
  const pddl::Condition* source = nullptr;
  bool negated = false;
};

/// What the bindings of the variables `first_slot`, … must satisfy.
struct JoinBody {
  std::size_t first_slot = 0;
  std::size_t num_slots = 0;
  std::vector<JoinAtom> present;  // at least a type for each variable
  std::vector<JoinAtom> absent;   // static predicates only
  std::vector<Comparison> comparisons;
  std::vector<NumberTest> numbers;
};

/// Negations are gone except at atoms and comparisons (of two objects, or of two numbers).
struct LiftedCondition {
  enum class Kind { conjunction, disjunction, atom, comparison, number_test, exists, forall };

  Kind kind = Kind::conjunction;
  bool negated = false;  // atom, comparison, number_test
  pddl::PredicateId predicate;
  std::vector<pddl::Term> terms;            // atom; two for comparison
  const pddl::Condition* source = nullptr;  // number_test
  std::vector<LiftedCondition> children;    // one for exists and forall
  /// exists, forall: bindings outside need not be looked at, since the child would be false
  /// (exists) or true (forall) for them by static facts alone.
  JoinBody range;
};

struct LiftedEffect {
  pddl::Effect::Kind kind = pddl::Effect::Kind::conjunction;
  const pddl::Effect* source = nullptr;  // atoms, amounts, probabilities, positions
  LiftedCondition condition;             // when
  JoinBody range;                        // forall; as above
  std::vector<LiftedEffect> children;    // as those of the source
};

struct LiftedAction {
  const pddl::ActionSchema* schema = nullptr;
  JoinBody body;                          // of the parameters
  std::vector<std::size_t> fluent_atoms;  // indices into body.present
  LiftedCondition precondition;           // the whole of it
  LiftedEffect effect;
};

struct LiftedTask {
  const pddl::SyntaxTree* tree = nullptr;
  std::vector<bool> is_static;  // by predicate: no effect ever mentions it
  std::vector<std::vector<pddl::TypeId>> type_sets;
  std::vector<LiftedAction> actions;
  LiftedCondition goal;
};

/// `tree` must outlive the result.
LiftedTask lift(const pddl::SyntaxTree& tree);

}  // namespace carl::task

#endif
