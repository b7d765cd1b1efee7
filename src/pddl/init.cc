#include "pddl/init.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "pddl/diagnostics.h"
#include "pddl/effect.h"
#include "pddl/numbers.h"
#include "pddl/terms.h"

namespace carl::pddl {
namespace {

/// A predicate or function with its arguments, to look it up by.
std::vector<std::size_t> key(std::size_t head, const std::vector<ObjectId>& arguments) {
  std::vector<std::size_t> result{head};
  result.reserve(arguments.size() + 1);
  for (const ObjectId object : arguments)
    result.push_back(object.index());
  return result;
}

class InitReader {
 public:
  InitReader(Vocabulary& vocabulary, FunctionUses& uses, SyntaxTree& tree)
      : vocabulary_(vocabulary), uses_(uses), tree_(tree) {}

  void read(Form form);
  /// To be called once all else is read: probabilities may depend on values.
  InitialValues finish();

 private:
  void read_value(Form form);
  void read_draw(Form form);
  GroundAtom read_fact(Form form) const;
  void check_supported(Form form) const;
  void check_draw(const Effect& effect) const;
  void work_out_probabilities(Effect& effect) const;
  Rational value(const Amount& amount) const;
  void add(GroundAtom fact);

  Vocabulary& vocabulary_;
  FunctionUses& uses_;
  SyntaxTree& tree_;
  absl::flat_hash_set<std::vector<std::size_t>> known_;
  InitialValues values_;
  std::vector<Form> draws_;
};

void InitReader::read(Form form) {
  vocabulary_.monitor().check();
  if (const auto predicate = vocabulary_.bare_predicate(form)) return add({*predicate, {}});
  if (form.is_word() || form.size() == 0)
    vocabulary_.fail(form,
                     fmt::format("expected a fact but found {}",
                                 form.is_list() ? std::string("'()'") : quoted(form.text())),
                     "a fact is written in parentheses, like (at truck home)");
  if (!vocabulary_.has_predicate(form.head())) check_supported(form);
  if (form.head() == "=") return read_value(form);
  if (form.head() == "probabilistic") return draws_.push_back(form);
  if (form.head() == "and") {
    for (Form::Iterator i = ++form.begin(); i != form.end(); ++i)
      read(*i);
    return;
  }
  if (form.head() == "not") {
    if (form.size() == 2 && vocabulary_.bare_predicate(form[1])) return;
    if (form.size() != 2 || form[1].is_word() || form[1].size() == 0)
      vocabulary_.fail(form, "'not' takes one fact", "write (not (fact ...))");
    read_fact(form[1]);
    return;
  }
  add(read_fact(form));
}

void InitReader::add(GroundAtom fact) {
  if (known_.insert(key(fact.predicate.index(), fact.arguments)).second)
    tree_.init.push_back(std::move(fact));
}

InitialValues InitReader::finish() {
  for (const Form draw : draws_)
    read_draw(draw);
  return std::move(values_);
}

void InitReader::read_draw(Form form) {
  Scope scope;
  Effect drawn = read_effect(form, scope, vocabulary_, uses_);
  check_draw(drawn);
  work_out_probabilities(drawn);
  if (!tree_.initial_draw) {
    tree_.initial_draw.emplace();
    tree_.initial_draw->position = form.position();
  }
  tree_.initial_draw->children.push_back(std::move(drawn));
}

void InitReader::check_draw(const Effect& effect) const {
  using Kind = Effect::Kind;
  if (effect.kind == Kind::when || effect.kind == Kind::forall || effect.kind == Kind::increase)
    vocabulary_.fail(effect.position, "only facts can be drawn in :init",
                     "write (probabilistic 0.5 (fact ...) 0.5 (and (fact ...) (fact ...)))");
  for (const Effect& child : effect.children)
    check_draw(child);
}

void InitReader::work_out_probabilities(Effect& effect) const {
  for (Effect& child : effect.children)
    work_out_probabilities(child);
  if (effect.kind != Effect::Kind::probabilistic) return;
  Rational sum;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < effect.children.size(); ++i) {
    Amount& probability = effect.probabilities[i];
    probability.number = value(probability);
    probability.kind = Amount::Kind::number;
    if (const auto wrong = wrong_probability(probability.number, sum += probability.number))
      vocabulary_.fail(probability.position, *wrong);
    if (probability.number == 0) continue;
    if (kept < i) effect.children[kept] = std::move(effect.children[i]);
    effect.probabilities[kept++] = std::move(probability);
  }
  effect.children.resize(kept);
  effect.probabilities.resize(kept);
}

Rational InitReader::value(const Amount& amount) const {
  if (amount.kind == Amount::Kind::number) return amount.number;
  if (amount.kind != Amount::Kind::function) {
    Rational result = value(amount.operands[0]);
    for (std::size_t i = 1; i < amount.operands.size(); ++i)
      result =
          calculate(amount.kind, result, value(amount.operands[i]), amount.position, vocabulary_);
    return result;
  }
  std::vector<ObjectId> arguments;
  for (const Term& term : amount.terms)
    arguments.push_back(term.object);
  if (const Rational* known = values_.find(amount.function, arguments)) return *known;
  vocabulary_.fail(amount.position, "this function has no value",
                   "give it in :init, as in (= (function object ...) 1/4)");
}

void InitReader::check_supported(Form form) const {
  if (form.head() == "oneof" || form.head() == "unknown" || form.head() == "or")
    vocabulary_.fail(form, fmt::format("'{}' is not supported in :init", form.head()),
                     "give each state a probability: (probabilistic 0.5 (fact ...) 0.5 ...)");
  if (form.head() == "at" && form.size() == 3 && form[1].number() && form[2].is_list())
    vocabulary_.fail(form, "timed initial literals are not supported");
}

void InitReader::read_value(Form form) {
  if (form.size() != 3 || form[1].is_word() || form[1].size() == 0)
    vocabulary_.fail(form, "expected the value of a function",
                     "write (= (function object ...) number)");
  const Form target = form[1];
  const FunctionId function = vocabulary_.function(*target.begin());
  std::vector<ObjectId> arguments = read_objects(
      target, "function", vocabulary_.tree().functions[function.index()].parameters, vocabulary_);
  values_.add(
      {{function, std::move(arguments), read_number(form[2], vocabulary_)}, form.position()},
      vocabulary_);
}

GroundAtom InitReader::read_fact(Form form) const {
  const PredicateId predicate = vocabulary_.predicate(*form.begin());
  return {predicate,
          read_objects(form, "predicate",
                       vocabulary_.tree().predicates[predicate.index()].parameters, vocabulary_)};
}

}  // namespace

const Rational* InitialValues::find(FunctionId function,
                                    const std::vector<ObjectId>& arguments) const {
  const auto found = index_.find(key(function.index(), arguments));
  return found == index_.end() ? nullptr : &entries_[found->second].value.value;
}

void InitialValues::add(Entry entry, const Vocabulary& vocabulary) {
  const auto [place, is_new] =
      index_.try_emplace(key(entry.value.function.index(), entry.value.arguments), entries_.size());
  if (is_new) {
    entries_.push_back(std::move(entry));
    return;
  }
  const Entry& earlier = entries_[place->second];
  if (earlier.value.value != entry.value.value)
    vocabulary.fail(entry.position, "a second, different value of the same function",
                    fmt::format("the first is in line {}", earlier.position.line));
}

InitialValues read_init(const std::optional<Form>& section, Vocabulary& vocabulary,
                        FunctionUses& uses, SyntaxTree& tree) {
  InitReader reader(vocabulary, uses, tree);
  if (section)
    for (Form::Iterator i = ++section->begin(); i != section->end(); ++i)
      reader.read(*i);
  return reader.finish();
}

}  // namespace carl::pddl
