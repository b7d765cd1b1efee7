#include "pddl/numbers.h"

#include <fmt/format.h>

#include <algorithm>

#include "pddl/diagnostics.h"
#include "util/cost_limit.h"
#include "util/shown.h"

namespace carl::pddl {
namespace {

/// As check_range() has it.
constexpr double smallest_probability = 1e-299;

bool is_number(const Amount& amount) {
  return amount.kind == Amount::Kind::number;
}

Amount make_number(Rational value, Position position) {
  Amount amount;
  amount.number = std::move(value);
  amount.position = position;
  return amount;
}

Amount read_arithmetic(Form form, Amount::Kind kind, const Scope& scope, Vocabulary& vocabulary,
                       std::vector<FunctionUse>& uses) {
  check_operands(form, vocabulary);
  Amount amount;
  amount.kind = kind;
  amount.position = form.position();
  amount.operands.reserve(form.size());
  for (Form::Iterator i = ++form.begin(); i != form.end(); ++i)
    amount.operands.push_back(read_amount(*i, scope, vocabulary, uses));
  if (kind == Amount::Kind::difference && amount.operands.size() == 1)
    amount.operands.insert(amount.operands.begin(), make_number(0, form.position()));
  if (!std::all_of(amount.operands.begin(), amount.operands.end(), is_number)) return amount;
  Rational value = amount.operands.front().number;
  for (std::size_t i = 1; i < amount.operands.size(); ++i)
    value = calculate(kind, value, amount.operands[i].number, form.position(), vocabulary);
  return make_number(std::move(value), form.position());
}

}  // namespace

Rational read_number(Form form, const Vocabulary& vocabulary) {
  vocabulary.monitor().check();
  if (form.is_list()) vocabulary.fail(form, "expected a number but found '('");
  const auto value = form.number();
  if (!value)
    vocabulary.fail(form, fmt::format("expected a number but found {}", quoted(form.text())),
                    "numbers are written like 3, 0.25, 1e-3 or 1/3");
  check_range(*value, form.position(), vocabulary);
  return *value;
}

void check_range(const Rational& value, Position position, const Vocabulary& vocabulary) {
  // About 1e-300 … 1e300, told by the number of bits: exact powers would cost more than the rest.
  constexpr long bits = 996;
  if (value == 0) return;
  const auto numerator = static_cast<long>(mpz_sizeinbase(value.get_num_mpz_t(), 2));
  const auto denominator = static_cast<long>(mpz_sizeinbase(value.get_den_mpz_t(), 2));
  if (std::abs(numerator - denominator) > bits)
    vocabulary.fail(position, "the number is out of range",
                    "its absolute value must be 0 or between 1e-299 and 1e299");
}

void check_largest_cost(std::string_view what, const Rational& value, Position position,
                        const Vocabulary& vocabulary) {
  if (value > largest_cost)
    vocabulary.fail(position, above_largest_cost(what, to_double(value)), largest_cost_hint);
}

std::optional<Amount::Kind> arithmetic_operator(Form form) {
  const std::string_view head = form.head();
  if (head == "+") return Amount::Kind::sum;
  if (head == "-") return Amount::Kind::difference;
  if (head == "*") return Amount::Kind::product;
  if (head == "/") return Amount::Kind::quotient;
  return std::nullopt;
}

void check_operands(Form form, const Vocabulary& vocabulary) {
  const std::size_t operands = form.size() - 1;
  const std::string_view head = form.head();
  if ((head == "+" || head == "*") && operands == 0)
    vocabulary.fail(form, fmt::format("'{}' takes one operand or more", head));
  if (head == "-" && operands != 1 && operands != 2)
    vocabulary.fail(form, fmt::format("'-' takes one or two operands, not {}", operands));
  if (head == "/" && operands != 2)
    vocabulary.fail(form, fmt::format("'/' takes two operands, not {}", operands));
}

Rational calculate(Amount::Kind kind, const Rational& left, const Rational& right,
                   Position position, const Vocabulary& vocabulary) {
  if (kind == Amount::Kind::quotient && right == 0) vocabulary.fail(position, "division by zero");
  Rational value;
  if (kind == Amount::Kind::sum) value = left + right;
  if (kind == Amount::Kind::difference) value = left - right;
  if (kind == Amount::Kind::product) value = left * right;
  if (kind == Amount::Kind::quotient) value = left / right;
  check_range(value, position, vocabulary);
  return value;
}

std::optional<std::string> wrong_probability(const Rational& probability, const Rational& sum) {
  if (probability < 0)
    return fmt::format("the probability is negative ({})", shown(probability.get_str()));
  if (probability > 1)
    return fmt::format("the probability is greater than 1 ({})", shown(probability.get_str()));
  if (probability > 0 && to_double(probability) < smallest_probability)
    return std::string("the probability is too small to be told from 0");
  if (sum > 1)
    return fmt::format("the probabilities sum to more than 1 ({})", shown(sum.get_str()));
  return std::nullopt;
}

Amount read_amount(Form form, const Scope& scope, Vocabulary& vocabulary,
                   std::vector<FunctionUse>& uses) {
  if (form.is_word()) {
    if (vocabulary.find_function(form.text()))
      vocabulary.fail(form, fmt::format("expected a number but found {}", quoted(form.text())),
                      fmt::format("to use the function write ({})", form.text()));
    return make_number(read_number(form, vocabulary), form.position());
  }
  if (const auto kind = arithmetic_operator(form))
    return read_arithmetic(form, *kind, scope, vocabulary, uses);
  if (form.size() == 0) vocabulary.fail(form, "expected a number but found '()'");
  Amount amount;
  amount.kind = Amount::Kind::function;
  amount.position = form.position();
  amount.function = vocabulary.function(*form.begin());
  amount.terms = read_arguments(form, "function",
                                vocabulary.tree().functions[amount.function.index()].parameters,
                                scope, vocabulary);
  uses.push_back({amount.function, form.position()});
  return amount;
}

}  // namespace carl::pddl
