// Reads any bytes as a policy and as a result. They are either rejected with an InputError, or
// checked against a small model, whatever they say: that must end, and a policy that holds can be
// executed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "carl/check.h"
#include "carl/error.h"
#include "carl/io.h"
#include "carl/simulate.h"
#include "io/read_explicit.h"

namespace {

carl::Cssp small_model(carl::Limits& limits) {
  carl::CsspOptions options;
  options.remove_forbidden_actions = false;
  return carl::Cssp(carl::io::read_explicit("model.json",
                                            R"({ "format": "cssp", "version": 1,
      "costs": ["time", "fuel"], "bounds": { "fuel": 2 }, "give_up": { "time": 9 },
      "initial": "s", "goals": ["g"], "actions": [
        { "state": "s", "name": "a", "cost": [1, 1], "outcomes": { "s": 0.5, "t": 0.3, "g": 0.2 } },
        { "state": "s", "name": "b", "cost": [2, 0], "outcomes": { "t": 1 } },
        { "state": "t", "name": "a", "cost": [1, 0], "outcomes": { "s": 0.9, "g": 0.1 } },
        { "state": "t", "name": "b", "cost": [0, 0], "outcomes": { "t": 1 } } ] })",
                                            limits),
                    options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  carl::Limits limits;
  std::optional<carl::ResultFile> result;
  try {
    result = carl::read_result_text("fuzz.json", text);
  } catch (const carl::InputError&) {
  }
  carl::PolicyFile policy{{"time", "fuel"},
                          {{"s", false, {}, {{"a", 1}}}, {"t", false, {}, {{"a", 1}}}}};
  try {
    policy = carl::read_policy_text("fuzz.json", text, limits);
  } catch (const carl::InputError&) {
    if (!result) return 0;
  }
  carl::Cssp cssp = small_model(limits);
  carl::CheckOptions options;
  options.exact = true;
  const carl::CheckReport report =
      carl::check_policy(cssp, policy, result ? &*result : nullptr, options, limits);
  if (!report.costs) return 0;
  const carl::Simulator simulator(cssp, policy, limits);
  if (!simulator.findings().empty()) std::abort();
  carl::SimulateOptions few;
  few.runs = 3;
  few.threads = 1;
  few.max_steps = 100;
  simulator.run(few, limits);
  return 0;
}
