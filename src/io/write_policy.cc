#include <nlohmann/json.hpp>

#include "carl/io.h"

namespace carl {

void write_policy(const Cssp& cssp, const StochasticPolicy& policy, std::ostream& out) {
  // One line per state, written as it comes: policies can have a million states.
  using Json = nlohmann::ordered_json;
  out << "{ \"format\": \"carl-policy\", \"version\": 1, \"costs\": "
      << Json(cssp.cost_names()).dump() << ",\n  \"states\": [";
  const char* separator = "\n    ";
  for (const PolicyEntry& entry : policy) {
    Json actions = Json::array();
    for (const PolicyEntry::Choice& choice : entry.choices)
      actions.push_back(
          {{"name", cssp.action_name(choice.action)}, {"probability", choice.probability}});
    const std::vector<std::string> facts = cssp.state_facts(entry.state);
    const Json state = cssp.model().factored() ? Json(facts) : Json(facts.front());
    out << separator
        << Json{{"state", state}, {"visits", entry.visits}, {"actions", std::move(actions)}}.dump();
    separator = ",\n    ";
  }
  out << "\n  ] }\n";
}

}  // namespace carl
