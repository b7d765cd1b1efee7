#include "cssp/expand_ahead.h"

namespace carl::cssp {

void expand_ahead(ssp::SearchGraph& graph, HeuristicKind heuristic, const SolveOptions& options,
                  Limits& limits) {
  if (options.threads == 1 || heuristic != HeuristicKind::zero) return;
  graph.expand_all(limits, [&] {
    if (options.progress) options.progress({"expanding", graph.num_states(), 0, {}, {}, {}});
  });
}

}  // namespace carl::cssp
