// Standard output without a buffer of its own: what was written is out, so that there is nothing
// left to fail when the program ends.

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "carl/error.h"
#include "carl/output_file.h"
#include "io/descriptor.h"

namespace carl {

void write_standard_output(std::string_view text) {
  const int error = io::write_all(STDOUT_FILENO, text);
  if (error != 0 && error != EPIPE)
    throw InputError(fmt::format("cannot write standard output: {}", std::strerror(error)));
}

bool standard_output_has_reader() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) < 1 || (output.revents & POLLERR) == 0;
}

bool names_standard_output(const std::string& path) {
  return path == "-" || io::named_descriptor(io::followed(path)) == STDOUT_FILENO;
}

}  // namespace carl
