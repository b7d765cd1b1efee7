// Reads any bytes as the result and the sweep of a report; a byte 0xff, which no JSON text
// contains, is between them. They are either rejected with an InputError or end up in the page.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "carl/error.h"
#include "carl/io.h"
#include "io/read_explicit.h"

namespace {

carl::Cssp small_model(carl::Monitor& monitor) {
  return carl::Cssp(carl::io::read_explicit("model.json",
                                            R"({ "format": "cssp", "version": 1,
      "costs": ["time", "fuel"], "bounds": { "fuel": 2 }, "initial": "s", "goals": ["g"],
      "actions": [ { "state": "s", "name": "a", "cost": [1, 1], "outcomes": { "g": 1 } } ] })",
                                            monitor));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find('\xff');
  carl::Monitor monitor;
  carl::Cssp cssp = small_model(monitor);
  carl::Report report;
  report.title = "fuzz";
  report.result = {"result.json", input.substr(0, cut)};
  if (cut != std::string::npos) report.sweep = {"sweep.json", input.substr(cut + 1)};
  std::ostringstream page;
  try {
    carl::write_report(cssp, report, page, monitor);
  } catch (const carl::InputError&) {
    return 0;
  }
  return 0;
}
