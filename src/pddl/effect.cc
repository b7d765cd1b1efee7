#include "pddl/effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pddl/condition.h"
#include "pddl/diagnostics.h"
#include "pddl/numbers.h"

namespace carl::pddl {
namespace {

using Kind = Effect::Kind;

class EffectReader {
 public:
  EffectReader(Scope& scope, Vocabulary& vocabulary, FunctionUses& uses)
      : scope_(scope), vocabulary_(vocabulary), uses_(uses) {}

  Effect read(Form form);

 private:
  Effect read_conjunction(Form form);
  Effect read_literal(Form atom, Kind kind, Position position);
  Effect read_negation(Form form);
  Effect read_when(Form form);
  Effect read_forall(Form form);
  Effect read_probabilistic(Form form);
  Effect read_change(Form form);
  Amount read_probability(Form form);
  [[noreturn]] void fail_assignment(Form form) const;

  Scope& scope_;
  Vocabulary& vocabulary_;
  FunctionUses& uses_;
};

bool is_effect_word(std::string_view head) {
  constexpr std::array words{"and",           "not",      "when",    "forall",
                             "probabilistic", "increase", "decrease"};
  return std::find(words.begin(), words.end(), head) != words.end();
}

Effect make(Kind kind, Position position) {
  Effect effect;
  effect.kind = kind;
  effect.position = position;
  return effect;
}

Effect change(PredicateId predicate, std::vector<Term> terms, Kind kind, Position position) {
  Effect effect = make(kind, position);
  effect.predicate = predicate;
  effect.terms = std::move(terms);
  return effect;
}

Effect EffectReader::read(Form form) {
  vocabulary_.monitor().check();
  if (const auto predicate = vocabulary_.bare_predicate(form))
    return change(*predicate, {}, Kind::add, form.position());
  if (form.is_word())
    vocabulary_.fail(form, fmt::format("expected an effect but found {}", quoted(form.text())),
                     "a fact is written in parentheses, like (at ?x home)");
  const std::string_view head = form.head();
  if (form.size() == 0 || head == "and") return read_conjunction(form);
  if (head == "not") return read_negation(form);
  if (head == "when") return read_when(form);
  if (head == "forall") return read_forall(form);
  if (head == "probabilistic") return read_probabilistic(form);
  if (head == "increase" || head == "decrease") return read_change(form);
  if (vocabulary_.has_predicate(head)) return read_literal(form, Kind::add, form.position());
  if (head == "assign" || head == "scale-up" || head == "scale-down") fail_assignment(form);
  return read_literal(form, Kind::add, form.position());
}

Effect EffectReader::read_conjunction(Form form) {
  Effect effect = make(Kind::conjunction, form.position());
  if (form.size() == 0) return effect;
  effect.children.reserve(form.size() - 1);
  for (Form::Iterator i = ++form.begin(); i != form.end(); ++i)
    effect.children.push_back(read(*i));
  return effect;
}

Effect EffectReader::read_literal(Form atom, Kind kind, Position position) {
  const std::string_view head = atom.head();
  const bool is_name = vocabulary_.has_predicate(head);
  for (const std::string_view connective : {"or", "imply", "exists", "=", "oneof"})
    if (head == connective && !is_name)
      vocabulary_.fail(atom, fmt::format("'{}' cannot be an effect", connective),
                       connective == "oneof"
                           ? "give each outcome a probability: (probabilistic p e ...)"
                           : "an effect says which facts become true or false");
  const PredicateId predicate = vocabulary_.predicate(*atom.begin());
  return change(
      predicate,
      read_arguments(atom, "predicate", vocabulary_.tree().predicates[predicate.index()].parameters,
                     scope_, vocabulary_),
      kind, position);
}

Effect EffectReader::read_negation(Form form) {
  if (form.size() == 2)
    if (const auto predicate = vocabulary_.bare_predicate(form[1]))
      return change(*predicate, {}, Kind::remove, form.position());
  if (form.size() != 2 || !form[1].is_list() || form[1].size() == 0)
    vocabulary_.fail(form, "'not' in an effect takes one fact", "write (not (fact ...))");
  for (const std::string_view head : {"and", "not", "when", "forall", "probabilistic", "increase"})
    if (form[1].head() == head)
      vocabulary_.fail(form[1], fmt::format("'not' in an effect takes one fact, not '{}'", head));
  return read_literal(form[1], Kind::remove, form.position());
}

Effect EffectReader::read_when(Form form) {
  if (form.size() != 3)
    vocabulary_.fail(form, fmt::format("'when' takes a condition and an effect, not {} part{}",
                                       form.size() - 1, form.size() == 2 ? "" : "s"));
  Effect effect = make(Kind::when, form.position());
  effect.condition = read_condition(form[1], scope_, vocabulary_, uses_);
  effect.children.push_back(read(form[2]));
  return effect;
}

Effect EffectReader::read_forall(Form form) {
  Effect effect = make(Kind::forall, form.position());
  effect.quantifier = read_quantifier(form, scope_, vocabulary_);
  effect.children.push_back(read(form[2]));
  scope_.release(effect.quantifier.variables.size());
  return effect;
}

Effect EffectReader::read_probabilistic(Form form) {
  if (form.size() == 1 || form.size() % 2 == 0)
    vocabulary_.fail(form, "'probabilistic' takes pairs of a probability and an effect",
                     "write (probabilistic 0.3 effect 0.5 effect); with what remains nothing "
                     "happens");
  Effect effect = make(Kind::probabilistic, form.position());
  effect.children.reserve(form.size() / 2);
  Rational sum;
  for (Form::Iterator i = ++form.begin(); i != form.end(); ++i) {
    const Form written = *i;
    Amount probability = read_probability(written);
    const bool is_number = probability.kind == Amount::Kind::number;
    if (is_number) sum += probability.number;
    if (sum > 1)
      vocabulary_.fail(written, "the probabilities sum to more than 1",
                       fmt::format("up to here they sum to {}", to_double(sum)));
    Effect child = read(*++i);
    if (is_number && probability.number == 0) continue;  // checked, but it never happens
    effect.children.push_back(std::move(child));
    effect.probabilities.push_back(std::move(probability));
  }
  return effect;
}

/// What depends on the objects is checked when they are known, in each ground action.
Amount EffectReader::read_probability(Form form) {
  const bool is_effect =
      form.is_list() && !arithmetic_operator(form) && !vocabulary_.find_function(form.head()) &&
      (form.size() == 0 || vocabulary_.has_predicate(form.head()) || is_effect_word(form.head()));
  if (is_effect || (form.is_word() && !form.number() && !vocabulary_.find_function(form.text())))
    vocabulary_.fail(form,
                     fmt::format("expected a probability but found {}",
                                 form.is_list() ? std::string("'('") : quoted(form.text())),
                     "probabilities are written like 0.25, 1/4 or, with functions that have values "
                     "in :init, (risk ?x) and (- 1 (risk ?x))");
  Amount probability = read_amount(form, scope_, vocabulary_, uses_.probabilities);
  if (probability.kind == Amount::Kind::number &&
      (probability.number < 0 || probability.number > 1))
    vocabulary_.fail(
        form, fmt::format("the probability {} is {}",
                          quoted(form.is_word() ? form.text() : probability.number.get_str()),
                          probability.number < 0 ? "negative" : "greater than 1"));
  return probability;
}

Effect EffectReader::read_change(Form form) {
  const bool decrease = form.head() == "decrease";
  const auto bare = form.size() == 3 ? vocabulary_.bare_function(form[1]) : std::nullopt;
  if (!bare && (form.size() != 3 || !form[1].is_list() || form[1].size() == 0))
    vocabulary_.fail(form, fmt::format("'{}' takes a function and an amount", form.head()),
                     fmt::format("write ({} (function ...) amount)", form.head()));
  Effect effect = make(Kind::increase, form.position());
  const Form target = form[1];
  effect.function = bare ? *bare : vocabulary_.function(*target.begin());
  if (!bare)
    effect.terms = read_arguments(target, "function",
                                  vocabulary_.tree().functions[effect.function.index()].parameters,
                                  scope_, vocabulary_, Typing::certain);
  effect.amount = read_amount(form[2], scope_, vocabulary_, uses_.amounts);
  if (effect.amount.kind == Amount::Kind::number && effect.amount.number < 0)
    vocabulary_.fail(form[2], fmt::format("the amount of '{}' is negative", form.head()),
                     "costs only ever grow: amounts must be 0 or more");
  uses_.changes.push_back({effect.function, form.position(), decrease});
  return effect;
}

void EffectReader::fail_assignment(Form form) const {
  vocabulary_.fail(form, fmt::format("'{}' is not supported", form.head()),
                   "numeric functions are static numbers, or costs that effects 'increase'");
}

}  // namespace

Effect read_effect(Form form, Scope& scope, Vocabulary& vocabulary, FunctionUses& uses) {
  return EffectReader(scope, vocabulary, uses).read(form);
}

}  // namespace carl::pddl
