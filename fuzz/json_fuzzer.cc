// Reads any bytes as an explicit model. They are either rejected with an InputError or make a model
// that, written and read again, is written the same: anything else is a finding.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "carl/error.h"
#include "carl/monitor.h"
#include "io/read_explicit.h"
#include "io/write_explicit.h"

namespace {

/// Nothing if the initial state is a dead end, the one model that cannot be written.
std::optional<std::string> written(carl::Model& model) {
  carl::Monitor monitor;
  std::ostringstream out;
  try {
    carl::io::write_explicit(model, model.cost_model(), out, monitor);
  } catch (const carl::InputError&) {
    return std::nullopt;
  }
  return out.str();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  carl::Monitor monitor;
  std::shared_ptr<carl::Model> model;
  try {
    model = carl::io::read_explicit(
        "fuzz.json", std::string(reinterpret_cast<const char*>(data), size), monitor);
  } catch (const carl::InputError&) {
    return 0;
  }
  const std::optional<std::string> once = written(*model);
  if (!once) return 0;
  const std::shared_ptr<carl::Model> again = carl::io::read_explicit("again.json", *once, monitor);
  if (written(*again) != once) std::abort();
  return 0;
}
