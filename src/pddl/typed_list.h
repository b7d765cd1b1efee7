// Lists of names with types: "a b - block c - (either block table) d". Types, objects, parameters
// and quantified variables are all declared this way.
#ifndef CARL_PDDL_TYPED_LIST_H
#define CARL_PDDL_TYPED_LIST_H

#include <vector>

#include "pddl/vocabulary.h"

namespace carl::pddl {

/// Names that share a type, which is a word, (either …), or absent.
struct TypedGroup {
  std::vector<Form> names;
  std::vector<Form> types;  // words; empty if none was written
};

/// Splits the elements from `first` on.
std::vector<TypedGroup> split_typed_list(Form::Iterator first, Form::Iterator end,
                                         const Vocabulary& vocabulary);

/// The types that are written, or the root type if none is.
std::vector<TypeId> resolve_types(const TypedGroup& group, const Vocabulary& vocabulary);

/// Variables with their types; each may occur once.
std::vector<Parameter> read_parameters(Form::Iterator first, Form::Iterator end,
                                       const Vocabulary& vocabulary);

}  // namespace carl::pddl

#endif
