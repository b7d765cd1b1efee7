#include "pddl/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pddl/diagnostics.h"
#include "pddl/typed_list.h"

namespace carl::pddl {
namespace {

constexpr std::array<std::string_view, 18> requirements{
    ":strips",
    ":typing",
    ":equality",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":adl",
    ":probabilistic-effects",
    ":probabilistic-init",
    ":action-costs",
    ":fluents",
    ":numeric-fluents",
    ":rewards",
    ":constraints",
    ":mdp",
};

constexpr std::array<std::string_view, 11> unsupported_requirements{
    ":durative-actions",      ":duration-inequalities",
    ":continuous-effects",    ":derived-predicates",
    ":domain-axioms",         ":timed-initial-literals",
    ":timed-initial-fluents", ":preferences",
    ":object-fluents",        ":time",
    ":non-deterministic"};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void check_requirements(Form section, const Vocabulary& vocabulary) {
  for (Form::Iterator i = ++section.begin(); i != section.end(); ++i) {
    const std::string_view word = (*i).text();
    if (contains(requirements, word)) continue;
    if (contains(unsupported_requirements, word))
      vocabulary.fail(*i, fmt::format("the requirement '{}' is not supported", word),
                      "if the domain does not use it, delete it here");
    std::string hint = did_you_mean(word, requirements);
    vocabulary.fail(
        *i,
        (*i).is_list() ? std::string("expected a requirement but found '('")
                       : fmt::format("unknown requirement {}", quoted(word)),
        hint.empty() ? fmt::format("known are {}", fmt::join(requirements, " ")) : hint);
  }
}

/// Children are counted down from the leaves; what is left over lies on or above a cycle.
void check_acyclic(const std::vector<Form>& declared, const Vocabulary& vocabulary) {
  const std::vector<Type>& types = vocabulary.tree().types;
  std::vector<std::size_t> children(types.size());
  for (const Type& type : types)
    for (const TypeId parent : type.parents)
      ++children[parent.index()];
  std::vector<std::size_t> leaves;
  for (std::size_t t = 0; t < types.size(); ++t)
    if (children[t] == 0) leaves.push_back(t);
  while (!leaves.empty()) {
    const std::size_t leaf = leaves.back();
    leaves.pop_back();
    for (const TypeId parent : types[leaf].parents)
      if (--children[parent.index()] == 0) leaves.push_back(parent.index());
  }
  for (const Form name : declared) {
    const TypeId type = vocabulary.type(name);
    if (type.index() == 0 || children[type.index()] == 0) continue;
    // Above a cycle there may be innocent types; those on it are their own ancestors.
    for (const TypeId parent : types[type.index()].parents)
      if (vocabulary.is_subtype(parent, type))
        vocabulary.fail(name, fmt::format("the type {} is its own ancestor", quoted(name.text())));
  }
}

/// Types that occur nowhere but as the parents of others.
void declare_supertypes(const std::vector<TypedGroup>& groups, Vocabulary& vocabulary) {
  for (const TypedGroup& group : groups) {
    for (const Form name : group.types) {
      if (!vocabulary.has_type(name.text())) vocabulary.declare_supertype(name);
    }
  }
}

void read_types(Form section, Vocabulary& vocabulary) {
  const std::vector<TypedGroup> groups =
      split_typed_list(++section.begin(), section.end(), vocabulary);
  std::vector<Form> declared;
  for (const TypedGroup& group : groups) {
    for (const Form name : group.names) {
      vocabulary.declare_type(name);
      declared.push_back(name);
    }
  }
  declare_supertypes(groups, vocabulary);
  for (const TypedGroup& group : groups) {
    const std::vector<TypeId> parents = resolve_types(group, vocabulary);
    for (const Form name : group.names) {
      const TypeId type = vocabulary.type(name);
      if (type.index() != 0) {
        vocabulary.set_parents(type, parents);
      } else if (parents != std::vector{TypeId(0)}) {
        vocabulary.fail(name, "'object' is the root of all types and cannot have a parent");
      }
    }
  }
  check_acyclic(declared, vocabulary);
}

void read_objects_section(Form section, Vocabulary& vocabulary) {
  for (const TypedGroup& group : split_typed_list(++section.begin(), section.end(), vocabulary)) {
    const std::vector<TypeId> types = resolve_types(group, vocabulary);
    for (const Form name : group.names) {
      if (name.is_variable())
        vocabulary.fail(name, "expected the name of an object but found a variable");
      vocabulary.declare_object(name, types);
    }
  }
}

void check_signature(Form form, const char* kind, const Vocabulary& vocabulary) {
  if (form.is_word() || form.size() == 0)
    vocabulary.fail(form, fmt::format("expected a {} with its parameters", kind),
                    "write (name ?x - type ...), also if there are no parameters: (name)");
}

void read_predicates(Form section, Vocabulary& vocabulary) {
  for (Form::Iterator i = ++section.begin(); i != section.end(); ++i) {
    const Form form = *i;
    check_signature(form, "predicate", vocabulary);
    vocabulary.declare_predicate(*form.begin(),
                                 read_parameters(++form.begin(), form.end(), vocabulary));
  }
}

void read_functions(Form section, Vocabulary& vocabulary) {
  for (Form::Iterator i = ++section.begin(); i != section.end(); ++i) {
    const Form form = *i;
    if (form.is_word("-")) {
      if (++i == section.end()) vocabulary.fail(form, "'-' needs a type after it");
      if (!(*i).is_word("number"))
        vocabulary.fail(*i, "object fluents are not supported",
                        "functions are numbers: write '- number' or nothing");
      continue;
    }
    check_signature(form, "function", vocabulary);
    if (form.head() == "expected")
      vocabulary.fail(*form.begin(), "'expected' cannot be the name of a function",
                      "it is part of the language of (:constraints ...)");
    vocabulary.declare_function(*form.begin(),
                                read_parameters(++form.begin(), form.end(), vocabulary));
  }
}

}  // namespace

void read_declarations(const Definitions& definitions, Vocabulary& vocabulary) {
  const Definition& domain = definitions.domain;
  const Definition& problem = definitions.problem;
  for (const Definition* definition : {&domain, &problem})
    if (const auto section = definition->section(":requirements"))
      check_requirements(*section, vocabulary);
  if (const auto section = domain.section(":types")) read_types(*section, vocabulary);
  if (const auto section = domain.section(":constants")) read_objects_section(*section, vocabulary);
  if (const auto section = problem.section(":objects")) read_objects_section(*section, vocabulary);
  if (const auto section = domain.section(":predicates")) read_predicates(*section, vocabulary);
  if (const auto section = domain.section(":functions")) read_functions(*section, vocabulary);
}

}  // namespace carl::pddl
