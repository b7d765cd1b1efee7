#include "pddl/condition.h"

#include <fmt/format.h>

#include <optional>

#include "pddl/diagnostics.h"
#include "pddl/numbers.h"

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

std::optional<Condition::Relation> relation_named(std::string_view word) {
  if (word == "<") return Condition::Relation::less;
  if (word == "<=") return Condition::Relation::at_most;
  if (word == ">=") return Condition::Relation::at_least;
  if (word == ">") return Condition::Relation::greater;
  return std::nullopt;
}

class ConditionReader {
 public:
  ConditionReader(Scope& scope, Vocabulary& vocabulary, FunctionUses& uses)
      : scope_(scope), vocabulary_(vocabulary), uses_(uses) {}

  Condition read(Form form);

 private:
  void expect_parts(Form form, std::size_t parts) const;
  Condition read_junction(Form form, Kind kind);
  Condition read_implication(Form form);
  Condition read_quantified(Form form);
  Condition read_equality(Form form);
  Condition read_comparison(Form form, Condition::Relation relation);
  Condition read_atom(Form form);
  void check_supported(Form form) const;

  Scope& scope_;
  Vocabulary& vocabulary_;
  FunctionUses& uses_;
};

Condition ConditionReader::read(Form form) {
  vocabulary_.monitor().check();
  if (const auto predicate = vocabulary_.bare_predicate(form)) {
    Condition condition = make(Kind::atom, form.position());
    condition.predicate = *predicate;
    return condition;
  }
  if (form.is_word())
    vocabulary_.fail(form, fmt::format("expected a condition but found {}", quoted(form.text())),
                     "a fact is written in parentheses, like (at ?x home)");
  if (form.size() == 0) return make(Kind::conjunction, form.position());
  const std::string_view head = form.head();
  if (head == "and") return read_junction(form, Kind::conjunction);
  if (head == "or") return read_junction(form, Kind::disjunction);
  if (head == "imply") return read_implication(form);
  if (head == "exists" || head == "forall") return read_quantified(form);
  if (head == "=") return read_equality(form);
  if (const auto relation = relation_named(head)) return read_comparison(form, *relation);
  if (head == "not") {
    expect_parts(form, 1);
    return negate(read(form[1]), form.position());
  }
  return read_atom(form);
}

void ConditionReader::expect_parts(Form form, std::size_t parts) const {
  if (form.size() != parts + 1)
    vocabulary_.fail(form, fmt::format("'{}' takes {} condition{}, not {}", form.head(), parts,
                                       parts == 1 ? "" : "s", form.size() - 1));
}

Condition ConditionReader::read_junction(Form form, Kind kind) {
  Condition condition = make(kind, form.position());
  condition.children.reserve(form.size() - 1);
  for (Form::Iterator i = ++form.begin(); i != form.end(); ++i)
    condition.children.push_back(read(*i));
  return condition;
}

Condition ConditionReader::read_implication(Form form) {
  expect_parts(form, 2);
  Condition condition = make(Kind::disjunction, form.position());
  condition.children.push_back(negate(read(form[1]), form[1].position()));
  condition.children.push_back(read(form[2]));
  return condition;
}

Condition ConditionReader::read_quantified(Form form) {
  Condition condition =
      make(form.head() == "exists" ? Kind::exists : Kind::forall, form.position());
  condition.quantifier = read_quantifier(form, scope_, vocabulary_);
  condition.children.push_back(read(form[2]));
  scope_.release(condition.quantifier.variables.size());
  return condition;
}

/// Of two objects, unless one side can only be a number.
Condition ConditionReader::read_equality(Form form) {
  if (form.size() != 3)
    vocabulary_.fail(form, fmt::format("'=' takes two terms, not {}", form.size() - 1));
  for (std::size_t i : {1U, 2U})
    if (form[i].is_list() || form[i].number())
      return read_comparison(form, Condition::Relation::equal);
  Condition condition = make(Kind::equality, form.position());
  condition.terms = {read_term(form[1], scope_, vocabulary_),
                     read_term(form[2], scope_, vocabulary_)};
  return condition;
}

Condition ConditionReader::read_comparison(Form form, Condition::Relation relation) {
  if (form.size() != 3)
    vocabulary_.fail(form,
                     fmt::format("'{}' takes two numbers, not {}", form.head(), form.size() - 1));
  Condition condition = make(Kind::comparison, form.position());
  condition.relation = relation;
  for (std::size_t i : {1U, 2U})
    condition.sides.push_back(read_amount(form[i], scope_, vocabulary_, uses_.compared));
  return condition;
}

Condition ConditionReader::read_atom(Form form) {
  const Form head = *form.begin();
  if (!vocabulary_.has_predicate(head.text())) check_supported(form);
  Condition condition = make(Kind::atom, form.position());
  condition.predicate = vocabulary_.predicate(head);
  condition.terms = read_arguments(
      form, "predicate", vocabulary_.tree().predicates[condition.predicate.index()].parameters,
      scope_, vocabulary_);
  return condition;
}

void ConditionReader::check_supported(Form form) const {
  if (form.head() == "preference")
    vocabulary_.fail(form, "preferences are not supported",
                     "bound or minimise an expected cost instead");
  for (const std::string_view effect : {"when", "probabilistic", "increase", "decrease"})
    if (form.head() == effect)
      vocabulary_.fail(form,
                       fmt::format("'{}' is an effect and cannot be part of a condition", effect));
}

}  // namespace

Condition read_condition(Form form, Scope& scope, Vocabulary& vocabulary, FunctionUses& uses) {
  return ConditionReader(scope, vocabulary, uses).read(form);
}

}  // namespace carl::pddl
