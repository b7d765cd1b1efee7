#include "output.h"

#include <algorithm>
#include <cstdio>
#include <new>

namespace carl::app {

void remark(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

Outputs::Outputs(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs)
    if (!input.empty()) inputs_.push_back(input == "-" ? "/dev/stdin" : input);
}

Outputs::~Outputs() {
  try {
    mention_unwritten();
  } catch (const std::bad_alloc&) {
    // That there is no memory is worth more than this remark.
  }
}

void Outputs::mention_unwritten() const {
  for (const Announced& output : announced_)
    if (!output.written && is_regular_file(output.path))
      std::fprintf(stderr, "note: %s was not written; it still holds what was there before\n",
                   output.path.c_str());
}

void Outputs::announce(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  try {
    check(option, path);
  } catch (...) {
    announced_.clear();  // no work was begun, so nothing is missing
    throw;
  }
  announced_.push_back({option, path, false});
}

void Outputs::check(const std::string& option, const std::string& path) const {
  for (const std::string& input : inputs_)
    if (same_file(path, input))
      throw InputError(fmt::format("{} {}: this file is an input", option, path),
                       "give the output a name of its own");
  for (const Announced& other : announced_)
    if (same_file(path, other.path))
      throw InputError(
          fmt::format("{} {}: the same file as {} {}", option, path, other.option, other.path),
          "give each output a name of its own");
  if (names_standard_output(path)) return;
  if (same_file(path, "-"))
    throw InputError(fmt::format("{} {}: standard output goes to this file", option, path),
                     "give the output a name of its own");
  check_writable(path);
}

bool Outputs::standard_output_taken() const {
  return std::any_of(announced_.begin(), announced_.end(),
                     [](const Announced& output) { return names_standard_output(output.path); });
}

void Outputs::write(const std::string& path, const std::function<void(std::ostream&)>& writer) {
  if (path.empty()) return;
  try {
    OutputFile file(path);
    writer(file.stream());
    file.commit();
    if (file.in_place())
      remark(fmt::format("note: {} was written in place: its folder cannot be written to\n", path));
  } catch (const InputError&) {
    if (!failure_) failure_ = std::current_exception();
    return;
  }
  take_written(path);
}

bool Outputs::take_written(const std::string& path) {
  for (Announced& output : announced_)
    if (output.path == path) output.written = true;
  return true;
}

int Outputs::finish(int exit_status) const {
  if (failure_) std::rethrow_exception(failure_);
  return exit_status;
}

}  // namespace carl::app
