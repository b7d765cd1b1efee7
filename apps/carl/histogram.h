// How often values occur, as bars of text.
#ifndef CARL_APPS_HISTOGRAM_H
#define CARL_APPS_HISTOGRAM_H

#include <optional>
#include <string>

#include "carl/simulate.h"

namespace carl::app {

/// A bar for each value if there are few different ones, else for each of some intervals of equal
/// width with round limits. No bar has values on both sides of `bound`: an interval ends there, and
/// those above it are drawn in another character. `values` must not be empty.
std::string histogram(const Distribution& values, const std::optional<Bound>& bound);

}  // namespace carl::app

#endif
