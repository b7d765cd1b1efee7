// Carries out a sequence of calls and compares every answer with what a fresh solve says.
#ifndef CARL_TESTS_SOLVER_EXECUTE_H
#define CARL_TESTS_SOLVER_EXECUTE_H

#include <cstddef>
#include <optional>
#include <string>

#include "solver/call_sequence.h"

namespace carl::testing {

struct Disagreement {
  std::size_t call = 0;  // counted from 0
  std::string what;
};

/// The first disagreement, if there is one.
std::optional<Disagreement> execute(const CallSequence& sequence);

}  // namespace carl::testing

#endif
