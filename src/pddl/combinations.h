// All ways to choose one object per variable, the last variable running fastest.
#ifndef CARL_PDDL_COMBINATIONS_H
#define CARL_PDDL_COMBINATIONS_H

#include <algorithm>
#include <vector>

#include "pddl/vocabulary.h"

namespace carl::pddl {

/// Calls `visit(objects)` for every combination, like an odometer; once if there are no variables.
template <class Visit>
void for_each_combination(const std::vector<Parameter>& variables, const Vocabulary& vocabulary,
                          Visit visit) {
  std::vector<const std::vector<ObjectId>*> choices;
  choices.reserve(variables.size());
  for (const Parameter& variable : variables)
    choices.push_back(&vocabulary.objects_of(variable.types));
  if (std::any_of(choices.begin(), choices.end(), [](const auto* c) { return c->empty(); })) return;
  std::vector<std::size_t> chosen(choices.size());
  std::vector<ObjectId> objects(choices.size());
  for (std::size_t turning = 1; turning > 0;) {
    vocabulary.monitor().check();
    for (std::size_t i = 0; i < chosen.size(); ++i)
      objects[i] = (*choices[i])[chosen[i]];
    visit(objects);
    turning = chosen.size();
    while (turning > 0 && ++chosen[turning - 1] == choices[turning - 1]->size())
      chosen[--turning] = 0;
  }
}

}  // namespace carl::pddl

#endif
