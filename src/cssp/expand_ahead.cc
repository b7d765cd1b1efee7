#include "cssp/expand_ahead.h"

namespace carl::cssp {

void expand_ahead(graph::SearchGraph& graph, HeuristicKind heuristic, const SolveOptions& options,
                  Monitor& monitor) {
  if (options.threads == 1 || heuristic != HeuristicKind::zero) return;
  graph.expand_all(monitor, [&] {
    if (options.progress) options.progress({"expanding", graph.num_states(), 0, {}, {}, {}});
  });
}

}  // namespace carl::cssp
