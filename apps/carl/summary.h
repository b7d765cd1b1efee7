// What a person wants to know of a solution, on one screen.
#ifndef CARL_APPS_SUMMARY_H
#define CARL_APPS_SUMMARY_H

#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/solution.h"
#include "style.h"

namespace carl::app {

/// An expected cost as people know it: of a reward the reward itself, which is minus what is lost.
double shown_value(const Cssp& cssp, std::size_t cost, double value);
/// "fuel ≤ 5", or "reward ≥ -5".
std::string bound_text(const Cssp& cssp, const Bound& bound);

/// A cost with its value and, if it has one, its bound and slack: a row of a table.
std::vector<std::string> cost_row(const Cssp& cssp, std::size_t cost, double value);

/// `verbose` adds statistics and shows all of the policy. The problem is not changed but for states
/// that the policy's main line discovers.
std::string summary(Cssp& cssp, const Solution& solution, bool verbose, const Style& style);

}  // namespace carl::app

#endif
