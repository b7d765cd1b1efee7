#include "output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

#include "carl/error.h"

namespace carl::app {

void write_to(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (path == "-") {
    write(std::cout);
    std::cout.flush();
    return;
  }
  std::ofstream out(path);
  if (!out) throw InputError(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  try {
    write(out);
  } catch (...) {
    out.close();
    std::remove(path.c_str());
    throw;
  }
  out.close();
  if (!out) throw InputError(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

}  // namespace carl::app
