// The sections that declare names: requirements, types, constants and objects, predicates and
// numeric functions.
#ifndef CARL_PDDL_DECLARATIONS_H
#define CARL_PDDL_DECLARATIONS_H

#include "pddl/definitions.h"
#include "pddl/vocabulary.h"

namespace carl::pddl {

void read_declarations(const Definitions& definitions, Vocabulary& vocabulary);

}  // namespace carl::pddl

#endif
