// Runs something in a process of its own, so that a crash is a result like any other: a sequence of
// calls that ends in one can be found, and shrunk.
#ifndef CARL_TESTS_SOLVER_RUN_APART_H
#define CARL_TESTS_SOLVER_RUN_APART_H

#include <functional>
#include <string>

namespace carl::testing {

struct ApartResult {
  bool crashed = false;
  std::string text;  // what was returned, or how it crashed
};

/// Must not be called while there are other threads.
ApartResult run_apart(const std::function<std::string()>& work);

}  // namespace carl::testing

#endif
