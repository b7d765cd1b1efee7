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
//  3. The first search that is not done after 10^7 instructions, as counted by its work, takes a look
//     at what landmarks and ROC say of the initial state, if neither algorithm nor heuristic was asked
//     for; one estimate of each takes next to nothing, but where tasks have thousands of operators
//     none is looked at that would take longer than the search has taken. If landmarks say half as
//     much again as the search has found out, it goes on with them (blocks world: 1.7 times, and 0.02
//     s where h-max takes 0.34). If ROC does, the search is far from its end, and when it takes turns
//     with the expansion (6.) it gets an eighth of the work that it would get otherwise.
//  4. Then also, if there are bounds, i²-dual gets a try of 175 states before CARL goes on: ROC may
//     say almost all there is to know (the printer: 3 times what h-max has found out; with few
//     failures allowed 0.02 s instead of 0.6 s, else 0.02 s in vain).
//  5. A search for one λ that is not done after 7.5·10^7 instructions is worth a second thought. It
//     goes on with a pattern database if that says more of the initial state than landmarks do, and
//     at least half of what the search has found out so far (the tireworld, search and rescue: 75 to
//     130%; exploding blocks world: 5 to 15%); else with landmarks if these say half as much again as
//     h-max does, in the median over 200 fringe states, or as many as can be compared in half of the
//     work done so far. If the new one says more of the initial state than the search has found out
//     (for its first λ, whose values begin with estimates), what has been expanded is only in the
//     way: the search begins anew, and is given as much work as has been done before the next rule
//     applies (the tireworld (4,5,6): 2,239 expanded states instead of 10,781).
//  6. From then on search and expansion of the whole space take turns, and whichever is done first
//     wins: expanding a state is ten to a hundred times cheaper than searching from it, so a space
//     with few states is solved faster by value iteration. Up to 60,000 states both do the same work;
//     a step of the expansion ends when it has doubled the states that are known or expanded four
//     times as many as before. By then a space shows whether it is about to close (see
//     StepwiseExpansion). If it is, the search gets a sixteenth of the work of each step before it; if
//     not, all of it.
//  7. A pattern is chosen with little effort at first. A search with it that is not done after
//     2·10^9 instructions has time for a better one.
//
// Which heuristic: h-max for searches of factored problems, Dijkstra's distances for problems in
// memory, none for others and for value iteration; LM-cut for i-dual, whose LPs are so much more
// expensive than backups that informed values pay; POM for i²-dual.
#ifndef CARL_ORACLE_STRATEGY_H
#define CARL_ORACLE_STRATEGY_H

#include <cstddef>
#include <limits>

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
/// The same before CARL, which takes a hundredth of a second.
inline constexpr std::size_t most_states_of_i2_dual_before_carl = 175;

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

/// At 150 to 400 bytes a state these take 1 to 2 GB.
inline constexpr std::size_t most_states_to_expand = 5'000'000;

/// When search and expansion take turns.
struct TurnRules {
  /// In instructions: a search that is done before needs no look at other heuristics.
  std::size_t work_before_first_look = 10'000'000;
  /// A search for one λ that is done before is not worth a second thought.
  std::size_t work_before_second_thought = 75'000'000;
  /// Known after the first step of the expansion.
  std::size_t states_of_first_step = 3'750;
  /// When an expansion shows whether it is near its end.
  std::size_t states_before_judging = 60'000;
};

/// Expands everything reachable, blindly, in steps to twice as many states each; in more where the
/// first states make very many known, so that no step is much longer than the one before.
class StepwiseExpansion {
 public:
  enum class Outcome { whole, more_to_come, too_large };

  explicit StepwiseExpansion(std::size_t most_states = most_states_to_expand,
                             const TurnRules& rules = {})
      : rules_(rules), most_states_(most_states), next_states_(rules.states_of_first_step) {}

  /// Too large: it proves to be too much, or a limit ended it.
  Outcome take_step(graph::SearchGraph& graph, Monitor& monitor);
  /// Of all steps so far, in instructions.
  std::size_t work() const { return work_; }
  /// How much work a search that has done so much may have done when it is the expansion's turn. It
  /// gets less if it is known to be far from its end.
  std::size_t next_turn(std::size_t work_of_search, bool search_is_far) const;

 private:
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  TurnRules rules_;
  std::size_t most_states_;
  std::size_t next_states_;               // where the next step ends
  std::size_t most_expanded_ = no_limit;  // by the end of the next step
  double share_expanded_ = 0;             // of the states known after the last step
  std::size_t work_ = 0;
};

/// All steps. False if that proves to be too much, or a limit ended it.
bool expand_small_space(graph::SearchGraph& graph, Monitor& monitor,
                        std::size_t most_states = most_states_to_expand);

/// A heuristic that is too expensive for a look of so much work is not looked at.
bool is_worth_a_look(std::size_t work_per_evaluation, std::size_t work_of_search);
/// Half as much again of the initial state as the search has found out so far: it is far from its
/// end. The heuristic has the weights of the search.
bool says_much_more(heuristics::Heuristic& heuristic, const ssp::ScalarisedSsp& ssp);
/// More than the search has found out so far.
bool says_more(heuristics::Heuristic& heuristic, const ssp::ScalarisedSsp& ssp);

/// What a search with h-max goes on with: one of these, or h-max. They have the weights of the
/// search; null: not worth a look.
HeuristicKind better_heuristic(heuristics::Heuristic* pdb, heuristics::Heuristic* landmarks,
                               const ssp::ScalarisedSsp& ssp, std::size_t work, Monitor& monitor);

/// A search with a pattern database that ends before has no need of a better pattern.
inline constexpr std::size_t work_before_better_pattern = 2'000'000'000;

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
