// Problems without a solution say why, and what is probably a slip is noted.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "run.h"

namespace carl::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string machines(const std::string& ready) {
  return write_scratch("machines.pddl",
                       "(define (domain machines) (:predicates (ready ?m) (done ?m))"
                       " (:action finish :parameters (?m) :precondition (ready ?m) :effect (done "
                       "?m)))"
                       "(define (problem four) (:domain machines) (:objects m1 m4)"
                       " (:init " +
                           ready + ") (:goal (and (done m1) (done m4))))");
}

TEST(Reasons, AFactThatNeverBecomesTrue) {
  const std::string model = machines("(ready m1)");
  const Execution run = carl("solve " + model);
  EXPECT_EQ(run.status, 11);
  EXPECT_THAT(run.out,
              StartsWith("No proper policy: from the start no policy reaches the goal with "
                         "certainty\n"
                         "  goal fact (done m4) can never become true: every action that adds it "
                         "needs what is never true: (finish m4) needs (ready m4)\n"
                         "  hint: allow giving up at a price, e.g. --give-up steps=1000\n"));
  const Json result = Json::parse(carl("solve --json - " + model).out);
  const Json& reason = result["reason"];
  EXPECT_EQ(reason["steps"].size(), 0U);
  ASSERT_EQ(reason["unreachable"].size(), 1U);
  EXPECT_EQ(reason["unreachable"][0]["fact"], "(done m4)");
  EXPECT_EQ(reason["unreachable"][0]["in_goal"], true);
  EXPECT_EQ(reason["unreachable"][0]["achievers"][0]["action"], "(finish m4)");
  EXPECT_EQ(reason["unreachable"][0]["achievers"][0]["needs"], Json::array({"(ready m4)"}));
}

TEST(Reasons, AWayIntoADeadEnd) {
  const std::string model = write_scratch(
      "bridge.json",
      R"({"format": "cssp", "version": 1, "costs": ["time"], "initial": "home", "goals": ["work"],
          "actions": [
            {"state": "home", "name": "jump", "cost": [1], "outcomes": {"pit": 1}},
            {"state": "home", "name": "walk", "cost": [1], "outcomes": {"bridge": 1}},
            {"state": "bridge", "name": "cross", "cost": [1],
             "outcomes": {"work": 0.5, "bridge": 0.3, "pit": 0.2}},
            {"state": "pit", "name": "wait", "cost": [1], "outcomes": {"pit": 1}}]})");
  for (const char* algorithm : {"carl", "lp", "i-dual", "vi"}) {
    const Execution run = carl("solve --algorithm " + std::string(algorithm) + " " + model);
    EXPECT_EQ(run.status, 11);
    EXPECT_THAT(run.out,
                StartsWith("No proper policy: from the start no policy reaches the goal with "
                           "certainty\n"
                           "  every policy may end where no goal can be reached any more; the "
                           "shortest way there:\n"
                           "    in home\n"
                           "      walk\n"
                           "    in bridge\n"
                           "      cross, with probability 0.2\n"
                           "    in pit\n"
                           "  no action leads anywhere from there\n"
                           "  hint: allow giving up at a price, e.g. --give-up time=1000\n"));
  }
  const Json reason = Json::parse(carl("solve --json - " + model).out)["reason"];
  EXPECT_EQ(reason["dead_end"], "pit");
  ASSERT_EQ(reason["steps"].size(), 2U);
  EXPECT_EQ(reason["steps"][1]["state"], "bridge");
  EXPECT_EQ(reason["steps"][1]["action"], "cross");
  EXPECT_NEAR(reason["steps"][1]["probability"].get<double>(), 0.2, 1e-12);
}

TEST(Reasons, WhatWouldSuffice) {
  const std::string model =
      write_scratch("commute.json",
                    R"({"format": "cssp", "version": 1, "costs": ["time", "price", "effort"],
          "bounds": {"price": 10, "effort": 3}, "initial": "home", "goals": ["work"],
          "actions": [
            {"state": "home", "name": "tram", "cost": [10, 15, 2], "outcomes": {"work": 1}},
            {"state": "home", "name": "run", "cost": [1, 1, 9], "outcomes": {"work": 1}}]})");
  for (const char* algorithm : {"carl", "lp", "i-dual"}) {
    const std::string options = " --algorithm " + std::string(algorithm) + " " + model;
    const Execution run = carl("solve" + options);
    EXPECT_EQ(run.status, 10);
    EXPECT_THAT(run.out, HasSubstr("  what would suffice, the other bounds left as they are:\n"
                                   "    price ≤ 13 instead of 10\n"
                                   "    effort ≤ 4.5 instead of 3\n"
                                   "  or all bounds times 1.1875"));
    const Json repair = Json::parse(carl("solve --json -" + options).out)["repair"];
    EXPECT_NEAR(repair["alone"]["price"]["sufficient"].get<double>(), 13, 1e-6);
    EXPECT_NEAR(repair["alone"]["effort"]["necessary"].get<double>(), 4.5, 1e-6);
    EXPECT_NEAR(repair["factor"]["sufficient"].get<double>(), 1.1875, 1e-6);
    EXPECT_EQ(repair["text"][1], "  price ≤ 13 instead of 10");
  }
  const std::string page = scratch("page.html");
  EXPECT_EQ(carl("report " + model + " -o " + page).status, 10);
  EXPECT_THAT(read_text(page), HasSubstr("  price ≤ 13 instead of 10"));
  // The numbers are told apart however close they are.
  const Execution close = carl("solve --bound effort=inf --bound price=0.9999997 " + model);
  EXPECT_THAT(close.out, HasSubstr("every policy has price ≥ 1, the bounds allow 0.9999997\n"));
  EXPECT_THAT(close.out, HasSubstr("price ≤ 1 instead of 0.9999997\n"));
}

TEST(Reasons, SlipsAreNoted) {
  const std::string slips = write_scratch(
      "slips.pddl",
      "(define (domain d) (:types place thing) (:predicates (at ?t - thing ?p - place) (clean ?t - "
      "thing)) (:functions (time) (fuel))"
      " (:action move :parameters (?t - thing ?from ?to)"
      "  :precondition (at ?t ?from) :effect (and (not (at ?t ?from)) (at ?t ?to) (increase (time) "
      "1)))"
      " (:action wash :parameters (?t) :effect (and (clean ?t) (increase (time) 1))))"
      "(define (problem p) (:domain d) (:objects a b - place x - thing)"
      " (:init (at x a) (clean x)) (:goal (and (clean x) (at x b))) (:metric minimize (time))"
      " (:constraints (<= (expected (fuel)) 3)))");
  const std::string plain = write_scratch(
      "plain.pddl",
      "(define (domain d) (:types place) (:predicates (at ?p - place)) (:functions (time) (fuel))"
      " (:action move :parameters (?from - place ?to)"
      "  :precondition (at ?from) :effect (and (not (at ?from)) (at ?to) (increase (time) 1))))"
      "(define (problem p) (:domain d) (:objects a b - place)"
      " (:init (at a)) (:goal (at a)) (:metric minimize (time)))");
  for (const char* command : {"solve ", "info "}) {
    const Execution run = carl(command + slips);
    EXPECT_THAT(run.out, HasSubstr("  note: the bound on 'fuel' restricts nothing: no action "
                                   "increases it\n"));
    EXPECT_THAT(run.out,
                HasSubstr("  note: the goal asks for what is true from the start and never "
                          "becomes false: (clean x)\n"));
    // Two parameters of 'move' have no type.
    EXPECT_THAT(run.out, Not(HasSubstr("is of type object")));
    const Execution other = carl(command + plain);
    EXPECT_THAT(other.out,
                HasSubstr("  note: parameter ?to of action 'move' is of type object, while all "
                          "others in the domain have a type of their own: has it been "
                          "forgotten?\n"));
    EXPECT_THAT(other.out, HasSubstr("  note: the initial state is a goal: nothing needs to be "
                                     "done\n"));
  }
  // Coming back is a goal, not a slip.
  EXPECT_THAT(carl("solve " + example("drone-delivery")).out, Not(HasSubstr("  note: ")));
  EXPECT_THAT(carl("info " + example("drone-delivery")).out,
              HasSubstr("  note: the goal asks for what is true in the initial state already: (at "
                        "depot)\n"));
  const std::string free = write_scratch(
      "free.json",
      R"({"format": "cssp", "version": 1, "costs": ["time", "fuel"], "initial": "a", "goals": ["b"],
          "actions": [{"state": "a", "name": "go", "cost": [1, 0], "outcomes": {"b": 1}}]})");
  EXPECT_THAT(carl("solve " + free).out, Not(HasSubstr("  note: ")));
  const Execution bound = carl("solve --bound fuel=3 " + free);
  EXPECT_THAT(bound.out, HasSubstr("the bound on 'fuel' restricts nothing"));
}

}  // namespace
}  // namespace carl::testing
