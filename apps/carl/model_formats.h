// The formats that models are written in, as convert and generate name them.
#ifndef CARL_APPS_MODEL_FORMATS_H
#define CARL_APPS_MODEL_FORMATS_H

#include <string>

#include "carl/io.h"
#include "command_line.h"

namespace carl::app {

/// "umb" or "drn" by the ending of a name; empty otherwise.
std::string model_format_of(const std::string& path);

/// --compression none|gzip|xz
void add_compression(Command& command, std::string& compression);
Compression compression_of(const std::string& name);

}  // namespace carl::app

#endif
