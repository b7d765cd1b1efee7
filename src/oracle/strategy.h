// All that the planner decides by itself where the options leave it open. The rules, in the order in
// which they apply:
//
// Which algorithm (`algorithm auto`)
//  1. A problem that is in memory as a whole, or proves to have at most 300,000 states, is CARL's,
//     with value iteration.
//  2. Another one that is not factored is CARL's.
//  3. On the rest i²-dual with ROC may be done after a few hundred states, where ROC says almost
//     everything there is to know about the problem (the printer with six sheets: 0.1 s where CARL
//     is not done after 40). Its LPs become slow after some thousand states. So it gets 1,500 states
//     to show what it can do.
//  4. If that was not enough, CARL takes over.
//
// How CARL solves scalarised problems
//  1. By value iteration, without a heuristic, if the problem is in memory as a whole, or expanded
//     by `auto`.
//  2. By incremental CG-iLAO* otherwise, with h-max if the problem is factored.
//  3. A search that has expanded 2,000 states and is not done is worth a second thought, once, if
//     neither algorithm nor heuristic was asked for. Expanding is ten to a hundred times cheaper
//     than an LM-cut value, so a space with few states is expanded as a whole, for value iteration.
//     Whether it has few shows on the way: see expand_small_space().
//  4. If it has many, the search goes on; with a pattern database if that says more of the initial
//     state than landmarks do, and at least half of what the search has found out so far (the
//     tireworld, search and rescue: 75 to 130%; exploding blocks world: 5 to 15%); else with
//     landmarks if these say half as much again as h-max does, in the median over 200 fringe states.
//  5. A pattern is chosen with little effort at first. A search with it that has expanded 100,000
//     states has time for a better one.
//
// Which heuristic: h-max for searches of factored problems, Dijkstra's distances for problems in
// memory, none for others and for value iteration; LM-cut for i-dual, whose LPs are so much more
// expensive than backups that informed values pay; POM for i²-dual.
#ifndef CARL_ORACLE_STRATEGY_H
#define CARL_ORACLE_STRATEGY_H

#include <cstddef>

#include "carl/monitor.h"
#include "carl/options.h"
#include "carl/solve.h"
#include "graph/search_graph.h"
#include "heuristics/heuristic.h"
#include "ssp/scalarised_ssp.h"

namespace carl::oracle {

// --- which algorithm ------------------------------------------------------------------------------

/// Takes a few tenths of a second. CARL itself expands more than that, but not before i²-dual has
/// had its chance.
inline constexpr std::size_t most_states_for_auto_to_expand = 300'000;
/// What i²-dual may expand when it is given a try.
inline constexpr std::size_t most_states_of_i2_dual = 1'500;

// --- how scalarised problems are solved -----------------------------------------------------------

struct Plan {
  InnerAlgorithm inner = InnerAlgorithm::vi;
  HeuristicKind heuristic = HeuristicKind::zero;
  HeuristicMode mode = HeuristicMode::lambda;
  /// Neither was asked for: the plan may change should the problem turn out to be large.
  bool may_change = false;
};

/// What to begin with, on a graph that is expanded as a whole or not at all.
Plan first_plan(const graph::SearchGraph& graph, const SolveOptions& options);
/// What to go on with once all states are expanded.
Plan plan_for_all_states(const SolveOptions& options);

/// A search that ends before it has expanded so many states is not worth a second thought.
inline constexpr std::size_t states_before_second_thought = 2'000;

/// At 150 to 400 bytes a state these take 1 to 2 GB.
inline constexpr std::size_t most_states_to_expand = 5'000'000;

/// Expands everything reachable, blindly. False if that proves to be too much, or a limit ended it.
bool expand_small_space(graph::SearchGraph& graph, Monitor& monitor,
                        std::size_t most_states = most_states_to_expand);

/// What a search with h-max goes on with: one of these, or h-max. They have the weights of the
/// search.
HeuristicKind better_heuristic(heuristics::Heuristic& pdb, heuristics::Heuristic& landmarks,
                               const ssp::ScalarisedSsp& ssp, Monitor& monitor);

/// A search with a pattern database that ends before has no need of a better pattern.
inline constexpr std::size_t states_before_better_pattern = 100'000;

// --- which heuristic ------------------------------------------------------------------------------

/// For searches.
HeuristicKind default_heuristic(const Cssp& cssp);
/// For one of the algorithms for scalarised problems.
HeuristicKind heuristic_of(InnerAlgorithm algorithm, const SearchOptions& search, const Cssp& cssp);
/// What i-dual takes its terminal costs from, or, if it is C-ROC, what it proves its bounds with.
HeuristicKind heuristic_of_i_dual(const SearchOptions& search, const Cssp& cssp);
HeuristicKind heuristic_of_i2_dual(const SearchOptions& search);

}  // namespace carl::oracle

#endif
