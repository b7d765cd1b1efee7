// Writes models in UMB, as read_umb.h reads them: one walk over the model to count, then one for
// each array, so that a model that computes its states is never in memory as a whole.
#ifndef CARL_IO_WRITE_UMB_H
#define CARL_IO_WRITE_UMB_H

#include <ostream>

#include "carl/io.h"
#include "io/whole_model.h"

namespace carl::io {

/// Polls `monitor`.
void write_umb(WholeModel& model, std::ostream& out, Monitor& monitor, Compression compression);

}  // namespace carl::io

#endif
