// carl check and carl simulate, and the policies that carl solve writes for them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/run.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

struct Solved {
  std::string model;
  std::string policy;
  std::string result;
};

Solved solved(const std::string& name) {
  Solved files{example(name), scratch("policy.json"), scratch("result.json")};
  const Execution run = carl("solve -q --policy " + files.policy + " --json " + files.result +
                             " --mixture " + scratch("part") + " " + files.model);
  EXPECT_EQ(run.status, 0) << run.err;
  return files;
}

/// The policy with one text in place of another.
std::string altered(const std::string& file, const std::string& from, const std::string& to) {
  std::string text = read_text(file);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << text;
  return write_scratch("altered.json", text.replace(at, from.size(), to));
}

TEST(PolicyCommands, CheckPassesWhatSolveWrites) {
  for (const char* name : {"getting-to-work", "drone-delivery", "tireworld-two-currencies",
                           "coordinate-search", "pathological"}) {
    const Solved files = solved(name);
    const Execution run =
        carl("check --exact --result " + files.result + " " + files.model + " " + files.policy);
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_THAT(run.out, StartsWith("The policy holds: "));
  }
}

TEST(PolicyCommands, CheckReportsWhatItFound) {
  const Solved files = solved("getting-to-work");
  const Execution good = carl("check --exact " + files.model + " " + files.policy);
  EXPECT_THAT(good.out, StartsWith("The policy holds: time = 1\n\n"
                                   "  costs          ok     time, price, effort\n"
                                   "  states         ok     1 state listed\n"
                                   "  actions        ok     each can be done where it is chosen\n"
                                   "  distributions  ok     1 state with a random choice\n"
                                   "  closed         ok     1 state met\n"
                                   "  proper         ok     a goal is reached with probability 1\n"
                                   "  visits         ok     1 step expected\n"
                                   "  bounds         ok     2 of 2 met\n\n"));
  const std::string bad = altered(files.policy, "(run)", "(fly)");
  const Execution run = carl("check " + files.model + " " + bad);
  EXPECT_EQ(run.status, 12);
  EXPECT_THAT(run.out, StartsWith("The policy does not hold: 1 finding\n"));
  EXPECT_THAT(run.out, HasSubstr("  actions        WRONG\n"));
  EXPECT_THAT(run.out, HasSubstr("\nactions: (fly) cannot be done here\n"
                                 "  state     (at-home)\n"
                                 "  expected  one of (run), (taxi), (walk-to-station)\n"
                                 "  found     (fly)\n"));
  EXPECT_THAT(run.out, HasSubstr("  proper         -      cannot be told of such a policy\n"));
  EXPECT_EQ(carl("check -q " + files.model + " " + bad).out, "");
}

TEST(PolicyCommands, CheckAsJson) {
  const Solved files = solved("coordinate-search");
  const Execution good = carl("check --exact --json - " + files.model + " " + files.policy);
  const Json report = Json::parse(good.out);
  EXPECT_EQ(report["format"], "carl-check");
  EXPECT_EQ(report["holds"], true);
  EXPECT_EQ(report["states"], 2);
  EXPECT_EQ(report["checks"].size(), 8U);
  EXPECT_EQ(report["costs"][0]["exact"]["fraction"], "4");
  EXPECT_EQ(report["costs"][1]["bound"], 15);
  EXPECT_TRUE(report["findings"].empty());
  const Execution bad = carl("check --json - --bound fuel=3 " + files.model + " " + files.policy);
  EXPECT_EQ(bad.status, 12);
  const Json finding = Json::parse(bad.out)["findings"][0];
  EXPECT_EQ(finding["check"], "bounds");
  EXPECT_EQ(finding["expected"], "at most 3");
}

TEST(PolicyCommands, CheckComparesWithTheResult) {
  const Solved files = solved("pathological");
  const std::string check = "check " + files.model + " " + files.policy + " --result ";
  EXPECT_EQ(carl(check + files.result).status, 0);
  const Execution run =
      carl(check + altered(files.result, "\"objective\": 10", "\"objective\": 9"));
  EXPECT_EQ(run.status, 12);
  EXPECT_THAT(run.out, HasSubstr("\nresult: objective\n  expected  10\n  found     9"));
}

TEST(PolicyCommands, ThePartsOfAMixtureAreFiles) {
  const Solved files = solved("drone-delivery");
  const Json result = Json::parse(read_text(files.result));
  const Json& mixture = result["policy"]["mixture"];
  ASSERT_EQ(mixture.size(), 2U);
  std::vector<double> costs(3, 0);
  for (std::size_t k = 0; k < mixture.size(); ++k) {
    const std::string part = scratch("part-" + std::to_string(k + 1) + ".json");
    const Execution run = carl("check --no-bounds --json - " + files.model + " " + part);
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    const Json report = Json::parse(run.out);
    EXPECT_EQ(report["stochastic_states"], 0);
    for (std::size_t i = 0; i < 3; ++i)
      costs[i] += mixture[k]["weight"].get<double>() * report["costs"][i]["value"].get<double>();
  }
  EXPECT_NEAR(costs[0], result["objective"].get<double>(), 1e-8);
  EXPECT_NEAR(costs[1], 30, 1e-8);
  EXPECT_NEAR(costs[2], 4, 1e-8);
  EXPECT_EQ(carl("check " + files.model + " " + scratch("part-1.json")).status, 12);
}

TEST(PolicyCommands, SimulateIsTheSameForAnyNumberOfThreads) {
  const Solved files = solved("drone-delivery");
  const std::string simulate = "simulate --seed 7 --runs 5000 " + files.model + " " + files.policy;
  const Execution one = carl(simulate + " --threads 1");
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(one.out, carl(simulate + " --threads 4").out);
  EXPECT_NE(one.out, carl(simulate + " --seed 8").out);
  EXPECT_THAT(one.out, StartsWith("5,000 runs, seed 7\n"));
  EXPECT_THAT(one.out, HasSubstr("  time of single runs\n"));
  EXPECT_THAT(one.out, HasSubstr("by a single run"));
  const Json json = Json::parse(carl(simulate + " --json -").out);
  EXPECT_EQ(json["format"], "carl-simulation");
  EXPECT_EQ(json["runs"], 5000);
  const Json& battery = json["costs"][1];
  EXPECT_NEAR(battery["exact"].get<double>(), 30, 1e-8);
  EXPECT_NEAR(battery["mean"].get<double>(), 30, 3 * battery["half_width_95"].get<double>());
  EXPECT_GT(battery["within_bound"], 0.4);
  EXPECT_LT(battery["within_bound"], 0.8);
}

TEST(PolicyCommands, SimulateTraces) {
  const Solved files = solved("getting-to-work");
  const Execution run = carl("simulate --trace " + files.model + " " + files.policy);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("Run 1\n  in (at-home)\n     1  ("));
  EXPECT_THAT(run.out, HasSubstr("  (probability 0.5)\n        +(at-work) -(at-home)\n"));
  EXPECT_THAT(run.out, HasSubstr("  goal reached after 1 step\n"));
  const Execution names =
      carl("simulate --trace --runs 2 " + solved("pathological").model + " " + files.policy);
  EXPECT_THAT(names.out, HasSubstr("Run 2\n  in s0\n     1  a0\n        g\n        time 10, "));
}

TEST(PolicyCommands, SimulateRefusesBrokenPoliciesAndCutsOffLongRuns) {
  const Solved files = solved("drone-delivery");
  const Execution broken =
      carl("simulate " + files.model + " " + altered(files.policy, "(fly ", "(swim "));
  EXPECT_EQ(broken.status, 12);
  EXPECT_THAT(broken.err, StartsWith("error: this policy cannot be executed: actions: "));
  const Execution cut = carl("simulate --max-steps 3 " + files.model + " " + files.policy);
  EXPECT_EQ(cut.status, 3);
  EXPECT_THAT(cut.out, HasSubstr("10,000 runs cut off after 3 steps"));
  EXPECT_EQ(carl("simulate --histogram fule " + files.model + " " + files.policy).status, 2);
}

TEST(PolicyCommands, BadFiles) {
  const Solved files = solved("pathological");
  const auto check = [&](const std::string& policy) {
    return carl("check " + files.model + " " + write_scratch("bad.json", policy));
  };
  const std::string head = "{ \"format\": \"carl-policy\", \"version\": 1, \"costs\": [], ";
  const std::string name = scratch("bad.json");
  EXPECT_THAT(check(head + "\"states\": [{\"state\": \"s\", \"actions\": [{\"name\": 1}]}]}").err,
              StartsWith(name + ":1:102: error: at states[0].actions[0].name: this must be a "
                                "string, but it is a number\n"));
  for (const char* rest :
       {"", "\"states\": []", "\"states\": {}}", "\"states\": [1]}", "\"states\": [{}]}",
        "\"states\": [], \"states\": []}", "\"states\": [], \"extra\": 1}",
        "\"states\": [{\"state\": \"s\"}]}", "\"states\": [{\"state\": 1.5, \"actions\": []}]}",
        "\"states\": [{\"state\": [1], \"actions\": []}]}",
        "\"states\": [{\"state\": \"s\", \"actions\": [{\"name\": \"a\"}]}]}"}) {
    const Execution run = check(head + rest);
    EXPECT_EQ(run.status, 2) << rest;
    EXPECT_THAT(run.err, HasSubstr("error: ")) << rest;
  }
  const Execution result = carl("check " + files.model + " " + files.result);
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("hint: this file is a result, not a policy"));
  EXPECT_EQ(carl("check " + files.model + " " + files.policy + " --result " + files.policy).status,
            2);
  EXPECT_EQ(carl("check " + files.model).status, 2);
  EXPECT_EQ(carl("check - -").status, 2);
  EXPECT_EQ(shell("cat " + files.policy + " | CARL check " + files.model + " -").status, 0);
}

/// Sixteen equally likely prices around a bound of 7.3, apart only in cost.
std::string many_prices() {
  std::string outcomes;
  for (int k = 0; k < 16; ++k)
    outcomes += fmt::format("{}{{\"state\":\"g\",\"probability\":0.0625,\"cost\":[{}]}}",
                            k == 0 ? "" : ",", 0.5 + k);
  return write_scratch("prices.json", R"({"format":"cssp","version":1,"costs":["price"],
    "bounds":{"price":9},"initial":"s","goals":["g"],
    "actions":[{"state":"s","name":"buy","cost":[8],"outcomes":[)" +
                                          outcomes + "]}]}");
}

std::string buying() {
  return write_scratch("buying.json", R"({"format":"carl-policy","version":1,"costs":["price"],
    "states":[{"state":"s","actions":[{"name":"buy","probability":1}]}]})");
}

TEST(PolicyCommands, SimulateEndsAnIntervalOfItsHistogramAtTheBound) {
  const std::string model = many_prices();
  const std::string arguments = " --runs 1600 --seed 3 " + model + " " + buying();
  const Execution run = carl("simulate --bound price=7.3" + arguments);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("  6 … 7.3"));
  EXPECT_THAT(run.out, HasSubstr("  7.3 … 8"));
  // The bars within the bound have as many runs as are within the bound.
  const Json json = Json::parse(carl("simulate --json - --bound price=7.3" + arguments).out);
  std::size_t within = 0;
  std::istringstream lines(run.out.substr(run.out.find("of single runs")));
  for (std::string line; std::getline(lines, line);)
    if (line.find("█") != std::string::npos) {
      const std::size_t end = line.find("   █");
      within += std::stoul(line.substr(line.rfind(' ', end - 1)));
    }
  EXPECT_EQ(static_cast<double>(within), json["costs"][0]["within_bound"].get<double>() * 1600);
  EXPECT_NEAR(static_cast<double>(within), 700, 100);
  // A value that is the bound and the limit of an interval is within it.
  const Execution edge = carl("simulate --bound price=16" + arguments);
  EXPECT_THAT(edge.out, Not(HasSubstr("░")));
}

TEST(PolicyCommands, SimulateChargesForTheOutcome) {
  const std::string model = many_prices();
  const Execution run = carl("simulate --trace --runs 3 " + model + " " + buying());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("g  (probability 0.0625)\n        price "));
  EXPECT_THAT(run.out, Not(HasSubstr("price 8\n")));  // what it costs on average
  // Written and read again it is the same.
  const std::string copy = scratch("copy.json");
  EXPECT_EQ(carl("convert " + model + " -o " + copy).status, 0);
  EXPECT_EQ(carl("simulate " + copy + " " + buying()).out,
            carl("simulate " + model + " " + buying()).out);
}

TEST(PolicyCommands, SimulateNeedsNoMemoryForRunsToCome) {
  // However slow the machine is, at some time limit it gets to the first runs.
  Execution run;
  for (double seconds = 0.2; seconds < 100; seconds *= 2) {
    run = carl("simulate --runs 1000000000 --memory-limit 500 --time-limit " +
               std::to_string(seconds) + " " + many_prices() + " " + buying());
    EXPECT_EQ(run.status, 3) << run.err;
    if (run.out.find("  price of single runs\n") != std::string::npos) break;
  }
  EXPECT_THAT(run.out, HasSubstr(" of 1,000,000,000 runs\n"));
  EXPECT_THAT(run.out, HasSubstr("a limit was reached after "));
  EXPECT_THAT(run.out, HasSubstr("  price of single runs\n"));
}

/// Digging costs one of the reward, and finds gold four times out of seven.
std::string mine() {
  return write_scratch("mine.pddl", R"(
    (define (domain mine) (:requirements :probabilistic-effects :rewards :fluents)
      (:predicates (gold)) (:functions (time))
      (:action dig :effect (and (decrease (reward) 1) (increase (time) 2)
                                (probabilistic 4/7 (gold))))
      (:action buy :effect (and (decrease (reward) 5) (gold))))
    (define (problem today) (:domain mine) (:init) (:goal (gold)) (:metric maximize (reward))))");
}

TEST(PolicyCommands, ARewardIsShownAsOne) {
  const std::string model = mine();
  const std::string policy = scratch("policy.json");
  const std::string result = scratch("result.json");
  const std::string output = " --policy " + policy + " --json " + result;
  const Execution solve = carl("solve " + model + output);
  EXPECT_THAT(solve.out, StartsWith("Optimal: reward = -1.75\n  upper bound -1.75, gap "));
  EXPECT_THAT(solve.out, HasSubstr("  reward      -1.75\n"));
  EXPECT_THAT(solve.out, HasSubstr("  time          3.5\n"));
  const Json json = Json::parse(read_text(result));
  EXPECT_NEAR(json["objective"].get<double>(), 1.75, 1e-12);
  EXPECT_NEAR(json["costs"]["reward"].get<double>(), 1.75, 1e-12);
  EXPECT_EQ(json["rewards"], Json({"reward"}));
  const Execution info = carl("info " + model + " --give-up reward=9 --bound reward=4");
  EXPECT_THAT(info.out, HasSubstr("  maximise         reward\n"
                                  "  subject to       reward ≥ -4\n"
                                  "  other costs      time\n"
                                  "  giving up costs  lost reward 9, time 0\n"));
  const Execution check = carl("check --exact --result " + result + " " + model + " " + policy);
  EXPECT_EQ(check.status, 0) << check.out;
  EXPECT_THAT(check.out, StartsWith("The policy holds: reward = -1.75\n"));
  EXPECT_THAT(check.out, HasSubstr("-1.75                      -7/4\n"));
  const Json checked = Json::parse(carl("check --json - " + model + " " + policy).out);
  EXPECT_EQ(checked["costs"][0]["reward"], true);
  EXPECT_FALSE(checked["costs"][1].contains("reward"));
  const Execution simulate = carl("simulate --runs 1000 " + model + " " + policy);
  EXPECT_THAT(simulate.out, HasSubstr("\n  lost reward    1.75 "));
  EXPECT_THAT(simulate.out, HasSubstr("  lost reward of single runs\n"));
  EXPECT_THAT(carl("simulate --trace " + model + " " + policy).out,
              HasSubstr("        lost reward 1, time 2\n"));
}

/// What is too much of a lost reward is said of that, not of the reward.
TEST(PolicyCommands, ABoundOnARewardIsOneOnWhatIsLost) {
  const std::string model = mine();
  const Execution solve = carl("solve --bound reward=1 " + model);
  EXPECT_EQ(solve.status, 10);
  EXPECT_THAT(solve.out, HasSubstr("every policy has lost reward ≥ 1.75"));
  EXPECT_THAT(solve.out, HasSubstr("  lost reward ≤ 1.75 instead of 1\n"));
  const std::string policy = scratch("policy.json");
  const std::string proof = scratch("proof.json");
  carl("solve -q " + model + " --policy " + policy + " --certificate " + proof);
  const Execution check = carl("check --bound reward=1 " + model + " " + policy);
  EXPECT_EQ(check.status, 12);
  EXPECT_THAT(check.out, HasSubstr("\nbounds: expected lost reward\n  expected  at most 1\n"));
  EXPECT_THAT(carl("check " + model + " --certificate " + proof).out,
              HasSubstr("lost reward = 1.75"));
}

/// A histogram has as many bars whatever the unit is.
TEST(PolicyCommands, SimulateTellsSmallValuesApart) {
  const std::string model = write_scratch("small.json", R"({"format":"cssp","version":1,
    "costs":["time","price"],"initial":"s","goals":["g"],
    "actions":[{"state":"s","name":"buy","cost":[1,2e-12],"outcomes":[
    {"state":"g","probability":0.5,"cost":[1,1e-12]},
    {"state":"g","probability":0.5,"cost":[1,3e-12]}]}]})");
  std::string policy = read_text(buying());
  policy.replace(policy.find("\"price\""), 7, "\"time\",\"price\"");
  const Execution run = carl("simulate --histogram price --bound price=2e-12 " + model + " " +
                             write_scratch("small-policy.json", policy));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\n  1e-12 "));
  EXPECT_THAT(run.out, HasSubstr("\n  3e-12 "));
  EXPECT_THAT(run.out, HasSubstr("░ above the bound of 2e-12\n"));
}

TEST(PolicyCommands, ARewardIsShownAsOneInSweepsReportsAndConversions) {
  const std::string model = mine();
  const Execution bounded = carl("solve --bound time=1 " + model);
  EXPECT_THAT(bounded.out, HasSubstr("  one more unit of time gains up to 0.928571 reward\n"));
  const std::string json = scratch("sweep.json");
  const Execution sweep = carl("sweep --bound time=0:4:1 --csv " + scratch("sweep.csv") +
                               " --json " + json + " " + model);
  EXPECT_THAT(sweep.out, HasSubstr("  time ≤    status     reward   shadow price   piece\n"
                                   "  0        optimal         -5       0.928571       1\n"));
  EXPECT_THAT(sweep.out, HasSubstr("  3.5       -1.75       0.928571       0\n"));
  EXPECT_THAT(read_text(scratch("sweep.csv")), StartsWith("time,status,lost reward,"));
  EXPECT_EQ(Json::parse(read_text(json))["rewards"], Json({"reward"}));
  const std::string policy = scratch("policy.json");
  const std::string result = scratch("result.json");
  carl("solve -q --bound time=1 " + model + " --policy " + policy + " --json " + result);
  const std::string page = scratch("report.html");
  const Execution report = carl("report --bound time=1 " + model + " --policy " + policy +
                                " --result " + result + " -o " + page);
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(read_text(page), HasSubstr("\"costs\":[\"lost reward\",\"time\"]"));
  EXPECT_THAT(read_text(page), HasSubstr("\"costs\":{\"lost reward\":"));
  const std::string copy = scratch("mine.json");
  EXPECT_EQ(carl("convert " + model + " -o " + copy).status, 0);
  EXPECT_THAT(carl("solve " + copy).out, StartsWith("Optimal: reward = -1.75\n"));
}

}  // namespace
}  // namespace carl::testing
