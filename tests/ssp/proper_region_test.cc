#include "ssp/proper_region.h"

#include <gtest/gtest.h>

#include "model/explicit_model.h"

namespace carl::ssp {
namespace {

/// Membership of each named state.
bool hopeful(Cssp& cssp, const char* name) {
  SearchGraph graph(cssp);
  Limits limits;
  graph.expand_all(limits);
  const ProperRegion region = proper_region(graph);
  for (std::size_t s = 1; s < graph.num_states(); ++s)
    if (cssp.state_name(StateId(s)) == name) return region.member[s];
  ADD_FAILURE() << name;
  return false;
}

TEST(ProperRegion, AvoidsWhatMayEndInADeadEnd) {
  ExplicitModelBuilder builder({{"c"}, {}, {}});
  builder.add_action("s", "risky", {1}, {{0.9, "g"}, {0.1, "dead"}});
  builder.add_action("s", "safe", {9}, {{0.5, "s"}, {0.5, "t"}});
  builder.add_action("t", "go", {1}, {{1.0, "g"}});
  builder.add_action("u", "risky", {1}, {{0.9, "g"}, {0.1, "dead"}});
  builder.add_action("s", "see", {1}, {{0.5, "u"}, {0.5, "v"}});
  // v can only go round with u, or leave by way of s: fine; w only by way of u.
  builder.add_action("v", "back", {1}, {{1.0, "s"}});
  builder.add_action("v", "on", {1}, {{1.0, "w"}});
  builder.add_action("w", "on", {1}, {{1.0, "u"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  EXPECT_TRUE(hopeful(cssp, "s"));
  EXPECT_TRUE(hopeful(cssp, "t"));
  EXPECT_TRUE(hopeful(cssp, "v"));
  EXPECT_TRUE(hopeful(cssp, "g"));
  EXPECT_FALSE(hopeful(cssp, "u"));
  EXPECT_FALSE(hopeful(cssp, "w"));
  EXPECT_FALSE(hopeful(cssp, "dead"));
}

TEST(ProperRegion, ChoiceIsAProperPolicyEvenWithCycles) {
  ExplicitModelBuilder builder({{"c"}, {}, {}});
  builder.add_action("a", "round", {1}, {{1.0, "b"}});
  builder.add_action("b", "round", {1}, {{1.0, "a"}});
  builder.add_action("b", "out", {1}, {{0.5, "a"}, {0.5, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Limits limits;
  graph.expand_all(limits);
  const ProperRegion region = proper_region(graph);
  ASSERT_TRUE(region.contains(graph.initial_state()));
  for (std::size_t s = 1; s < graph.num_states(); ++s)
    if (cssp.state_name(StateId(s)) == "b") {
      EXPECT_EQ(cssp.action_name(graph.action(region.choice[s])), "out");
    }
}

}  // namespace
}  // namespace carl::ssp
