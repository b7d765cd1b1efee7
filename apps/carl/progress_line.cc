#include "progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "output.h"
#include "table.h"

namespace carl::app {
namespace {

constexpr auto interval = std::chrono::milliseconds(200);

/// As many as fit on a line beside the rest.
std::string shortened(const std::vector<double>& multipliers) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, multipliers.size()); ++i)
    text += fmt::format("{}{:.4g}", i == 0 ? "" : " ", multipliers[i]);
  return multipliers.size() > shown ? text + " …" : text;
}

}  // namespace

ProgressLine::ProgressLine(const std::string& when)
    : enabled_(when == "always" || (when == "auto" && isatty(STDERR_FILENO) != 0)) {}

void ProgressLine::show(const Progress& progress) {
  if (!enabled_ || Clock::now() < next_) return;
  next_ = Clock::now() + interval;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  std::string line = fmt::format("{:>9}  {}  {}", duration(seconds), progress.phase,
                                 count(progress.states, "state"));
  if (progress.iterations > 0)
    line += fmt::format("  {}", count(progress.iterations, "iteration"));
  else if (progress.backups > 0)
    line += fmt::format("  {}", count(progress.backups, "backup"));
  if (!progress.multipliers.empty())
    line += fmt::format("  λ = {}", shortened(progress.multipliers));
  if (progress.lower_bound) line += fmt::format("  ≥ {}", number(*progress.lower_bound));
  if (progress.upper_bound) line += fmt::format("  ≤ {}", number(*progress.upper_bound));
  if (progress.lower_bound && progress.upper_bound) {
    const double upper = *progress.upper_bound;
    line += fmt::format("  gap {:.1e}", relative_gap(upper, *progress.lower_bound));
  }
  remark("\r\033[K" + line);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  remark("\r\033[K");
  shown_ = false;
}

}  // namespace carl::app
