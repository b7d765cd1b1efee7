// The options that every command with a MODEL shares: the files, changes to bounds and penalties,
// and limits.
#ifndef CARL_APPS_MODEL_OPTIONS_H
#define CARL_APPS_MODEL_OPTIONS_H

#include <CLI/CLI.hpp>
#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/limits.h"
#include "carl/solution.h"

namespace carl::app {

class ModelOptions {
 public:
  void add_to(CLI::App& command);

  Limits limits(const std::atomic<bool>& interrupt) const;
  CsspOptions cssp_options() const;
  /// Reads the model; adds to the times of parsing and grounding.
  Cssp load(Limits& limits, Seconds& seconds) const;
  std::uint64_t seed() const { return seed_; }
  /// The files, as the user named them.
  std::string title() const;

 private:
  std::vector<std::string> paths_;
  std::vector<std::string> bounds_;
  std::string give_up_;
  std::uint64_t seed_ = 0;
  double time_limit_ = std::numeric_limits<double>::infinity();
  double memory_limit_ = 0;
};

}  // namespace carl::app

#endif
