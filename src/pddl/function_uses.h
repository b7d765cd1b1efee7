// What conditions and effects do with numeric functions. Which function is a cost can only be told
// when all effects, the metric and the constraints are known, so this is kept until then.
#ifndef CARL_PDDL_FUNCTION_USES_H
#define CARL_PDDL_FUNCTION_USES_H

#include <vector>

#include "pddl/syntax_tree.h"

namespace carl::pddl {

struct FunctionUse {
  FunctionId function;
  Position position;
};

struct FunctionUses {
  struct Change {
    FunctionId function;
    Position position;
    bool decrease = false;
  };

  std::vector<Change> changes;
  std::vector<FunctionUse> amounts;
  std::vector<FunctionUse> probabilities;
  std::vector<FunctionUse> compared;  // in conditions
};

}  // namespace carl::pddl

#endif
