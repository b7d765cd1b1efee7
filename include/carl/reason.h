// Why no policy reaches a goal with certainty, in terms that the author of the problem can act on:
// facts that can never become true, or a shortest way into a state from which there is none to any
// goal.
#ifndef CARL_REASON_H
#define CARL_REASON_H

#include <cstddef>
#include <string>
#include <vector>

#include "carl/ids.h"

namespace carl {

/// A fact that can never become true, and why each action that would make it true cannot be used.
struct UnreachableFact {
  struct Achiever {
    std::string action;              // "(finish m4)"; parameters that do not matter as "?x"
    std::vector<std::string> needs;  // and never gets; empty: facts that exclude each other
  };
  std::string fact;                 // "(done m4)", "(not (locked))"
  bool in_goal = false;             // the goal asks for it
  bool negative = false;            // it is the absence of a fact
  std::vector<Achiever> achievers;  // empty: there is no such action
};

/// Why no goal can be reached from a state even if nothing that was true ever became false. The
/// facts explain each other: what an achiever needs is one of them, or never changes at all.
struct Unreachability {
  std::vector<UnreachableFact> facts;  // as few as possible, those of the goal first
  /// Facts that the goal asks for and that are never true at the same time.
  std::vector<std::string> exclusive;
  /// The goal cannot be true in any state, whatever the actions do.
  bool contradiction = false;

  bool empty() const { return facts.empty() && exclusive.empty() && !contradiction; }
};

/// A way into a state from which no goal can be reached at all. Each action on it may lead closer
/// to a goal as well; a problem without a proper policy has no policy that avoids all such ways.
struct DeadEnd {
  struct Step {
    StateId state;
    ActionId action;
    double probability = 1;  // of the outcome that leads to the next state
  };
  std::vector<Step> steps;  // from the initial state, as few as possible; may be none
  StateId state;            // where they lead
  bool has_actions = true;  // there is something to do in it
  Unreachability reason;    // empty if it takes more than a relaxation to see it
};

class Cssp;

/// One sentence, or a line of the way into the dead end, after the other.
std::vector<std::string> sentences(const Cssp& cssp, const DeadEnd& dead_end);

}  // namespace carl

#endif
