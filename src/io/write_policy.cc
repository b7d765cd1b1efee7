#include "carl/io.h"
#include "io/json_writer.h"
#include "io/problem_json.h"

namespace carl {
namespace {

using io::JsonWriter;

void write_entry(JsonWriter& json, const Cssp& cssp, const Policy::Entry& entry) {
  io::write_state(json, "state", cssp, entry.state);
  if (entry.visits) json.member("visits", *entry.visits);
  json.array("actions", [&] {
    for (const Policy::Choice choice : entry.choices)
      json.object([&] {
        json.member("name", cssp.action_name(choice.action));
        json.member("probability", choice.probability);
      });
  });
}

}  // namespace

void write_policy(const Cssp& cssp, const Policy& policy, std::ostream& out) {
  // One line per state, written as it comes: policies can have a million states.
  out << "{ \"format\": \"carl-policy\", \"version\": 1, \"costs\": ";
  JsonWriter(out, JsonWriter::Layout::one_line).element(cssp.cost_names());
  out << ",\n  \"states\": [";
  const char* separator = "\n    ";
  for (const Policy::Entry entry : policy) {
    out << separator;
    JsonWriter json(out, JsonWriter::Layout::one_line);
    json.object([&] { write_entry(json, cssp, entry); });
    separator = ",\n    ";
  }
  out << "\n  ] }\n";
}

}  // namespace carl
