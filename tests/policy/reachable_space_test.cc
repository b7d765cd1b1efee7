#include "policy/reachable_space.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <limits>
#include <string>

#include "carl/explicit_builder.h"
#include "support/chains.h"

namespace carl::policy {
namespace {

ReachableSpace::Rules all_of_it() {
  return {[](StateId) { return ReachableSpace::Treatment::expand; },
          [](ActionId) { return false; }};
}

// States turn out to be hopeless one at a time, from the end: looks at all of them would take
// minutes.
TEST(ReachableSpace, ALongChainThatEndsBadlyTakesNoLongerThanAnyOther) {
  Cssp cssp(testing::chain_that_ends_badly(200'000));
  Monitor monitor;
  const ReachableSpace space(cssp, all_of_it(), monitor);
  EXPECT_EQ(space.states().size(), 200'002U);
  EXPECT_FALSE(space.is_proper(cssp.initial_state()));
  EXPECT_TRUE(space.proper_states().empty());
}

TEST(ReachableSpace, WhatMayBeUsedIsNotLost) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "risky", {1}, {{0.5, "g"}, {0.5, "trap"}});
  builder.add_action("a", "safe", {1}, {{1.0, "b"}});
  builder.add_action("b", "back", {1}, {{0.5, "a"}, {0.5, "g"}});
  builder.add_action("b", "wrong", {1}, {{1.0, "c"}});
  builder.add_action("c", "on", {1}, {{1.0, "trap"}});
  builder.add_action("trap", "pace", {1}, {{1.0, "trap"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  Monitor monitor;
  const ReachableSpace space(cssp, all_of_it(), monitor);
  std::string proper;
  for (const StateId s : space.states())
    if (space.is_proper(s)) proper += cssp.state_name(s) + " ";
  EXPECT_EQ(proper, "a g b ");
  EXPECT_EQ(space.proper_states().size(), 2U);
}

TEST(ReachableSpace, ALimitEndsIt) {
  Cssp cssp(testing::chain_that_ends_badly(10));
  const std::atomic<bool> interrupt = true;
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupt);
  EXPECT_THROW(ReachableSpace(cssp, all_of_it(), monitor), LimitReached);
}

}  // namespace
}  // namespace carl::policy
