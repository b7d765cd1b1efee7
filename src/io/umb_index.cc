// Keys that are not known are passed over: revisions of the format add some. Sizes are checked by
// themselves here; whether files have them is found out when they are unpacked.
#include "io/umb_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "io/json_document.h"
#include "util/shown.h"

namespace carl::io {
namespace {

using Value = JsonDocument::Value;

// States and choices have 32-bit ids; of branches there are never so many that sizes overflow.
constexpr double most_ids = 4294967293.0;
constexpr double most_branches = 0x1p48;

struct Type {
  std::string name;
  std::optional<std::uint64_t> bits;

  bool is_interval() const { return name.ends_with("-interval"); }
};

class IndexReader {
 public:
  IndexReader(const std::string& name, std::string text) : document_(name, std::move(text)) {}

  UmbIndex read() {
    document_.run([&] {
      document_.each_root_field([&](std::string_view key, Value& value) {
        read_root_value(key, value);
        return true;
      });
      if (!has_version_) document_.fail("the key \"format-version\" is missing");
      if (!has_system_) document_.fail("the key \"transition-system\" is missing");
    });
    if (!written_here_) index_.bounds.clear();
    return std::move(index_);
  }

 private:
  void read_root_value(std::string_view key, Value& value) {
    if (key == "format-version") {
      has_version_ = true;
      if (document_.number(value) != static_cast<double>(umb_version))
        document_.fail("this version of the format is not known", "version 1 is");
    } else if (key == "file-data") {
      read_file_data(value);
    } else if (key == "transition-system") {
      has_system_ = true;
      read_system(value);
    } else if (key == "annotations") {
      document_.each_field(value, [&](std::string_view group, Value& member) {
        if (group == "rewards") read_annotations(member, index_.rewards, true);
        if (group == "aps") read_annotations(member, index_.propositions, false);
      });
    }
  }

  void read_file_data(Value& value) {
    std::string scratch;
    document_.each_field(value, [&](std::string_view key, Value& member) {
      if (key == "tool" && document_.is_string(member))
        written_here_ = document_.string(member, scratch) == umb_tool;
      if (key == "parameters" && document_.is_object(member))
        document_.each_field(member, [&](std::string_view parameter, Value& bounds) {
          if (parameter != "bounds" || !document_.is_object(bounds)) return;
          document_.each_field(bounds, [&](std::string_view cost, Value& upper) {
            index_.bounds.emplace_back(cost, document_.number(upper));
          });
        });
    });
  }

  std::uint64_t whole(Value& value, double most) {
    const double number = document_.number(value);
    if (!(number >= 0) || number != std::floor(number))
      document_.fail("expected a whole number that is not negative");
    if (number > most)
      document_.fail(fmt::format("the model is too large: at most {:.0f} are possible", most));
    return static_cast<std::uint64_t>(number);
  }

  void read_system(Value& value) {
    std::string scratch;
    bool has_time = false;
    std::optional<std::uint64_t> players;
    std::optional<std::uint64_t> states;
    std::optional<std::uint64_t> initial_states;
    std::optional<std::uint64_t> choices;
    std::optional<std::uint64_t> branches;
    document_.each_field(value, [&](std::string_view key, Value& member) {
      if (key == "time") {
        has_time = true;
        if (document_.string(member, scratch) != "discrete")
          document_.fail("models with continuous time are not solved",
                         "of discrete time MDPs and DTMCs are");
      } else if (key == "#players") {
        players = whole(member, most_ids);
        if (*players > 1) document_.fail("games of several players are not solved");
      } else if (key == "#states") {
        states = whole(member, most_ids);
        if (*states == 0) document_.fail("there are no states");
      } else if (key == "#initial-states") {
        initial_states = whole(member, most_ids);
        if (*initial_states != 1)
          document_.fail(
              fmt::format("there are {} initial states, but one is expected", *initial_states),
              *initial_states == 0 ? "" : "add a state that draws one of them");
      } else if (key == "#choices") {
        choices = whole(member, most_ids);
      } else if (key == "#choice-actions") {
        index_.choice_actions = whole(member, most_ids);
      } else if (key == "#branches") {
        branches = whole(member, most_branches);
      } else if (key == "#observations") {
        if (whole(member, most_branches) != 0)
          document_.fail("partially observable models are not solved");
      } else if (key == "branch-probability-type") {
        index_.has_probabilities = true;
        index_.probability = number_type(member, "probabilities");
      }
    });
    const auto require = [&](bool there, const char* key) {
      if (!there) document_.fail(fmt::format("the key \"{}\" is missing", key));
    };
    require(has_time, "time");
    require(players.has_value(), "#players");
    require(states.has_value(), "#states");
    require(initial_states.has_value(), "#initial-states");
    require(choices.has_value(), "#choices");
    require(branches.has_value(), "#branches");
    index_.is_chain = *players == 0;
    index_.states = *states;
    index_.choices = *choices;
    index_.branches = *branches;
  }

  Type read_type(Value& value) {
    Type type;
    std::string scratch;
    document_.each_field(value, [&](std::string_view key, Value& member) {
      if (key == "type") type.name = document_.string(member, scratch);
      if (key == "size") type.bits = whole(member, most_ids);
    });
    return type;
  }

  UmbNumber number_type(Value& value, const char* what) {
    constexpr std::uint64_t double_bits = 64;
    constexpr std::uint64_t rational_bits = 128;
    const Type type = read_type(value);
    if (type.is_interval())
      document_.fail(fmt::format("intervals of {} are not solved", what),
                     "a model with one number each is");
    if (type.name != "double" && type.name != "rational")
      document_.fail(fmt::format("{} cannot be of the type '{}'", what, shown(type.name)),
                     "double and rational are read");
    const bool rational = type.name == "rational";
    const std::uint64_t bits = type.bits.value_or(rational ? rational_bits : double_bits);
    const bool fits = rational ? bits > 0 && bits % rational_bits == 0 : bits == double_bits;
    if (!fits)
      document_.fail(fmt::format("a {} cannot have {} bits", type.name, bits),
                     "a double has 64, a rational a multiple of 128");
    return {rational, bits};
  }

  void read_annotations(Value& value, std::vector<UmbAnnotation>& into, bool rewards) {
    document_.each_field(value, [&](std::string_view id, Value& member) {
      UmbAnnotation annotation;
      annotation.id = id;
      annotation.name = id;
      read_annotation(member, annotation, rewards);
      const auto same = [&](const UmbAnnotation& other) { return other.name == annotation.name; };
      if (std::any_of(into.begin(), into.end(), same))
        document_.fail(fmt::format("there are two {} named '{}'",
                                   rewards ? "rewards" : "atomic propositions",
                                   shown(annotation.name)));
      into.push_back(std::move(annotation));
    });
  }

  void read_annotation(Value& value, UmbAnnotation& annotation, bool is_reward) {
    std::string scratch;
    document_.each_field(value, [&](std::string_view key, Value& member) {
      if (key == "alias") {
        annotation.name = document_.string(member, scratch);
      } else if (key == "applies-to") {
        document_.each_element(member, [&](Value& element) {
          const std::string_view to = document_.string(element, scratch);
          annotation.states |= to == "states";
          annotation.choices |= to == "choices";
          annotation.branches |= to == "branches";
        });
      } else if (key == "probability-type") {
        document_.fail("annotations that are drawn at random are not read");
      } else if (key == "type") {
        if (is_reward)
          annotation.type = number_type(member, "rewards");
        else if (read_type(member).name != "bool")
          document_.fail("an atomic proposition must be of the type 'bool'");
      }
    });
    if (annotation.name.empty()) annotation.name = annotation.id;
    if (!is_reward && (annotation.choices || annotation.branches || !annotation.states))
      document_.fail("an atomic proposition must apply to states and nothing else");
  }

  JsonDocument document_;
  UmbIndex index_;
  bool has_version_ = false;
  bool has_system_ = false;
  bool written_here_ = false;
};

}  // namespace

UmbIndex read_umb_index(const std::string& name, std::string text) {
  return IndexReader(name, std::move(text)).read();
}

}  // namespace carl::io
