// Archives of arbitrary bytes, and arbitrary files in a sound archive, must be read or refused.
//
// An input that begins with 'u' is the text of an index and then the contents of the files that a
// model has, each with two bytes for its length: a fuzzer would not find checksums by itself. Any
// other is an archive as it is.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/monitor.h"
#include "io/archive.h"
#include "io/read_umb.h"

namespace {

constexpr const char* files[] = {"state-to-choices.bin",
                                 "choice-to-branches.bin",
                                 "branch-to-target.bin",
                                 "branch-to-probability.bin",
                                 "state-is-initial.bin",
                                 "actions/choices/values.bin",
                                 "actions/choices/string-mapping.bin",
                                 "actions/choices/strings.bin",
                                 "annotations/aps/goal/states/values.bin",
                                 "annotations/rewards/r/states/values.bin",
                                 "annotations/rewards/r/choices/values.bin",
                                 "annotations/rewards/r/branches/values.bin"};

/// Takes two bytes for a length, and so many; all that is left if it is fewer.
std::string_view taken(std::string_view& input) {
  if (input.size() < 2) return {};
  const std::size_t length = static_cast<unsigned char>(input[0]) +
                             (std::size_t{static_cast<unsigned char>(input[1])} << 8);
  const std::string_view part = input.substr(2, length);
  input.remove_prefix(2 + part.size());
  return part;
}

std::string packed(std::string_view input) {
  std::ostringstream out;
  carl::io::ArchiveWriter archive(out, carl::Compression::none);
  const auto add = [&](const char* path, std::string_view content) {
    archive.begin_file(path, content.size());
    archive.write(content);
  };
  add("index.json", taken(input));
  // Whoever is not there has its default.
  for (const char* const file : files)
    if (const std::string_view content = taken(input); !content.empty()) add(file, content);
  archive.finish();
  return out.str();
}

void read(std::string_view bytes) {
  carl::Monitor monitor;
  std::shared_ptr<carl::Model> model;
  try {
    model = carl::io::read_umb("model.umb", bytes, {}, monitor);
  } catch (const carl::InputError&) {
    return;
  }
  // What was read must be written such that it is read again.
  carl::Cssp cssp(model);
  std::ostringstream out;
  carl::write_umb(cssp, out, monitor);
  carl::io::read_umb("written.umb", out.str(), {}, monitor);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.starts_with('u'))
    read(packed(input.substr(1)));
  else
    read(input);
  return 0;
}
