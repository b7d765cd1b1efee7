#include "io/descriptor.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>

namespace carl::io {
namespace {

// More links than this are a loop, as for the system itself.
constexpr int most_links = 40;

}  // namespace

int Descriptor::close() {
  if (number_ < 0) return 0;
  // Linux has closed it even when it reports an interruption.
  return ::close(std::exchange(number_, -1)) == 0 || errno == EINTR ? 0 : errno;
}

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

std::optional<int> named_descriptor(const std::string& path) {
  if (path == "/dev/stdin") return STDIN_FILENO;
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = 0;
    const char* end = path.data() + path.size();
    const auto [stop, failure] = std::from_chars(path.data() + folder.size(), end, number);
    if (failure == std::errc() && stop == end && number >= 0) return number;
  }
  return std::nullopt;
}

std::string followed(std::string path) {
  for (int links = 0; links < most_links && !named_descriptor(path); ++links) {
    std::error_code none;
    const std::filesystem::path target = std::filesystem::read_symlink(path, none);
    if (none) break;
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  return path;
}

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  const std::string end = followed(path);
  const std::optional<int> descriptor = named_descriptor(end);
  const int failure = descriptor ? ::fstat(*descriptor, &status) : ::stat(end.c_str(), &status);
  if (failure != 0) return std::nullopt;
  return status;
}

}  // namespace carl::io
