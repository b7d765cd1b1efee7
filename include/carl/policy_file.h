// Policies and results as their files say them, in names: nothing here has been compared with a
// model. See io.h for the readers, policy.h for what a policy is in memory, check.h for the
// comparison.
#ifndef CARL_POLICY_FILE_H
#define CARL_POLICY_FILE_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carl/solution.h"

namespace carl {

struct PolicyFile {
  struct Choice {
    std::string action;
    double probability = 1;
  };
  struct Entry {
    /// An explicit state's name, or the facts of a factored one, sorted and joined by spaces: what
    /// Cssp::state_name() says.
    std::string state;
    bool factored = false;
    std::optional<double> visits;  // expected number of visits; may be left out
    std::vector<Choice> choices;
    /// Expected costs from here on, one per cost; may be left out.
    std::vector<double> values = {};
  };
  /// An explicit state's name, as a single text; or, of a factored problem, facts that hold there
  /// and, as in "(not (wet))", facts that do not: a state in which all of that is so is a goal.
  struct Goal {
    std::vector<std::string> literals;
    bool factored = false;
  };

  std::vector<std::string> costs;
  std::vector<Entry> states;
  /// It is said to cover every state that can be reached and from which a goal can be reached with
  /// certainty, not only those that the policy meets.
  bool covers_all = false;
  /// All facts that states of the problem are made of; empty if nobody has said, or there are none.
  std::vector<std::string> facts = {};
  std::vector<Goal> goals = {};  // empty if nobody has said
};

/// What a result file claims about a policy.
struct ResultFile {
  struct Constraint {
    std::string cost;
    double bound = 0;
    std::optional<double> value;
    std::optional<double> multiplier;
  };

  std::string status;
  std::optional<double> objective;
  std::optional<double> lower_bound;
  std::optional<double> gap;
  std::vector<std::pair<std::string, double>> costs;
  std::vector<Constraint> constraints;
  std::optional<double> states;
  std::optional<double> stochastic_states;
  std::vector<MixtureComponent> mixture;
  bool deterministic = false;  // it is about policies that toss no coin
};

}  // namespace carl

#endif
