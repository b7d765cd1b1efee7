// Models as Python hands them over: files and texts, arrays, and classes of the user's own.
#ifndef CARL_PYTHON_MODELS_H
#define CARL_PYTHON_MODELS_H

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <string>

#include "carl/model.h"

namespace carl::python {

namespace py = pybind11;

/// A model, and the lock that keeps two threads from using it at once: models learn states while
/// they are expanded.
struct ModelHandle {
  std::shared_ptr<Model> model;
  std::mutex in_use;
};

/// A class of the user's own with initial(), is_goal(state) and actions(state).
std::shared_ptr<Model> make_python_model(py::object description, CostModel costs);
/// The Python object that is this state; none if the model is not such a class.
py::object python_state(const Model& model, StateId state);

void bind_models(py::module_& module);

}  // namespace carl::python

#endif
