// Reads a policy as the file says it; whether it is one for some model is not asked here.

#include "io/read_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "carl/io.h"
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
    std::string scratch;
    switch (key) {
      case RootKey::format:
        return document_.expect_format(value, "carl-policy");
      case RootKey::version:
        return document_.expect_version(value);
      case RootKey::costs:
        return document_.each_element(value, [&](Value& element) {
          policy_.costs.emplace_back(document_.string(element, scratch));
        });
      case RootKey::covers:
        return read_covers(value);
      case RootKey::facts:
        return document_.each_element(
            value, [&](Value& element) { policy_.facts.push_back(read_fact(element)); });
      case RootKey::goals:
        return document_.each_element(value, [&](Value& element) { read_goal(element); });
      case RootKey::states:
        return document_.each_element(value, [&](Value& element) {
          monitor_.check();
          read_entry(element);
        });
    }
  }

  void read_covers(Value& value) {
    std::string scratch;
    const std::string_view text = document_.string(value, scratch);
    if (text != "all" && text != "met")
      document_.fail(fmt::format("expected \"all\" or \"met\" but found '{}'", shown(text)));
    policy_.covers_all = text == "all";
  }

  std::string read_fact(Value& value) {
    std::string scratch;
    const std::string_view fact = document_.string(value, scratch);
    if (!io::is_fact(fact)) fail_fact(fact);
    return std::string(fact);
  }

  void read_goal(Value& value) {
    PolicyFile::Goal& goal = policy_.goals.emplace_back();
    std::string scratch;
    goal.factored = document_.is_array(value);
    if (!goal.factored) {
      goal.literals.emplace_back(document_.name(value, scratch));
      return;
    }
    document_.each_element(value, [&](Value& element) {
      const std::string_view literal = document_.string(element, scratch);
      if (!io::is_fact(literal) && !io::is_fact(io::negated_fact(literal))) fail_fact(literal);
      goal.literals.emplace_back(literal);
    });
  }

  [[noreturn]] void fail_fact(std::string_view text) {
    document_.fail(fmt::format("'{}' is not a fact", shown(text)),
                   "write it as in the problem: (at home)");
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
  if (const std::size_t equals = text.find('=');
      equals != 0 && equals + 1 < text.size() && text.find_first_of("() \"") == text.npos)
    return equals != text.npos;
  return text.size() >= 2 && text.front() == '(' &&
         text.find_first_of("()", 1) == text.size() - 1 && text.back() == ')';
}

std::string_view io::negated_fact(std::string_view literal) {
  constexpr std::string_view beginning = "(not ";
  if (!literal.starts_with(beginning) || !literal.ends_with("))")) return {};
  return literal.substr(beginning.size(), literal.size() - beginning.size() - 1);
}

std::string io::read_state(JsonDocument& document, Value& value, bool& factored) {
  std::string scratch;
  factored = document.is_array(value);
  if (!factored) return std::string(document.name(value, scratch));
  std::vector<std::string> facts;
  document.each_element(value, [&](Value& element) {
    const std::string_view fact = document.string(element, scratch);
    if (!is_fact(fact))
      document.fail(fmt::format("'{}' is not a fact", shown(fact)),
                    "write it as in the problem: (at home)");
    facts.emplace_back(fact);
  });
  std::sort(facts.begin(), facts.end());
  return fmt::format("{}", fmt::join(facts, " "));
}

PolicyFile io::read_policy_value(JsonDocument& document, Value& value, Monitor& monitor) {
  return PolicyReader(document, monitor).read(value);
}

PolicyFile read_policy_text(const std::string& name, std::string text, Monitor& monitor) {
  JsonDocument document(name, std::move(text));
  PolicyFile policy;
  document.run([&] { policy = PolicyReader(document, monitor).read(); });
  return policy;
}

PolicyFile read_policy(const std::string& path, Monitor& monitor) {
  return read_policy_text(io::shown_path(path), read_text(path, monitor), monitor);
}

}  // namespace carl
