// Reads models in UMB, the Unified Markov Binary format (https://github.com/pmc-tools/umb): a tar
// file of arrays, with or without compression, and an index of them in JSON. docs/formats.md says
// what is read and what is refused.
#ifndef CARL_IO_READ_UMB_H
#define CARL_IO_READ_UMB_H

#include <memory>
#include <string>
#include <string_view>

#include "carl/io.h"

namespace carl::io {

/// Maps the file. Throws InputError, OptionError, LimitReached.
std::shared_ptr<Model> read_umb_file(const std::string& path, const LoadOptions& options,
                                     Monitor& monitor, LoadTimes& times);
/// The bytes of a file; `name` is for messages.
std::shared_ptr<Model> read_umb(const std::string& name, std::string_view bytes,
                                const LoadOptions& options, Monitor& monitor);

}  // namespace carl::io

#endif
