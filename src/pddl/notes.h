// Remarks on what a problem text says: nothing is wrong, but a careful reader would like to know.
// Warnings are about what is probably a slip.
#ifndef CARL_PDDL_NOTES_H
#define CARL_PDDL_NOTES_H

#include "pddl/cost_functions.h"
#include "pddl/definitions.h"

namespace carl::pddl {

/// What is legal but probably not meant. To be called on the finished tree.
std::vector<std::string> make_warnings(const SyntaxTree& tree);

/// To be called on the finished tree; `lines` is the number of SSiPP constraint lines.
std::vector<std::string> make_notes(const SyntaxTree& tree, const Definition& problem,
                                    const CostFunctions& functions, std::size_t lines,
                                    const Vocabulary& vocabulary);

}  // namespace carl::pddl

#endif
