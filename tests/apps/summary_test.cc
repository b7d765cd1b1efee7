// What is shown of a policy that is too large to be shown whole, and of a problem's size.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/run.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

/// A corridor of `length` steps that each succeed with probability 0.75; the first one may be
/// hurried, so that a coin is tossed, and so may the following `coins`.
std::string corridor(int length, int coins) {
  Json actions = Json::array();
  const auto room = [](int i) { return "r" + std::to_string(i); };
  for (int i = 0; i < length; ++i) {
    actions.push_back({{"state", room(i)},
                       {"name", "walk"},
                       {"cost", {2, 0}},
                       {"outcomes", {{room(i), 0.25}, {room(i + 1), 0.75}}}});
    if (i < coins)
      actions.push_back({{"state", room(i)},
                         {"name", "run"},
                         {"cost", {1, 1}},
                         {"outcomes", {{room(i + 1), 1}}}});
  }
  const Json model{{"format", "cssp"},           {"version", 1},       {"costs", {"time", "sweat"}},
                   {"bounds", {{"sweat", 0.5}}}, {"initial", room(0)}, {"goals", {room(length)}},
                   {"actions", actions}};
  return write_scratch("corridor.json", model.dump());
}

TEST(Summary, SmallPoliciesAreShownWhole) {
  const std::string text = carl("solve " + corridor(10, 1)).out;
  EXPECT_THAT(text, HasSubstr("\n  in r9\n"));
  EXPECT_THAT(text, Not(HasSubstr("main line")));
  EXPECT_THAT(text, Not(HasSubstr("…")));
}

TEST(Summary, OfLargerOnesTheMainLine) {
  const std::string text = carl("solve " + corridor(15, 1)).out;
  // A step that may fail leads on in the end.
  EXPECT_THAT(text, HasSubstr("Its main line, what is likeliest at each step:\n     1  "));
  EXPECT_THAT(text, HasSubstr("\n    10  walk  (0.75)\n     …5 more to the goal\n"));
  EXPECT_THAT(text, HasSubstr("Random choices:\n  in r0\n"));
  EXPECT_THAT(text, Not(HasSubstr("--verbose")));
  EXPECT_THAT(carl("solve -v " + corridor(15, 1)).out, HasSubstr("\n  in r14\n"));
}

TEST(Summary, SaysHowMuchIsLeftOut) {
  // Lotteries: from the start to one of twelve states, in each of which a coin has to be tossed,
  // for bounds of their own.
  Json actions = Json::array();
  Json names = Json::array({"time"});
  Json bounds = Json::object();
  Json start = Json::object();
  constexpr int n = 12;
  for (int i = 0; i < n; ++i) {
    const std::string state = "s" + std::to_string(i);
    std::vector<double> fast(n + 1, 0.0);
    std::vector<double> slow(n + 1, 0.0);
    fast[0] = 1;
    fast[static_cast<std::size_t>(i) + 1] = 1;
    slow[0] = 2;
    names.push_back("c" + std::to_string(i));
    bounds["c" + std::to_string(i)] = 0.5 / n;
    start[state] = 1.0 / n;
    actions.push_back(
        {{"state", state}, {"name", "fast"}, {"cost", fast}, {"outcomes", {{"g", 1}}}});
    actions.push_back(
        {{"state", state}, {"name", "slow"}, {"cost", slow}, {"outcomes", {{"g", 1}}}});
  }
  actions.push_back({{"state", "start"},
                     {"name", "go"},
                     {"cost", std::vector<double>(n + 1, 0.0)},
                     {"outcomes", start}});
  const Json model{{"format", "cssp"},   {"version", 1},   {"costs", names},    {"bounds", bounds},
                   {"initial", "start"}, {"goals", {"g"}}, {"actions", actions}};
  const std::string path = write_scratch("lotteries.json", model.dump());
  const std::string text = carl("solve " + path).out;
  EXPECT_THAT(text, HasSubstr("Policy: 13 states, 12 with a random choice\n"));
  EXPECT_THAT(text, HasSubstr("\n  …2 more, --verbose shows them\n"));
  const std::string all = carl("solve --verbose " + path).out;
  EXPECT_THAT(all, Not(HasSubstr("…")));
  EXPECT_THAT(all, HasSubstr("\n  in s11\n"));
}

TEST(Summary, SizesAsJson) {
  const Execution run = carl("info --json - " + example("getting-to-work"));
  EXPECT_EQ(run.status, 0) << run.err;
  const Json info = Json::parse(run.out);
  EXPECT_EQ(info["format"], "carl-info");
  EXPECT_EQ(info["title"], "today (getting-to-work)");
  EXPECT_EQ(info["bounds"]["price"], 15);
  EXPECT_EQ(info["reachable"]["states"], 4);
  EXPECT_EQ(info["reachable"]["goals"], 1);
  EXPECT_EQ(info["reachable"]["transitions"], 6);
  EXPECT_EQ(info["reachable"]["proper_policy"], true);
  EXPECT_EQ(info["figures"]["ground actions"], "5");
  // A file beside the text, which stays as it is.
  const std::string file = scratch("info.json");
  const std::string text = carl("info --json " + file + " " + example("getting-to-work")).out;
  EXPECT_THAT(text, HasSubstr("4 reachable, 1 of them goals"));
  EXPECT_EQ(Json::parse(read_text(file))["reachable"], info["reachable"]);
  const Json cut =
      Json::parse(carl("info --max-states 2 --json - " + example("getting-to-work")).out);
  EXPECT_EQ(cut["reachable"]["complete"], false);
  EXPECT_FALSE(cut["reachable"].contains("proper_policy"));
}

/// The line goes on while nothing is reported: here nothing comes from standard input.
TEST(Summary, ProgressIsNeverFrozen) {
  const std::string progress = scratch("progress");
  const Execution run =
      shell("rm -f " + progress + "; (until grep -q 'reading.*reading' " + progress +
            " 2>/dev/null; do sleep 0.05; done; cat " + example("coordinate-search") +
            ") | CARL solve --progress always - 2>" + progress);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Optimal"));
  EXPECT_THAT(read_text(progress), HasSubstr(" s  reading"));
}

}  // namespace
}  // namespace carl::testing
