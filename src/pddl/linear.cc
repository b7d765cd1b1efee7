#include "pddl/linear.h"

#include <fmt/format.h>

#include "pddl/diagnostics.h"

namespace carl::pddl {
namespace {

void scale(Linear& linear, const Rational& factor) {
  linear.constant *= factor;
  if (factor == 0) linear.coefficients.clear();
  for (auto& [cost, coefficient] : linear.coefficients)
    coefficient *= factor;
}

void add(Linear& left, const Linear& right) {
  left.constant += right.constant;
  for (const auto& [cost, coefficient] : right.coefficients) {
    Rational& sum = left.coefficients[cost];
    sum += coefficient;
    if (sum == 0) left.coefficients.erase(cost);
  }
}

void check_range(const Linear& linear, Form form, const Vocabulary& vocabulary) {
  check_range(linear.constant, form.position(), vocabulary);
  for (const auto& [cost, coefficient] : linear.coefficients)
    check_range(coefficient, form.position(), vocabulary);
}

}  // namespace

Linear LinearReader::read(Form form, const Binding& binding) {
  vocabulary_.monitor().check();
  if (form.is_word() && form.number()) return {read_number(form, vocabulary_), {}};
  if (const auto kind = arithmetic_operator(form)) return read_arithmetic(form, *kind, binding);
  return read_function(form, binding);
}

Linear LinearReader::read_arithmetic(Form form, Amount::Kind kind, const Binding& binding) {
  check_operands(form, vocabulary_);
  Form::Iterator i = ++form.begin();
  Linear result = read(*i, binding);
  if (kind == Amount::Kind::difference && form.size() == 2) scale(result, -1);
  for (++i; i != form.end(); ++i) {
    Linear operand = read(*i, binding);
    if (kind == Amount::Kind::sum || kind == Amount::Kind::difference) {
      if (kind == Amount::Kind::difference) scale(operand, -1);
      add(result, operand);
      continue;
    }
    if (kind == Amount::Kind::product && result.coefficients.empty()) std::swap(result, operand);
    if (!operand.coefficients.empty())
      vocabulary_.fail(form, "this is not a linear combination of costs",
                       kind == Amount::Kind::product ? "costs may be multiplied by numbers only"
                                                     : "costs may be divided by numbers only");
    if (kind == Amount::Kind::quotient && operand.constant == 0)
      vocabulary_.fail(form, "division by zero");
    scale(result, kind == Amount::Kind::product ? operand.constant : 1 / operand.constant);
  }
  check_range(result, form, vocabulary_);
  return result;
}

Linear LinearReader::read_function(Form form, const Binding& binding) {
  if (form.head() == "expected")
    vocabulary_.fail(form, "'expected' is out of place here",
                     "it is written once, around the whole left side of a bound: "
                     "(<= (expected (+ (f) (g))) number)");
  GroundCost ground = read_ground(form, binding);
  if (!ground.function.valid() || costs_.mention(ground.function))
    return {0, {{std::move(ground), 1}}};
  if (const Rational* value = values_.find(ground.function, ground.arguments)) return {*value, {}};
  vocabulary_.fail(
      form, "this function has no value",
      fmt::format("add (= {} number) to :init", to_string(form, binding, vocabulary_.tree())));
}

bool LinearReader::is_step_count(Form form) const {
  const bool written = form.is_word("steps") || (form.head() == "steps" && form.size() == 1);
  return written && !vocabulary_.find_function("steps");
}

GroundCost LinearReader::read_ground(Form form, const Binding& binding) {
  if (is_step_count(form)) return {};
  if (form.is_list() && form.size() == 0)
    vocabulary_.fail(form, "expected a cost or a number but found '()'");
  GroundCost ground;
  const Form name = form.is_word() ? form : *form.begin();
  ground.function = vocabulary_.function(name);
  const std::vector<Parameter>& parameters =
      vocabulary_.tree().functions[ground.function.index()].parameters;
  if (form.is_word()) {
    if (parameters.empty()) return ground;
    vocabulary_.fail(form, fmt::format("the function {} has parameters", quoted(name.text())),
                     fmt::format("write ({} ...)", name.text()));
  }
  for (const Term term :
       read_arguments(form, "function", parameters, binding.scope, vocabulary_, Typing::certain))
    ground.arguments.push_back(term.is_variable() ? binding.objects[term.slot] : term.object);
  return ground;
}

Rational LinearReader::read_constant(Form form, const Binding& binding) {
  Linear linear = read(form, binding);
  if (!linear.coefficients.empty())
    vocabulary_.fail(form, "expected a number but found a cost",
                     "static numbers get their values in :init");
  return std::move(linear.constant);
}

GroundCost LinearReader::read_cost(Form form, const Binding& binding) {
  GroundCost ground = read_ground(form, binding);
  if (ground.function.valid() && !costs_.mention(ground.function))
    vocabulary_.fail(form, "this is a static number, not a cost",
                     "costs are functions that effects increase");
  return ground;
}

std::string to_string(Form form, const Binding& binding, const SyntaxTree& tree) {
  if (form.is_variable()) {
    if (const auto slot = binding.scope.find(form.text()))
      return tree.objects[binding.objects[*slot].index()].name;
  }
  if (form.is_word()) return std::string(form.text());
  std::string text = "(";
  for (const Form element : form) {
    if (text.size() > 1) text += ' ';
    text += to_string(element, binding, tree);
  }
  return text + ")";
}

}  // namespace carl::pddl
