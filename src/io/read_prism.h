// Reads a model in PRISM's language: see docs/prism.md.
#ifndef CARL_IO_READ_PRISM_H
#define CARL_IO_READ_PRISM_H

#include <memory>
#include <string_view>
#include <vector>

#include "carl/io.h"

namespace carl::io {

/// Whether a text looks like a model in PRISM's language: its first word is one of it.
bool looks_like_prism(std::string_view text);

/// One text. Throws InputError, OptionError.
std::shared_ptr<Model> read_prism(std::vector<ModelText> texts, const LoadOptions& options,
                                  Monitor& monitor, LoadTimes& times);

}  // namespace carl::io

#endif
