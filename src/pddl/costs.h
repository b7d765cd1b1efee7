// What is minimised, what is bounded and what giving up costs: the metric, the constraints and the
// penalties of a problem.
#ifndef CARL_PDDL_COSTS_H
#define CARL_PDDL_COSTS_H

#include "pddl/definitions.h"
#include "pddl/function_uses.h"
#include "pddl/init.h"
#include "pddl/vocabulary.h"

namespace carl::pddl {

/// Fills in costs, bounds, give_up and values of `tree`, and adds to its notes. Actions and the
/// initial state have been read before; `uses` and `values` are what they say about functions.
void read_costs(const Definition& problem, const FunctionUses& uses, const InitialValues& values,
                Vocabulary& vocabulary, SyntaxTree& tree);

}  // namespace carl::pddl

#endif
