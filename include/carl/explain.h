// Why a policy does what it does. At the shadow prices λ* of the bounds every action of an optimal
// policy is a best one by primary cost plus λ* times the others. So for any state one can say what
// each action would cost in every respect if it were taken once and all went on as well as possible,
// and what would be lost by it; which action would be best if nobody asked for the bounds, and which
// of them makes the difference; how far a bound can be moved before its price changes; and in which
// states a budget is spent.
#ifndef CARL_EXPLAIN_H
#define CARL_EXPLAIN_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/policy.h"
#include "carl/solve.h"

namespace carl {

struct ExplainRequest {
  /// The states to explain, by what Cssp::state_name() calls them; none, and none of
  /// the next either: the initial one.
  std::vector<std::string> states;
  /// And so many of those that the policy visits most.
  std::size_t most_visited = 0;
  /// The policy to explain; none: the one that solving finds.
  std::optional<Policy> policy;
  /// λ*, one per bound; empty: those that solving finds.
  std::vector<double> multipliers;
  /// Find out over which range of each bound its price holds.
  bool ranges = true;
  /// Problems of up to so many states are solved as a whole for it; of larger ones there is a search
  /// from each state that an action may lead to.
  std::size_t max_states = 50'000;
  /// How many states that cost most to name for each cost.
  std::size_t spenders = 5;
};

/// An action that could be taken in a state.
struct Alternative {
  ActionId action;
  double probability = 0;  // with which the policy takes it
  /// Expected from here on if it is taken once. After it comes the policy where that goes on from
  /// what happens, and else what is best at λ*. None if it may end where no goal can be reached for
  /// certain.
  std::optional<std::vector<double>> costs;
  /// By how much it is worse than the best action at λ*, in units of the primary cost; and if no
  /// bound counted.
  std::optional<double> loss;
  std::optional<double> loss_without_bounds;
};

struct StateExplanation {
  StateId state;
  double visits = 0;  // expected; 0 if the policy does not get there
  std::vector<Alternative> actions;
  /// What would be best if no bound counted.
  std::optional<ActionId> without_bounds;
  /// Bounds without which alone another action would be best than with all of them, and which: the
  /// bound by its place in Cssp::bounds().
  std::vector<std::pair<std::size_t, ActionId>> decisive;
};

/// A bound may be anywhere in between, the others as they are, and all prices stay the same.
struct PriceRange {
  std::size_t bound = 0;  // its place in Cssp::bounds()
  double price = 0;
  double from = 0;
  double to = 0;  // may be infinite
};

/// What is spent in a state.
struct Spending {
  StateId state;
  double visits = 0;
  double amount = 0;  // of the cost, over all visits
};

struct Explanation {
  Status status = Status::limit;  // of the solve; only if it is optimal there is more
  std::vector<double> costs;      // of the policy
  std::vector<double> multipliers;
  std::vector<StateExplanation> states;
  std::vector<PriceRange> ranges;
  std::vector<std::vector<Spending>> spending;  // by cost, the largest amounts first
  std::string note;
};

/// Throws InputError as solve() does, and for states that the policy (of no name in the request)
/// does not know; LimitReached.
Explanation explain(const Cssp& cssp, const ExplainRequest& request, const SolveOptions& options,
                    Monitor& monitor);

}  // namespace carl

#endif
