// A whole file in memory.
#ifndef CARL_IO_READ_FILE_H
#define CARL_IO_READ_FILE_H

#include <string>

#include "carl/limits.h"

namespace carl::io {

/// "-" is standard input. Throws InputError, LimitReached.
std::string read_file(const std::string& path, Limits& limits);
/// The name under which messages know it.
std::string shown_path(const std::string& path);

}  // namespace carl::io

#endif
