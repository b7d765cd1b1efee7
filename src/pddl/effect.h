// Effects of actions: facts that are added and removed, costs that are increased, under conditions,
// for all objects, or with some probability.
#ifndef CARL_PDDL_EFFECT_H
#define CARL_PDDL_EFFECT_H

#include "pddl/function_uses.h"
#include "pddl/terms.h"

namespace carl::pddl {

Effect read_effect(Form form, Scope& scope, Vocabulary& vocabulary, FunctionUses& uses);

}  // namespace carl::pddl

#endif
