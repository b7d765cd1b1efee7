#include "pddl/typed_list.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "pddl/diagnostics.h"

namespace carl::pddl {
namespace {

std::vector<Form> read_type_words(Form type, const Vocabulary& vocabulary) {
  if (type.is_word()) return {type};
  if (type.head() != "either")
    vocabulary.fail(type, "expected a type", "a type is a name or (either name name ...)");
  if (type.size() == 1) vocabulary.fail(type, "'either' needs at least one type");
  std::vector<Form> words;
  for (Form::Iterator i = ++type.begin(); i != type.end(); ++i) {
    if ((*i).is_list()) vocabulary.fail(*i, "expected the name of a type but found '('");
    words.push_back(*i);
  }
  return words;
}

}  // namespace

std::vector<TypedGroup> split_typed_list(Form::Iterator first, Form::Iterator end,
                                         const Vocabulary& vocabulary) {
  std::vector<TypedGroup> groups;
  std::vector<Form> names;
  for (Form::Iterator i = first; i != end; ++i) {
    vocabulary.monitor().check();
    if (!(*i).is_word("-")) {
      names.push_back(*i);
      continue;
    }
    const Form dash = *i;
    if (names.empty()) vocabulary.fail(dash, "'-' needs a name before it");
    if (++i == end) vocabulary.fail(dash, "'-' needs a type after it");
    groups.push_back({std::move(names), read_type_words(*i, vocabulary)});
    names.clear();
  }
  if (!names.empty()) groups.push_back({std::move(names), {}});
  return groups;
}

std::vector<TypeId> resolve_types(const TypedGroup& group, const Vocabulary& vocabulary) {
  if (group.types.empty()) return {TypeId(0)};
  std::vector<TypeId> types;
  absl::flat_hash_set<std::size_t> seen;
  for (const Form word : group.types) {
    const TypeId type = vocabulary.type(word);
    if (seen.insert(type.index()).second) types.push_back(type);
  }
  return types;
}

std::vector<Parameter> read_parameters(Form::Iterator first, Form::Iterator end,
                                       const Vocabulary& vocabulary) {
  std::vector<Parameter> parameters;
  absl::flat_hash_set<std::string_view> seen;
  for (const TypedGroup& group : split_typed_list(first, end, vocabulary)) {
    const std::vector<TypeId> types = resolve_types(group, vocabulary);
    for (const Form name : group.names) {
      if (!name.is_variable() || name.text().size() == 1)
        vocabulary.fail(name, "expected a variable", "variables begin with '?', like '?x'");
      if (!seen.insert(name.text()).second)
        vocabulary.fail(name,
                        fmt::format("the variable {} is declared twice", quoted(name.text())));
      parameters.push_back({std::string(name.text()), types});
    }
  }
  return parameters;
}

}  // namespace carl::pddl
