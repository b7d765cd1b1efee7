// How often values occur, as bars of text.
#ifndef CARL_APPS_HISTOGRAM_H
#define CARL_APPS_HISTOGRAM_H

#include <optional>
#include <string>
#include <vector>

namespace carl::app {

/// A bar for each value if there are few different ones, else for each of some intervals of equal
/// width with round limits. Bars of what is above `bound` are drawn in another character.
std::string histogram(std::vector<double> values, std::optional<double> bound);

}  // namespace carl::app

#endif
