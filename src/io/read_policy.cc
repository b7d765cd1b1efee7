// Reads a policy as the file says it; whether it is one for some model is not asked here.

#include "io/read_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "carl/io.h"
#include "carl/policy_parts.h"
#include "io/text_file.h"
#include "util/shown.h"

namespace carl {
namespace {

using io::JsonDocument;
using io::JsonKeys;
using Value = JsonDocument::Value;

enum class RootKey { format, version, costs, covers, facts, goals, states };
constexpr std::array<std::string_view, 7> root_keys{"format", "version", "costs", "covers",
                                                    "facts",  "goals",   "states"};

enum class EntryKey { state, visits, values, actions };
constexpr std::array<std::string_view, 4> entry_keys{"state", "visits", "values", "actions"};

enum class ChoiceKey { name, probability };
constexpr std::array<std::string_view, 2> choice_keys{"name", "probability"};

class PolicyReader {
 public:
  PolicyReader(JsonDocument& document, Monitor& monitor) : document_(document), monitor_(monitor) {}

  /// The whole document is a policy.
  PolicyFile read() {
    JsonKeys keys(document_, root_keys);
    document_.each_root_field([&](std::string_view key, Value& value) {
      read_root_value(static_cast<RootKey>(keys.take(key)), value);
      return true;
    });
    return finish(keys);
  }

  /// A part of it is.
  PolicyFile read(Value& value) {
    JsonKeys keys(document_, root_keys);
    document_.each_field(value, [&](std::string_view key, Value& member) {
      read_root_value(static_cast<RootKey>(keys.take(key)), member);
    });
    return finish(keys);
  }

 private:
  PolicyFile finish(JsonKeys& keys) {
    keys.check_complete({"covers", "facts", "goals"});
    for (const PolicyFile::Entry& entry : policy_.states)
      if (!entry.values.empty() && entry.values.size() != policy_.costs.size())
        document_.fail(fmt::format("there are {} values of '{}', but {} costs", entry.values.size(),
                                   shown(entry.state), policy_.costs.size()));
    return std::move(policy_);
  }

  void read_root_value(RootKey key, Value& value) {
    switch (key) {
      case RootKey::format:
        return document_.expect_format(value, "carl-policy");
      case RootKey::version:
        return document_.expect_version(value);
      case RootKey::costs:
        policy_.costs = io::read_policy_costs(document_, value);
        return;
      case RootKey::covers:
        policy_.covers_all = io::read_policy_covers(document_, value);
        return;
      case RootKey::facts:
        policy_.facts = io::read_policy_facts(document_, value);
        return;
      case RootKey::goals:
        policy_.goals = io::read_policy_goals(document_, value);
        return;
      case RootKey::states:
        return document_.each_element(value, [&](Value& element) {
          monitor_.check();
          read_entry(element);
        });
    }
  }

  void read_entry(Value& value) {
    JsonKeys keys(document_, entry_keys);
    PolicyFile::Entry& entry = policy_.states.emplace_back();
    document_.each_field(value, [&](std::string_view key, Value& member) {
      switch (static_cast<EntryKey>(keys.take(key))) {
        case EntryKey::state:
          entry.state = io::read_state(document_, member, entry.factored);
          return;
        case EntryKey::visits:
          entry.visits = document_.number(member);
          return;
        case EntryKey::values:
          return document_.each_element(
              member, [&](Value& cost) { entry.values.push_back(document_.number(cost)); });
        case EntryKey::actions:
          return document_.each_element(
              member, [&](Value& choice) { entry.choices.push_back(read_choice(choice)); });
      }
    });
    keys.check_complete({"visits", "values"});
  }

  PolicyFile::Choice read_choice(Value& value) {
    JsonKeys keys(document_, choice_keys);
    PolicyFile::Choice choice;
    std::string scratch;
    document_.each_field(value, [&](std::string_view key, Value& member) {
      switch (static_cast<ChoiceKey>(keys.take(key))) {
        case ChoiceKey::name:
          choice.action = document_.string(member, scratch);
          return;
        case ChoiceKey::probability:
          choice.probability = document_.number(member);
          return;
      }
    });
    keys.check_complete();
    return choice;
  }

  JsonDocument& document_;
  Monitor& monitor_;
  PolicyFile policy_;
};

}  // namespace

bool io::is_fact(std::string_view text) {
  // "x=3", as the states of PRISM models are written.
  const std::size_t equals = text.find('=');
  if (equals != text.npos && text.find_first_of("() \"") == text.npos)
    return equals > 0 && equals + 1 < text.size();
  return text.size() >= 2 && text.front() == '(' &&
         text.find_first_of("()", 1) == text.size() - 1 && text.back() == ')';
}

std::string_view io::negated_fact(std::string_view literal) {
  constexpr std::string_view beginning = "(not ";
  if (!literal.starts_with(beginning) || !literal.ends_with("))")) return {};
  return literal.substr(beginning.size(), literal.size() - beginning.size() - 1);
}

namespace {

[[noreturn]] void fail_fact(JsonDocument& document, std::string_view text) {
  document.fail(fmt::format("'{}' is not a fact", shown(text)),
                "write it as in the problem: (at home)");
}

}  // namespace

std::vector<std::string> io::read_policy_costs(JsonDocument& document, Value& value) {
  std::vector<std::string> costs;
  std::string scratch;
  document.each_element(
      value, [&](Value& element) { costs.emplace_back(document.string(element, scratch)); });
  return costs;
}

bool io::read_policy_covers(JsonDocument& document, Value& value) {
  std::string scratch;
  const std::string_view text = document.string(value, scratch);
  if (text != "all" && text != "met")
    document.fail(fmt::format("expected \"all\" or \"met\" but found '{}'", shown(text)));
  return text == "all";
}

std::vector<std::string> io::read_policy_facts(JsonDocument& document, Value& value) {
  std::vector<std::string> facts;
  std::string scratch;
  document.each_element(value, [&](Value& element) {
    const std::string_view fact = document.string(element, scratch);
    if (!is_fact(fact)) fail_fact(document, fact);
    facts.emplace_back(fact);
  });
  return facts;
}

std::vector<PolicyFile::Goal> io::read_policy_goals(JsonDocument& document, Value& value) {
  std::vector<PolicyFile::Goal> goals;
  std::string scratch;
  document.each_element(value, [&](Value& element) {
    PolicyFile::Goal& goal = goals.emplace_back();
    goal.factored = document.is_array(element);
    if (!goal.factored) {
      goal.literals.emplace_back(document.name(element, scratch));
      return;
    }
    document.each_element(element, [&](Value& part) {
      const std::string_view literal = document.string(part, scratch);
      if (!is_fact(literal) && !is_fact(negated_fact(literal))) fail_fact(document, literal);
      goal.literals.emplace_back(literal);
    });
  });
  return goals;
}

std::string io::read_state(JsonDocument& document, Value& value, bool& factored) {
  std::string scratch;
  factored = document.is_array(value);
  if (!factored) return std::string(document.name(value, scratch));
  std::vector<std::string> facts;
  document.each_element(value, [&](Value& element) {
    const std::string_view fact = document.string(element, scratch);
    if (!is_fact(fact)) fail_fact(document, fact);
    facts.emplace_back(fact);
  });
  std::sort(facts.begin(), facts.end());
  return fmt::format("{}", fmt::join(facts, " "));
}

PolicyFile io::read_policy_value(JsonDocument& document, Value& value, Monitor& monitor) {
  return PolicyReader(document, monitor).read(value);
}

PolicyFile io::read_whole_policy(const std::string& name, std::string text, Monitor& monitor) {
  JsonDocument document(name, std::move(text));
  PolicyFile policy;
  document.run([&] { policy = PolicyReader(document, monitor).read(); });
  return policy;
}

PolicyFile read_policy_text(const std::string& name, std::string text, Monitor& monitor) {
  return io::read_whole_policy(name, std::move(text), monitor);
}

PolicyFile read_policy_states(const std::string& path, Monitor& monitor,
                              const std::function<void(PolicyFile::Entry&&)>& take,
                              const PartsToRead& parts) {
  JsonDocument document(io::shown_path(path), read_text(path, monitor));
  PolicyFile policy;
  document.run([&] {
    if (io::is_policy_index(document))
      policy = io::read_policy_parts(path, document, monitor, take, parts);
    else if (parts.first == 0)
      policy = PolicyReader(document, monitor).read();
  });
  for (PolicyFile::Entry& entry : policy.states)
    take(std::move(entry));
  policy.states.clear();
  return policy;
}

PolicyFile read_policy(const std::string& path, Monitor& monitor) {
  std::vector<PolicyFile::Entry> states;
  PolicyFile policy = read_policy_states(
      path, monitor, [&](PolicyFile::Entry&& entry) { states.push_back(std::move(entry)); });
  policy.states = std::move(states);
  return policy;
}

}  // namespace carl
