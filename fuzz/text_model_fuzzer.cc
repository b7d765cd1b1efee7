// Arbitrary DRN texts and arbitrary explicit files of PRISM must be read or refused; what is read is
// written as DRN and read again. An input that begins with 'p' is the files of PRISM, with a zero
// byte between one and the next.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/monitor.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  std::vector<carl::ModelText> texts;
  if (input.starts_with('p')) {
    input.remove_prefix(1);
    for (const char* const name : {"m.tra", "m.lab", "m.sta", "m.srew", "m.trew"}) {
      const std::size_t end = std::min(input.find('\0'), input.size());
      if (end > 0) texts.push_back({name, std::string(input.substr(0, end))});
      input.remove_prefix(std::min(end + 1, input.size()));
    }
  } else {
    texts.push_back({"m.drn", std::string(input)});
  }
  carl::Monitor monitor;
  std::ostringstream out;
  try {
    carl::Cssp cssp(carl::load_model_texts(std::move(texts), monitor));
    carl::write_drn(cssp, out, monitor);  // some labels cannot be written
  } catch (const carl::InputError&) {
    return 0;
  }
  // A label that no state has cannot be written in DRN, that of the goals among them.
  carl::LoadOptions any_goal;
  any_goal.has_goal = false;
  carl::load_model_texts({{"written.drn", out.str()}}, monitor, nullptr, any_goal);
  return 0;
}
