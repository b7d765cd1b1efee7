#include "cssp/occupation_lp.h"

#include <gtest/gtest.h>

#include <sstream>

#include "model/explicit_model.h"

namespace carl::cssp {
namespace {

TEST(OccupationLp, IsWrittenInTheLpFormat) {
  ExplicitBuilder builder({{"time", "fuel", "risk"}, {{1, 4}, {2, 1}}, {}});
  builder.add_action("s", "x", {1, 2, 0}, {{0.5, "t"}, {0.5, "g"}});
  builder.add_action("t", "x", {1, 0, 0}, {{0.25, "s"}, {0.75, "g"}});
  builder.add_action("t", "y", {1, 0, 0}, {{1.0, "dead"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  graph::SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  std::ostringstream out;
  write_occupation_lp(graph, graph::proper_region(graph, monitor), out);
  EXPECT_EQ(out.str(),
            "\\ Occupation-measure LP. x<state>_<action>: expected number of times the state is "
            "left by the action.\n"
            "\\ bound1: fuel\n"
            "\\ bound2: risk\n"
            "Minimize\n cost:\n + 1 x1_0\n + 1 x2_0\n"
            "Subject To\n"
            " flow1: + x1_0\n  - 0.25 x2_0 = 1\n"
            " flow2: + x2_0\n  - 0.5 x1_0 = 0\n"
            " bound1:\n + 2 x1_0 <= 4\n"
            " bound2: 0 x1_0 <= 1\n"
            "End\n");
}

}  // namespace
}  // namespace carl::cssp
