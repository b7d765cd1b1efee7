#include "io/problem_json.h"

#include <string>
#include <vector>

namespace carl::io {

void write_rewards(JsonWriter& json, const Cssp& cssp) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < cssp.num_costs(); ++i)
    if (cssp.is_reward(i)) names.push_back(cssp.cost_names()[i]);
  if (!names.empty()) json.member("rewards", names);
}

void write_state(JsonWriter& json, std::string_view key, const Cssp& cssp, StateId state) {
  const std::vector<std::string> facts = cssp.state_facts(state);
  if (cssp.model().factored())
    json.member(key, facts);
  else
    json.member(key, facts.front());
}

}  // namespace carl::io
