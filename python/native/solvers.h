// carl.Solver's native part: a problem with all that has been learnt of it.
#ifndef CARL_PYTHON_SOLVERS_H
#define CARL_PYTHON_SOLVERS_H

#include <pybind11/pybind11.h>

namespace carl::python {

void bind_solvers(pybind11::module_& module);

}  // namespace carl::python

#endif
