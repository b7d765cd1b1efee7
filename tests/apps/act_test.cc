// Policies that are run: what carl solve writes for programs that follow a policy, and carl act.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "apps/run.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr const char* street = R"({ "format": "cssp", "version": 1, "costs": ["time", "price"],
  "bounds": { "price": 2 }, "initial": "home", "goals": ["work", "the office"], "actions": [
  { "state": "home", "name": "walk", "cost": [30, 0], "outcomes": { "work": 1 } },
  { "state": "home", "name": "tram", "cost": [10, 4], "outcomes": { "work": 0.5, "stop \"7\"": 0.5 } },
  { "state": "home", "name": "jump", "cost": [1000, 0], "outcomes": { "lost": 0.5, "pit": 0.5 } },
  { "state": "stop \"7\"", "name": "run,\nfast", "cost": [1, 0], "outcomes": { "the office": 1 } },
  { "state": "lost", "name": "walk", "cost": [20, 0], "outcomes": { "home": 1 } } ] })";

std::string solved(const std::string& options, const std::string& file = "policy.json") {
  const std::string model = write_scratch("model.json", street);
  const Execution run = carl("solve -q " + model + " --policy " + scratch(file) + " " + options);
  EXPECT_EQ(run.status, 0) << run.err;
  return scratch(file);
}

Execution act(const std::string& policy, const std::string& lines,
              const std::string& options = "") {
  const std::string input = write_scratch("states", lines);
  return shell("CARL act " + policy + " " + options + " < " + input);
}

TEST(Act, AnswersLineByLine) {
  const std::string policy = solved("--policy-all");
  const Execution run =
      act(policy, "lost\n  lost\r\n\"lost\"\nwork\nthe office\nstop \"7\"\n\"stop \\\"7\\\"\"");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "walk\nwalk\nwalk\ngoal\ngoal\n\"run,\\nfast\"\n\"run,\\nfast\"\n");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(act(policy, "").out, "");
  EXPECT_EQ(act(policy, "lost\nwork\nstop \"7\"\n", "--json").out,
            "{\"action\":\"walk\",\"probability\":1.0}\n{\"goal\":true}\n"
            "{\"action\":\"run,\\nfast\",\"probability\":1.0}\n");
}

TEST(Act, SaysWhatIsWrongWithALineAndGoesOn) {
  const Execution run = act(solved("--policy-all"), "pit\n\nlost\n\"lost\n\xff\nwork\n");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.out, StartsWith("error: line 1: the policy does not say what to do in 'pit'\n"
                                  "error: line 2: expected the name of a state but found an empty "
                                  "line\nwalk\nerror: line 4: "));
  EXPECT_THAT(run.out, HasSubstr("error: line 5: the line is not UTF-8 text\ngoal\n"));
  EXPECT_THAT(run.err, HasSubstr("line 1: hint: no goal can be reached from there with certainty, "
                                 "or there is no such state\n"));
  const Execution met = act(solved(""), "lost", "--json");
  EXPECT_EQ(Json::parse(met.out),
            Json({{"error", "line 1: the policy does not say what to do in 'lost'"},
                  {"hint",
                   "the policy does not come there; one that is written with --policy-all says "
                   "what to do in all states"}}));
}

TEST(Act, ReadsFactsInAnyForm) {
  const std::string policy = scratch("policy.json");
  ASSERT_EQ(
      carl("solve -q --policy-all --policy " + policy + " " + example("drone-delivery")).status, 0);
  const Execution run =
      act(policy,
          "(on-board vaccine) (at old-town) (on-board letter)\n"
          "( At   OLD-TOWN )(on-board letter)\t(on-board vaccine) (on-board vaccine)\n"
          "[\"(on-board vaccine)\", \"(at old-town)\", \"(on-board letter)\"]\n"
          "(delivered vaccine) (at depot) (delivered letter) (gusty)\n");
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  // Which way depends on the shadow prices.
  EXPECT_THAT(run.out, StartsWith("(fly old-town "));
  const std::string answer = run.out.substr(0, run.out.find('\n') + 1);
  EXPECT_EQ(run.out, answer + answer + answer + "goal\n");
  const Execution wrong = act(policy,
                              "at depot\n(at depot\n(at (depot))\n(at dpot)\n(sunny)\n[7]\n"
                              "[\"at\"]\n[\"(gusty)\"],\"state\":[]\n\n(gusty)\n");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.out,
              StartsWith("error: line 1: expected a fact in parentheses but found 'at depot'\n"
                         "error: line 2: expected a fact in parentheses but found '(at depot'\n"
                         "error: line 3: expected a fact in parentheses but found '(at (depot))'\n"
                         "error: line 4: the policy knows no fact (at dpot)\n"
                         "error: line 5: the policy knows no fact (sunny)\n"
                         "error: line 6: "));
  EXPECT_THAT(wrong.out, HasSubstr("error: line 7: at state[0]: 'at' is not a fact\n"));
  EXPECT_THAT(wrong.out, HasSubstr("error: line 8: "));
  EXPECT_THAT(wrong.out,
              HasSubstr("error: line 9: the policy does not say what to do where no fact holds\n"
                        "error: line 10: the policy does not say what to do in (gusty)\n"));
  EXPECT_THAT(wrong.err, HasSubstr("line 4: hint: did you mean '(at depot)'?\n"));
  EXPECT_THAT(wrong.err, HasSubstr("line 5: hint: the facts that matter are listed in its file; "
                                   "--ignore-unknown-facts leaves out others\n"));
  EXPECT_THAT(act(policy, "(sunny) (at market) (on-board letter) (on-board vaccine)\n",
                  "--ignore-unknown-facts")
                  .out,
              StartsWith("(fly market "));
}

TEST(Act, TossesTheCoinsOfThePolicy) {
  const std::string policy = scratch("policy.json");
  ASSERT_EQ(carl("solve -q --policy " + policy + " " + example("getting-to-work")).status, 0);
  std::string lines;
  constexpr std::size_t runs = 2000;
  for (std::size_t i = 0; i < runs; ++i)
    lines += "(at-home)\n";
  const auto share = [&](const std::string& options) {
    std::istringstream answers(act(policy, lines, options).out);
    std::size_t taxis = 0;
    std::size_t count = 0;
    for (std::string answer; std::getline(answers, answer); ++count)
      taxis += answer == "(taxi)" ? 1 : 0;
    EXPECT_EQ(count, runs);
    return static_cast<double>(taxis) / static_cast<double>(runs);
  };
  // Within four standard deviations of one half, for every seed.
  for (const char* seed : {"", "--seed 2", "--seed 3"})
    EXPECT_NEAR(share(seed), 0.5, 0.045) << seed;
  const std::string first = act(policy, lines, "--seed 5").out;
  EXPECT_EQ(act(policy, lines, "--seed 5").out, first);
  EXPECT_NE(act(policy, lines, "--seed 6").out, first);
  // A line that is wrong changes no other answer.
  const std::string spoilt =
      act(policy, "(at-home)\nnonsense\n" + lines.substr(20), "--seed 5").out;
  EXPECT_EQ(spoilt.substr(spoilt.rfind('(')), first.substr(first.rfind('(')));
}

TEST(Act, RefusesWhatIsNoPolicy) {
  EXPECT_EQ(carl("act - </dev/null").err,
            "error: standard input ('-') has the states, so that it cannot be the policy\n");
  const Execution run =
      carl("act " +
           write_scratch("bad.json", R"({"format": "carl-policy", "version": 1, "costs": ["time"],
      "states": [{"state": "s", "actions": [{"name": "a", "probability": 0.5}]}]})") +
           " </dev/null");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err,
              HasSubstr("distributions: s: sum of the probabilities; expected: 1; found: 0.5"));
  EXPECT_EQ(carl("act " + write_scratch("model.json", street) + " </dev/null").status, 2);
}

TEST(Act, StatesThatCannotBeRead) {
  const Execution run = shell("CARL act " + solved("") + " < /");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err, "error: cannot read from standard input\n");
}

TEST(Act, ALineTooLongIsAnError) {
  const std::string policy = solved("");
  const Execution run =
      shell("{ head -c 17000000 /dev/zero; echo; echo work; } | CARL act " + policy);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "error: line 1: longer than 16000000 bytes\ngoal\n");
}

TEST(PolicyFiles, SayWhatMatters) {
  const std::string file = scratch("policy.json");
  ASSERT_EQ(
      carl("solve -q --policy-values --policy " + file + " " + example("drone-delivery")).status,
      0);
  const Json policy = Json::parse(read_text(file));
  EXPECT_FALSE(policy.contains("covers"));
  EXPECT_EQ(policy["facts"].size(), 13U);
  EXPECT_EQ(policy["goals"], Json({{"(at depot)", "(delivered letter)", "(delivered vaccine)"}}));
  EXPECT_NEAR(policy["states"][0]["values"][0].get<double>(), 40.3, 1e-6);
}

TEST(PolicyFiles, AsATable) {
  EXPECT_THAT(read_text(solved("--policy-values --policy-all", "policy.csv")),
              ::testing::MatchesRegex("state,action,probability,visits,time,price\n"
                                      "home,[a-z]+,0.5,1,20.2[0-9.]*,[0-9.]+\n"
                                      "home,[a-z]+,0.5,1,20.2[0-9.]*,[0-9.]+\n"
                                      "\"stop \"\"7\"\"\",\"run,\nfast\",1,0.25,1,0\n"
                                      "lost,walk,1,0,40.2[0-9.]*,[0-9.]+\n"));
  const std::string model = write_scratch("model.json", street);
  const Execution run = carl("solve " + model + " --policy - --policy-format csv");
  EXPECT_THAT(run.out, StartsWith("state,action,probability,visits\nhome,"));
}

TEST(PolicyFiles, AsAGraph) {
  const std::string text = read_text(solved("--policy-all", "policy.dot"));
  EXPECT_THAT(text, StartsWith("digraph policy {\n  node [shape=box];\n"
                               "  s0 [label=\"home\", style=bold];\n"));
  EXPECT_THAT(text, HasSubstr("[label=\"tram\\n0.5\", arrowhead=none];\n"));
  EXPECT_THAT(text, HasSubstr(" [label=\"work\", peripheries=2];\n"));
  EXPECT_THAT(text, HasSubstr("  s1 [label=\"stop \\\"7\\\"\"];\n"));
  EXPECT_THAT(text, HasSubstr("  s2 [label=\"lost\", style=dashed];\n"
                              "  s2 -> s0 [label=\"walk\"];\n"));
  const Execution gave_up = carl("solve -q " + write_scratch("model.json", street) +
                                 " --give-up time=1 --policy - --policy-format dot");
  EXPECT_THAT(gave_up.out, HasSubstr("  given_up [label=\"given up\", shape=ellipse];\n"));
}

TEST(PolicyFiles, Converted) {
  const std::string model = write_scratch("model.json", street);
  const std::string policy = solved("--policy-all --policy-values");
  for (const char* file : {"again.csv", "again.dot", "again.json"}) {
    const Execution run = carl("convert " + model + " " + policy + " -o " + scratch(file));
    EXPECT_EQ(run.status, 0) << run.err;
  }
  EXPECT_EQ(read_text(scratch("again.csv")),
            read_text(solved("--policy-all --policy-values", "policy.csv")));
  EXPECT_EQ(read_text(scratch("again.dot")),
            read_text(solved("--policy-all --policy-values", "policy.dot")));
  EXPECT_EQ(read_text(scratch("again.json")), read_text(policy));
  EXPECT_THAT(carl("convert " + model + " -o " + scratch("x.csv")).err,
              StartsWith("error: only a policy can be written as csv\n"));
  EXPECT_THAT(carl("convert " + model + " " + policy + " -o " + scratch("x.lp")).err,
              StartsWith("error: a policy cannot be written as lp\n"));
  EXPECT_THAT(carl("convert " + model + " " + policy + " -o " + scratch("x")).err,
              HasSubstr("name it .csv, .dot, .json, .umb or .drn, or give --format"));
}

TEST(PolicyFiles, NeedAName) {
  const std::string model = write_scratch("model.json", street);
  for (const char* option : {"--policy-all", "--policy-values", "--policy-format csv"}) {
    const Execution run = carl("solve " + model + " " + option);
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, HasSubstr("says how to write a policy, but not where to"));
  }
}

/// One step to the goal, and more states than anybody can count.
std::string switches() {
  std::string predicates;
  std::string actions;
  std::string goal;
  for (int i = 0; i < 60; ++i) {
    predicates += fmt::format(" (on{})", i);
    actions += fmt::format(
        "(:action switch{0} :effect (on{0})) (:action back{0} :effect (not (on{0})))\n", i);
    goal += fmt::format(" (on{})", i);
  }
  return fmt::format(R"((define (domain d) (:requirements :adl) (:predicates (done){})
{}(:action finish :effect (done)))
(define (problem p) (:domain d) (:init) (:goal (or (done) (and{}))))
)",
                     predicates, actions, goal);
}

TEST(PolicyFiles, KeepToLimits) {
  const std::string model = write_scratch("switches.pddl", switches());
  const std::string policy = scratch("policy.json");
  for (const char* limit : {"--time-limit 2", "--memory-limit 100M"}) {
    const Execution run =
        carl(fmt::format("solve -q {} --policy {} --policy-all {}", model, policy, limit));
    EXPECT_EQ(run.status, 3) << run.err;
    EXPECT_THAT(run.err, HasSubstr("states that the policy meets are written\n"));
    EXPECT_EQ(Json::parse(read_text(policy))["states"].size(), 1U);
    EXPECT_EQ(carl("check -q " + model + " " + policy).status, 0);
  }
}

}  // namespace
}  // namespace carl::testing
