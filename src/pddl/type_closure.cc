#include "pddl/type_closure.h"

namespace carl::pddl {

Subtypes subtypes_of(const std::vector<Type>& types) {
  Subtypes subtypes(types.size());
  for (std::size_t t = 0; t < types.size(); ++t)
    for (const TypeId parent : types[t].parents)
      subtypes[parent.index()].emplace_back(t);
  return subtypes;
}

std::vector<bool> types_below(const Subtypes& subtypes, std::span<const TypeId> tops,
                              Monitor& monitor) {
  std::vector<bool> below(subtypes.size(), false);
  // Without recursion: a chain of types may be long.
  std::vector<TypeId> open(tops.begin(), tops.end());
  while (!open.empty()) {
    monitor.check();
    const TypeId type = open.back();
    open.pop_back();
    if (below[type.index()]) continue;
    below[type.index()] = true;
    open.insert(open.end(), subtypes[type.index()].begin(), subtypes[type.index()].end());
  }
  return below;
}

}  // namespace carl::pddl
