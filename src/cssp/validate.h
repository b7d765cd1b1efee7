// The one place where options are checked: at the entrance of solve(), sweep() and
// make_certificate(), before any work is done. Everything below relies on it.
#ifndef CARL_CSSP_VALIDATE_H
#define CARL_CSSP_VALIDATE_H

#include <optional>

#include "carl/cssp.h"
#include "carl/solve.h"

namespace carl::cssp {

/// Throws OptionError for numbers out of range, and for choices that do not go together or not with
/// this problem. Options that the algorithm has no use for are not its business, except that a
/// heuristic must be one that the problem can have.
void validate(const SolveOptions& options, const Cssp& cssp);

/// The same for sweeps and fronts, with options that have been made ready for one.
void validate_for_any_bounds(const SolveOptions& options, const Cssp& cssp);

/// Throws OptionError if the problem cannot have that heuristic.
void validate_heuristic(std::optional<HeuristicKind> heuristic, const Cssp& cssp);

}  // namespace carl::cssp

#endif
