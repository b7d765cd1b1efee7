// A sequence of calls as a C++ program that needs nothing but the library: what a failing sequence
// is reported as. It prints every answer beside that of the LP and exits with 1 if one of them
// cannot be.
#ifndef CARL_TESTS_SOLVER_PRINT_PROGRAM_H
#define CARL_TESTS_SOLVER_PRINT_PROGRAM_H

#include <string>

#include "solver/call_sequence.h"

namespace carl::testing {

std::string program_text(const CallSequence& sequence);

}  // namespace carl::testing

#endif
