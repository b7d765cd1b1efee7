// What a command writes: text for people on standard output, remarks on standard error, and the
// files that its options name.
#ifndef CARL_APPS_OUTPUT_H
#define CARL_APPS_OUTPUT_H

#include <fmt/format.h>

#include <exception>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "carl/error.h"
#include "carl/output_file.h"

namespace carl::app {

/// To standard output. Throws InputError if it cannot be written.
template <class... Arguments>
void show(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_standard_output(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// To standard error. If that cannot be written there is nobody to tell.
void remark(const std::string& text);

/// The outputs of one command. All are announced before any work is done, so that a name that
/// cannot be right costs nobody an hour. At the end a file that was announced, not written and
/// still holds the output of an earlier run is mentioned.
class Outputs {
 public:
  /// `inputs`: what the command reads, which no output may replace; "-" is standard input.
  explicit Outputs(const std::vector<std::string>& inputs);
  ~Outputs();
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  /// `option` names the file `path`, "-" for standard output; none if that is empty. Throws
  /// InputError if it is an input, another output, or cannot be written.
  void announce(const std::string& option, const std::string& path);
  /// Whether an output goes to standard output, which then has no room for a summary.
  bool standard_output_taken() const;
  /// None if the path is empty. If it fails the file is as it was and finish() tells why, so that
  /// what comes after it is written all the same.
  void write(const std::string& path, const std::function<void(std::ostream&)>& writer);
  /// Somebody else has written it. Returns true.
  bool take_written(const std::string& path);
  /// The command's exit status, once all was written. Throws InputError if some of it was not.
  int finish(int exit_status) const;

 private:
  struct Announced {
    std::string option;
    std::string path;
    bool written = false;
  };
  void mention_unwritten() const;
  void check(const std::string& option, const std::string& path) const;

  std::vector<std::string> inputs_;
  std::vector<Announced> announced_;
  std::exception_ptr failure_;  // the first
};

}  // namespace carl::app

#endif
