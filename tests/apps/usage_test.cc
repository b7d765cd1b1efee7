// What the command line says when it is used wrongly.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/run.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

void expect_error(const std::string& arguments, const std::string& message) {
  const Execution run = carl(arguments);
  EXPECT_EQ(run.status, 2) << arguments;
  EXPECT_EQ(run.out, "") << arguments;
  EXPECT_EQ(run.err, "error: " + message + "\n") << arguments;
}

TEST(Usage, UnknownCommands) {
  const std::string all =
      "solve, check, simulate, act, sweep, pareto, explain, report, studio, info, convert, "
      "generate, completion";
  expect_error("slove x.json", "there is no command 'slove'\n  hint: did you mean 'solve'?");
  expect_error("fly", "there is no command 'fly'\n  hint: the commands are: " + all);
  EXPECT_EQ(carl("").status, 0);
  EXPECT_EQ(carl("").out, carl("help").out);
  expect_error("help chekc", "there is no command 'chekc'\n  hint: did you mean 'check'?");
}

TEST(Usage, UnknownOptions) {
  const std::string model = example("pathological");
  expect_error("solve --bonud price=3 " + model,
               "carl solve has no option '--bonud'\n  hint: did you mean '--bound'?");
  expect_error("solve " + model + " --bonud=price=3",
               "carl solve has no option '--bonud'\n  hint: did you mean '--bound'?");
  expect_error(
      "solve " + model + " --frobnicate",
      "carl solve has no option '--frobnicate'\n  hint: 'carl help solve' lists the options");
  expect_error("check --runs 5 m.json p.json",
               "carl check has no option '--runs'\n  hint: 'carl help check' lists the options");
  expect_error("--vresion", "carl has no option '--vresion'\n  hint: did you mean '--version'?");
  // A mistyped option is to blame for what its value is taken for.
  expect_error("solve --gpa 1e-3 a.pddl b.pddl",
               "carl solve has no option '--gpa'\n  hint: did you mean '--gap'?");
}

TEST(Usage, MissingAndSuperfluousArguments) {
  expect_error("solve", "carl solve: MODEL is missing\n  hint: see 'carl help solve'");
  expect_error("solve a b c",
               "carl solve: more arguments than MODEL\n  hint: see 'carl help solve'");
  expect_error("generate sar elevators",
               "carl generate does not expect the argument 'elevators'\n"
               "  hint: see 'carl help generate'");
  expect_error("solve a --gap", "carl solve: --gap needs a value\n  hint: see 'carl help solve'");
  expect_error("simulate a", "carl simulate needs MODEL POLICY\n  hint: see 'carl help simulate'");
  expect_error("convert a", "carl convert: --output is missing\n  hint: see 'carl help convert'");
  expect_error("solve -q -v a", "--verbose excludes --quiet\n  hint: see 'carl help solve'");
}

TEST(Usage, HelpOfAllAndOfOne) {
  const Execution all = carl("help");
  EXPECT_EQ(all.status, 0);
  EXPECT_EQ(all.out, carl("--help").out);
  for (const char* name : {"solve", "check", "simulate", "sweep", "pareto", "explain", "report",
                           "studio", "info", "convert", "generate"}) {
    const Execution one = carl("help " + std::string(name));
    EXPECT_EQ(one.status, 0);
    EXPECT_EQ(one.out, carl(std::string(name) + " --help").out);
    EXPECT_THAT(all.out, HasSubstr("\n  " + std::string(name)));
  }
}

TEST(Usage, WordsThatAnOptionDoesNotKnow) {
  expect_error("solve --algorithm magic a",
               "--algorithm: 'magic' is not known\n"
               "  hint: choose one of carl, auto, i-dual, i-dual-textbook, i2-dual, lp, cg-ilao, "
               "cg-ilao-paper, "
               "ilao, lrtdp, vi");
  expect_error("solve --outer bundel a",
               "--outer: 'bundel' is not known\n  hint: did you mean 'bundle'?");
}

/// Each option that takes a number, with what it says of one that it does not take.
TEST(Usage, NumbersThatAreNone) {
  struct Option {
    const char* command;
    const char* option;
    const char* wanted;
    std::vector<std::string> wrong;
  };
  const char* const positive = "a number above 0";
  const char* const at_least_zero = "a number of 0 or more";
  const char* const whole = "a whole number of 0 or more";
  const char* const one_or_more = "a whole number of 1 or more";
  const char* const threads = "a whole number from 0 to 1024";
  const std::vector<std::string> reals{"nan",   "-nan", "inf", "-inf", "-1",
                                       "1e999", "x",    "1x",  "''"};
  std::vector<std::string> not_zero = reals;
  not_zero.emplace_back("0");
  const std::vector<std::string> counts{"-1",  "nan", "inf", "1.5",
                                        "1e3", "x",   "''",  "99999999999999999999"};
  std::vector<std::string> from_one = counts;
  from_one.emplace_back("0");
  for (const Option& option : std::vector<Option>{
           {"solve m", "--epsilon", positive, not_zero},
           {"solve m", "--eta", positive, not_zero},
           {"solve m", "--gap", at_least_zero, reals},
           {"solve m", "--seed", whole, counts},
           {"solve m", "--threads", threads, counts},
           {"solve m", "--certificate-states", whole, counts},
           {"check m p", "--gap", at_least_zero, reals},
           {"check m p", "--max-states", whole, counts},
           {"simulate m p", "--runs", "a whole number from 1 to 1000000000", from_one},
           {"simulate m p", "--seed", whole, counts},
           {"simulate m p", "--threads", threads, counts},
           {"simulate m p", "--max-steps", "a whole number from 1 to 2000000000", from_one},
           {"sweep m", "--gap", at_least_zero, reals},
           {"sweep m", "--seed", whole, counts},
           {"sweep m", "--threads", threads, counts},
           {"pareto m --costs a,b", "--gap", at_least_zero, reals},
           {"pareto m --costs a,b", "--vertex", one_or_more, from_one},
           {"explain m r", "--most-visited", one_or_more, from_one},
           {"explain m r", "--spenders", whole, counts},
           {"report m -o x", "--max-states", one_or_more, from_one},
           {"report m -o x", "--seed", whole, counts},
           {"info m", "--max-states", one_or_more, from_one},
           {"info m", "--seed", whole, counts},
           {"info m", "--threads", threads, counts},
           {"convert m -o x", "--seed", whole, counts},
           {"generate sar", "--seed", whole, counts}})
    for (const std::string& value : option.wrong) {
      const std::string shown = value == "''" ? "" : value;
      expect_error(std::string(option.command) + " " + option.option + " " + value,
                   std::string(option.option) + ": '" + shown + "' is not " + option.wanted);
    }
}

TEST(Usage, LimitsThatAreNone) {
  for (const char* command : {"solve m", "check m p", "simulate m p", "sweep m",
                              "pareto m --costs a,b", "report m -o x", "info m", "convert m -o x"})
    for (const char* value : {"0", "-1", "nan", "inf", "soon", "0M", "1e999", "1e308G", "1e308h"}) {
      expect_error(std::string(command) + " --memory-limit " + value,
                   "--memory-limit: '" + std::string(value) +
                       "' is not an amount above 0\n  hint: for example 500M or 4G; without it "
                       "there is no limit");
      if (std::string(value) == "0") continue;  // of time that is a limit
      expect_error(std::string(command) + " --time-limit " + value,
                   "--time-limit: '" + std::string(value) +
                       "' is not an amount\n  hint: for example 90s, 30m or 2h; without it "
                       "there is no limit");
    }
  // Less than a byte is a limit all the same.
  EXPECT_EQ(carl("solve --memory-limit 1e-9 " + example("tireworld-two-currencies")).status, 3);
  EXPECT_EQ(carl("solve --memory-limit 1e300 " + example("getting-to-work")).status, 0);
}

TEST(Usage, BoundsAndPenaltiesThatAreNone) {
  const std::string model = example("getting-to-work");
  const std::string unit =
      "\n  hint: larger numbers cannot be added up accurately; use a larger unit";
  for (const char* option : {"--bound", "--give-up"}) {
    const std::string before = "solve " + model + " " + option;
    const std::string name = option;
    expect_error(before + " time=nan", name + " time=nan: the number is not a number");
    expect_error(before + " time=-1",
                 name + " time=-1: the number is -1, but must not be negative");
    expect_error(before + " time=-inf",
                 name + " time=-inf: the number is -inf, but must not be negative");
    expect_error(before + " time=1e16",
                 name + " time=1e+16: the number is 1e+16, but must not be above 1e+15" + unit);
    expect_error(before + " time=",
                 name + " time=: expected COST=NUMBER\n  hint: for example " + name + " fuel=12");
  }
  for (const char* range : {"nan:5", "1:nan", "1:inf:1", "-inf:1:1", "1:5:nan", "1:5:inf", "1:5:0",
                            "-1:5:1", "5:1:1", "1:2e15:1e14"})
    EXPECT_EQ(carl("sweep " + model + " --bound price=" + range).status, 2) << range;
}

TEST(Usage, OneLimitForCostsInAllFormats) {
  const std::string domain =
      "(define (domain d) (:requirements :fluents :constraints)\n"
      " (:predicates (p)) (:functions (cost) (fuel))\n"
      " (:action a :parameters () :effect (and (p) (increase (cost) AMOUNT) (increase (fuel) "
      "1))))\n"
      "(define (problem x) (:domain d) (:init) (:goal (p)) (:metric minimize METRIC)\n"
      " (:constraints (<= (expected (fuel)) BOUND)) (:give-up (increase (cost) PENALTY)))\n";
  const std::string hint =
      "  hint: larger numbers cannot be added up accurately; use a larger unit\n";
  const auto run = [&](const std::string& amount, const std::string& bound,
                       const std::string& penalty, const std::string& metric = "(cost)") {
    std::string text = domain;
    for (const auto& [word, value] : {std::pair<std::string, std::string>{"AMOUNT", amount},
                                      {"BOUND", bound},
                                      {"PENALTY", penalty},
                                      {"METRIC", metric}})
      text.replace(text.find(word), word.size(), value);
    return carl("solve " + write_scratch("problem.pddl", text));
  };
  EXPECT_EQ(run("1e15", "1e15", "1e15").status, 0);
  const Execution amount = run("1e16", "5", "5");
  EXPECT_EQ(amount.status, 2);
  EXPECT_THAT(amount.err,
              HasSubstr("problem.pddl:3:62: error: the amount in (a) is 1e+16, but must "
                        "not be above 1e+15\n"));
  EXPECT_THAT(amount.err, HasSubstr(hint));
  const Execution bound = run("1", "1e16", "5");
  EXPECT_EQ(bound.status, 2);
  EXPECT_THAT(bound.err, HasSubstr("error: the bound is 1e+16, but must not be above 1e+15\n"));
  EXPECT_THAT(bound.err, HasSubstr(hint));
  const Execution penalty = run("1", "5", "1e16");
  EXPECT_EQ(penalty.status, 2);
  EXPECT_THAT(penalty.err, HasSubstr("error: the penalty is 1e+16, but must not be above 1e+15\n"));
  // No number in the text is too large, but their sum is.
  const Execution sum = run("9e14", "5", "5", "(* 2 (cost))");
  EXPECT_EQ(sum.status, 2);
  EXPECT_THAT(
      sum.err,
      StartsWith("error: the cost '(* 2 (cost))' of (a) is 1800000000000000, but must not be "
                 "above 1e+15\n"));
  const Execution penalties = run("1", "5", "9e14", "(* 2 (cost))");
  EXPECT_EQ(penalties.status, 2);
  EXPECT_THAT(penalties.err,
              StartsWith("error: the penalty on '(* 2 (cost))' is 1800000000000000, but must "
                         "not be above 1e+15\n"));
}

}  // namespace
}  // namespace carl::testing
