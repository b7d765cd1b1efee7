#include "cssp/solve_record.h"

namespace carl::cssp {

void end_by_limit(const Monitor& monitor, Solution& solution) {
  const bool interrupted = monitor.kind() == LimitKind::interrupt;
  solution.status = interrupted ? Status::interrupted : Status::limit;
  solution.note = LimitReached(monitor.kind()).what();
}

void record_graph(const graph::SearchGraph& graph, Statistics& statistics) {
  statistics.expanded = graph.num_expanded();
  statistics.generated = graph.num_states();
  statistics.state_action_pairs = graph.num_known_pairs();
  statistics.transitions = graph.num_outcomes();
  statistics.state_bytes = graph.cssp().model().state_bytes();
  statistics.transition_bytes = graph.bytes();
}

}  // namespace carl::cssp
