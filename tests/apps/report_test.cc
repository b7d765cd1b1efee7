#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/run.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Report, IsOnePage) {
  const std::string page = scratch("page.html");
  const Execution run = carl("report " + example("getting-to-work") + " -o " + page);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out + run.err, "");
  const std::string text = read_text(page);
  EXPECT_THAT(text, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(text, HasSubstr("\"(at-home)\""));
  EXPECT_THAT(text, ::testing::EndsWith("</html>\n"));
  EXPECT_EQ(carl("report " + example("getting-to-work") + " -o -").out.substr(0, 15),
            "<!DOCTYPE html>");
}

TEST(Report, StatusIsThatOfTheSolveAndThereIsAPage) {
  const std::string page = scratch("page.html");
  EXPECT_EQ(carl("report --bound price=0.1 --bound effort=0.1 " + example("getting-to-work") +
                 " -o " + page)
                .status,
            10);
  EXPECT_THAT(read_text(page), HasSubstr("\"status\":\"infeasible\""));
  EXPECT_EQ(carl("report --time-limit 0 " + example("getting-to-work") + " -o " + page).status, 3);
}

TEST(Report, OfFilesMeansTheSame) {
  const std::string model = example("coordinate-search");
  const std::string policy = scratch("policy.json");
  const std::string result = scratch("result.json");
  ASSERT_EQ(carl("solve -q " + model + " --policy " + policy + " --json " + result).status, 0);
  const Execution files =
      carl("report " + model + " --policy " + policy + " --result " + result + " -o -");
  EXPECT_EQ(files.status, 0) << files.err;
  const auto policy_of = [](const std::string& page) {
    const std::size_t begin = page.find("\"policy\":{\"states\":[");
    return page.substr(begin, page.find("\n\"given_up\"", begin) - begin);
  };
  EXPECT_EQ(policy_of(files.out), policy_of(carl("report " + model + " -o -").out));
}

TEST(Report, SolvesAsItIsToldTo) {
  const std::string page =
      carl("report " + example("coordinate-search") + " --outer coordinate --gap 1e-6 -o -").out;
  EXPECT_THAT(page, HasSubstr("\"outer\":\"coordinate\""));
  EXPECT_THAT(page, HasSubstr("\"multipliers\":[0.025,0.1125]"));
  EXPECT_THAT(carl("report " + example("coordinate-search") + " --algorithm i-dual -o -").out,
              HasSubstr("\"algorithm\":\"i-dual\""));
  const Execution both = carl("report " + example("coordinate-search") +
                              " -o - --policy p.json --result r.json --outer coordinate");
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("--outer excludes --policy"));
}

TEST(Report, WrongUse) {
  const std::string model = example("coordinate-search");
  EXPECT_EQ(carl("report " + model).status, 2);
  const Execution half = carl("report " + model + " -o - --policy x.json");
  EXPECT_EQ(half.status, 2);
  EXPECT_EQ(half.err,
            "error: --policy needs --result as well\n"
            "  hint: 'carl solve --policy FILE --json FILE' writes both\n");
  const Execution other = carl("report " + model + " -o - --result x.json");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, StartsWith("error: --result needs --policy as well\n"));
  const Execution missing = carl("report " + model + " -o - --sweep /nowhere/s.json");
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("cannot read '/nowhere/s.json'"));
  const Execution garbage =
      carl("report " + model + " -o - --sweep " + write_scratch("s.json", "garbage"));
  EXPECT_EQ(garbage.status, 2);
  EXPECT_THAT(garbage.err, HasSubstr("is not a JSON text"));
  // What could not be finished is not left behind.
  const std::string page = scratch("page.html");
  const std::string wrong = write_scratch("r.json", "{}");
  const std::string policy = scratch("policy.json");
  ASSERT_EQ(carl("solve -q " + model + " --policy " + policy).status, 0);
  EXPECT_EQ(
      carl("report " + model + " --policy " + policy + " --result " + wrong + " -o " + page).status,
      2);
  EXPECT_FALSE(std::ifstream(page).good());
}

TEST(Report, InTheCityBothBudgetsHaveAPrice) {
  const std::string folder = tests::source_path("examples/drone-delivery/");
  for (const char* algorithm : {"carl", "lp"}) {
    const Execution run = carl("solve --json - --algorithm " + std::string(algorithm) + " " +
                               folder + "domain.pddl " + folder + "city.pddl");
    ASSERT_EQ(run.status, 0) << run.err;
    const auto result = nlohmann::json::parse(run.out);
    EXPECT_NEAR(result["objective"].get<double>(), 36.2, 1e-6);
    EXPECT_GE(result["policy"]["mixture"].size(), 2U);
    EXPECT_NEAR(result["constraints"][0]["multiplier"].get<double>(), 4.0 / 3, 1e-6);
    EXPECT_NEAR(result["constraints"][1]["multiplier"].get<double>(), 223.0 / 30, 1e-6);
  }
}

TEST(Report, OfAFront) {
  const std::string model = example("coordinate-search");
  const std::string front = scratch("front.json");
  ASSERT_EQ(carl("pareto -q " + model + " --costs time,fuel --json " + front).status, 0);
  const Execution page = carl("report " + model + " --front " + front + " -o -");
  EXPECT_EQ(page.status, 0) << page.err;
  EXPECT_THAT(page.out, HasSubstr("\"front\":{\"costs\":[0,1],\"vertices\":[{\"costs\":["));
  const auto error = [&](const std::string& text) {
    const std::string path = scratch("wrong.json");
    std::ofstream(path) << text;
    const Execution run = carl("report " + model + " --front " + path + " -o -");
    EXPECT_EQ(run.status, 2);
    return run.err.substr(run.err.rfind('\'') == std::string::npos ? 0 : run.err.find("' ") + 2);
  };
  const std::string head = R"({"format": "carl-front", "version": 1, )";
  EXPECT_THAT(error(head + "\"vertices\": []}"), HasSubstr("has no list \"costs\""));
  EXPECT_THAT(error(head + R"("costs": ["speed"]})"),
              HasSubstr("is about a cost that this problem does not have"));
  EXPECT_THAT(error(head + R"("costs": ["time"], "vertices": [{}]})"),
              HasSubstr("has a vertex without a number for the cost 'time'"));
  EXPECT_THAT(error(head + R"("costs": ["time"], "vertices": [], "edges": [[0, 1]]})"),
              HasSubstr("joins vertices that it does not have"));
}

}  // namespace
}  // namespace carl::testing
