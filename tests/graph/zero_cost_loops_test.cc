#include "graph/zero_cost_loops.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <limits>
#include <string>

#include "carl/error.h"
#include "model/explicit_model.h"

namespace carl::graph {
namespace {

std::string complaint(ExplicitBuilder& builder, const char* initial) {
  Cssp cssp(builder.build(builder.state(initial)));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  try {
    reject_zero_cost_loops(graph, monitor);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ZeroCostLoops, NamesStatesAndActions) {
  ExplicitBuilder builder({{"time", "fuel"}, {}, {}});
  builder.add_action("a", "there", {0, 1}, {{0.5, "a"}, {0.5, "b"}});
  builder.add_action("b", "back", {0, 1}, {{1.0, "a"}});
  builder.add_action("b", "out", {1, 1}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  EXPECT_EQ(
      complaint(builder, "a"),
      "error: a loop at zero primary cost (time) that never needs to reach the goal:\n"
      "    in a: there\n"
      "    in b: back\n"
      "  hint: give these actions a small positive 'time', so that going round is never free");
}

TEST(ZeroCostLoops, FreeActionsThatCannotLoopAreFine) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "free", {0}, {{1.0, "b"}});
  builder.add_action("a", "loop", {0}, {{1.0, "a"}});                // self-loops are dropped
  builder.add_action("b", "mostly", {0}, {{0.9, "a"}, {0.1, "g"}});  // leaves in the end
  builder.add_action("b", "pay", {1}, {{1.0, "a"}});
  builder.add_goal(builder.state("g"));
  EXPECT_EQ(complaint(builder, "a"), "");
}

TEST(ZeroCostLoops, GivingUpForNothingIsNoLoop) {
  ExplicitBuilder builder({{"time"}, {}, {{0.0}}});
  builder.add_action("a", "go", {1}, {{1.0, "b"}});
  builder.add_action("b", "back", {0}, {{1.0, "a"}});
  EXPECT_EQ(complaint(builder, "a"), "");
}

TEST(ZeroCostLoops, FindsALoopBehindOneThatLeaks) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "x", {0}, {{0.5, "b"}, {0.5, "g"}});
  builder.add_action("b", "x", {0}, {{1.0, "a"}});
  builder.add_action("b", "y", {0}, {{1.0, "c"}});
  builder.add_action("c", "y", {0}, {{1.0, "b"}});
  builder.add_goal(builder.state("g"));
  const std::string text = complaint(builder, "a");
  EXPECT_NE(text.find("in b: y"), std::string::npos) << text;
  EXPECT_NE(text.find("in c: y"), std::string::npos) << text;
  EXPECT_EQ(text.find("in a:"), std::string::npos) << text;
}

/// States on a line. From each the walk may go either way, from the last also to the goal.
void add_walk(ExplicitBuilder& builder, int n) {
  const auto state = [&](int i) { return builder.state("s" + std::to_string(i)); };
  for (int i = 0; i <= n; ++i) {
    builder.add_outcome(0.5, state(std::max(i - 1, 0)));
    builder.add_outcome(0.5, i < n ? state(i + 1) : builder.state("g"));
    builder.add_action(state(i), "walk", std::array{0.0});
  }
  builder.add_goal(builder.state("g"));
}

// The walk leaves in the end, which states show one at a time, from the last: rounds over all of
// them would take minutes.
TEST(ZeroCostLoops, ALongWalkThatLeavesTakesNoLongerThanAnyOther) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  add_walk(builder, 200'000);
  EXPECT_EQ(complaint(builder, "s0"), "");
}

/// Beside the walk there is a way to the right, and from each state one to a neighbour and back. So
/// the states of the line are torn apart one at a time, and each keeps a loop.
std::size_t loops_beside_a_walk(int n, Monitor& monitor) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  add_walk(builder, n);
  const auto go = [&](const std::string& from, const std::string& name, const std::string& to) {
    builder.add_outcome(1.0, builder.state(to));
    builder.add_action(builder.state(from), name, std::array{0.0});
  };
  for (int i = 0; i <= n; ++i) {
    const std::string s = "s" + std::to_string(i);
    const std::string t = "t" + std::to_string(i);
    go(s, "there", t);
    go(t, "back", s);
    if (i < n) go(s, "right", "s" + std::to_string(i + 1));
  }
  Cssp cssp(builder.build(builder.state("s0")));
  SearchGraph graph(cssp);
  Monitor none;
  graph.expand_all(none);
  return find_zero_cost_loops(graph, std::array{1.0}, monitor).size();
}

TEST(ZeroCostLoops, LoopsBesideAWalk) {
  Monitor monitor;
  EXPECT_EQ(loops_beside_a_walk(50, monitor), 51U);
}

TEST(ZeroCostLoops, ALimitEndsTheSearch) {
  const std::atomic<bool> interrupt = true;
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupt);
  // Few rounds are made in any case; so many would take hours.
  EXPECT_EQ(loops_beside_a_walk(5, monitor), 6U);
  EXPECT_EQ(loops_beside_a_walk(100'000, monitor), 0U);
}

}  // namespace
}  // namespace carl::graph
