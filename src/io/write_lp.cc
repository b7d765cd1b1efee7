#include "carl/io.h"
#include "carl/options.h"
#include "cssp/occupation_lp.h"
#include "graph/proper_region.h"
#include "graph/search_graph.h"

namespace carl {

void write_lp(Cssp& cssp, std::ostream& out, Monitor& monitor) {
  graph::SearchGraph graph(cssp);
  if (!graph.expand_all(monitor)) throw LimitReached(monitor.kind());
  const graph::ProperRegion region = graph::proper_region(graph, monitor);
  monitor.check();
  if (!region.contains(graph.initial_state()) && !cssp.zero_bounds().empty()) {
    // Infeasible by bounds of zero. The LP that says so has them as rows, and all actions.
    Cssp with_rows = cssp.with_zero_bounds_as_constraints();
    return write_lp(with_rows, out, monitor);
  }
  if (!region.contains(graph.initial_state()))
    throw OptionError("no policy surely reaches the goal, so there is no LP to write",
                      "add a give-up penalty, e.g. `give_up " + cssp.cost_names()[0] + "=1000`");
  cssp::write_occupation_lp(graph, region, out);
}

}  // namespace carl
