// Preconditions, goals and the conditions of `when`: formulas over facts and comparisons of static
// numbers. Implications are written as disjunctions here, so that the grounding need not know them.
#ifndef CARL_PDDL_CONDITION_H
#define CARL_PDDL_CONDITION_H

#include "pddl/function_uses.h"
#include "pddl/terms.h"

namespace carl::pddl {

/// Adds the functions that are compared to `uses`: they must turn out to be static.
Condition read_condition(Form form, Scope& scope, Vocabulary& vocabulary, FunctionUses& uses);

}  // namespace carl::pddl

#endif
