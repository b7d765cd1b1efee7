// Reads models in PRISM's language and writes everything that can be reached of them, for the test
// that compares it with an interpreter. A line of standard input is {"text": ..., "constants": {name:
// value}, "formula": ...}; a line of standard output is what there is to say of it.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "carl/error.h"
#include "model/prism_model.h"
#include "prism/expression_parser.h"
#include "prism/read.h"

namespace {

using nlohmann::json;
using namespace carl;

std::string name_of(const PrismModel& model, StateId state) {
  return fmt::format("{}", fmt::join(model.state_facts(state), " "));
}

json dump_state(PrismModel& model, StateId state, const std::function<bool(StateId)>& formula) {
  json result = {{"actions", json::object()}, {"labels", json::object()}};
  Expansion expansion;
  model.expand(state, expansion);
  for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
    const ActionId action = expansion.action(a);
    json& entry = result["actions"][model.action_name(action)];
    if (!entry.is_null()) throw std::logic_error("two actions have the same name");
    entry = {{"costs", model.cost(action)}, {"outcomes", json::object()}};
    for (std::size_t k = 0; k < expansion.successors(a).size(); ++k)
      entry["outcomes"][name_of(model, expansion.successors(a)[k])] = expansion.probabilities(a)[k];
  }
  const auto labels = model.names();
  for (std::size_t i = 0; i < labels.size(); ++i)
    result["labels"][labels[i]] = model.holds(i, state);
  result["formula"] = formula(state);
  return result;
}

json dump(const json& program) {
  prism::ConstantValues constants;
  for (const auto& [name, value] : program["constants"].items())
    constants.emplace(name, prism::parse_constant_value(name, value.get<std::string>()));
  const auto source = std::make_shared<const prism::Source>(
      prism::Source{"m.prism", program["text"].get<std::string>()});
  PrismModel model(prism::read(source, constants), std::nullopt);
  const prism::Source text{"formula", program["formula"].get<std::string>()};
  prism::TokenStream tokens(text);
  const auto formula = model.predicate(
      prism::resolve(prism::parse_expression(tokens), model.scope(), prism::Type::boolean, "it"));
  json result = {{"initial", name_of(model, model.initial_state())},
                 {"costs", model.cost_model().costs},
                 {"states", json::object()}};
  for (std::size_t s = 0; s < model.num_states(); ++s)
    result["states"][name_of(model, StateId(s))] = dump_state(model, StateId(s), formula);
  return result;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    json result;
    try {
      result = dump(json::parse(line));
    } catch (const carl::InputError& error) {
      result = {{"error", error.what()}};
    }
    std::cout << result.dump() << '\n';
  }
}
