#include "carl/io.h"
#include "carl/options.h"
#include "cssp/occupation_lp.h"
#include "ssp/proper_region.h"
#include "ssp/search_graph.h"

namespace carl {

void write_lp(Cssp& cssp, std::ostream& out, Limits& limits) {
  ssp::SearchGraph graph(cssp);
  if (!graph.expand_all(limits)) throw LimitReached(limits.kind());
  const ssp::ProperRegion region = ssp::proper_region(graph, limits);
  limits.check();
  if (!region.contains(graph.initial_state()) && !cssp.zero_bounds().empty()) {
    // Infeasible by bounds of zero. The LP that says so has them as rows, and all actions.
    Cssp with_rows = cssp.with_zero_bounds_as_constraints();
    return write_lp(with_rows, out, limits);
  }
  if (!region.contains(graph.initial_state()))
    throw OptionError("no policy surely reaches the goal, so there is no LP to write",
                      "add a give-up penalty, e.g. `give_up " + cssp.cost_names()[0] + "=1000`");
  cssp::write_occupation_lp(graph, region, out);
}

}  // namespace carl
