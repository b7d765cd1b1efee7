#include "carl/explore.h"

#include "carl/question.h"
#include "graph/proper_region.h"
#include "graph/search_graph.h"
#include "graph/zero_cost_loops.h"
#include "util/timer.h"

namespace carl {

StateSpaceSize explore(Cssp& cssp, std::size_t max_states, Monitor& monitor, std::size_t threads) {
  StateSpaceSize size;
  graph::SearchGraph graph(cssp, threads);
  const Timer timer;
  size.complete = graph.expand_all(monitor, max_states);
  size.seconds = timer.seconds();
  if (!allows_free_loops(cssp.model())) graph::reject_zero_cost_loops(graph, monitor);
  size.states = graph.num_states();
  size.expanded = graph.num_expanded();
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    size.goals += graph.is_goal(StateId(s));
  size.pairs = graph.num_generated_actions();
  // Where one may give up, that is one more thing to happen in every state that is expanded.
  size.outcomes = graph.num_outcomes() + (cssp.can_give_up() ? graph.num_expanded() : 0);
  size.forbidden = graph.num_forbidden_actions();
  size.state_bytes = cssp.model().state_bytes();
  size.transition_bytes = graph.bytes();
  if (!size.complete) return size;
  const graph::ProperRegion region = graph::proper_region(graph, monitor);
  size.complete = !monitor.reached();
  if (!size.complete) return size;
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    size.hopeless += !region.member[s];
  size.proper_policy = region.contains(graph.initial_state());
  return size;
}

}  // namespace carl
