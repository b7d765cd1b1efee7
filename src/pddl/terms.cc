#include "pddl/terms.h"

#include <fmt/format.h>

#include "pddl/diagnostics.h"
#include "pddl/typed_list.h"

namespace carl::pddl {
namespace {

void check_arity(Form form, const char* kind, const std::vector<Parameter>& parameters,
                 const Vocabulary& vocabulary) {
  const std::size_t given = form.size() - 1;
  if (given == parameters.size()) return;
  std::string signature(form.head());
  for (const Parameter& parameter : parameters)
    signature += fmt::format(" {} - {}", parameter.name, vocabulary.to_string(parameter.types));
  vocabulary.fail(form,
                  fmt::format("the {} {} takes {} argument{}, not {}", kind, quoted(form.head()),
                              parameters.size(), parameters.size() == 1 ? "" : "s", given),
                  fmt::format("it is declared as ({})", signature));
}

[[noreturn]] void fail_type(Form argument, const std::vector<TypeId>& types, Form form,
                            const Parameter& parameter, const Vocabulary& vocabulary) {
  vocabulary.fail(argument,
                  fmt::format("{} is of type {}, but {} of {} must be of type {}",
                              quoted(argument.text()), vocabulary.to_string(types), parameter.name,
                              quoted(form.head()), vocabulary.to_string(parameter.types)));
}

}  // namespace

std::size_t Scope::bind(const std::vector<Parameter>& variables) {
  const std::size_t first = bound_.size();
  bound_.insert(bound_.end(), variables.begin(), variables.end());
  num_slots_ = std::max(num_slots_, bound_.size());
  return first;
}

std::optional<std::size_t> Scope::find(std::string_view name) const {
  for (std::size_t slot = bound_.size(); slot-- > 0;)
    if (bound_[slot].name == name) return slot;
  return std::nullopt;
}

std::vector<std::string_view> Scope::names() const {
  std::vector<std::string_view> names;
  for (const Parameter& variable : bound_)
    names.emplace_back(variable.name);
  return names;
}

Term read_term(Form form, const Scope& scope, const Vocabulary& vocabulary) {
  vocabulary.monitor().check();
  if (form.is_list())
    vocabulary.fail(form, "expected a variable or an object but found '('",
                    "terms cannot be nested: object fluents are not supported");
  if (!form.is_variable()) {
    if (scope.find(fmt::format("?{}", form.text())) && !vocabulary.has_object(form.text()))
      vocabulary.fail(form, fmt::format("unknown object {}", quoted(form.text())),
                      fmt::format("did you mean the variable '?{}'?", form.text()));
    return Term::constant(vocabulary.object(form));
  }
  if (const auto slot = scope.find(form.text())) return Term::variable(*slot);
  std::string hint = did_you_mean(form.text(), scope.names());
  if (hint.empty()) hint = "declare it in :parameters, or bind it by a quantifier";
  vocabulary.fail(form, fmt::format("undeclared variable {}", quoted(form.text())),
                  std::move(hint));
}

std::vector<Term> read_arguments(Form form, const char* kind,
                                 const std::vector<Parameter>& parameters, const Scope& scope,
                                 const Vocabulary& vocabulary, Typing typing) {
  check_arity(form, kind, parameters, vocabulary);
  std::vector<Term> terms;
  terms.reserve(parameters.size());
  for (Form::Iterator i = ++form.begin(); i != form.end(); ++i) {
    const Parameter& parameter = parameters[terms.size()];
    const Term term = read_term(*i, scope, vocabulary);
    if (term.is_variable()) {
      const std::vector<TypeId>& types = scope.types(term.slot);
      const bool fine = typing == Typing::certain ? vocabulary.implies(types, parameter.types)
                                                  : vocabulary.may_overlap(types, parameter.types);
      if (!fine) fail_type(*i, types, form, parameter, vocabulary);
    } else if (!vocabulary.fits(term.object, parameter.types)) {
      fail_type(*i, vocabulary.tree().objects[term.object.index()].types, form, parameter,
                vocabulary);
    }
    terms.push_back(term);
  }
  return terms;
}

std::vector<ObjectId> read_objects(Form form, const char* kind,
                                   const std::vector<Parameter>& parameters,
                                   const Vocabulary& vocabulary) {
  check_arity(form, kind, parameters, vocabulary);
  std::vector<ObjectId> objects;
  objects.reserve(parameters.size());
  for (Form::Iterator i = ++form.begin(); i != form.end(); ++i) {
    const Parameter& parameter = parameters[objects.size()];
    const ObjectId object = vocabulary.object(*i);
    if (!vocabulary.fits(object, parameter.types))
      fail_type(*i, vocabulary.tree().objects[object.index()].types, form, parameter, vocabulary);
    objects.push_back(object);
  }
  return objects;
}

Quantifier read_quantifier(Form form, Scope& scope, const Vocabulary& vocabulary) {
  if (form.size() != 3 || !form[1].is_list())
    vocabulary.fail(form, fmt::format("'{}' takes a list of variables and one form", form.head()),
                    fmt::format("write ({} (?x - type) ...)", form.head()));
  Quantifier quantifier;
  quantifier.variables = read_parameters(form[1].begin(), form[1].end(), vocabulary);
  quantifier.first_slot = scope.bind(quantifier.variables);
  return quantifier;
}

}  // namespace carl::pddl
