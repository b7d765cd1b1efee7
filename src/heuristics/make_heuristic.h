// Heuristics by the names that users know them by.
#ifndef CARL_HEURISTICS_MAKE_HEURISTIC_H
#define CARL_HEURISTICS_MAKE_HEURISTIC_H

#include <memory>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/limits.h"
#include "heuristics/heuristic.h"

namespace carl::heuristics {

/// "lmcut", "roc", "pom", "hmax", "dijkstra", "zero".
const std::vector<std::string>& heuristic_names();
/// "lambda", "ideal-point", and "c-roc", which is for i-dual only (see constrained_roc.h). Zero and
/// Dijkstra are ideal points whatever is asked for.
const std::vector<std::string>& heuristic_mode_names();

/// True if the problem is a grounded task, which most heuristics need.
bool has_task(const Cssp& cssp);
/// True if all states are in memory from the start; other models may have very many, or no end.
bool is_in_memory(const Cssp& cssp);
/// What searches use by default: "hmax" for factored problems, "dijkstra" for those in memory,
/// else "zero".
std::string default_heuristic(const Cssp& cssp);

/// An empty mode is "lambda". Throws InputError for unknown names and for heuristics that need a
/// factored problem, and LimitReached: some look at the whole problem first, on several threads if
/// there are (0: one for each processor).
std::unique_ptr<Heuristic> make_heuristic(Cssp& cssp, const std::string& name,
                                          const std::string& mode, Limits& limits,
                                          std::size_t threads = 1);

}  // namespace carl::heuristics

#endif
