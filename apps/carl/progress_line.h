// A live line on the terminal while a command is at work; rewritten a few times a second, also
// while there is nothing new to tell, so that it never looks frozen.
#ifndef CARL_APPS_PROGRESS_LINE_H
#define CARL_APPS_PROGRESS_LINE_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "carl/monitor.h"
#include "command_line.h"

namespace carl::app {

class ProgressLine {
 public:
  /// `when`: "always", "never", or "auto": only if standard error is a terminal. Listens to the
  /// monitor until end(), which is called at the latest by the destructor.
  ProgressLine(const std::string& when, Monitor& monitor);
  ~ProgressLine() { end(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Removes the line, so that ordinary output can follow.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  void take(const Progress& progress);
  /// Writes the line until it is told to end.
  void repeat();
  void write();  // the lock is held

  Monitor& monitor_;
  Clock::time_point start_ = Clock::now();
  std::mutex lock_;
  std::condition_variable ends_;
  bool ended_ = false;
  bool shown_ = false;
  Clock::time_point next_ = start_;
  Progress progress_;
  std::thread writer_;  // only if there is somebody to see it
};

/// --progress, for commands that may take long.
void add_progress(Command& command, std::string& when);

/// The line as it is written, cut off at the width of the terminal.
std::string progress_text(const Progress& progress, double seconds, std::size_t columns);

}  // namespace carl::app

#endif
