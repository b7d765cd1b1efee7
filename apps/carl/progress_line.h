// A live line on the terminal while a solve runs; rewritten a few times a second.
#ifndef CARL_APPS_PROGRESS_LINE_H
#define CARL_APPS_PROGRESS_LINE_H

#include <chrono>
#include <string>

#include "carl/solve.h"

namespace carl::app {

class ProgressLine {
 public:
  /// `when`: "always", "never", or "auto": only if standard error is a terminal.
  explicit ProgressLine(const std::string& when);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  /// Removes the line, so that ordinary output can follow.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
};

}  // namespace carl::app

#endif
