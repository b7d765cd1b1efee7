// Inputs that nobody means well with end in an error or a limit, never in a crash or a hang.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/run.h"
#include "util/random.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;

TEST(HostileInput, TenMegabytesOfGarbage) {
  SplitMix64 random(1);
  std::string garbage(10 << 20, ' ');
  for (char& c : garbage)
    c = static_cast<char>(random.below(256));
  for (const char* name : {"garbage.pddl", "garbage.json"}) {
    const Execution run = carl("solve " + write_scratch(name, garbage));
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, HasSubstr("error: "));
    EXPECT_LT(run.err.size(), 1000U);
  }
}

TEST(HostileInput, AMegabyteOfParentheses) {
  const Execution pddl = carl("solve " + write_scratch("deep.pddl", std::string(1 << 20, '(')));
  EXPECT_EQ(pddl.status, 2);
  EXPECT_THAT(pddl.err, HasSubstr("error: "));
  const Execution json = carl("solve " + write_scratch("deep.json", std::string(1 << 20, '[')));
  EXPECT_EQ(json.status, 2);
  EXPECT_THAT(json.err, HasSubstr("error: "));
}

TEST(HostileInput, AMillionObjects) {
  std::string text =
      "(define (domain d) (:predicates (p ?x) (q ?x ?y))\n"
      " (:action a :parameters (?x ?y) :precondition (p ?x) :effect (q ?x ?y)))\n"
      "(define (problem p) (:domain d) (:objects";
  for (int i = 0; i < 1000000; ++i)
    text += " o" + std::to_string(i);
  text += ")\n (:init (p o0) (p o1)) (:goal (q o1 o7)))\n";
  const Execution run =
      carl("solve --time-limit 20 --memory-limit 2G " + write_scratch("objects.pddl", text));
  EXPECT_TRUE(run.status == 0 || run.status == 2 || run.status == 3) << run.status << run.err;
  EXPECT_FALSE((run.out + run.err).empty());
}

TEST(HostileInput, TooManyGroundActionsEndAtALimit) {
  std::string text =
      "(define (domain d) (:predicates (p ?a ?b ?c ?d ?e ?f))\n"
      " (:action a :parameters (?a ?b ?c ?d ?e ?f) :effect (p ?a ?b ?c ?d ?e ?f)))\n"
      "(define (problem p) (:domain d) (:objects";
  for (int i = 0; i < 50; ++i)
    text += " o" + std::to_string(i);
  text += ")\n (:init) (:goal (p o1 o1 o1 o1 o1 o1)))\n";
  const Execution run = carl("solve --time-limit 2 " + write_scratch("actions.pddl", text));
  EXPECT_TRUE(run.status == 2 || run.status == 3) << run.status;
  EXPECT_FALSE((run.out + run.err).empty());
}

TEST(HostileInput, EmptyAndBinaryFiles) {
  EXPECT_EQ(carl("solve " + write_scratch("empty.pddl", "")).status, 2);
  EXPECT_EQ(carl("solve " + write_scratch("empty.json", "")).status, 2);
  EXPECT_EQ(carl("solve " + write_scratch("zeros.pddl", std::string(1000, '\0'))).status, 2);
  EXPECT_EQ(carl("solve /dev/null").status, 2);
}

}  // namespace
}  // namespace carl::testing
