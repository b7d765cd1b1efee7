#include "pddl/init.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "pddl/diagnostics.h"
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
  InitReader(Vocabulary& vocabulary, std::vector<GroundAtom>& facts)
      : vocabulary_(vocabulary), facts_(facts) {}

  void read(Form form);
  InitialValues take_values() { return std::move(values_); }

 private:
  void read_value(Form form);
  GroundAtom read_fact(Form form) const;
  void check_supported(Form form) const;

  Vocabulary& vocabulary_;
  std::vector<GroundAtom>& facts_;
  absl::flat_hash_set<std::vector<std::size_t>> known_;
  InitialValues values_;
};

void InitReader::read(Form form) {
  vocabulary_.monitor().check();
  if (form.is_word() || form.size() == 0)
    vocabulary_.fail(form,
                     fmt::format("expected a fact but found {}",
                                 form.is_list() ? std::string("'()'") : quoted(form.text())),
                     "a fact is written in parentheses, like (at truck home)");
  check_supported(form);
  if (form.head() == "=") return read_value(form);
  if (form.head() == "and") {
    for (Form::Iterator i = ++form.begin(); i != form.end(); ++i)
      read(*i);
    return;
  }
  if (form.head() == "not") {
    if (form.size() != 2 || form[1].is_word() || form[1].size() == 0)
      vocabulary_.fail(form, "'not' takes one fact", "write (not (fact ...))");
    read_fact(form[1]);
    return;
  }
  GroundAtom fact = read_fact(form);
  if (known_.insert(key(fact.predicate.index(), fact.arguments)).second)
    facts_.push_back(std::move(fact));
}

void InitReader::check_supported(Form form) const {
  if (form.head() == "probabilistic")
    vocabulary_.fail(form, "'probabilistic' is not supported in :init",
                     "let a first action draw the initial state");
  if (form.head() == "oneof" || form.head() == "unknown" || form.head() == "or")
    vocabulary_.fail(form, fmt::format("'{}' is not supported in :init", form.head()),
                     "the initial state must be known");
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

InitialValues read_init(Form section, Vocabulary& vocabulary, std::vector<GroundAtom>& facts) {
  InitReader reader(vocabulary, facts);
  for (Form::Iterator i = ++section.begin(); i != section.end(); ++i)
    reader.read(*i);
  return reader.take_values();
}

}  // namespace carl::pddl
