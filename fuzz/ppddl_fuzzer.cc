// Feeds arbitrary bytes to the PPDDL reader. Refusing them is fine; anything else that is thrown, a
// crash, a hang or undefined behaviour is a finding. A byte 0xff, which no PPDDL text contains,
// cuts the input into two texts, so that both ways of giving a domain and a problem are tried.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pddl/read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  std::vector<carl::pddl::SourceText> sources;
  const std::size_t cut = input.find('\xff');
  sources.push_back({"1.pddl", input.substr(0, cut)});
  if (cut != std::string::npos) sources.push_back({"2.pddl", input.substr(cut + 1)});
  carl::Monitor monitor;
  try {
    carl::pddl::read(sources, monitor);
  } catch (const carl::InputError&) {
    return 0;
  }
  return 0;
}
