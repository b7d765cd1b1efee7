// How messages name a file.
#ifndef CARL_IO_TEXT_FILE_H
#define CARL_IO_TEXT_FILE_H

#include <string>

namespace carl::io {

inline std::string shown_path(const std::string& path) {
  return path == "-" ? "<stdin>" : path;
}

}  // namespace carl::io

#endif
