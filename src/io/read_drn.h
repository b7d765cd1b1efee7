// Reads DRN, the text format in which the model checker Storm writes models out state by state.
// docs/formats.md says what is read and what is refused.
#ifndef CARL_IO_READ_DRN_H
#define CARL_IO_READ_DRN_H

#include <memory>
#include <string>
#include <string_view>

#include "carl/io.h"

namespace carl::io {

/// Throws InputError, OptionError, LimitReached.
std::shared_ptr<Model> read_drn(const std::string& name, std::string_view text,
                                const LoadOptions& options, Monitor& monitor);
/// Whether a text looks like it.
bool looks_like_drn(std::string_view text);

}  // namespace carl::io

#endif
