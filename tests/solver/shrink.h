// Makes a failing sequence of calls short: delta debugging (Zeller and Hildebrandt, "Simplifying and
// Isolating Failure-Inducing Input", 2002) on the calls, then simpler options and rounder numbers,
// then a smaller model, and all over again as long as it helps.
#ifndef CARL_TESTS_SOLVER_SHRINK_H
#define CARL_TESTS_SOLVER_SHRINK_H

#include <cstddef>
#include <functional>

#include "solver/call_sequence.h"

namespace carl::testing {

using Fails = std::function<bool(const CallSequence&)>;

/// A sequence that still fails. `most_attempts` sequences are tried.
CallSequence shrink(CallSequence sequence, const Fails& fails, std::size_t most_attempts = 3000);

}  // namespace carl::testing

#endif
