// Reads a problem in PPDDL, a domain and a problem in one text or several, and grounds it.
#ifndef CARL_IO_READ_PPDDL_H
#define CARL_IO_READ_PPDDL_H

#include <memory>
#include <vector>

#include "carl/io.h"

namespace carl::io {

/// Throws InputError, OptionError, LimitReached.
std::shared_ptr<Model> read_ppddl(std::vector<ModelText> texts, const LoadOptions& options,
                                  Monitor& monitor, LoadTimes& times);

}  // namespace carl::io

#endif
