// What a solver returns: status, policy, exact costs, bounds, and how it got there.
#ifndef CARL_SOLUTION_H
#define CARL_SOLUTION_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carl/ids.h"
#include "carl/model.h"
#include "carl/policy.h"
#include "carl/reason.h"
#include "carl/repair.h"

namespace carl {

enum class Status { optimal, infeasible, no_proper_policy, limit, interrupted };

/// As written in result files: "optimal", "no-proper-policy", …
std::string_view to_string(Status status);

/// In how many states a policy says what to do, and in how many of these it tosses a coin.
struct PolicySize {
  std::size_t states = 0;
  std::size_t stochastic_states = 0;
};

/// A deterministic policy of a mixture: draw one of them by its weight at the start and follow it.
struct MixtureComponent {
  double weight = 1;
  std::vector<double> costs;  // expected
  Policy policy;              // only if SolveOptions::mixture_policies
};

/// Why no policy meets all bounds: every policy has Σ weight·cost ≥ least > allowed = Σ
/// weight·bound. Or, if `zero_bounds` are named, because without the actions that these bounds of
/// zero forbid no policy reaches the goal for certain, while with them there is one; then there are
/// no weights.
struct Infeasibility {
  std::vector<double> weights;  // one per entry of Cssp::bounds(), summing to 1
  double least = 0;
  double allowed = 0;
  std::vector<std::size_t> zero_bounds;  // entries of Cssp::bounds(); none could be left out
};

/// How the best policy that tosses no coin was looked for: see SolveOptions::deterministic.
struct Branching {
  std::size_t nodes = 0;  // restricted problems that were solved
  std::size_t open = 0;   // that were left when a limit ended it
  /// Of the best policy that may toss coins, the relaxation that all began with: its exact costs,
  /// and a lower bound on all others.
  std::optional<std::vector<double>> costs_with_coins;
  std::optional<double> lower_bound_with_coins;
};

/// One evaluation of L(λ) on the way to the optimum, and what was known after it.
struct TracePoint {
  double seconds = 0;               // since the outer search began
  std::vector<double> multipliers;  // λ, one per entry of Cssp::bounds()
  std::size_t cut = 0;              // the policy that was found, an entry of Solution::cuts
  double value = 0;                 // of that policy at λ: C0 + λ·(C - u)
  double lower_bound = 0;
  std::optional<double> upper_bound;  // none while no feasible mixture is known
};

struct Seconds {
  double parse = 0;
  double ground = 0;
  double heuristic = 0;
  double search = 0;
  double extract = 0;
  /// Of heuristic and search: solving scalarised problems, which CARL alone does.
  double scalarised_ssps = 0;
  double total = 0;
};

/// What it took CARL to find λ*, without making a policy of the answers.
struct MultiplierSearch {
  double seconds = 0;
  std::size_t scalarised_ssps = 0;
  std::size_t distinct = 0;  // multipliers tried
  std::size_t nonzero = 0;   // entries of λ*
  std::size_t expanded = 0;
  std::size_t evaluated = 0;
  std::size_t backups = 0;
  std::size_t q_values = 0;
};

struct Statistics {
  std::size_t scalarised_ssps = 0;
  std::size_t expanded = 0;   // states
  std::size_t generated = 0;  // states
  std::size_t evaluated = 0;  // heuristic evaluations
  std::size_t backups = 0;
  std::size_t q_values = 0;    // state-action pairs looked at, all backups together
  std::size_t components = 0;  // strongly connected, solved one after the other
  std::size_t lp_solves = 0;
  std::size_t lp_iterations = 0;
  std::size_t state_action_pairs = 0;
  std::size_t transitions = 0;
  std::size_t state_bytes = 0;                        // stored states
  std::size_t transition_bytes = 0;                   // pairs and transitions
  std::optional<MultiplierSearch> multiplier_search;  // of CARL
  Seconds seconds;
};

struct Solution {
  Status status = Status::limit;
  std::string algorithm;
  std::string outer;      // empty if the algorithm has none
  std::string heuristic;  // empty if the algorithm has none
  /// Present if there is a feasible policy: its exact costs, the first of which is the objective.
  std::optional<std::vector<double>> costs;
  std::optional<double> lower_bound;
  /// Shadow price of each bound, in the order of Cssp::bounds(); empty if unknown.
  std::vector<double> multipliers;
  Policy policy;
  /// If there is a policy of which no machine has all (cluster.h), and `policy` is empty.
  std::optional<PolicySize> spread_policy;
  std::vector<MixtureComponent> mixture;
  std::optional<Infeasibility> infeasibility;
  /// If policies must not toss coins. A problem may be infeasible only because of that: then there
  /// are costs with coins, and no other reason.
  std::optional<Branching> branching;
  /// If the policy tosses coins: the exact costs of the best policy met on the way that does not,
  /// and meets all bounds. There may be better ones.
  std::optional<std::vector<double>> deterministic_costs;
  /// If it is infeasible: what would suffice.
  std::optional<Repair> repair;
  /// If there is no proper policy and it could be worked out: the reason.
  std::optional<DeadEnd> dead_end;
  /// How CARL got there: the λ visited in order, and the expected costs of the deterministic
  /// policies found, whose minimum C0 + λ·(C - u) is L(λ) wherever it was asked for.
  std::vector<TracePoint> trace;
  std::vector<std::vector<double>> cuts;
  std::string note;  // a sentence for the user, e.g. why a limit was reported
  Statistics statistics;

  PolicySize policy_size() const;
  /// Relative: (upper - lower) / |upper|, zero if both are zero; empty unless both are known.
  std::optional<double> gap() const;
};

/// (upper - lower) / |upper|; zero if they are equal, infinite if only `upper` is zero.
double relative_gap(double upper, double lower);
/// Of what a step costs: a cost below that counts as exact when it is as exact as one of that size
/// would be. What is next to never paid has no digits of its own in sums with what is paid.
inline constexpr double next_to_nothing = 1e-6;
/// By how much a policy may exceed a bound and still count as feasible: 1e-9·u. What it exceeds it
/// by is part of the statement: `lower_bound` holds for all policies that exceed no bound by more.
double bound_tolerance(const Bound& bound);
/// By how much a cost exceeds a bound, beyond what rounding explains (1e-12·u); zero if it does
/// not.
double excess(const Bound& bound, double cost);

}  // namespace carl

#endif
