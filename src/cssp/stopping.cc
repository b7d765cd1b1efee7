#include "cssp/stopping.h"

#include <limits>
#include <utility>
#include <vector>

#include "carl/cssp.h"
#include "carl/error.h"
#include "graph/search_graph.h"
#include "graph/zero_cost_loops.h"

namespace carl::cssp {

void find_where_to_stop(const std::shared_ptr<QuestionModel>& model, std::size_t threads,
                        Monitor& monitor) {
  if (!model->needs_end_components()) return;
  CsspOptions without_bounds;
  for (const Bound& bound : model->cost_model().bounds)
    without_bounds.bounds.emplace_back(model->cost_model().costs[bound.cost],
                                       std::numeric_limits<double>::infinity());
  Cssp product(model, without_bounds);
  graph::SearchGraph graph(product, threads);
  if (!graph.expand_all(monitor)) throw LimitReached(monitor.kind());
  std::vector<bool> members(graph.num_states(), false);
  for (const graph::ZeroCostLoop& loop :
       graph::find_zero_cost_loops(graph, model->for_ever(), monitor))
    for (const StateId s : loop.states)
      members[s.index()] = true;
  monitor.check();
  model->set_end_components(std::move(members));
}

}  // namespace carl::cssp
