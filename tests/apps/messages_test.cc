// Errors of usage that no other test asks for, with their full text.

#include <gmock/gmock.h>

#include "run.h"

namespace carl::testing {
namespace {

struct Case {
  std::string arguments;
  std::string message;  // without "error: "
};

std::string street() {
  return write_scratch(
      "street.json",
      R"({"format": "cssp", "version": 1, "costs": ["time", "price"], "bounds": {"price": 3},
          "initial": "home", "goals": ["work"], "actions": [
            {"state": "home", "name": "walk", "cost": [30, 0], "outcomes": {"work": 1}}]})");
}

std::string trap() {
  return write_scratch(
      "trap.json",
      R"({"format": "cssp", "version": 1, "costs": ["time"], "initial": "home", "goals": ["work"],
          "actions": [{"state": "home", "name": "walk", "cost": [1], "outcomes": {"pit": 1}}]})");
}

std::string policy(const std::string& action) {
  return write_scratch("policy.json",
                       R"({"format": "carl-policy", "version": 1, "costs": ["time", "price"],
                           "states": [{"state": "home", "actions": [{"name": ")" +
                           action + R"(", "probability": 1}]}]})");
}

TEST(Messages, OfUsage) {
  const std::string factored = example("getting-to-work");
  const std::string model = street();
  const std::string result =
      write_scratch("result.json", R"({"format": "carl-result", "version": 1, "objective": 1})");
  const Case cases[] = {
      {"generate sar --param n", "--param n: expected NAME=VALUE\n"},
      {"solve --bound price " + model,
       "--bound price: expected COST=NUMBER\n  hint: for example --bound fuel=12\n"},
      {"solve --bound fuel=1 " + model,
       "--bound: there is no cost named 'fuel'\n  hint: the costs are: time, price\n"},
      {"solve --give-up price=1e300 " + model,
       "--give-up price=1e+300: the number is 1e+300, but must not be above 1e+15\n"
       "  hint: larger numbers cannot be added up accurately; use a larger unit\n"},
      {"solve --chance fuel=1 " + model,
       "--chance fuel=1: expected COST=NUMBER:NUMBER\n  hint: for example --chance fuel=12:0.05\n"},
      {"solve --chance fuel=1:0.1 " + model,
       "--chance: there is no cost named 'fuel'\n  hint: the costs are: time, price\n"},
      {"solve --goal-probability much " + model,
       "--goal-probability much: expected a number or 'max'\n"
       "  hint: for example --goal-probability 0.95\n"},
      {"solve --give-up-only-when-lost " + model,
       "--give-up-only-when-lost goes with --goal-probability\n"},
      {"solve --goal-probability 2 " + model, "--goal-probability: 2 is not a probability\n"},
      {"solve --goal-probability 0.5 --give-up time=3 " + model,
       "a probability of the goal is asked for, so giving up has no price\n"
       "  hint: leave out --give-up, or --goal-probability\n"},
      {"solve --algorithm i2-dual --chance price=3:0.1 " + factored,
       "i2-dual knows no guarantees per run\n"
       "  hint: choose carl or i-dual, with any other heuristic\n"},
      {"convert --cvar price=0.9:3 --output - --format json " + model,
       "CVaR 0.9 of price ≤ 3 is a search over many problems, one for each threshold\n"
       "  hint: for a single one ask for the expected excess over a limit, --excess\n"},
      {"solve --algorithm vi " + model,
       "'vi' is for problems without bounds\n  hint: solve this one with --algorithm carl\n"},
      {"solve --algorithm lp --heuristic pom " + model,
       "the heuristic 'pom' needs a factored problem\n"
       "  hint: for other models choose dijkstra or zero\n"},
      {"simulate --runs 10 --histogram fuel " + model + " " + policy("walk"),
       "--histogram: there is no cost named 'fuel'\n  hint: the costs are: time, price\n"},
      {"solve --algorithm i2-dual " + model,
       "i2-dual needs a factored problem\n  hint: for other models choose i-dual or carl\n"},
      {"solve --algorithm i2-dual --heuristic-mode lambda " + factored,
       "i2-dual has its heuristic inside the LP and no mode for it\n"
       "  hint: leave out --heuristic-mode\n"},
      {"solve --algorithm i2-dual --heuristic hmax " + factored,
       "i2-dual cannot build 'hmax' into its LP\n  hint: choose pom or roc, or --algorithm "
       "i-dual\n"},
      {"solve --algorithm i-dual --heuristic-mode lambda " + factored,
       "i-dual needs a lower bound for each cost, not one for scalarised costs\n"
       "  hint: leave out --heuristic-mode lambda\n"},
      {"solve --algorithm i-dual --heuristic-mode c-roc --heuristic hmax " + factored,
       "--heuristic-mode c-roc goes with the heuristic roc\n"
       "  hint: leave out --heuristic, or the mode\n"},
      {"solve --algorithm lp --heuristic-mode c-roc --heuristic roc " + factored,
       "C-ROC is a heuristic for carl and i-dual alone\n"
       "  hint: choose --algorithm i-dual, or one of the modes lambda and ideal-point\n"},
      {"solve " + model + " " + model,
       "'" + model +
           "' is an explicit model, which is one file\n"
           "  hint: give either one .json file, or a PPDDL domain and problem\n"},
      {"convert " + trap() + " -o " + scratch("trap.lp"),
       "no policy surely reaches the goal, so there is no LP to write\n"
       "  hint: add a give-up penalty, e.g. --give-up time=1000\n"},
      {"check " + model + " --certificate " + result + " --result " + result,
       "--result is for the check of a policy, not of a certificate\n"},
      {"solve " + model + " --deterministic --certificate " + scratch("proof.json"),
       "there are no certificates for policies that toss no coin\n"
       "  hint: leave out --certificate, or --deterministic: what is proved of all policies says "
       "little of the best one without coins\n"},
      {"solve " + model + " --deterministic --algorithm lp",
       "'lp' cannot look for policies that toss no coin\n"
       "  hint: with --deterministic choose --algorithm carl\n"},
  };
  for (const Case& c : cases) {
    const Execution run = carl(c.arguments);
    EXPECT_EQ(run.status, 2) << c.arguments;
    EXPECT_EQ(run.err, "error: " + c.message) << c.arguments;
  }
  const Execution unwritable = carl("solve --json /no/such/folder/result.json " + model);
  EXPECT_EQ(unwritable.status, 2);
  EXPECT_THAT(unwritable.err, ::testing::HasSubstr("cannot write '/no/such/folder/result.json'"));
  const Execution without_status =
      carl("check " + model + " " + policy("walk") + " --result " + result);
  EXPECT_EQ(without_status.status, 2);
  EXPECT_THAT(without_status.err, ::testing::HasSubstr("the key \"status\" is missing"));
}

/// What the library finds may be due to an option; which flag that is, the command line says.
TEST(Messages, FindingsNameTheFlagThatMayBeToBlame) {
  const std::string model = street();
  const std::string proof = scratch("proof.json");
  const std::string found = scratch("result.json");
  ASSERT_EQ(carl("solve -q " + model + " --json " + found + " --certificate " + proof).status, 0);
  const auto expect = [](const std::string& arguments, const std::string& text) {
    const Execution run = carl("check " + arguments);
    EXPECT_THAT(run.out, ::testing::HasSubstr(text)) << arguments << "\n" << run.err;
  };
  const std::string walk = policy("walk");
  expect(model + " " + walk + " --bound price=inf --result " + found,
         "\nresult: bound on price\n  expected  none in the model (see --bound)\n  found     3\n");
  expect(model + " --bound price=2 --certificate " + proof,
         "\nthe certificate is about other bounds than the problem\n"
         "  expected  price 2 (see --bound)\n  found     price 3\n");
  expect(model + " " + policy("(give-up)"),
         "  expected  a penalty for giving up (see --give-up)\n  found     none\n");
  expect(model + " " +
             write_scratch("policy.json",
                           R"({"format": "carl-policy", "version": 1, "costs": ["time", "price"],
               "states": [{"state": "home", "actions": [{"name": "walk", "probability": 1}]},
                          {"state": "moon", "actions": [{"name": "walk", "probability": 1}]}]})") +
             " --max-states 0",
         "\nwarning: is not reached by the policy, nor is it among the states looked at "
         "(see --max-states)\n  state     moon\n");
  const std::string wide =
      write_scratch("wide.json", R"({"format": "carl-result", "version": 1, "status": "optimal",
          "objective": 30, "lower_bound": 29, "gap": 0.03333333333333333, "costs": {}})");
  expect(
      model + " " + policy("walk") + " --gap 0.01 --result " + wide,
      "  expected  a gap of at most 0.01 (see --gap)\n  found     optimal with a gap of 0.0333\n");
  const Execution report = carl("report " + model + " --bound price=inf --policy " +
                                policy("walk") + " --result " + found + " -o " + scratch("x.html"));
  EXPECT_EQ(report.err, "error: '" + found +
                            "' is the result of a problem with other bounds\n"
                            "  hint: give the same --bound as when it was solved\n");
}

TEST(Messages, OfNamesThatAreTooLong) {
  const std::string name(1001, 'a');
  const Execution run =
      carl("solve " + write_scratch("long.pddl", "(define (domain d) (:predicates (" + name +
                                                     ")))(define (problem p) (:domain d) (:init) "
                                                     "(:goal (" +
                                                     name + ")))"));
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, ::testing::HasSubstr(
                           "error: the name of a predicate is longer than 1000 characters"));
}

}  // namespace
}  // namespace carl::testing
