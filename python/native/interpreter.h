// Between Python's one lock and the library's threads. Whatever takes long runs on a thread of its
// own, without the lock, so that other Python threads go on; the calling thread waits, and in between
// hands on progress and looks for Ctrl-C, which ends the work as Monitor::interrupt() does: with the
// best result so far where there is one.
#ifndef CARL_PYTHON_INTERPRETER_H
#define CARL_PYTHON_INTERPRETER_H

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>

#include "carl/monitor.h"

namespace carl::python {

namespace py = pybind11;

/// Limits of one call, and who wants to know how far it is.
struct Call {
  std::optional<double> time_limit;    // seconds
  std::optional<double> memory_limit;  // megabytes, of the whole process
  py::object progress = py::none();    // called with a dictionary now and then
};

/// Runs `work`, on another thread and without the interpreter's lock. Exceptions of `work` and of
/// the progress function reach the caller. True if it was interrupted by the keyboard.
bool run_interruptibly(const Call& call, const std::function<void(Monitor&)>& work);

/// Makes carl.InputError and the others of what the library throws.
void translate_exceptions();

}  // namespace carl::python

#endif
