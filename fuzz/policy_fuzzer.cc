// Reads any bytes as a policy and as a result. They are either rejected with an InputError, or
// checked against a small model, whatever they say: that must end, and a policy that has costs can
// be executed. In memory it is the same policy. Every line of it is a state to act in. What calls
// itself the index of a policy in parts is read beside one part.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "carl/act.h"
#include "carl/check.h"
#include "carl/error.h"
#include "carl/io.h"
#include "carl/simulate.h"
#include "small_model.h"

namespace {

void answer_lines(const carl::PolicyFile& policy, const std::string& text) {
  try {
    carl::Actor actor(policy);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (to_json_line(actor.answer(line)).empty()) std::abort();
  } catch (const carl::InputError&) {
  }
}

/// Of the part that seeds/policy/parts.json lists.
const char* const part_text =
    R"({ "format": "carl-policy", "version": 1, "costs": ["time","fuel"], "states": [)"
    R"({"state":"s","actions":[{"name":"a","probability":1}]},)"
    R"({"state":"t","actions":[{"name":"a","probability":1}]}] })"
    "\n";

carl::PolicyFile read(const std::string& text, carl::Monitor& monitor) {
  if (text.find("carl-policy-parts") == text.npos)
    return carl::read_policy_text("fuzz.json", text, monitor);
  static const std::filesystem::path folder = [] {
    std::string name = (std::filesystem::temp_directory_path() / "carl-policy-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    std::ofstream(name + "/policy.part-1.json") << part_text;
    return name;
  }();
  std::ofstream(folder / "policy.json") << text;
  return carl::read_policy((folder / "policy.json").string(), monitor);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  carl::Monitor monitor;
  std::optional<carl::ResultFile> result;
  try {
    result = carl::read_result_text("fuzz.json", text);
  } catch (const carl::InputError&) {
  }
  carl::PolicyFile policy{{"time", "fuel"},
                          {{"s", false, {}, {{"a", 1}}}, {"t", false, {}, {{"a", 1}}}}};
  try {
    policy = read(text, monitor);
  } catch (const carl::InputError&) {
    if (!result) return 0;
  }
  answer_lines(policy, text);
  carl::Cssp cssp = fuzz::small_model(monitor);
  carl::CheckOptions options;
  options.exact = true;
  const carl::CheckReport report =
      carl::check_policy(cssp, policy, result ? &*result : nullptr, options, monitor);
  if (!report.costs || policy.costs != cssp.cost_names()) return 0;
  const carl::Policy resolved = carl::resolve_policy(cssp, policy, monitor);
  if (carl::check_policy(cssp, resolved, nullptr, options, monitor).costs != report.costs)
    std::abort();
  const carl::Simulator simulator(cssp, resolved, monitor);
  if (!simulator.findings().empty()) std::abort();
  carl::SimulateOptions few;
  few.runs = 3;
  few.threads = 1;
  few.max_steps = 100;
  simulator.run(few, monitor);
  return 0;
}
