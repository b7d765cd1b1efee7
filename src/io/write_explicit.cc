// States are explored breadth first and written as they are expanded, so the text never exists as a
// whole; what is kept is each state's name, already quoted. The goals are known only at the end and
// therefore come last.
#include "io/write_explicit.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "carl/error.h"
#include "carl/io.h"
#include "io/json_syntax_error.h"
#include "model/intern_table.h"
#include "model/probability_shares.h"
#include "model/state_labels.h"
#include "util/shown.h"

namespace carl::io {
namespace {

std::string json_string(std::string_view text) {
  if (!is_utf8(text)) throw InputError("a name is not UTF-8 text and cannot be written as JSON");
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", c);
    else
      result += c;
  }
  return result + '"';
}

class ExplicitWriter {
 public:
  ExplicitWriter(Model& model, const CostModel& costs, std::ostream& out, Monitor& monitor)
      : model_(model), costs_(costs), out_(out), monitor_(monitor) {}

  void write();

 private:
  static constexpr std::uint32_t unknown = static_cast<std::uint32_t>(-1);

  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
  }
  void flush();
  void write_head();
  void write_initial(StateId initial);
  bool is_drawn(StateId initial);
  void write_goals();
  void write_labels();
  void write_state(StateId state);
  void write_action(StateId state, std::size_t i, const std::string& name);
  void write_outcomes(std::size_t i);
  void write_outcomes_apart(std::size_t i);
  bool is_repetition(StateId state, std::size_t i, const std::string& name);
  /// The number of the state, which is queued to be written if it is new.
  std::uint32_t discover(StateId state);

  Model& model_;
  const CostModel& costs_;
  std::ostream& out_;
  Monitor& monitor_;
  fmt::memory_buffer buffer_;
  const char* separator_ = "\n    ";

  NameTable names_;                    // quoted, by number
  std::vector<StateId> states_;        // by number
  std::vector<std::uint32_t> number_;  // by state
  Expansion expansion_;
  OutcomeCosts apart_;
  absl::flat_hash_map<std::string, std::size_t> names_here_;  // of the state being written
};

void ExplicitWriter::write() {
  const StateId initial = model_.initial_state();
  write_head();
  write_initial(initial);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    monitor_.check();
    if (!model_.is_goal(states_[i])) write_state(states_[i]);
  }
  if (states_.size() == 1 && !model_.is_goal(initial) && expansion_.num_actions() == 0)
    throw InputError("no action is applicable in the initial state, so there is nothing to write");
  print("\n  ],\n");
  write_goals();
  write_labels();
  print(" }}\n");
  flush();
}

void ExplicitWriter::flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

void ExplicitWriter::write_head() {
  std::vector<std::string> names;
  for (const std::string& cost : costs_.costs)
    names.push_back(json_string(cost));
  print("{{ \"format\": \"cssp\", \"version\": 1,\n  \"costs\": [{}],\n", fmt::join(names, ", "));
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (costs_.is_reward(i)) entries.push_back(names[i]);
  if (!entries.empty()) print("  \"rewards\": [{}],\n", fmt::join(entries, ", "));
  entries.clear();
  for (const Bound& bound : costs_.bounds)
    entries.push_back(fmt::format("{}: {}", names[bound.cost], bound.upper));
  if (!entries.empty()) print("  \"bounds\": {{ {} }},\n", fmt::join(entries, ", "));
  if (costs_.give_up) {
    entries.clear();
    for (std::size_t i = 0; i < names.size(); ++i)
      entries.push_back(fmt::format("{}: {}", names[i], (*costs_.give_up)[i]));
    print("  \"give_up\": {{ {} }},\n", fmt::join(entries, ", "));
  }
}

/// Whether the state only stands for the draw of others, whose names all occur elsewhere, too: those
/// of dead ends do not, and a text with them would be refused.
bool ExplicitWriter::is_drawn(StateId initial) {
  if (model_.is_goal(initial)) return false;
  model_.expand(initial, expansion_);
  if (expansion_.num_actions() != 1 || !model_.draws_initial_state(expansion_.action(0)))
    return false;
  Expansion next;
  const auto drawn = expansion_.successors(0);
  return std::all_of(drawn.begin(), drawn.end(), [&](StateId state) {
    if (model_.is_goal(state)) return true;
    model_.expand(state, next);
    return next.num_actions() > 0;
  });
}

/// What is drawn is written, and not the state before it.
void ExplicitWriter::write_initial(StateId initial) {
  if (is_drawn(initial)) {
    print("  \"initial\": ");
    write_outcomes(0);
  } else {
    print("  \"initial\": {}", names_[discover(initial)]);
  }
  print(",\n  \"actions\": [");
}

void ExplicitWriter::write_goals() {
  print("  \"goals\": [");
  const char* separator = "";
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (!model_.is_goal(states_[i])) continue;
    print("{}{}", separator, names_[i]);
    separator = ", ";
  }
  print("]");
}

/// Of states that can be reached.
void ExplicitWriter::write_labels() {
  const StateLabels* labels = model_.labels();
  if (labels == nullptr) return;
  print(",\n  \"labels\": {{");
  const std::vector<std::string> names = labels->names();
  for (std::size_t label = 0; label < names.size(); ++label) {
    print("{}\n    {}: [", label == 0 ? "" : ",", json_string(names[label]));
    const char* separator = "";
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (!labels->holds(label, states_[i])) continue;
      print("{}{}", separator, names_[i]);
      separator = ", ";
    }
    print("]");
  }
  print(" }}");
}

void ExplicitWriter::write_state(StateId state) {
  constexpr std::size_t enough = std::size_t{1} << 16;
  model_.expand(state, expansion_);
  names_here_.clear();
  for (std::size_t i = 0; i < expansion_.num_actions(); ++i) {
    // Policies have a name for giving up that no action of a text may have.
    const std::string name = model_.gives_up(expansion_.action(i))
                                 ? "give-up"
                                 : model_.action_name(expansion_.action(i));
    if (!is_repetition(state, i, name)) write_action(state, i, name);
    if (buffer_.size() > enough) flush();
  }
}

void ExplicitWriter::write_action(StateId state, std::size_t i, const std::string& name) {
  print("{}{{ \"state\": {}, \"name\": {}, \"cost\": [{}], \"outcomes\": ", separator_,
        names_[discover(state)], json_string(name),
        fmt::join(model_.cost(expansion_.action(i)), ", "));
  separator_ = ",\n    ";
  if (model_.outcome_costs(state, expansion_.action(i), apart_))
    write_outcomes_apart(i);
  else
    write_outcomes(i);
  print(" }}");
}

void ExplicitWriter::write_outcomes(std::size_t i) {
  const std::span<const double> probabilities = expansion_.probabilities(i);
  const std::span<const StateId> successors = expansion_.successors(i);
  print("{{ ");
  for (std::size_t k = 0; k < successors.size(); ++k) {
    const std::uint32_t successor = discover(successors[k]);
    print("{}{}: {}", k == 0 ? "" : ", ", names_[successor], probabilities[k]);
  }
  print(" }}");
}

/// Shares of one successor are written such that they sum to what the expansion says.
void ExplicitWriter::write_outcomes_apart(std::size_t i) {
  const std::span<const double> probabilities = expansion_.probabilities(i);
  const std::span<const StateId> successors = expansion_.successors(i);
  absl::flat_hash_map<StateId, std::vector<std::size_t>> parts;
  for (std::size_t k = 0; k < apart_.size(); ++k)
    parts[apart_.successor(k)].push_back(k);
  std::vector<double> written(apart_.size());
  std::vector<double> shares;
  for (std::size_t s = 0; s < successors.size(); ++s) {
    const std::vector<std::size_t>& of_successor = parts[successors[s]];
    shares.clear();
    for (const std::size_t k : of_successor)
      shares.push_back(apart_.probability(k));
    fit_shares(shares, probabilities[s]);
    for (std::size_t n = 0; n < shares.size(); ++n)
      written[of_successor[n]] = shares[n];
  }
  print("[ ");
  for (std::size_t k = 0; k < apart_.size(); ++k)
    print("{}{{ \"state\": {}, \"probability\": {}, \"cost\": [{}] }}", k == 0 ? "" : ", ",
          names_[discover(apart_.successor(k))], written[k], fmt::join(apart_.cost(k), ", "));
  print(" ]");
}

/// A model may list an action twice if it does the same thing twice; the text may not.
bool ExplicitWriter::is_repetition(StateId state, std::size_t i, const std::string& name) {
  const auto [entry, is_new] = names_here_.try_emplace(name, i);
  if (is_new) return false;
  const std::size_t other = entry->second;
  const auto same = [](auto a, auto b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  if (!same(model_.cost(expansion_.action(i)), model_.cost(expansion_.action(other))) ||
      !same(expansion_.probabilities(i), expansion_.probabilities(other)) ||
      !same(expansion_.successors(i), expansion_.successors(other)))
    throw InputError(fmt::format("state {} has two different actions named '{}'",
                                 shown(names_[discover(state)]), name));
  return true;
}

std::uint32_t ExplicitWriter::discover(StateId state) {
  if (number_.size() <= state.index())
    number_.resize(std::max(model_.num_states(), state.index() + 1), unknown);
  std::uint32_t& number = number_[state.index()];
  if (number != unknown) return number;
  const std::string name = fmt::format("{}", fmt::join(model_.state_facts(state), " "));
  number = names_.intern(json_string(name));
  if (number < states_.size())
    throw InputError(fmt::format("there are two states named '{}'", shown(name)));
  states_.push_back(state);
  return number;
}

}  // namespace

void write_explicit(Model& model, const CostModel& costs, std::ostream& out, Monitor& monitor) {
  ExplicitWriter(model, costs, out, monitor).write();
}

}  // namespace carl::io

void carl::write_explicit(Cssp& cssp, std::ostream& out, Monitor& monitor) {
  io::write_explicit(cssp.model(), cssp.cost_model(), out, monitor);
}
