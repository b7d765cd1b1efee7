// carl._native: what the Python package is made of. Everything in here takes and returns plain
// numbers, texts and arrays; the package around it gives them the shape that people see.
#include <pybind11/pybind11.h>

#include "interpreter.h"
#include "models.h"
#include "results.h"
#include "solvers.h"

PYBIND11_MODULE(_native, module) {
  carl::python::translate_exceptions();
  carl::python::bind_models(module);
  carl::python::bind_results(module);
  carl::python::bind_solvers(module);
  module.attr("version") = CARL_VERSION;
}
