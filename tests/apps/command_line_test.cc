#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ClpSimplex.hpp>
#include <nlohmann/json.hpp>

#include "apps/run.h"
#include "carl/solve.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

TEST(CommandLine, TheDemoProblem) {
  const Execution run = carl("solve " + example("getting-to-work"));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, StartsWith("Optimal: time = 1\n  lower bound 1, gap 0\n\n"
                                  "  cost     expected   bound   slack   shadow price\n"
                                  "  time            1\n"
                                  "  price          15      15       0              0\n"
                                  "  effort         10      10       0              0\n"));
  EXPECT_THAT(run.out, HasSubstr("  in (at-home)\n"
                                 "          0.5  (run)\n"
                                 "          0.5  (taxi)\n"));
}

TEST(CommandLine, ResultAndPolicyAsJson) {
  const std::string result_file = scratch("result.json");
  const std::string policy_file = scratch("policy.json");
  const Execution run = carl("solve --quiet --json " + result_file + " --policy " + policy_file +
                             " " + example("getting-to-work"));
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.out, "");
  const Json result = Json::parse(read_text(result_file));
  EXPECT_EQ(result["format"], "carl-result");
  EXPECT_EQ(result["version"], 1);
  EXPECT_EQ(result["status"], "optimal");
  EXPECT_NEAR(result["objective"].get<double>(), 1, 1e-9);
  EXPECT_NEAR(result["lower_bound"].get<double>(), 1, 1e-9);
  EXPECT_NEAR(result["costs"]["price"].get<double>(), 15, 1e-9);
  ASSERT_EQ(result["constraints"].size(), 2U);
  EXPECT_EQ(result["constraints"][1]["cost"], "effort");
  EXPECT_EQ(result["constraints"][1]["bound"], 10);
  EXPECT_EQ(result["policy"]["states"], 1);
  EXPECT_EQ(result["policy"]["stochastic_states"], 1);
  EXPECT_EQ(result["policy"]["mixture"].size(), 2U);
  EXPECT_EQ(result["algorithm"], "carl");
  EXPECT_EQ(result["outer"], "bundle");
  EXPECT_EQ(result["heuristic"], "hmax");
  EXPECT_EQ(result["constraints"][0]["multiplier"], 0);
  EXPECT_GE(result["statistics"]["scalarised_ssps"], 1);
  EXPECT_LE(result["statistics"]["expanded"], 3);
  EXPECT_TRUE(result["statistics"]["seconds"].contains("ground"));

  const Json policy = Json::parse(read_text(policy_file));
  EXPECT_EQ(policy["format"], "carl-policy");
  EXPECT_EQ(policy["costs"], (Json{"time", "price", "effort"}));
  ASSERT_EQ(policy["states"].size(), 1U);
  EXPECT_EQ(policy["states"][0]["state"], Json::array({"(at-home)"}));
  EXPECT_EQ(policy["states"][0]["visits"], 1);
  EXPECT_EQ(policy["states"][0]["actions"][0]["name"], "(run)");
  EXPECT_NEAR(policy["states"][0]["actions"][0]["probability"].get<double>(), 0.5, 1e-9);
}

TEST(CommandLine, JsonOnStandardOutputReplacesTheSummary) {
  const Execution run = carl("solve --json - " + example("coordinate-search"));
  EXPECT_EQ(run.status, 0);
  const Json result = Json::parse(run.out);
  EXPECT_NEAR(result["objective"].get<double>(), 4, 1e-9);
}

TEST(CommandLine, ReadsStandardInput) {
  const Execution json = shell("cat " + example("pathological") + " | CARL solve -");
  EXPECT_EQ(json.status, 0) << json.err;
  EXPECT_THAT(json.out, StartsWith("Optimal: "));
  const Execution pddl = shell("cat " + example("getting-to-work") + " | CARL solve -");
  EXPECT_THAT(pddl.out, StartsWith("Optimal: time = 1\n"));
  const Execution twice = carl("solve - -");
  EXPECT_EQ(twice.status, 2);
  EXPECT_EQ(twice.err, "error: standard input ('-') can be read only once\n");
}

TEST(CommandLine, BoundsAndPenaltiesCanBeChanged) {
  const std::string model = example("getting-to-work");
  const Execution infeasible = carl("solve --bound effort=1 --bound price=1 " + model);
  EXPECT_EQ(infeasible.status, 10);
  EXPECT_THAT(infeasible.out, StartsWith("Infeasible: no policy meets all bounds\n"
                                         "  every policy has "));
  const Execution give_up =
      carl("solve --bound effort=0 --bound price=0 --give-up time=50 " + model);
  EXPECT_EQ(give_up.status, 0) << give_up.err;
  EXPECT_THAT(give_up.out, StartsWith("Optimal: time = 50\n"));
  // It would reach the goal without these bounds: they are what is wrong.
  const Execution none = carl("solve --bound effort=0 --bound price=0 " + model);
  EXPECT_EQ(none.status, 10);
  EXPECT_THAT(none.out, HasSubstr("the bounds of 0 on price and effort forbid"));
  EXPECT_THAT(carl("solve --json - -q --bound effort=0 --bound price=0 " + model).out,
              HasSubstr("\"zero_bounds\": [\n      \"price\",\n      \"effort\""));
  const Execution lp = carl("convert --format lp -o - --bound effort=0 --bound price=0 " + model);
  EXPECT_EQ(lp.status, 0) << lp.err;
  EXPECT_THAT(lp.out, HasSubstr(" <= 0\n"));
  const Execution unknown = carl("solve --bound fule=3 " + model);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.err,
            "error: --bound: there is no cost named 'fule'\n"
            "  hint: the costs are: time, price, effort\n");
  EXPECT_EQ(carl("solve --bound price " + model).status, 2);
  EXPECT_EQ(carl("solve --bound price=-1 " + model).status, 2);
  EXPECT_EQ(carl("solve --give-up time=50,, " + model).status, 2);
}

TEST(CommandLine, ABoundThatIsMetWithinTheToleranceOnlyIsMentioned) {
  const std::string model = write_scratch(
      "taxi.json",
      R"({"format": "cssp", "version": 1, "costs": ["time", "price"], "initial": "a", "goals": ["b"],
          "actions": [{"state": "a", "name": "taxi", "cost": [1, 15], "outcomes": {"b": 1}}]})");
  const std::string note =
      "  note: price exceeds its bound by 1e-09, which is within the tolerance of 1e-9 times the "
      "bound; the lower bound holds for all policies that exceed it by no more\n";
  for (const char* algorithm : {"carl", "lp", "i-dual"}) {
    const std::string options = "solve --algorithm " + std::string(algorithm) + " " + model;
    const Execution met = carl(options + " --bound price=15");
    EXPECT_EQ(met.status, 0) << met.err;
    EXPECT_THAT(met.out, Not(HasSubstr("exceeds its bound")));
    const Execution nearly = carl(options + " --bound price=14.999999999");
    EXPECT_EQ(nearly.status, 0) << nearly.err;
    EXPECT_THAT(nearly.out, HasSubstr(note));
    const Json constraint = Json::parse(
        carl(options + " -q --json - --bound price=14.999999999").out)["constraints"][0];
    EXPECT_NEAR(constraint["excess"].get<double>(), 1e-9, 1e-14);
    EXPECT_EQ(carl(options + " --bound price=14.99999").status, 10);
  }
}

TEST(CommandLine, ProblemsWithoutBoundsBySearch) {
  const std::string lifted =
      "solve --bound price=inf --bound effort=inf " + example("getting-to-work");
  std::vector<std::string> algorithms = inner_names();
  algorithms.emplace_back("lp");
  for (const std::string& algorithm : algorithms)
    for (const std::string& heuristic : heuristic_names()) {
      const Execution run = carl(lifted + " --json - --algorithm " + algorithm + " --heuristic " +
                                 heuristic + " --heuristic-mode ideal-point");
      EXPECT_EQ(run.status, 0) << run.err;
      const Json result = Json::parse(run.out);
      EXPECT_EQ(result["algorithm"], algorithm);
      EXPECT_NEAR(result["objective"].get<double>(), 1, 1e-9);
      EXPECT_NEAR(result["lower_bound"].get<double>(), 1, 1e-9);
    }
  EXPECT_THAT(carl(lifted + " --verbose").out, HasSubstr("heuristic hmax: "));

  const Execution bounded = carl("solve --algorithm ilao " + example("getting-to-work"));
  EXPECT_EQ(bounded.status, 2);
  EXPECT_THAT(bounded.err, StartsWith("error: 'ilao' is for problems without bounds\n"));
  EXPECT_EQ(carl("solve --epsilon 0 " + example("pathological")).status, 2);
}

TEST(CommandLine, CarlWithEveryOuterAndInnerSearch) {
  for (const std::string& outer : outer_names())
    for (const std::string& inner : inner_names()) {
      const Execution run = carl("solve --json - --outer " + outer + " --inner " + inner + " " +
                                 example("drone-delivery"));
      EXPECT_EQ(run.status, 0) << run.err;
      const Json result = Json::parse(run.out);
      const Json lp =
          Json::parse(carl("solve --json - --algorithm lp " + example("drone-delivery")).out);
      EXPECT_NEAR(result["objective"].get<double>(), lp["objective"].get<double>(),
                  1e-4 * lp["objective"].get<double>());
      EXPECT_EQ(result["outer"], outer);
    }
}

TEST(CommandLine, SaysWhichSearchDidTheWork) {
  EXPECT_THAT(carl("solve " + example("pathological")).out, HasSubstr(" scalarised problems, "));
  EXPECT_THAT(carl("solve --outer coordinate " + example("pathological")).out,
              HasSubstr("  note: coordinate search got stuck; the subgradient method went on\n"));
}

TEST(CommandLine, HeuristicsOfFactoredProblemsNeedOne) {
  const std::string model = scratch("model.json");
  ASSERT_EQ(carl("convert --bound price=inf --bound effort=inf " + example("getting-to-work") +
                 " -o " + model)
                .status,
            0);
  EXPECT_EQ(carl("solve --heuristic dijkstra " + model).status, 0);
  const Execution run = carl("solve --heuristic roc " + model);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err,
            "error: the heuristic 'roc' needs a factored problem\n"
            "  hint: for other models choose dijkstra or zero\n");
}

TEST(CommandLine, LimitsEndWithStatusThree) {
  const std::string model = scratch("sar.pddl");
  // Millions of states: no machine is done with them in time.
  ASSERT_EQ(carl("generate sar --param n=8 --param d=6 --seed 1 -o " + model).status, 0);
  for (const char* algorithm : {"--algorithm lp", "--bound fuel=inf --algorithm vi"}) {
    const Execution time =
        carl("solve --time-limit 0.5 --memory-limit 2G " + std::string(algorithm) + " " + model);
    EXPECT_EQ(time.status, 3);
    EXPECT_THAT(time.out + time.err, HasSubstr("the time limit was reached"));
  }
  const Execution memory = carl("solve --algorithm lp --memory-limit 20M " + model);
  EXPECT_EQ(memory.status, 3);
  EXPECT_THAT(memory.out + memory.err, HasSubstr("the memory limit was reached"));
}

TEST(CommandLine, ALinearProgramThatDoesNotFitIsNotBuilt) {
  const std::string model = scratch("sar.pddl");
  ASSERT_EQ(carl("generate sar --param n=4 --param d=3 --seed 1 -o " + model).status, 0);
  // All 65,536 states do fit, the program over them takes more than 100 MB.
#ifdef CARL_SANITIZED
  const std::string limit = "100M";  // a sanitized planner alone takes 50
#else
  const std::string limit = "50M";
#endif
  const Execution run = carl("solve --algorithm lp --memory-limit " + limit + " --json - " + model);
  EXPECT_EQ(run.status, 3);
  const Json result = Json::parse(run.out);
  EXPECT_EQ(result["status"], "limit");
#ifndef CARL_SANITIZED
  EXPECT_EQ(result["note"], "the linear program does not fit into the memory limit");
  EXPECT_LT(result["statistics"]["peak_memory_mb"].get<double>(), 50);
#endif
}

TEST(CommandLine, CtrlCEndsWithStatusThree) {
  const std::string model = scratch("sar.pddl");
  ASSERT_EQ(carl("generate sar --param n=8 --param d=6 --seed 1 -o " + model).status, 0);
  // It is at work once it has reported progress.
  const std::string progress = scratch("progress");
  const Execution run = shell("rm -f " + progress + "; CARL solve --algorithm lp " +
                              "--memory-limit 2G --progress always " + model + " 2>" + progress +
                              " & pid=$!; until test -s " + progress +
                              "; do sleep 0.01; done; kill -INT $pid; wait $pid");
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.out + run.err, HasSubstr("nterrupted"));
}

TEST(CommandLine, InfoTellsSizes) {
  const Execution run = carl("info " + example("tireworld-two-currencies"));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("minimise         steps\n"));
  EXPECT_THAT(run.out, HasSubstr("976 reachable"));
  EXPECT_THAT(run.out, HasSubstr("giving up costs  steps 500"));
  const Execution some = carl("info --max-states 100 " + example("tireworld-two-currencies"));
  EXPECT_THAT(some.out, HasSubstr("more than "));
  const Execution forbidden = carl("info --bound risk=0 " + example("drone-delivery"));
  EXPECT_THAT(forbidden.out, HasSubstr("state-actions that a bound of zero forbids"));
}

TEST(CommandLine, ConvertsToAnExplicitModelWithTheSameOptimum) {
  for (const char* name : {"getting-to-work", "drone-delivery", "tireworld-two-currencies"}) {
    const std::string model = scratch("model.json");
    const Execution convert = carl("convert " + example(name) + " -o " + model);
    ASSERT_EQ(convert.status, 0) << convert.err;
    const Json factored = Json::parse(carl("solve --json - " + example(name)).out);
    const Json explicit_model = Json::parse(carl("solve --json - " + model).out);
    EXPECT_NEAR(factored["objective"].get<double>(), explicit_model["objective"].get<double>(),
                1e-9);
  }
}

TEST(CommandLine, TheLpFileHasTheSameOptimumForAnotherReader) {
  for (const char* name : {"coordinate-search", "drone-delivery", "tireworld-two-currencies"}) {
    const std::string file = scratch("model.lp");
    ASSERT_EQ(carl("convert " + example(name) + " -o " + file).status, 0);
    ClpSimplex lp;
    lp.setLogLevel(0);
    ASSERT_EQ(lp.readLp(file.c_str()), 0);
    lp.primal();
    const Json result = Json::parse(carl("solve --json - " + example(name)).out);
    EXPECT_NEAR(lp.objectiveValue(), result["objective"].get<double>(), 1e-6);
  }
}

TEST(CommandLine, ConvertNeedsAFormatItKnows) {
  const Execution run = carl("convert " + example("pathological") + " -o model.txt");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, StartsWith("error: cannot tell the format of 'model.txt'"));
  EXPECT_EQ(carl("convert " + example("pathological") + " --format lp -o -").status, 0);
}

TEST(CommandLine, GeneratedInstancesCanBePipedIntoSolve) {
  const Execution run = shell("CARL generate sar --param n=3 --param d=2 --seed 1 | CARL solve -");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("Optimal: time = 6.75\n"));
  EXPECT_EQ(carl("generate nothing").status, 2);
  EXPECT_EQ(carl("generate sar --param n").status, 2);
}

TEST(CommandLine, UsageErrorsAreStatusTwoAndHelpIsZero) {
  EXPECT_EQ(carl("").status, 0);
  EXPECT_EQ(carl("fly").status, 2);
  EXPECT_EQ(carl("solve").status, 2);
  EXPECT_EQ(carl("solve --algorithm magic x.json").status, 2);
  EXPECT_EQ(carl("solve --time-limit soon x.json").status, 2);
  EXPECT_EQ(carl("--help").status, 0);
  EXPECT_EQ(carl("--version").status, 0);
  for (const char* command : {"solve", "check", "simulate", "info", "convert", "generate"})
    EXPECT_EQ(carl(std::string(command) + " --help").status, 0);
  const Execution missing = carl("solve no-such-file.json");
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.err, "error: cannot read 'no-such-file.json': No such file or directory\n");
  EXPECT_EQ(carl("solve /").status, 2);
  EXPECT_EQ(carl("solve --json /no/such/folder/x " + example("pathological")).status, 2);
}

TEST(CommandLine, TheSameInputGivesTheSameOutput) {
  const std::string command =
      "solve --policy - --json " + scratch("json") + " " + example("tireworld-two-currencies");
  EXPECT_EQ(carl(command).out, carl(command).out);
  const Execution shuffled = carl("solve --json - --seed 7 " + example("tireworld-two-currencies"));
  EXPECT_NEAR(Json::parse(shuffled.out)["objective"].get<double>(), 7.125, 1e-9);
}

}  // namespace
}  // namespace carl::testing
