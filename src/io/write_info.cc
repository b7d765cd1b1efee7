#include "carl/io.h"
#include "io/json_writer.h"
#include "io/problem_json.h"

namespace carl {
namespace {

using io::JsonWriter;

void write_problem(JsonWriter& json, const Cssp& cssp) {
  json.member("costs", cssp.cost_names());
  io::write_rewards(json, cssp);
  json.object("bounds", [&] {
    for (const Bound& bound : cssp.bounds())
      json.member(cssp.cost_names()[bound.cost], bound.upper);
  });
  if (!cssp.give_up_penalty()) return;
  json.object("give_up", [&] {
    for (std::size_t c = 0; c < cssp.num_costs(); ++c)
      json.member(cssp.cost_names()[c], (*cssp.give_up_penalty())[c]);
  });
}

void write_size(JsonWriter& json, const StateSpaceSize& size) {
  json.member("complete", size.complete);
  json.member("states", size.states);
  json.member("goals", size.goals);
  json.member("state_actions", size.pairs);
  json.member("transitions", size.outcomes);
  json.member("forbidden", size.forbidden);
  if (size.complete) {
    json.member("hopeless", size.hopeless);
    json.member("proper_policy", size.proper_policy);
  }
  json.member("state_bytes", size.state_bytes);
  json.member("transition_bytes", size.transition_bytes);
}

}  // namespace

void write_info(const Cssp& cssp, const ProblemInfo& info, std::ostream& out) {
  JsonWriter json(out, JsonWriter::Layout::indented);
  json.object([&] {
    json.member("format", "carl-info");
    json.member("version", 1);
    json.member_if_any("title", info.times.title);
    json.member("factored", cssp.model().factored());
    write_problem(json, cssp);
    if (!info.cvars.empty()) json.member("not_counted", info.cvars);
    json.object("figures", [&] {
      for (const auto& [name, text] : cssp.model().figures())
        json.member(name, text);
    });
    json.object("reachable", [&] { write_size(json, info.size); });
    json.object("seconds", [&] {
      json.member("parse", info.times.parse);
      json.member("ground", info.times.ground);
      json.member("expand", info.size.seconds);
    });
    std::vector<std::string> notes = cssp.warnings();
    for (const std::string& note : cssp.model().notes())
      notes.push_back(note);
    json.member("notes", notes);
  });
  out << '\n';
}

}  // namespace carl
