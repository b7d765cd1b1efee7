#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/run.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string city() {
  const std::string folder = tests::source_path("examples/drone-delivery/");
  return folder + "domain.pddl " + folder + "city.pddl";
}

TEST(Sweep, ShowsTheTradeOff) {
  const Execution run = carl("sweep " + city() + " --bound battery=24:36:2");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out,
              StartsWith("  battery ≤       status      time   shadow price   piece\n"
                         "  24          infeasible\n"
                         "  26             optimal   47.7333            2.5       1\n"
                         "  28             optimal   43.0333              2       2\n"
                         "  30             optimal   39.3333        1.66667       3\n"
                         "  32             optimal      36.2        1.33333       4\n"
                         "  34             optimal   33.7111        1.11111       5\n"
                         "  36             optimal      33.6              0       6\n"
                         "\n"
                         "Breakpoints:\n"
                         "  battery =      time   slope before      after\n"
                         "  26          47.7333     infeasible       -2.5\n"
                         "  27.4        44.2333           -2.5         -2\n"
                         "  29.1        40.8333             -2   -1.66667\n"
                         "  31.4             37       -1.66667   -1.33333\n"
                         "  33.2           34.6       -1.33333   -1.11111\n"
                         "  34.1           33.6       -1.11111          0\n"
                         "\n"
                         "Below 26 there is no policy; from 34.1 the bound does not matter.\n"));
  EXPECT_THAT(run.out, HasSubstr("\nsweep: "));
}

TEST(Sweep, WritesWhatTheReportReads) {
  const std::string json = scratch("sweep.json");
  const std::string plot = scratch("sweep.svg");
  const Execution run = carl("sweep -q " + city() + " --bound battery=24:36:2 --json " + json +
                             " --plot " + plot + " --csv " + scratch("sweep.csv"));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out + run.err, "");
  const auto sweep = nlohmann::json::parse(read_text(json));
  EXPECT_EQ(sweep["format"], "carl-sweep");
  EXPECT_EQ(sweep["cost"], "battery");
  EXPECT_EQ(sweep["points"].size(), 7U);
  EXPECT_EQ(sweep["breakpoints"].size(), 6U);
  EXPECT_NEAR(sweep["infeasible_below"].get<double>(), 26, 1e-7);
  EXPECT_NEAR(sweep["slack_above"].get<double>(), 34.1, 1e-7);
  EXPECT_THAT(read_text(plot), StartsWith("<svg "));
  EXPECT_THAT(read_text(scratch("sweep.csv")),
              StartsWith("battery,status,time,lower bound,shadow price\n24,infeasible,,,\n26,opt"));
  EXPECT_EQ(carl("report " + city() + " --sweep " + json + " -o -").status, 0);
}

TEST(Sweep, OfTwoBounds) {
  const Execution run =
      carl("sweep " + city() + " --bound battery=20:36:4 --bound risk=3:5:1 --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto sweep = nlohmann::json::parse(run.out);
  ASSERT_EQ(sweep["curves"].size(), 3U);
  EXPECT_EQ(sweep["curves"][2]["second"]["cost"], "risk");
  EXPECT_EQ(sweep["curves"][2]["second"]["value"], 5);
  EXPECT_NEAR(sweep["curves"][2]["slack_above"].get<double>(), 30.7, 1e-7);
}

TEST(Sweep, StatusTellsHowItEnded) {
  EXPECT_EQ(carl("sweep " + city() + " --bound battery=1:2").status, 10);
  EXPECT_EQ(carl("sweep " + city() + " --bound battery=0:0:1").status, 10);
  EXPECT_EQ(carl("sweep " + city() + " --bound battery=20:30 --time-limit 0").status, 3);
}

TEST(Sweep, WrongUse) {
  const auto error = [](const std::string& options) {
    const Execution run = carl("sweep " + city() + " " + options);
    EXPECT_EQ(run.status, 2);
    return run.err;
  };
  EXPECT_EQ(error("--bound battery=5"),
            "error: sweep varies one bound or two, not 0\n"
            "  hint: give a range as --bound COST=FROM:TO:STEP, for example --bound fuel=5:20:1\n");
  EXPECT_EQ(error("--bound battery=5:2:1"),
            "error: battery=5:2:1: the range ends before it begins\n"
            "  hint: write COST=FROM:TO:STEP, for example fuel=5:20:1\n");
  EXPECT_EQ(error("--bound battery=5:20:0"),
            "error: battery=5:20:0: the step must be more than 0\n"
            "  hint: write COST=FROM:TO:STEP, for example fuel=5:20:1\n");
  EXPECT_EQ(error("--bound battery=-1:20:1"),
            "error: battery=-1:20:1: a bound is a number and at least 0\n"
            "  hint: write COST=FROM:TO:STEP, for example fuel=5:20:1\n");
  EXPECT_EQ(error("--bound battery=a:b"),
            "error: --bound battery=a:b: expected COST=FROM:TO:STEP\n"
            "  hint: for example --bound fuel=5:20:1\n");
  EXPECT_EQ(error("--bound battery=0:1:1e-9"),
            "error: battery=0:1:1e-09: more than 100000 points\n"
            "  hint: breakpoints are exact whatever the step is: a few points are enough for a "
            "picture\n");
  EXPECT_EQ(error("--bound battery=1:2 --bound battery=2:3"),
            "error: the bound on 'battery' is varied twice\n"
            "  hint: vary the bounds on two different costs\n");
}

}  // namespace
}  // namespace carl::testing
