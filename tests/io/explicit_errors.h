// A good explicit model to spoil, and the message that its author would get to see.
#ifndef CARL_TESTS_IO_EXPLICIT_ERRORS_H
#define CARL_TESTS_IO_EXPLICIT_ERRORS_H

#include <string>
#include <string_view>
#include <vector>

namespace carl::io {

inline constexpr std::string_view good = R"({ "format": "cssp", "version": 1,
  "costs": ["time", "price"],
  "bounds": { "price": 15 },
  "initial": "s0", "goals": ["g", 7],
  "give_up": { "time": 500 },
  "actions": [
    { "state": "s0", "name": "go", "cost": [1, 0],
      "outcomes": { "s0": 0.5, "g": 0.5 } },
    { "state": "s0", "name": "run", "cost": [2, 0], "outcomes": { "g": 1 } }
  ] }
)";

/// The whole message of the error in `text`, or "fine".
std::string message(std::string text);

/// `good` with the first occurrence of `old` replaced.
std::string edited(std::string_view old, std::string_view replacement);

struct Case {
  std::string_view old;
  std::string_view replacement;
  std::string_view message;
};

void expect_messages(const std::vector<Case>& cases);

}  // namespace carl::io

#endif
