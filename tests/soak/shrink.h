// Makes a problem that is answered wrongly as small as possible: parts are taken away one by one
// as long as the same thing goes wrong.
#ifndef CARL_TESTS_SOAK_SHRINK_H
#define CARL_TESTS_SOAK_SHRINK_H

#include "soak/cpu_watch.h"
#include "soak/judge.h"
#include "soak/problem.h"

namespace carl::soak {

struct Shrunk {
  Problem problem;
  Configuration configuration;
  Verdict verdict;
};

/// Smaller problems are tried for `patience` seconds; each may take `seconds`. A factored problem
/// becomes an explicit one if that is answered as wrongly.
Shrunk shrink(const Problem& problem, const Configuration& configuration, const Verdict& verdict,
              CpuWatch& watch, double seconds, double patience);

/// The model as a file: JSON with the bounds in it, or PPDDL, whose bounds are in the command.
std::string file_text(const Problem& problem);
/// What to type to see it; `file` is where file_text() is.
std::string command(const Problem& problem, const Configuration& configuration,
                    const std::string& file);

}  // namespace carl::soak

#endif
