#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "carl/error.h"
#include "carl/io.h"
#include "io/descriptor.h"

namespace carl {
namespace {

constexpr std::size_t block = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& path) {
  throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
}

/// Waits for a writer if it is a pipe, but not longer than the limits allow.
io::Descriptor open(const std::string& path, Monitor& monitor) {
  while (true) {
    io::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (file.valid()) return file;
    if (errno != EINTR) fail(path);
    monitor.check();
  }
}

}  // namespace

std::string read_text(const std::string& path, Monitor& monitor) {
  io::Descriptor file;
  if (path != "-") file = open(path, monitor);
  const int descriptor = file.valid() ? file.number() : STDIN_FILENO;
  std::string text;
  std::size_t size = 0;
  while (true) {
    monitor.check();
    text.resize(size + block);
    const ssize_t got = ::read(descriptor, text.data() + size, block);
    if (got < 0 && errno != EINTR) fail(path);
    if (got > 0) size += static_cast<std::size_t>(got);
    if (got != 0) continue;
    text.resize(size);
    return text;
  }
}

}  // namespace carl
