#include "task/static_numbers.h"

#include <fmt/format.h>

#include "task/atom_table.h"
#include "task/join.h"
#include "util/shown.h"

namespace carl::task {
namespace {

using Kind = pddl::Amount::Kind;
using Compared = pddl::Condition::Relation;

Arguments term_key(pddl::FunctionId function, const std::vector<pddl::Term>& terms,
                   const Bindings& bindings) {
  Arguments key = arguments_of(terms, bindings);
  key.insert(key.begin(), static_cast<std::uint32_t>(function.index()));
  return key;
}

/// Nothing if it divides by zero.
std::optional<Rational> combine(Kind kind, const Rational& left, const Rational& right) {
  if (kind == Kind::sum) return Rational(left + right);
  if (kind == Kind::difference) return Rational(left - right);
  if (kind == Kind::product) return Rational(left * right);
  if (right == 0) return std::nullopt;
  return Rational(left / right);
}

bool compare(Compared relation, const Rational& left, const Rational& right) {
  switch (relation) {
    case Compared::less:
      return left < right;
    case Compared::at_most:
      return left <= right;
    case Compared::equal:
      return left == right;
    case Compared::at_least:
      return left >= right;
    case Compared::greater:
      break;
  }
  return left > right;
}

}  // namespace

StaticNumbers::StaticNumbers(const pddl::SyntaxTree& tree,
                             const std::vector<pddl::SourceText>& sources)
    : tree_(tree), sources_(sources) {
  for (const pddl::FunctionValue& value : tree.values) {
    Arguments key{static_cast<std::uint32_t>(value.function.index())};
    for (const pddl::ObjectId argument : value.arguments)
      key.push_back(static_cast<std::uint32_t>(argument.index()));
    if (terms_.intern(key) == values_.size()) values_.push_back(value.value);
  }
}

std::optional<Rational> StaticNumbers::find_function(const pddl::Amount& amount,
                                                     const Bindings& bindings) const {
  for (const pddl::Term& term : amount.terms)
    if (term.is_variable() && bindings[term.slot] == unbound) return std::nullopt;
  const auto term = terms_.find(term_key(amount.function, amount.terms, bindings));
  return term ? std::optional(values_[*term]) : std::nullopt;
}

std::optional<Rational> StaticNumbers::find(const pddl::Amount& amount,
                                            const Bindings& bindings) const {
  if (amount.kind == Kind::number) return amount.number;
  if (amount.kind == Kind::function) return find_function(amount, bindings);
  std::optional<Rational> result = find(amount.operands[0], bindings);
  for (std::size_t i = 1; result && i < amount.operands.size(); ++i) {
    const std::optional<Rational> operand = find(amount.operands[i], bindings);
    if (!operand) return std::nullopt;
    result = combine(amount.kind, *result, *operand);
  }
  return result;
}

Rational StaticNumbers::value(const pddl::Amount& amount, const Bindings& bindings,
                              User user) const {
  if (const auto known = find(amount, bindings)) return *known;
  complain(amount, bindings, user());
}

void StaticNumbers::complain(const pddl::Amount& amount, const Bindings& bindings,
                             const std::string& user) const {
  for (const pddl::Amount& operand : amount.operands)
    if (!find(operand, bindings)) complain(operand, bindings, user);
  if (amount.kind != Kind::function)
    throw pddl::error_at(sources_, amount.position, fmt::format("division by zero in {}", user));
  const Arguments key = term_key(amount.function, amount.terms, bindings);
  const std::string name =
      ground_name(tree_.functions[amount.function.index()].name, Tuple(key).subspan(1), tree_);
  throw pddl::error_at(sources_, amount.position,
                       fmt::format("{} has no value, but {} needs it", shown(name), user),
                       fmt::format("give it in the problem's :init, as in (= {} 1)", shown(name)));
}

bool StaticNumbers::holds(Compared relation, const std::vector<pddl::Amount>& sides,
                          const Bindings& bindings, User user) const {
  return compare(relation, value(sides[0], bindings, user), value(sides[1], bindings, user));
}

std::optional<bool> StaticNumbers::holds_if_known(Compared relation,
                                                  const std::vector<pddl::Amount>& sides,
                                                  const Bindings& bindings) const {
  const auto left = find(sides[0], bindings);
  const auto right = left ? find(sides[1], bindings) : std::nullopt;
  if (!right) return std::nullopt;
  return compare(relation, *left, *right);
}

}  // namespace carl::task
