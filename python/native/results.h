// What a solve leaves in Python's hands: the solution together with the problem as it was then, so
// that it can be checked, executed and shown later.
#ifndef CARL_PYTHON_RESULTS_H
#define CARL_PYTHON_RESULTS_H

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carl/cssp.h"
#include "carl/pareto.h"
#include "carl/solution.h"
#include "models.h"

namespace carl::python {

struct Result {
  std::shared_ptr<ModelHandle> handle;
  Cssp cssp;  // shares the model
  Solution solution;
  bool interrupted = false;
};

/// All trade-offs between some costs.
struct Front {
  std::shared_ptr<ModelHandle> handle;
  Cssp cssp;
  ParetoFront front;
};

std::vector<std::pair<std::string, double>> bounds_of(const Cssp& cssp);

void bind_results(py::module_& module);

}  // namespace carl::python

#endif
