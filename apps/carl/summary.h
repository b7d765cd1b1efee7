// What a person wants to know of a solution, on one screen.
#ifndef CARL_APPS_SUMMARY_H
#define CARL_APPS_SUMMARY_H

#include <string>

#include "carl/cssp.h"
#include "carl/solution.h"

namespace carl::app {

/// `verbose` adds statistics and shows more of the policy.
std::string summary(const Cssp& cssp, const Solution& solution, bool verbose);

}  // namespace carl::app

#endif
