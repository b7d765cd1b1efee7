// The dialect of the SSiPP family of planners: bounds are comment lines of the problem's text,
//
//   ;; CONSTR name <= bound penalty
//
// beginning at column 1, where `penalty` is what giving up costs in that function. The primary cost
// is the function `reward`, which actions decrease; giving up costs 500 of it.
#ifndef CARL_PDDL_SSIPP_H
#define CARL_PDDL_SSIPP_H

#include <string>
#include <vector>

#include "pddl/definitions.h"
#include "pddl/vocabulary.h"

namespace carl::pddl {

inline constexpr int ssipp_primary_penalty = 500;

struct ConstraintLine {
  FunctionId function;
  Rational bound;
  Rational penalty;
  Position position;  // of the name
};

/// Whether the text has lines of this kind.
bool has_constraint_lines(const std::string& text);

/// The lines of the problem's text.
std::vector<ConstraintLine> read_constraint_lines(const Definition& problem,
                                                  const Vocabulary& vocabulary);

}  // namespace carl::pddl

#endif
