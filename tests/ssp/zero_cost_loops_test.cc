#include "ssp/zero_cost_loops.h"

#include <gtest/gtest.h>

#include "carl/error.h"
#include "model/explicit_model.h"

namespace carl::ssp {
namespace {

std::string complaint(ExplicitModelBuilder& builder, const char* initial) {
  Cssp cssp(builder.build(builder.state(initial)));
  SearchGraph graph(cssp);
  Limits limits;
  graph.expand_all(limits);
  try {
    reject_zero_cost_loops(graph);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ZeroCostLoops, NamesStatesAndActions) {
  ExplicitModelBuilder builder({{"time", "fuel"}, {}, {}});
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
  ExplicitModelBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "free", {0}, {{1.0, "b"}});
  builder.add_action("a", "loop", {0}, {{1.0, "a"}});                // self-loops are dropped
  builder.add_action("b", "mostly", {0}, {{0.9, "a"}, {0.1, "g"}});  // leaves in the end
  builder.add_action("b", "pay", {1}, {{1.0, "a"}});
  builder.add_goal(builder.state("g"));
  EXPECT_EQ(complaint(builder, "a"), "");
}

TEST(ZeroCostLoops, FindsALoopBehindOneThatLeaks) {
  ExplicitModelBuilder builder({{"time"}, {}, {}});
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

}  // namespace
}  // namespace carl::ssp
