#include "progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "table.h"

namespace carl::app {
namespace {

constexpr auto interval = std::chrono::milliseconds(200);

}  // namespace

ProgressLine::ProgressLine(const std::string& when)
    : enabled_(when == "always" || (when == "auto" && isatty(STDERR_FILENO) != 0)) {}

void ProgressLine::show(const Progress& progress) {
  if (!enabled_ || Clock::now() < next_) return;
  next_ = Clock::now() + interval;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  std::string line = fmt::format("{:>9}  {}  {}", duration(seconds), progress.phase,
                                 count(progress.states, "state"));
  if (progress.iterations > 0) line += fmt::format("  {}", count(progress.iterations, "iteration"));
  if (progress.lower_bound) line += fmt::format("  ≥ {}", number(*progress.lower_bound));
  if (progress.upper_bound) line += fmt::format("  ≤ {}", number(*progress.upper_bound));
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace carl::app
