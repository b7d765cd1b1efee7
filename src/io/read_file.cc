#include "io/read_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "carl/error.h"

namespace carl::io {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

}  // namespace

std::string read_file(const std::string& path, Limits& limits) {
  const bool standard_input = path == "-";
  const File file(standard_input ? stdin : std::fopen(path.c_str(), "rb"),
                  standard_input ? [](std::FILE*) { return 0; } : std::fclose);
  if (!file) throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  std::string text;
  constexpr std::size_t block = std::size_t{1} << 20;
  while (true) {
    limits.check();
    const std::size_t size = text.size();
    text.resize(size + block);
    const std::size_t got = std::fread(text.data() + size, 1, block, file.get());
    text.resize(size + got);
    if (std::ferror(file.get()) != 0)
      throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
    if (got < block) return text;
  }
}

std::string shown_path(const std::string& path) {
  return path == "-" ? "<stdin>" : path;
}

}  // namespace carl::io
