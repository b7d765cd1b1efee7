// How a problem is solved: the options that all commands that solve one share.
#ifndef CARL_APPS_SEARCH_OPTIONS_H
#define CARL_APPS_SEARCH_OPTIONS_H

#include <vector>

#include "carl/solve.h"
#include "command_line.h"

namespace carl::app {

/// --algorithm to --threads. Returns them, for whoever has others that they do not go with.
std::vector<Option> add_search_options(Command& command, SolveOptions& options);

/// --inner, --heuristic and --threads, for commands that solve many scalarised problems in one way.
void add_scalarised_options(Command& command, SolveOptions& options);

}  // namespace carl::app

#endif
