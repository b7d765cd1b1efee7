// What is asked of a plan beyond its expected costs: of what single runs use, and of how often they
// reach the goal at all. Problems that ask for it are made by make_problem() (see problem.h), which
// turns all of it into expectations.
#ifndef CARL_GUARANTEES_H
#define CARL_GUARANTEES_H

#include <string>

namespace carl {

/// An upper bound on something about X, what a single run uses of a cost. If the run gives up, the
/// penalty counts as used.
struct Guarantee {
  enum class Kind {
    chance,  // P(X > limit) ≤ upper
    excess,  // E[(X - limit)⁺] ≤ upper: by how much it exceeds the limit, on average over all runs
    cvar     // CVaR of X ≤ upper: its average over the worst runs, a share of 1 - level of them
  };

  Kind kind = Kind::chance;
  std::string cost;
  double limit = 0;  // for CVaR: the level, in [0, 1)
  double upper = 0;
};

/// How certain it must be that the goal is reached. Giving up is free of all costs then.
struct GoalProbability {
  /// At least this. It is ignored if the largest is asked for: then the cost is the least among
  /// policies that reach the goal with the largest probability.
  double least = 1;
  bool largest = false;
  /// Give up only where no goal can be reached any more.
  bool only_when_lost = false;
};

}  // namespace carl

#endif
