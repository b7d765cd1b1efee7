#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/run.h"
#include "support/source_path.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string city() {
  const std::string folder = tests::source_path("examples/drone-delivery/");
  return folder + "domain.pddl " + folder + "city.pddl";
}

TEST(Pareto, ShowsTheFront) {
  const Execution run = carl("pareto " + city() + " --costs battery,risk");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out,
              StartsWith("  vertex   battery   risk   time   risk per battery\n"
                         "  1             20      7   42.4               -0.5\n"
                         "  2             28      3   52.6               -0.2\n"
                         "  3             38      1   87.4\n"
                         "\n"
                         "3 vertices: the exact front.\n"
                         "Not kept, since the front shows all values: battery ≤ 32, risk ≤ 4.\n"
                         "\n"
                         "pareto: "));
}

/// What a sweep of the bound on the second cost finds, point by point.
TEST(Pareto, KeepsOtherBounds) {
  const Execution run = carl("pareto " + city() + " --costs time,battery --json -");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto front = nlohmann::json::parse(run.out);
  EXPECT_EQ(front["format"], "carl-front");
  EXPECT_EQ(front["status"], "optimal");
  EXPECT_EQ(front["lifted"], nlohmann::json({{"battery", 32}}));
  ASSERT_EQ(front["vertices"].size(), 6U);
  EXPECT_NEAR(front["vertices"][0]["costs"]["battery"].get<double>(), 34.1, 1e-7);
  EXPECT_NEAR(front["vertices"][5]["costs"]["time"].get<double>(), 47.7333333333, 1e-7);
  EXPECT_EQ(front["vertices"][5]["deterministic"], false);
  EXPECT_EQ(front["edges"].size(), 5U);
  EXPECT_LE(front["distance"].get<double>(), 1e-8);
  EXPECT_THAT(carl("pareto " + city() + " --costs time,battery").out, HasSubstr("tosses a coin\n"));
}

TEST(Pareto, WritesFiles) {
  const std::string json = scratch("front.json");
  const std::string csv = scratch("front.csv");
  const std::string plot = scratch("front.svg");
  const std::string policy = scratch("vertex.json");
  const Execution run =
      carl("pareto -q " + city() + " --costs time,battery,risk --gap 0.01 --json " + json +
           " --csv " + csv + " --plot " + plot + " --vertex 2 --policy " + policy);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out + run.err, "");
  const auto front = nlohmann::json::parse(read_text(json));
  EXPECT_GT(front["faces"].size(), 3U);
  EXPECT_GT(front["vertices"][0]["states"].size(), 3U);
  EXPECT_THAT(read_text(csv), StartsWith("vertex,time,battery,risk,deterministic\n1,27."));
  EXPECT_THAT(read_text(plot), StartsWith("<svg "));
  EXPECT_THAT(read_text(plot), HasSubstr("<polygon "));
  const Execution check = carl("check " + city() + " " + policy + " --no-bounds");
  EXPECT_EQ(check.status, 0) << check.out;
  EXPECT_EQ(nlohmann::json::parse(
                carl("pareto " + city() + " --costs time,battery --no-policies --json -")
                    .out)["vertices"][0]
                .count("states"),
            0U);
  EXPECT_THAT(carl("pareto " + city() + " --costs battery,risk --plot -").out,
              HasSubstr("<polyline "));
}

TEST(Pareto, StatusTellsHowItEnded) {
  const Execution infeasible = carl("pareto " + city() + " --costs time,battery --bound risk=0.1");
  EXPECT_EQ(infeasible.status, 10);
  EXPECT_EQ(infeasible.out,
            "Infeasible: no policy meets the bounds on the other costs\nKept: risk ≤ 0.1.\n"
            "Not kept, since the front shows all values: battery ≤ 32.\n");
  EXPECT_EQ(carl("pareto " + city() + " --costs time,battery --time-limit 0").status, 3);
  const std::string tires = example("tireworld-two-currencies");
  EXPECT_EQ(carl("pareto " + tires + " --costs steps,steps").status, 2);
}

TEST(Pareto, WrongUse) {
  const auto error = [](const std::string& options) {
    const Execution run = carl("pareto " + city() + " " + options);
    EXPECT_EQ(run.status, 2);
    return run.err;
  };
  EXPECT_EQ(error("--costs time"),
            "error: --costs: a front is a trade-off between two costs or more\n"
            "  hint: the costs are: time, battery, risk\n");
  EXPECT_EQ(error("--costs time,fuel"),
            "error: --costs: there is no cost named 'fuel'\n"
            "  hint: the costs are: time, battery, risk\n");
  EXPECT_EQ(error("--costs time,risk,time"),
            "error: --costs: 'time' is given twice\n"
            "  hint: the costs are: time, battery, risk\n");
  EXPECT_EQ(error("--costs time,risk --vertex 2"),
            "error: --policy and --vertex go together\n"
            "  hint: for example --vertex 2 --policy second.json\n");
  EXPECT_EQ(error("--costs a,b,c,d --plot x.svg"),
            "error: --plot shows two costs or three, no more\n"
            "  hint: choose fewer, or write the vertices with --csv\n");
  EXPECT_EQ(error("--costs battery,risk --vertex 4 --policy -"),
            "error: --vertex 4: the front has 3 vertices\n"
            "  hint: their numbers are in the table, from 1\n");
}

}  // namespace
}  // namespace carl::testing
