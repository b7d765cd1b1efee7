// Preconditions, goals and the conditions of `when`: formulas over facts. Implications are written
// as disjunctions here, so that the grounding need not know them.
#ifndef CARL_PDDL_CONDITION_H
#define CARL_PDDL_CONDITION_H

#include "pddl/terms.h"

namespace carl::pddl {

Condition read_condition(Form form, Scope& scope, const Vocabulary& vocabulary);

}  // namespace carl::pddl

#endif
