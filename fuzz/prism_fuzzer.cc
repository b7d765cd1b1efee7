// Reads any bytes as a model in PRISM's language. They are either rejected with an InputError, also
// when states are expanded, or the first states are sound: probabilities that sum to one, costs that
// are numbers, actions with different names. Expressions that are shown read again as they are shown.
// Anything else is a finding.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include "carl/error.h"
#include "carl/io.h"
#include "model/prism_model.h"
#include "prism/expression_parser.h"
#include "prism/model_parser.h"
#include "prism/read.h"

namespace {

constexpr std::size_t most_states = 50;

void require(bool condition) {
  if (!condition) std::abort();
}

void read_again(const carl::prism::Expression& expression) {
  const carl::prism::Source shown{"shown", to_text(expression)};
  carl::prism::TokenStream tokens(shown);
  require(to_text(carl::prism::parse_expression(tokens)) == shown.text && tokens.at_end());
}

void check_states(carl::PrismModel& model) {
  carl::Expansion expansion;
  for (std::size_t s = 0; s < model.num_states() && s < most_states; ++s) {
    const carl::StateId state(s);
    for (std::size_t label = 0; label < model.names().size(); ++label)
      model.holds(label, state);
    model.is_goal(state);
    require(!model.state_facts(state).empty() || model.num_states() == 1);
    model.expand(state, expansion);
    std::set<std::string> names;
    for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
      double sum = 0;
      for (const double probability : expansion.probabilities(a)) {
        require(probability > 0);
        sum += probability;
      }
      require(std::abs(sum - 1) < 1e-9);
      require(names.insert(model.action_name(expansion.action(a))).second);
      for (const double cost : model.cost(expansion.action(a)))
        require(cost >= 0 && cost <= 1e15);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto source = std::make_shared<const carl::prism::Source>(
      carl::prism::Source{"fuzz.prism", std::string(reinterpret_cast<const char*>(data), size)});
  try {
    for (const carl::prism::Definition& formula : carl::prism::parse_model(*source).formulas)
      read_again(formula.expression);
    const carl::prism::ConstantValues constants = {{"N", carl::prism::Value::of(std::int64_t{2})},
                                                   {"p", carl::prism::Value::of(0.3)}};
    const auto model = carl::make_prism_model(carl::prism::read(source, constants, true), "", true);
    check_states(*model);
  } catch (const carl::InputError&) {
    return 0;
  }
  return 0;
}
