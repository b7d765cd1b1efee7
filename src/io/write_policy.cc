// A policy as a file that everything here reads back. Beside what to do it says what it takes to
// find the entry of a state and to see that one is done: the facts that states are made of, and what
// the goals are.

#include <fmt/format.h>

#include <algorithm>

#include "carl/io.h"
#include "carl/policy_parts.h"
#include "io/json_writer.h"
#include "io/policy_json.h"
#include "io/problem_json.h"
#include "model/task_model.h"
#include "task/initial_draw.h"

namespace carl {
namespace {

using io::JsonWriter;

/// What may be part of a state's text.
bool is_fact(const std::string& value) {
  return !value.empty() && value != fmt::format("({})", task::before_the_start);
}

std::vector<std::string> facts_of(const TaskModel& model) {
  std::vector<std::string> facts;
  for (const task::Variable& variable : model.task().variables)
    for (const std::string& fact : variable.values)
      if (!variable.shadow && is_fact(fact)) facts.push_back(fact);
  std::sort(facts.begin(), facts.end());
  return facts;
}

/// "None of those" is said fact by fact.
std::vector<std::string> literals(const TaskModel& model,
                                  const std::vector<task::Fact>& alternative) {
  std::vector<std::string> result;
  for (const task::Fact& fact : alternative) {
    const auto& values = model.task().variables[fact.variable.index()].values;
    if (is_fact(values[fact.value])) {
      result.push_back(values[fact.value]);
      continue;
    }
    for (const std::string& value : values)
      if (is_fact(value)) result.push_back("(not " + value + ")");
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Of a model in memory all of them; of a factored one when a state is one.
std::vector<PolicyFile::Goal> goals_of(const Cssp& cssp) {
  std::vector<PolicyFile::Goal> goals;
  if (const TaskModel* task = cssp.model().task_model()) {
    for (const std::vector<task::Fact>& alternative : task->task().goal)
      goals.push_back({literals(*task, alternative), true});
    return goals;
  }
  // A PRISM model has no list of goals, but states that are known.
  const bool factored = cssp.model().factored();
  if (factored ? cssp.model().labels() == nullptr : !cssp.model().is_in_memory()) return goals;
  for (std::size_t s = 0; s < cssp.num_states(); ++s)
    if (cssp.model().is_goal(StateId(s))) goals.push_back({cssp.state_facts(StateId(s)), factored});
  return goals;
}

/// As they are joined in the text of a state: "(at home) (wet)", "x=3 y=4".
std::vector<std::string> facts_in(std::string_view state) {
  std::vector<std::string> facts;
  while (!state.empty()) {
    const std::size_t end =
        std::min(state.front() == '(' ? state.find(')') : state.find(' '), state.size());
    const std::size_t length = std::min(state.front() == '(' ? end + 1 : end, state.size());
    if (length > 0) facts.emplace_back(state.substr(0, length));
    state.remove_prefix(std::min(length + 1, state.size()));
  }
  return facts;
}

}  // namespace

PolicyFile policy_header(const Cssp& cssp, const PolicyDetails& details) {
  PolicyFile header;
  header.costs = cssp.cost_names();
  header.covers_all = details.covers_all;
  if (const TaskModel* task = cssp.model().task_model()) header.facts = facts_of(*task);
  header.goals = goals_of(cssp);
  return header;
}

void io::write_policy_header(std::ostream& out, std::string_view format, const PolicyFile& header) {
  out << "{ \"format\": \"" << format << "\", \"version\": 1, \"costs\": ";
  JsonWriter(out, JsonWriter::Layout::one_line).element(header.costs);
  if (header.covers_all) out << ", \"covers\": \"all\"";
  if (!header.facts.empty()) {
    out << ",\n  \"facts\": ";
    JsonWriter(out, JsonWriter::Layout::one_line).element(header.facts);
  }
  if (header.goals.empty()) return;
  out << ",\n  \"goals\": ";
  JsonWriter json(out, JsonWriter::Layout::one_line);
  json.array([&] {
    for (const PolicyFile::Goal& goal : header.goals) {
      if (goal.factored)
        json.element(goal.literals);
      else
        json.element(goal.literals.front());
    }
  });
}

void io::StateLines::begin_line() {
  out_ << (size_ == 0 ? ",\n  \"states\": [\n    " : ",\n    ");
  ++size_;
}

void io::StateLines::add(const Cssp& cssp, const Policy::Entry& entry,
                         std::span<const double> values) {
  begin_line();
  JsonWriter json(out_, JsonWriter::Layout::one_line);
  json.object([&] { write_entry(json, cssp, entry, values); });
}

void io::StateLines::add(const PolicyFile::Entry& entry) {
  begin_line();
  JsonWriter json(out_, JsonWriter::Layout::one_line);
  json.object([&] {
    if (entry.factored)
      json.member("state", facts_in(entry.state));
    else
      json.member("state", entry.state);
    if (entry.visits) json.member("visits", *entry.visits);
    if (!entry.values.empty()) json.member("values", entry.values);
    json.array("actions", [&] {
      for (const PolicyFile::Choice& choice : entry.choices)
        json.object([&] {
          json.member("name", choice.action);
          json.member("probability", choice.probability);
        });
    });
  });
}

void io::StateLines::finish() {
  out_ << (size_ == 0 ? ",\n  \"states\": [" : "") << "\n  ] }\n";
}

void io::write_entry(JsonWriter& json, const Cssp& cssp, const Policy::Entry& entry,
                     std::span<const double> values) {
  io::write_state(json, "state", cssp, entry.state);
  if (entry.visits) json.member("visits", *entry.visits);
  if (!values.empty())
    json.array("values", [&] {
      for (const double value : values)
        json.element(value);
    });
  json.array("actions", [&] {
    for (const Policy::Choice choice : entry.choices)
      json.object([&] {
        json.member("name", cssp.action_name(choice.action));
        json.member("probability", choice.probability);
      });
  });
}

std::span<const double> io::values_of(const PolicyDetails& details, std::size_t entry,
                                      std::size_t num_costs) {
  if (details.values.empty()) return {};
  return std::span(details.values).subspan(entry * num_costs, num_costs);
}

void write_policy(const Cssp& cssp, const Policy& policy, std::ostream& out,
                  const PolicyDetails& details) {
  io::write_policy_header(out, io::policy_format, policy_header(cssp, details));
  io::StateLines lines(out);
  for (std::size_t i = 0; i < policy.size(); ++i)
    lines.add(cssp, policy[i], io::values_of(details, i, cssp.num_costs()));
  lines.finish();
}

}  // namespace carl
