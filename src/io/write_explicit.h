// Writes any model out state by state, in the format that read_explicit() reads.
#ifndef CARL_IO_WRITE_EXPLICIT_H
#define CARL_IO_WRITE_EXPLICIT_H

#include <ostream>

#include "carl/model.h"
#include "carl/monitor.h"

namespace carl::io {

/// Writes everything that can be reached from the initial state; `costs` says with which bounds and
/// penalties. A state is named by its facts, joined by spaces. Numbers read back exactly. Throws
/// InputError if names do not tell states or actions apart, or if nothing can be done at all;
/// polls `limits`.
void write_explicit(Model& model, const CostModel& costs, std::ostream& out, Monitor& monitor);

}  // namespace carl::io

#endif
