// Which types are below others: what the reader asks when it checks terms, and instantiation when
// it looks for the objects that a parameter stands for.
#ifndef CARL_PDDL_TYPE_CLOSURE_H
#define CARL_PDDL_TYPE_CLOSURE_H

#include <span>
#include <vector>

#include "carl/monitor.h"
#include "pddl/syntax_tree.h"

namespace carl::pddl {

/// The types that name each type as a parent.
using Subtypes = std::vector<std::vector<TypeId>>;
Subtypes subtypes_of(const std::vector<Type>& types);

/// For each type, whether it is one of `tops` or below one of them.
std::vector<bool> types_below(const Subtypes& subtypes, std::span<const TypeId> tops,
                              Monitor& monitor);

}  // namespace carl::pddl

#endif
