// Reads any bytes as a file of properties about a small model. They are either rejected with an
// InputError, or each property reads again as what it is shown as, and the one that is asked makes a
// model whose first states are sound: anything else is a finding.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "carl/error.h"
#include "carl/monitor.h"
#include "carl/question.h"
#include "io/read_explicit.h"
#include "prism/property.h"

namespace {

constexpr std::size_t most_states = 200;
constexpr double seconds = 2;

std::shared_ptr<carl::Model> small_model(carl::Monitor& monitor) {
  return carl::io::read_explicit("model.json", R"({ "format": "cssp", "version": 1,
      "costs": ["time", "fuel"], "initial": "s", "labels": { "a": ["s", "t"], "b": ["u"], "c": ["t"] },
      "actions": [
        { "state": "s", "name": "x", "cost": [1, 1], "outcomes": { "s": 0.5, "t": 0.3, "u": 0.2 } },
        { "state": "s", "name": "y", "cost": [0, 0], "outcomes": { "t": 1 } },
        { "state": "t", "name": "x", "cost": [0, 2], "outcomes": { "s": 0.9, "u": 0.1 } },
        { "state": "t", "name": "y", "cost": [0, 0], "outcomes": { "s": 1 } } ] })",
                                 monitor);
}

void read_again(const std::string& text) {
  const carl::prism::Source source{"fuzz.props", text};
  for (const carl::prism::Property& property : carl::prism::parse_properties(source).properties) {
    const carl::prism::Source shown{"shown.props", property.text};
    const carl::prism::PropertyFile again = carl::prism::parse_properties(shown);
    if (again.properties.size() != 1 || again.properties.front().text != property.text ||
        again.properties.front().parts.size() != property.parts.size())
      std::abort();
  }
}

void walk(carl::Model& model) {
  model.initial_state();
  carl::Expansion expansion;
  for (std::size_t s = 0; s < model.num_states() && s < most_states; ++s) {
    const carl::StateId state(s);
    if (model.state_facts(state).empty()) std::abort();
    if (model.is_goal(state)) continue;
    model.expand(state, expansion);
    for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
      double sum = 0;
      for (const double probability : expansion.probabilities(i))
        sum += probability;
      if (std::abs(sum - 1) > 1e-9) std::abort();
      for (const double cost : model.cost(expansion.action(i)))
        if (!(cost >= 0 && std::isfinite(cost))) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  carl::Monitor monitor(seconds, 0, nullptr);
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    read_again(text);
    walk(
        *carl::ask_property(small_model(monitor), {"fuzz.props", text, {}, {{"k", "3"}}}, monitor));
  } catch (const carl::InputError&) {
  } catch (const carl::LimitReached&) {
  }
  return 0;
}
