// A policy at work: a state in, an action out. It needs nothing but the policy's file, so that what
// acts need not know the problem.
#ifndef CARL_ACT_H
#define CARL_ACT_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "carl/policy_file.h"

namespace carl {

struct ActOptions {
  std::uint64_t seed = 1;
  /// Facts that the policy knows nothing of are left out instead of being an error.
  bool ignore_unknown_facts = false;
};

/// What to do in a state.
struct ActAnswer {
  enum class Kind { action, goal, error };

  Kind kind = Kind::error;
  std::string text;        // the action's name, or what is wrong; empty at a goal
  std::string hint = {};   // what may be done about an error; may be empty
  double probability = 1;  // with which the action is chosen
};

/// An answer as a line of text: the action, "goal", or "error: …". An action whose name has line
/// breaks is written as JSON.
std::string to_line(const ActAnswer& answer);
/// The same as an object in JSON, on one line: {"action": …, "probability": …}, {"goal": true} or
/// {"error": …, "hint": …}.
std::string to_json_line(const ActAnswer& answer);

class Actor {
 public:
  /// Throws InputError if some state of the policy has no distribution over actions.
  explicit Actor(PolicyFile policy, const ActOptions& options = {});
  ~Actor();
  Actor(Actor&&) noexcept;
  Actor& operator=(Actor&&) noexcept;

  /// The answer to a line: of a factored problem the facts that hold, "(at depot) (wet)", in any
  /// order, or a JSON list of them; else the name of the state, or that as a JSON text. Nothing is
  /// thrown. The n-th answer depends on the seed, on n and on the state alone.
  ActAnswer answer(std::string_view line);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace carl

#endif
