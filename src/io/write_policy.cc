// A policy as a file that everything here reads back. Beside what to do it says what it takes to
// find the entry of a state and to see that one is done: the facts that states are made of, and what
// the goals are.

#include <fmt/format.h>

#include <algorithm>

#include "carl/io.h"
#include "io/json_writer.h"
#include "io/problem_json.h"
#include "model/task_model.h"
#include "task/initial_draw.h"

namespace carl {
namespace {

using io::JsonWriter;

class PolicyWriter {
 public:
  PolicyWriter(const Cssp& cssp, const PolicyDetails& details, std::ostream& out)
      : cssp_(cssp), details_(details), out_(out), task_(cssp.model().task_model()) {}

  void write(const Policy& policy) {
    out_ << "{ \"format\": \"carl-policy\", \"version\": 1, \"costs\": ";
    JsonWriter(out_, JsonWriter::Layout::one_line).element(cssp_.cost_names());
    if (details_.covers_all) out_ << ", \"covers\": \"all\"";
    if (task_ != nullptr) write_facts();
    write_goals();
    // One line per state, written as it comes: policies can have a million states.
    out_ << ",\n  \"states\": [";
    const char* separator = "\n    ";
    for (std::size_t i = 0; i < policy.size(); ++i) {
      out_ << separator;
      JsonWriter json(out_, JsonWriter::Layout::one_line);
      json.object([&] { io::write_entry(json, cssp_, policy[i], values(i)); });
      separator = ",\n    ";
    }
    out_ << "\n  ] }\n";
  }

 private:
  std::span<const double> values(std::size_t entry) const {
    if (details_.values.empty()) return {};
    return std::span(details_.values).subspan(entry * cssp_.num_costs(), cssp_.num_costs());
  }

  void write_facts() {
    std::vector<std::string> facts;
    for (const task::Variable& variable : task_->task().variables)
      for (const std::string& fact : variable.values)
        if (!variable.shadow && is_fact(fact)) facts.push_back(fact);
    std::sort(facts.begin(), facts.end());
    out_ << ",\n  \"facts\": ";
    JsonWriter(out_, JsonWriter::Layout::one_line).element(facts);
  }

  /// Of a model in memory all of them; of a factored one when a state is one.
  void write_goals() {
    const bool names_them = cssp_.model().is_in_memory() && !cssp_.model().factored();
    // A PRISM model has no list of goals, but states that are known.
    const bool lists_states =
        task_ == nullptr && cssp_.model().factored() && cssp_.model().labels() != nullptr;
    if (task_ == nullptr && !names_them && !lists_states) return;
    out_ << ",\n  \"goals\": ";
    JsonWriter json(out_, JsonWriter::Layout::one_line);
    json.array([&] {
      if (task_ == nullptr) {
        for (std::size_t s = 0; s < cssp_.num_states(); ++s) {
          if (!cssp_.model().is_goal(StateId(s))) continue;
          if (lists_states)
            json.element(cssp_.state_facts(StateId(s)));
          else
            json.element(cssp_.state_name(StateId(s)));
        }
        return;
      }
      for (const std::vector<task::Fact>& alternative : task_->task().goal)
        json.element(literals(alternative));
    });
  }

  /// What may be part of a state's text.
  static bool is_fact(const std::string& value) {
    return !value.empty() && value != fmt::format("({})", task::before_the_start);
  }

  /// "None of those" is said fact by fact.
  std::vector<std::string> literals(const std::vector<task::Fact>& alternative) const {
    std::vector<std::string> result;
    for (const task::Fact& fact : alternative) {
      const auto& values = task_->task().variables[fact.variable.index()].values;
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

  const Cssp& cssp_;
  const PolicyDetails& details_;
  std::ostream& out_;
  const TaskModel* task_;  // null if the problem is not factored
};

}  // namespace

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

void write_policy(const Cssp& cssp, const Policy& policy, std::ostream& out,
                  const PolicyDetails& details) {
  PolicyWriter(cssp, details, out).write(policy);
}

}  // namespace carl
