// Effects of actions: facts that are added and removed, costs that are increased, under conditions,
// for all objects, or with some probability.
#ifndef CARL_PDDL_EFFECT_H
#define CARL_PDDL_EFFECT_H

#include "pddl/numbers.h"
#include "pddl/terms.h"

namespace carl::pddl {

/// What effects do with numeric functions. Which function is a cost can only be told when all
/// effects, the metric and the constraints are known, so this is kept until then.
struct FunctionUses {
  struct Change {
    FunctionId function;
    Position position;
    bool decrease = false;
  };

  std::vector<Change> changes;
  std::vector<FunctionUse> amounts;
};

Effect read_effect(Form form, Scope& scope, Vocabulary& vocabulary, FunctionUses& uses);

}  // namespace carl::pddl

#endif
