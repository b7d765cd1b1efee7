#include "progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "carl/solution.h"
#include "output.h"
#include "table.h"

namespace carl::app {
namespace {

constexpr auto interval = std::chrono::milliseconds(200);
// What is done before that needs no line.
constexpr auto patience = std::chrono::milliseconds(700);

std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 200;
}

/// As many as fit on a line beside the rest.
std::string shortened(const std::vector<double>& multipliers) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, multipliers.size()); ++i)
    text += fmt::format("{}{:.4g}", i == 0 ? "" : " ", multipliers[i]);
  return multipliers.size() > shown ? text + " …" : text;
}

/// What is being done, in words.
std::string doing(const std::string& phase) {
  if (phase == "λ search") return "solving";
  if (phase == "front") return "finding the front";
  if (phase == "sweep") return "varying the bound";
  if (phase == "branching") return "looking for policies without coins";
  return phase.empty() ? "reading" : phase;
}

std::string bounds(const Progress& progress) {
  const auto& [lower, upper] = std::pair(progress.lower_bound, progress.upper_bound);
  if (lower && upper)
    return fmt::format(", cost between {} and {}, gap {:.1g}%", number(*lower), number(*upper),
                       100 * relative_gap(*upper, *lower));
  if (lower) return fmt::format(", cost at least {}", number(*lower));
  if (upper) return fmt::format(", cost at most {}", number(*upper));
  return "";
}

/// The first characters, none of them cut in two.
std::string cut(const std::string& text, std::size_t most) {
  std::size_t shown = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] & 0xC0) != 0x80 && ++shown > most) return text.substr(0, i);
  return text;
}

}  // namespace

std::string progress_text(const Progress& progress, double seconds, std::size_t columns) {
  std::string line = fmt::format("{:>9}  {}", duration(seconds), doing(progress.phase));
  if (progress.states > 0) line += ", " + count(progress.states, "state");
  if (progress.iterations > 0)
    line += fmt::format(", round {}", grouped(progress.iterations));
  else if (progress.backups > 0)
    line += ", " + count(progress.backups, "update");
  line += bounds(progress);
  if (!progress.multipliers.empty())
    line += fmt::format(", λ = {}", shortened(progress.multipliers));
  return cut(line, columns > 1 ? columns - 1 : columns);
}

ProgressLine::ProgressLine(const std::string& when, Monitor& monitor) : monitor_(monitor) {
  if (when != "always" && (when != "auto" || isatty(STDERR_FILENO) == 0)) return;
  monitor_.set_listener([this](const Progress& progress) { take(progress); });
  writer_ = std::thread([this] { repeat(); });
}

void ProgressLine::take(const Progress& progress) {
  const std::lock_guard guard(lock_);
  if (Clock::now() < next_) return;  // nobody reads as fast as that
  progress_ = progress;
  write();
}

void ProgressLine::repeat() {
  std::unique_lock guard(lock_);
  ends_.wait_for(guard, patience, [this] { return ended_; });
  while (!ended_) {
    if (Clock::now() >= next_) write();
    ends_.wait_for(guard, interval, [this] { return ended_; });
  }
}

void ProgressLine::write() {
  const auto now = Clock::now();
  next_ = now + interval;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  remark("\r\033[K" + progress_text(progress_, seconds, columns()));
  shown_ = true;
}

void ProgressLine::end() {
  if (!writer_.joinable()) return;
  monitor_.set_listener({});
  {
    const std::lock_guard guard(lock_);
    ended_ = true;
  }
  ends_.notify_all();
  writer_.join();
  if (shown_) remark("\r\033[K");
}

void add_progress(Command& command, std::string& when) {
  command.option("--progress", when, "A live line on the terminal")
      .type_name("WHEN")
      .check(one_of({"auto", "always", "never"}))
      .show_default();
}

}  // namespace carl::app
