#include "generate/numbered_model.h"

namespace carl::generators {

void NumberedModel::expand(StateId state, Expansion& out) {
  out.clear();
  if (is_goal(state)) return;
  for (std::size_t a = 0; a < actions_.size(); ++a) {
    if (!is_applicable(state.index(), a)) continue;
    out.begin_action(ActionId(state.index() * actions_.size() + a));
    add_outcomes(state.index(), a, out);
  }
}

std::vector<std::string> NumberedModel::state_facts(StateId state) const {
  return {std::to_string(state.index())};
}

}  // namespace carl::generators
