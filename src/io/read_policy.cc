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

enum class RootKey { format, version, costs, states };
constexpr std::array<std::string_view, 4> root_keys{"format", "version", "costs", "states"};

enum class EntryKey { state, visits, actions };
constexpr std::array<std::string_view, 3> entry_keys{"state", "visits", "actions"};

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
    keys.check_complete();
    return std::move(policy_);
  }

  /// A part of it is.
  PolicyFile read(Value& value) {
    JsonKeys keys(document_, root_keys);
    document_.each_field(value, [&](std::string_view key, Value& member) {
      read_root_value(static_cast<RootKey>(keys.take(key)), member);
    });
    keys.check_complete();
    return std::move(policy_);
  }

 private:
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
        case EntryKey::actions:
          return document_.each_element(
              member, [&](Value& choice) { entry.choices.push_back(read_choice(choice)); });
      }
    });
    keys.check_complete({"visits"});
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

/// One pair of parentheses around it, so that several can be told apart.
bool is_fact(std::string_view text) {
  return text.size() >= 2 && text.front() == '(' &&
         text.find_first_of("()", 1) == text.size() - 1 && text.back() == ')';
}

}  // namespace

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
