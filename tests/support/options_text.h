// How a test says which options it is at.
#ifndef CARL_TESTS_SUPPORT_OPTIONS_TEXT_H
#define CARL_TESTS_SUPPORT_OPTIONS_TEXT_H

#include <string>

#include "carl/solve.h"

namespace carl::testing {

/// "carl bundle vi roc ideal-point": what is chosen, in the names of the command line.
inline std::string text_of(const SolveOptions& options) {
  std::string text(to_string(options.algorithm));
  const auto add = [&](const auto& choice) {
    if (choice) text.append(" ").append(to_string(*choice));
  };
  if (options.algorithm == Algorithm::carl) add(std::optional(options.carl.outer));
  add(options.carl.inner);
  add(options.search.heuristic);
  add(options.search.heuristic_mode);
  return text;
}

}  // namespace carl::testing

#endif
