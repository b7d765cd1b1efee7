// What single runs of a policy are like, for a report. Bounds are kept on average; a reader should
// see how often one run exceeds them.
#ifndef CARL_IO_REPORT_RUNS_H
#define CARL_IO_REPORT_RUNS_H

#include <string>

#include "carl/io.h"

namespace carl::io {

/// JSON; empty if no runs are asked for, or if they would take too long. `steps`: of a run, in
/// expectation.
std::string runs_json(Cssp& cssp, const Policy& policy, double steps, const Report& report,
                      Monitor& monitor);

}  // namespace carl::io

#endif
