#include "solver/run_apart.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <system_error>

namespace carl::testing {
namespace {

constexpr int finished = 0;

[[noreturn]] void work_and_exit(const std::function<std::string()>& work, int out) {
  std::string text;
  try {
    text = work();
  } catch (const std::exception& error) {
    text = fmt::format("exception: {}", error.what());
  }
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(out, text.data() + done, text.size() - done);
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  _exit(finished);  // nothing of the parent's is to be cleaned up twice
}

std::string read_all(int in) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t n = 0; (n = read(in, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(n));
  return text;
}

}  // namespace

ApartResult run_apart(const std::function<std::string()>& work) {
  std::array<int, 2> pipe_ends;
  if (pipe(pipe_ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    close(pipe_ends[0]);
    work_and_exit(work, pipe_ends[1]);
  }
  close(pipe_ends[1]);
  ApartResult result{.crashed = false, .text = read_all(pipe_ends[0])};
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == finished) return result;
  return {true, WIFSIGNALED(status) ? fmt::format("crashed by signal {}", WTERMSIG(status))
                                    : fmt::format("exited with {}", WEXITSTATUS(status))};
}

}  // namespace carl::testing
