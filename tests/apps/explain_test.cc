#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/run.h"
#include "support/source_path.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string model() {
  return tests::source_path("examples/coordinate-search/model.json");
}

std::string result() {
  const std::string path = scratch("result.json");
  EXPECT_EQ(carl("solve -q " + model() + " --json " + path + " --policy " + scratch("policy.json"))
                .status,
            0);
  return path;
}

TEST(Explain, SaysWhy) {
  const std::string solved = result();
  const Execution run = carl("explain " + model() + " " + solved);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("In "));
  EXPECT_THAT(run.out, HasSubstr("policy   loss   time   fuel   toll\n"));
  EXPECT_THAT(run.out, HasSubstr("What one more unit of a bound saves (time):\n"));
  EXPECT_THAT(run.out, HasSubstr("\nWhere fuel goes:\n"));
  const Execution same =
      carl("explain " + model() + " " + solved + " --policy " + scratch("policy.json"));
  EXPECT_EQ(same.status, 0) << same.err;
}

TEST(Explain, TakesStatesAndBoundsFromTheResult) {
  const std::string work = example("getting-to-work");
  const std::string path = scratch("work.json");
  ASSERT_EQ(carl("solve -q " + work + " --bound effort=inf --json " + path).status, 0);
  const Execution run =
      carl("explain " + work + " " + path + " '(at-station-no-train)' --json - --no-ranges");
  EXPECT_EQ(run.status, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["format"], "carl-explanation");
  EXPECT_EQ(json["states"][0]["state"], nlohmann::json({"(at-station-no-train)"}));
  EXPECT_EQ(json["states"][0]["visits"], 0);
  ASSERT_EQ(json["prices"].size(), 1U);  // the bound on effort was lifted
  EXPECT_EQ(json["prices"][0]["cost"], "price");
  EXPECT_EQ(json["prices"][0].count("from"), 0U);
  EXPECT_EQ(nlohmann::json::parse(
                carl("explain " + work + " " + path + " --most-visited 5 --json -").out)["states"]
                .size(),
            1U);
}

TEST(Explain, WrongUse) {
  const std::string solved = result();
  const auto error = [&](const std::string& arguments) {
    const Execution run = carl("explain " + arguments);
    EXPECT_EQ(run.status, 2);
    return run.err;
  };
  EXPECT_THAT(error(model() + " " + solved + " nowhere"),
              StartsWith("error: no state 'nowhere' is known\n  hint: states are named as in"));
  EXPECT_THAT(error(example("getting-to-work") + " " + solved), StartsWith("error: "));
  EXPECT_THAT(error(tests::source_path("examples/pathological/model.json") + " " + solved),
              HasSubstr("' is the result of another problem: it says 4, not "));
  EXPECT_THAT(error(model() + " " + model()), HasSubstr("carl-result"));
}

TEST(Explain, WhatCannotBeSolvedCannotBeExplained) {
  const std::string path = scratch("infeasible.json");
  ASSERT_EQ(carl("solve -q " + model() + " --bound fuel=0.1 --json " + path).status, 10);
  const Execution run = carl("explain " + model() + " " + path);
  EXPECT_EQ(run.status, 10);
  EXPECT_THAT(run.out, StartsWith("There is no optimal policy to explain: infeasible"));
}

TEST(Explain, IsInTheReport) {
  const std::string path = scratch("explanation.json");
  ASSERT_EQ(carl("explain -q " + model() + " " + result() + " --json " + path).status, 0);
  const Execution page = carl("report " + model() + " --explanation " + path + " -o -");
  EXPECT_EQ(page.status, 0) << page.err;
  EXPECT_THAT(page.out, HasSubstr("\"explanation\":[{\"state\":"));
  const std::string wrong = scratch("wrong.json");
  std::ofstream(wrong) << R"({"format": "carl-explanation", "version": 1, "states": [{}]})";
  const Execution run = carl("report " + model() + " --explanation " + wrong + " -o -");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("' has a state without \"actions\""));
}

}  // namespace
}  // namespace carl::testing
