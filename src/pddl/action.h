// Action schemas: a name and the parts :parameters, :precondition and :effect.
#ifndef CARL_PDDL_ACTION_H
#define CARL_PDDL_ACTION_H

#include "pddl/effect.h"
#include "pddl/vocabulary.h"

namespace carl::pddl {

ActionSchema read_action(Form form, Vocabulary& vocabulary, FunctionUses& uses);

}  // namespace carl::pddl

#endif
