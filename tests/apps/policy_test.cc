// carl check and carl simulate, and the policies that carl solve writes for them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/run.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
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

}  // namespace
}  // namespace carl::testing
