// Looks a state up that somebody else has written down. A fact that is misspelt would silently be
// another state, so facts that the policy does not know are errors unless they are asked to be
// ignored.

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include "carl/act.h"
#include "carl/error.h"
#include "carl/suggestion.h"
#include "io/json_document.h"
#include "io/json_syntax_error.h"
#include "io/json_writer.h"
#include "io/read_policy.h"
#include "policy/findings.h"
#include "util/random.h"
#include "util/shown.h"

namespace carl {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// PPDDL does not tell upper case from lower case.
std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// "( At  depot )" as "(at depot)".
std::string tidy_fact(std::string_view inside) {
  std::string result = "(";
  while (!(inside = trimmed(inside)).empty()) {
    const std::size_t end = std::min(inside.find_first_of(blanks), inside.size());
    if (result.size() > 1) result += ' ';
    result += lower_case(inside.substr(0, end));
    inside.remove_prefix(end);
  }
  return result + ")";
}

[[noreturn]] void fail_fact(std::string_view found) {
  throw InputError(fmt::format("expected a fact in parentheses but found '{}'", shown(found)),
                   "a state is a list of the facts that hold, as in (at depot) (wet)");
}

std::vector<std::string> read_facts(std::string_view line) {
  std::vector<std::string> facts;
  while (!(line = trimmed(line)).empty()) {
    // "x=3", as the states of PRISM models are written.
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    if (word.front() != '(' && io::is_fact(word)) {
      facts.emplace_back(word);
      line.remove_prefix(word.size());
      continue;
    }
    const std::size_t end = line.find_first_of("()", 1);
    if (line.front() != '(' || end == std::string_view::npos || line[end] != ')') fail_fact(line);
    facts.push_back(tidy_fact(line.substr(1, end - 1)));
    line.remove_prefix(end + 1);
  }
  return facts;
}

/// The one member of {"state": …}, read as policy files are.
std::string read_json_state(std::string_view json, bool& factored) {
  constexpr std::array<std::string_view, 1> keys_of_state{"state"};
  std::string state;
  io::JsonDocument document("state", fmt::format("{{\"state\":{}}}", json));
  document.run([&] {
    io::JsonKeys keys(document, keys_of_state);
    document.each_root_field([&](std::string_view key, io::JsonDocument::Value& value) {
      keys.take(key);
      state = io::read_state(document, value, factored);
      return true;
    });
  });
  return state;
}

}  // namespace

class Actor::Implementation {
 public:
  Implementation(PolicyFile policy, const ActOptions& options)
      : policy_(std::move(policy)), options_(options) {
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < policy_.states.size(); ++i) {
      const PolicyFile::Entry& entry = policy_.states[i];
      entries_.emplace(entry.state, i);
      policy::judge_distribution(
          entry.choices, [&] { return entry.state; },
          [](const std::string& action) { return std::string_view(action); }, findings);
    }
    policy::require_sound(findings);
    factored_ = !policy_.facts.empty() ||
                (!policy_.states.empty() && policy_.states.front().factored) ||
                (!policy_.goals.empty() && policy_.goals.front().factored);
    if (factored_) collect_facts();
    for (const PolicyFile::Goal& goal : policy_.goals)
      if (!goal.factored) goal_names_.insert(goal.literals.front());
  }

  ActAnswer answer(std::string_view line) {
    ++lines_;
    try {
      if (!io::is_utf8(line)) throw InputError("the line is not UTF-8 text");
      return factored_ ? answer_facts(line) : answer_name(line);
    } catch (const InputError& error) {
      return {ActAnswer::Kind::error, error.message(), error.hint()};
    }
  }

 private:
  void collect_facts() {
    facts_.insert(policy_.facts.begin(), policy_.facts.end());
    // Where the list is missing the states that there are have to do.
    for (const PolicyFile::Entry& entry : policy_.states)
      for (std::string& fact : read_facts(entry.state))
        facts_.insert(std::move(fact));
    for (const PolicyFile::Goal& goal : policy_.goals)
      for (const std::string& literal : goal.literals)
        if (goal.factored && io::is_fact(literal)) facts_.insert(literal);
    names_.assign(facts_.begin(), facts_.end());
    std::sort(names_.begin(), names_.end());
  }

  ActAnswer answer_facts(std::string_view line) {
    std::vector<std::string> facts;
    if (trimmed(line).starts_with('[')) {
      bool factored = false;
      facts = read_facts(read_json_state(trimmed(line), factored));
    } else {
      facts = read_facts(line);
    }
    std::sort(facts.begin(), facts.end());
    facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    std::erase_if(facts, [&](const std::string& fact) {
      if (facts_.contains(fact)) return false;
      if (options_.ignore_unknown_facts) return true;
      fail_unknown(fact);
    });
    const std::string state = fmt::format("{}", fmt::join(facts, " "));
    if (const auto entry = entries_.find(state); entry != entries_.end())
      return choose(policy_.states[entry->second]);
    if (is_goal(facts)) return {ActAnswer::Kind::goal, {}};
    fail_state(state);
  }

  [[noreturn]] void fail_unknown(const std::string& fact) const {
    const std::string meant = did_you_mean(fact, names_);
    throw InputError(fmt::format("the policy knows no fact {}", shown(fact)),
                     meant.empty() ? "the facts that matter are listed in its file; "
                                     "`ignore_unknown_facts` leaves out others"
                                   : meant);
  }

  [[noreturn]] void fail_state(std::string_view state) const {
    throw InputError(
        state.empty() ? std::string("the policy does not say what to do where no fact holds")
                      : fmt::format("the policy does not say what to do in {}", shown(state)),
        policy_.covers_all
            ? "no goal can be reached from there with certainty, or there is no such state"
            : "the policy does not come there; one that is written with `policy_all` says what to "
              "do "
              "in all states");
  }

  bool is_goal(const std::vector<std::string>& facts) const {
    const auto holds = [&](std::string_view fact) {
      return std::binary_search(facts.begin(), facts.end(), fact);
    };
    return std::any_of(
        policy_.goals.begin(), policy_.goals.end(), [&](const PolicyFile::Goal& goal) {
          return goal.factored &&
                 std::all_of(goal.literals.begin(), goal.literals.end(),
                             [&](const std::string& literal) {
                               const std::string_view negated = io::negated_fact(literal);
                               return negated.empty() ? holds(literal) : !holds(negated);
                             });
        });
  }

  ActAnswer answer_name(std::string_view line) {
    std::string name(line);
    if (name.ends_with('\r')) name.pop_back();
    if (!is_known(name)) name = trimmed(line);
    bool factored = false;
    if (!is_known(name) && name.starts_with('"')) name = read_json_state(name, factored);
    if (const auto entry = entries_.find(name); entry != entries_.end())
      return choose(policy_.states[entry->second]);
    if (goal_names_.contains(name)) return {ActAnswer::Kind::goal, {}};
    if (name.empty()) throw InputError("expected the name of a state but found an empty line");
    fail_state(fmt::format("'{}'", shown(name)));
  }

  bool is_known(const std::string& name) const {
    return entries_.contains(name) || goal_names_.contains(name);
  }

  /// Lines have streams of their own, so that a line that is wrong changes no other answer.
  ActAnswer choose(const PolicyFile::Entry& entry) const {
    SplitMix64 seeds(options_.seed);
    SplitMix64 random(seeds.next() ^ (lines_ * 0x9E3779B97F4A7C15U));
    double left = random.unit() * policy::sum_of(entry.choices);
    const PolicyFile::Choice* chosen = nullptr;
    for (const PolicyFile::Choice& choice : entry.choices) {
      if (!policy::is_possible(choice.probability)) continue;
      chosen = &choice;
      left -= choice.probability;
      if (left < 0) break;
    }
    return {ActAnswer::Kind::action, chosen->action, {}, chosen->probability};
  }

  PolicyFile policy_;
  ActOptions options_;
  bool factored_ = false;
  std::uint64_t lines_ = 0;
  absl::flat_hash_map<std::string_view, std::size_t> entries_;
  absl::flat_hash_set<std::string> facts_;
  std::vector<std::string_view> names_;  // of facts
  absl::flat_hash_set<std::string> goal_names_;
};

Actor::Actor(PolicyFile policy, const ActOptions& options)
    : implementation_(std::make_unique<Implementation>(std::move(policy), options)) {}
Actor::~Actor() = default;
Actor::Actor(Actor&&) noexcept = default;
Actor& Actor::operator=(Actor&&) noexcept = default;

std::string to_line(const ActAnswer& answer) {
  if (answer.kind == ActAnswer::Kind::goal) return "goal";
  if (answer.kind == ActAnswer::Kind::error) return "error: " + answer.text;
  return answer.text.find('\n') == std::string::npos ? answer.text : io::json_quoted(answer.text);
}

std::string to_json_line(const ActAnswer& answer) {
  std::ostringstream out;
  io::JsonWriter json(out, io::JsonWriter::Layout::one_line);
  json.object([&] {
    if (answer.kind == ActAnswer::Kind::goal) return json.member("goal", true);
    json.member(answer.kind == ActAnswer::Kind::action ? "action" : "error", answer.text);
    if (answer.kind == ActAnswer::Kind::action) json.member("probability", answer.probability);
    json.member_if_any("hint", answer.hint);
  });
  return out.str();
}

ActAnswer Actor::answer(std::string_view line) {
  return implementation_->answer(line);
}

}  // namespace carl
