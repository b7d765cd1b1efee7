#include "graph/proper_region.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <string>

#include "model/explicit_model.h"
#include "support/chains.h"

namespace carl::graph {
namespace {

/// Membership of each named state.
bool hopeful(Cssp& cssp, const char* name) {
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const ProperRegion region = proper_region(graph, monitor);
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (cssp.state_name(StateId(s)) == name) return region.member[s];
  ADD_FAILURE() << name;
  return false;
}

TEST(ProperRegion, AvoidsWhatMayEndInADeadEnd) {
  ExplicitBuilder builder({{"c"}, {}, {}});
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
  ExplicitBuilder builder({{"c"}, {}, {}});
  builder.add_action("a", "round", {1}, {{1.0, "b"}});
  builder.add_action("b", "round", {1}, {{1.0, "a"}});
  builder.add_action("b", "out", {1}, {{0.5, "a"}, {0.5, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const ProperRegion region = proper_region(graph, monitor);
  ASSERT_TRUE(region.contains(graph.initial_state()));
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (cssp.state_name(StateId(s)) == "b") {
      EXPECT_EQ(cssp.action_name(graph.action(region.choice[s])), "out");
    }
}

TEST(ProperRegion, GivingUpIsAsGoodAsAGoal) {
  ExplicitBuilder builder({{"c"}, {}, {{5.0}}});
  builder.add_action("s", "on", {1}, {{0.5, "t"}, {0.5, "dead"}});
  builder.add_action("t", "back", {1}, {{1.0, "s"}});
  Cssp cssp(builder.build(builder.state("s")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const ProperRegion region = proper_region(graph, monitor);
  for (std::size_t s = 0; s < graph.num_states(); ++s) {
    ASSERT_TRUE(region.member[s]) << s;
    EXPECT_TRUE(graph.ends(region.choice[s])) << s;
  }
}

// Hope is lost one state at a time, from the end: rounds over all states would take minutes.
TEST(ProperRegion, ALongChainThatEndsBadlyTakesNoLongerThanAnyOther) {
  constexpr int n = 200'000;
  Cssp cssp(testing::chain_that_ends_badly(n));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const ProperRegion region = proper_region(graph, monitor);
  EXPECT_FALSE(region.contains(graph.initial_state()));
  // The goal.
  EXPECT_EQ(std::count(region.member.begin(), region.member.end(), true), 1);
}

/// Pairs of states that can go round between them; the way on from each may lead to the next pair,
/// and the last has none. So each loses its hope after the next, in a round of its own.
std::shared_ptr<Model> loops_in_a_row(int n) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  const StateId goal = builder.state("g");
  builder.add_goal(goal);
  const auto go = [&](const std::string& from, const std::string& to) {
    builder.add_outcome(1.0, builder.state(to));
    builder.add_action(builder.state(from), "round", std::array{1.0});
  };
  for (int i = 0; i < n; ++i) {
    const std::string a = "a" + std::to_string(i);
    const std::string b = "b" + std::to_string(i);
    go(a, b);
    go(b, a);
    if (i == n - 1) break;
    builder.add_outcome(0.5, goal);
    builder.add_outcome(0.5, builder.state("a" + std::to_string(i + 1)));
    builder.add_action(builder.state(a), "on", std::array{1.0});
  }
  return builder.build(builder.state("a0"));
}

TEST(ProperRegion, LoopsLoseTheirHopeOneAfterTheOther) {
  Cssp cssp(loops_in_a_row(100));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const ProperRegion region = proper_region(graph, monitor);
  EXPECT_EQ(std::count(region.member.begin(), region.member.end(), true), 1);
}

// Without a look at the limits it would take hours. What is known then is that the last loop is
// hopeless.
TEST(ProperRegion, ALimitLeavesHope) {
  constexpr int n = 200'000;
  Cssp cssp(loops_in_a_row(n));
  SearchGraph graph(cssp);
  Monitor none;
  graph.expand_all(none);
  const std::atomic<bool> interrupt = true;
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupt);
  const ProperRegion region = proper_region(graph, monitor);
  EXPECT_TRUE(region.contains(graph.initial_state()));
  EXPECT_EQ(std::count(region.member.begin(), region.member.end(), false), 2);
}

}  // namespace
}  // namespace carl::graph
