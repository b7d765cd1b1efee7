#include "cluster/prepared_rows.h"

#include <limits>
#include <memory>

#include "cluster/agreement.h"
#include "cluster/free_loops.h"
#include "cluster/owner_expansion.h"
#include "cluster/redistribution.h"
#include "cluster/region.h"
#include "graph/search_graph.h"

namespace carl::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool has_state(const Rows& rows, GlobalId state) {
  return state >= rows.begin() && state < rows.begin() + rows.size();
}

/// What is true of one state, on all ranks.
bool holds_at(GlobalId state, const std::vector<double>& set, const Rows& rows,
              const Ranks& ranks) {
  return ranks.any(has_state(rows, state) && set[state - rows.begin()] != 0);
}

/// The states of a share. False if a limit ended it.
bool expand(const StateRange& share, Monitor& monitor, graph::SearchGraph& graph) {
  for (std::size_t s = share.first; s < share.last; ++s) {
    if (monitor.reached()) return false;
    if (!graph.is_goal(StateId(s))) graph.expand(StateId(s));
  }
  return true;
}

void add_state(const graph::SearchGraph& graph, StateId state, std::size_t home, Rows& rows) {
  for (const graph::PairId p : graph.pairs(state)) {
    const auto successors = graph.successors(p);
    const auto probabilities = graph.probabilities(p);
    if (graph.ends(p)) rows.add_outcome(goal_id, 1);
    for (std::size_t k = 0; k < successors.size(); ++k)
      rows.add_outcome(graph.is_goal(successors[k]) ? goal_id : successors[k].index(),
                       probabilities[k]);
    rows.add_pair(graph.action(p), graph.cost(p), graph.repeats(p));
  }
  rows.end_state(name_at(home, state.index()));
}

bool has_zero_cost_loop(const Rows& rows, const GraphSearch& search, const PairSet& pairs,
                        GlobalId initial, const Ranks& ranks) {
  std::vector<double> primary(rows.num_costs(), 0.0);
  primary[0] = 1;
  const std::vector<double> reached = search.reachable(initial, pairs);
  PairSet free = free_pairs(rows, primary, pairs);
  for (std::size_t s = 0; s < rows.size(); ++s)
    if (reached[s] == 0)
      for (std::size_t p = rows.first_pair(s); p < rows.last_pair(s); ++p)
        free[p] = 0;
  const std::vector<double> loop = search.closed_set(free);
  bool any = false;
  for (std::size_t s = 0; s < rows.size(); ++s)
    any |= loop[s] != 0;
  return ranks.any(any);
}

}  // namespace

ProblemRows read_rows(Cssp& cssp, const SolveOptions& options, const Ranks& ranks, Watch& watch) {
  Cssp open = cssp.with_zero_bounds_only({});
  if (can_expand_by_owners(open)) return expand_by_owners(open, ranks, watch);
  graph::SearchGraph graph(open, options.threads);
  const auto share = cssp.model().share();
  bool complete = false;
  together(ranks, [&] {
    complete = share ? expand(*share, watch.monitor(), graph)
                     : graph.is_goal(graph.initial_state()) || graph.expand_all(watch.monitor());
  });
  watch.check_all(complete ? LimitKind::none : watch.monitor().kind());
  ProblemRows problem{Rows(graph.num_costs())};
  const Ownership ownership = share ? Ownership::of(share->last - share->first, ranks)
                                    : Ownership::even(graph.num_states(), ranks);
  if (share) problem.homes = Homes::Kind::shares;
  const std::size_t home = share ? ranks.index() : 0;
  for (GlobalId s = ownership.begin(ranks); s < ownership.end(ranks); ++s)
    if (!watch.monitor().reached()) add_state(graph, StateId(s), home, problem.rows);
  watch.check_all(watch.monitor().kind());
  problem.rows.finish(ownership, ranks);
  const StateId initial = graph.initial_state();
  if (!graph.is_goal(initial)) problem.initial = initial.index();
  return problem;
}

bool has_proper_policy(const ProblemRows& problem, const std::vector<std::size_t>& forbidden,
                       const Ranks& ranks, Watch& watch) {
  if (problem.initial == goal_id) return true;
  const Rows& rows = problem.rows;
  const Ghosts ghosts(rows, ranks);
  const GraphSearch search(rows, ghosts, ranks, &watch);
  PairSet pairs = pairs_without(rows, forbidden);
  return holds_at(problem.initial, search.proper_region(pairs), rows, ranks);
}

PreparedRows prepare(ProblemRows& problem, const std::vector<std::size_t>& forbidden,
                     const Ranks& ranks, Watch& watch) {
  const Rows& rows = problem.rows;
  PreparedRows result{PreparedRows::Outcome::ready, Rows(rows.num_costs())};
  std::vector<double> key(rows.num_slots(), infinity);
  PairSet pairs = pairs_without(rows, forbidden);
  const Ghosts ghosts(rows, ranks);
  if (problem.initial != goal_id) {
    const GraphSearch search(rows, ghosts, ranks, &watch);
    if (has_zero_cost_loop(rows, search, pairs, problem.initial, ranks))
      result.outcome = PreparedRows::Outcome::zero_cost_loop;
    else if (!holds_at(problem.initial, search.proper_region(pairs), rows, ranks))
      result.outcome = PreparedRows::Outcome::no_proper_policy;
    if (result.outcome != PreparedRows::Outcome::ready) return result;
    const std::vector<double> reached = search.reachable(problem.initial, pairs);
    const std::vector<double> distance = search.distances(pairs);
    for (std::size_t s = 0; s < rows.size(); ++s)
      if (reached[s] != 0) key[s] = distance[s];
  }
  const Order order = order_by(key, rows, ghosts, ranks);
  if (problem.initial != goal_id) {
    std::uint64_t own = 0;
    if (has_state(rows, problem.initial)) own = order.position[problem.initial - rows.begin()];
    result.initial = ranks.max(own);
  }
  result.rows = redistribute(std::move(problem.rows), order, pairs, ranks, &watch);
  return result;
}

}  // namespace carl::cluster
