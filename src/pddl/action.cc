#include "pddl/action.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "pddl/condition.h"
#include "pddl/diagnostics.h"
#include "pddl/typed_list.h"

namespace carl::pddl {
namespace {

constexpr std::array<std::string_view, 3> part_names{":parameters", ":precondition", ":effect"};
using Parts = std::array<std::optional<Form>, part_names.size()>;

Parts split(Form action, const Vocabulary& vocabulary) {
  Parts parts;
  for (Form::Iterator i = ++(++action.begin()); i != action.end(); ++i) {
    const Form keyword = *i;
    std::size_t part = 0;
    while (part < parts.size() && !keyword.is_word(part_names[part]))
      ++part;
    if (part == parts.size())
      vocabulary.fail(keyword,
                      fmt::format("expected :parameters, :precondition or :effect but found {}",
                                  keyword.is_list() ? std::string("'('") : quoted(keyword.text())),
                      did_you_mean(keyword.text(), part_names));
    if (parts[part])
      vocabulary.fail(keyword, fmt::format("a second '{}' of one action", keyword.text()));
    if (++i == action.end())
      vocabulary.fail(keyword, fmt::format("'{}' is not followed by anything", keyword.text()));
    parts[part] = *i;
  }
  return parts;
}

}  // namespace

ActionSchema read_action(Form form, Vocabulary& vocabulary, FunctionUses& uses) {
  if (form.size() < 2) vocabulary.fail(form, "the action has no name");
  vocabulary.declare_action(form[1]);
  const auto [parameters, precondition, effect] = split(form, vocabulary);
  ActionSchema action;
  action.name = form[1].text();
  action.position = form.position();
  action.precondition.position = action.effect.position = form.position();
  Scope scope;
  if (parameters) {
    if (parameters->is_word())
      vocabulary.fail(*parameters, "expected a list of parameters",
                      "write :parameters (?x - type ...)");
    action.parameters = read_parameters(parameters->begin(), parameters->end(), vocabulary);
    scope.bind(action.parameters);
  }
  if (precondition) action.precondition = read_condition(*precondition, scope, vocabulary, uses);
  if (effect) action.effect = read_effect(*effect, scope, vocabulary, uses);
  action.num_slots = std::max(scope.num_slots(), action.parameters.size());
  return action;
}

}  // namespace carl::pddl
