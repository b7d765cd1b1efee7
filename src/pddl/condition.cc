#include "pddl/condition.h"

#include <fmt/format.h>

#include "pddl/diagnostics.h"

namespace carl::pddl {
namespace {

using Kind = Condition::Kind;

Condition make(Kind kind, Position position) {
  Condition condition;
  condition.kind = kind;
  condition.position = position;
  return condition;
}

Condition negate(Condition child, Position position) {
  Condition condition = make(Kind::negation, position);
  condition.children.push_back(std::move(child));
  return condition;
}

void expect_parts(Form form, std::size_t parts, const Vocabulary& vocabulary) {
  if (form.size() != parts + 1)
    vocabulary.fail(form, fmt::format("'{}' takes {} condition{}, not {}", form.head(), parts,
                                      parts == 1 ? "" : "s", form.size() - 1));
}

Condition read_junction(Form form, Kind kind, Scope& scope, const Vocabulary& vocabulary) {
  Condition condition = make(kind, form.position());
  condition.children.reserve(form.size() - 1);
  for (Form::Iterator i = ++form.begin(); i != form.end(); ++i)
    condition.children.push_back(read_condition(*i, scope, vocabulary));
  return condition;
}

Condition read_implication(Form form, Scope& scope, const Vocabulary& vocabulary) {
  expect_parts(form, 2, vocabulary);
  Condition condition = make(Kind::disjunction, form.position());
  condition.children.push_back(
      negate(read_condition(form[1], scope, vocabulary), form[1].position()));
  condition.children.push_back(read_condition(form[2], scope, vocabulary));
  return condition;
}

Condition read_quantified(Form form, Scope& scope, const Vocabulary& vocabulary) {
  Condition condition =
      make(form.head() == "exists" ? Kind::exists : Kind::forall, form.position());
  condition.quantifier = read_quantifier(form, scope, vocabulary);
  condition.children.push_back(read_condition(form[2], scope, vocabulary));
  scope.release(condition.quantifier.variables.size());
  return condition;
}

[[noreturn]] void fail_comparison(Form form, const Vocabulary& vocabulary) {
  vocabulary.fail(form, "a comparison of numbers cannot be part of a condition",
                  "costs only add up and are not part of the state: bound what is expected in "
                  "(:constraints (<= (expected (f)) number)), or model the quantity by facts");
}

Condition read_equality(Form form, const Scope& scope, const Vocabulary& vocabulary) {
  if (form.size() != 3)
    vocabulary.fail(form, fmt::format("'=' takes two terms, not {}", form.size() - 1));
  for (std::size_t i : {1U, 2U})
    if (form[i].is_list() || form[i].number()) fail_comparison(form, vocabulary);
  Condition condition = make(Kind::equality, form.position());
  condition.terms = {read_term(form[1], scope, vocabulary), read_term(form[2], scope, vocabulary)};
  return condition;
}

Condition read_atom(Form form, const Scope& scope, const Vocabulary& vocabulary) {
  const Form head = *form.begin();
  if (head.is_word("<") || head.is_word("<=") || head.is_word(">") || head.is_word(">="))
    fail_comparison(form, vocabulary);
  if (head.is_word("preference"))
    vocabulary.fail(form, "preferences are not supported",
                    "bound or minimise an expected cost instead");
  for (const std::string_view effect : {"when", "probabilistic", "increase", "decrease"})
    if (head.is_word(effect))
      vocabulary.fail(form,
                      fmt::format("'{}' is an effect and cannot be part of a condition", effect));
  Condition condition = make(Kind::atom, form.position());
  condition.predicate = vocabulary.predicate(head);
  condition.terms = read_arguments(
      form, "predicate", vocabulary.tree().predicates[condition.predicate.index()].parameters,
      scope, vocabulary);
  return condition;
}

}  // namespace

Condition read_condition(Form form, Scope& scope, const Vocabulary& vocabulary) {
  vocabulary.monitor().check();
  if (form.is_word())
    vocabulary.fail(form, fmt::format("expected a condition but found {}", quoted(form.text())),
                    "a fact is written in parentheses, like (at ?x home)");
  if (form.size() == 0) return make(Kind::conjunction, form.position());
  const std::string_view head = form.head();
  if (head == "and") return read_junction(form, Kind::conjunction, scope, vocabulary);
  if (head == "or") return read_junction(form, Kind::disjunction, scope, vocabulary);
  if (head == "imply") return read_implication(form, scope, vocabulary);
  if (head == "exists" || head == "forall") return read_quantified(form, scope, vocabulary);
  if (head == "=") return read_equality(form, scope, vocabulary);
  if (head == "not") {
    expect_parts(form, 1, vocabulary);
    return negate(read_condition(form[1], scope, vocabulary), form.position());
  }
  return read_atom(form, scope, vocabulary);
}

}  // namespace carl::pddl
