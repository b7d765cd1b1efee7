// What `carl report` puts into its page: every number is compared with the equations it must
// satisfy, on random problems.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "io/report_page.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

std::string result_text(const Cssp& cssp, const Solution& solution) {
  std::ostringstream out;
  write_result(cssp, solution, out);
  return out.str();
}

Report report_of(const Cssp& cssp, const Solution& solution) {
  Report report;
  report.title = "a test";
  report.generator = "tests";
  report.runs = 20;
  report.result = {"the result", result_text(cssp, solution)};
  if (solution.costs) report.policy = solution.policy;
  return report;
}

std::string page_of(Cssp& cssp, const Report& report) {
  std::ostringstream out;
  Monitor monitor;
  write_report(cssp, report, out, monitor);
  return out.str();
}

/// The data in the page: all that is not in the page without data.
std::string data_text(const std::string& page) {
  const std::size_t begin = io::report_page.find(io::report_placeholder);
  const std::size_t end = io::report_page.size() - begin - io::report_placeholder.size();
  return page.substr(begin, page.size() - begin - end);
}

Json data_of(Cssp& cssp, const Report& report) {
  return Json::parse(data_text(page_of(cssp, report)));
}

Solution solve_it(Cssp& cssp) {
  Monitor monitor;
  return solve(cssp, {}, monitor);
}

/// V(s) = Σ π(a) (C(a) + Σ p V(s')), visits = [start] + inflow, depth = 1 + least depth before.
void expect_consistent(const Json& policy, const Json& result) {
  const Json& states = policy["states"];
  std::vector<double> inflow(states.size(), 0.0);
  std::vector<double> depth(states.size(), INFINITY);
  inflow[0] = 1;
  depth[0] = 0;
  std::size_t stochastic = 0;
  double steps = 0;
  for (const Json& state : states) {
    if (state.contains("goal")) continue;
    const double visits = state["visits"];
    steps += visits;
    stochastic += state["choices"].size() > 1;
    for (std::size_t c = 0; c < state["values"].size(); ++c) {
      double value = 0;
      for (const Json& choice : state["choices"]) {
        double q = policy["actions"][choice[0].get<std::size_t>()]["costs"][c];
        for (const Json& outcome : choice[2]) {
          const Json& next = states[outcome[0].get<std::size_t>()];
          if (!next.contains("goal"))
            q += outcome[1].get<double>() * next["values"][c].get<double>();
        }
        value += choice[1].get<double>() * q;
      }
      EXPECT_NEAR(state["values"][c].get<double>(), value, 1e-8 * std::max(1.0, value));
    }
    for (const Json& choice : state["choices"])
      for (const Json& outcome : choice[2]) {
        const std::size_t to = outcome[0];
        inflow[to] += visits * choice[1].get<double>() * outcome[1].get<double>();
        depth[to] = std::min(depth[to], state["depth"].get<double>() + 1);
      }
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    const double visits = states[i]["visits"];
    EXPECT_NEAR(visits, inflow[i], 1e-8 * std::max(1.0, visits));
    EXPECT_EQ(states[i]["depth"].get<double>(), depth[i]);
  }
  EXPECT_NEAR(policy["expected_steps"].get<double>(), steps, 1e-9 * std::max(1.0, steps));
  EXPECT_EQ(policy["stochastic_states"], stochastic);
  EXPECT_EQ(policy["stochastic_states"], result["policy"]["stochastic_states"]);
  EXPECT_EQ(policy["total_states"], result["policy"]["states"]);
  if (states[0].contains("goal")) return;
  std::size_t c = 0;
  for (const Json& value : states[0]["values"])
    EXPECT_NEAR(value.get<double>(),
                result["costs"].at(policy["cost_names"][c++].get<std::string>()).get<double>(),
                1e-8 * std::max(1.0, value.get<double>()));
}

void expect_consistent_report(const std::shared_ptr<Model>& model, std::size_t& reports) {
  Cssp cssp(model);
  const Solution solution = solve_it(cssp);
  const Json data = data_of(cssp, report_of(cssp, solution));
  EXPECT_EQ(data["result"]["status"], to_string(solution.status));
  ASSERT_EQ(data.contains("policy"), solution.costs.has_value());
  if (!solution.costs) return;
  Json policy = data["policy"];
  policy["cost_names"] = data["costs"];
  expect_consistent(policy, data["result"]);
  ++reports;
}

TEST(WriteReport, NumbersSatisfyTheirEquationsOnRandomModels) {
  std::size_t reports = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(1000); ++seed) {
    SCOPED_TRACE(seed);
    expect_consistent_report(testing::random_model(seed, testing::random_options(seed, 12)),
                             reports);
    if (HasFailure()) break;
  }
  EXPECT_GT(reports, testing::scaled(500));
}

TEST(WriteReport, NumbersSatisfyTheirEquationsOnRandomTasks) {
  std::size_t reports = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    expect_consistent_report(testing::random_task(seed), reports);
    if (HasFailure()) break;
  }
  EXPECT_GT(reports, testing::scaled(100));
}

/// Two ways home, and a detour that is hardly ever taken; all names as given.
std::shared_ptr<Model> small_model(const std::string& name = "s") {
  ExplicitBuilder builder({{"time", name}, {{1, 5}}, {}});
  builder.add_action("s0", name, {1, 10}, {{0.9, "g"}, {0.1, name + "1"}});
  builder.add_action("s0", "slow", {9, 0}, {{1, "g"}});
  builder.add_action(name + "1", "walk", {1, 0}, {{0.5, "g"}, {0.5, name + "1"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s0"));
}

TEST(WriteReport, ThePageAsItIs) {
  Cssp cssp(small_model());
  const Solution solution = solve_it(cssp);
  const std::string page = page_of(cssp, report_of(cssp, solution));
  EXPECT_EQ(page.find("<!DOCTYPE html>"), 0U);
  const Json data = Json::parse(data_text(page));
  EXPECT_EQ(data["format"], "carl-report");
  EXPECT_EQ(data["title"], "a test");
  EXPECT_EQ(data["factored"], false);
  EXPECT_EQ(data["costs"], (Json{"time", "s"}));
  const Json& policy = data["policy"];
  ASSERT_EQ(policy["states"].size(), 3U);
  EXPECT_EQ(policy["facts"], (Json{"s0", "s1", "g"}));
  EXPECT_EQ(policy["states"][2]["goal"], "goal");
  EXPECT_NEAR(policy["states"][2]["visits"].get<double>(), 1, 1e-12);
  EXPECT_EQ(policy["given_up"], 0);
  EXPECT_EQ(policy["total_goals"], 1);
  // The detour is a loop: two visits on average.
  EXPECT_NEAR(policy["states"][1]["visits"].get<double>(), 0.5 * 0.1 * 2, 1e-9);
  EXPECT_NEAR(policy["states"][1]["values"][0].get<double>(), 2, 1e-12);
}

TEST(WriteReport, NamesCannotEndTheData) {
  const std::string nasty = "</script><!--<script>\"'\\ \xE2\x80\xA8 é";
  Cssp cssp(small_model(nasty));
  const std::string text = data_text(page_of(cssp, report_of(cssp, solve_it(cssp))));
  EXPECT_EQ(text.find('<'), std::string::npos);
  const Json data = Json::parse(text);
  EXPECT_EQ(data["costs"][1], nasty);
  EXPECT_EQ(data["policy"]["facts"][1], nasty + "1");
}

TEST(WriteReport, BytesThatAreNotUtf8AreReplaced) {
  Cssp cssp(small_model("\xff\xfe"));
  Report report;
  report.title = "\xff";
  report.result = {"r", R"({"format": "carl-result", "version": 1, "constraints": []})"};
  EXPECT_THROW(page_of(cssp, report), InputError);  // its bounds
  CsspOptions free;
  free.bounds = {{"\xff\xfe", INFINITY}};
  Cssp unbounded(small_model("\xff\xfe"), free);
  EXPECT_EQ(data_of(unbounded, report)["title"], "\xEF\xBF\xBD");
}

TEST(WriteReport, OfLargePoliciesTheMostVisitedStates) {
  Cssp cssp(small_model());
  Report report = report_of(cssp, solve_it(cssp));
  report.max_states = 2;
  const Json policy = data_of(cssp, report)["policy"];
  ASSERT_EQ(policy["states"].size(), 2U);
  EXPECT_EQ(policy["facts"], (Json{"s0", "g"}));
  EXPECT_EQ(policy["total_states"], 2);
  std::vector<int> successors;
  for (const Json& choice : policy["states"][0]["choices"])
    for (const Json& outcome : choice[2])
      successors.push_back(outcome[0]);
  EXPECT_THAT(successors, ::testing::UnorderedElementsAre(1, 1, -1));
}

TEST(WriteReport, AnInitialGoal) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("g")));
  const Json policy = data_of(cssp, report_of(cssp, solve_it(cssp)))["policy"];
  ASSERT_EQ(policy["states"].size(), 1U);
  EXPECT_EQ(policy["states"][0]["goal"], "goal");
}

/// The policy with another action in one of its entries, or without that entry.
Policy changed(const Policy& policy, std::size_t which, std::optional<ActionId> action) {
  Policy result;
  for (std::size_t i = 0; i < policy.size(); ++i) {
    if (i == which && !action) continue;
    result.add_state(policy[i].state, policy[i].visits);
    for (const Policy::Choice choice : policy[i].choices)
      result.add_choice(i == which ? *action : choice.action, choice.probability);
  }
  return result;
}

std::string complaint(Cssp& cssp, const Report& report) {
  try {
    page_of(cssp, report);
  } catch (const InputError& error) {
    return error.message();
  }
  return "fine";
}

TEST(WriteReport, PartsThatDoNotFit) {
  Cssp cssp(small_model());
  const Report good = report_of(cssp, solve_it(cssp));
  EXPECT_EQ(complaint(cssp, good), "fine");
  Report report = good;
  report.result = {"r.json", "{"};
  EXPECT_EQ(complaint(cssp, report), "'r.json' is not a JSON text");
  report.result.text = "[]";
  EXPECT_EQ(complaint(cssp, report), "'r.json' is not a carl-result file");
  report.result.text = R"({"format": "carl-result", "version": 2})";
  EXPECT_EQ(complaint(cssp, report), "'r.json' has a version that is not known here");
  report.result.text = R"({"format": "carl-result", "version": 1, "constraints": [7]})";
  EXPECT_EQ(complaint(cssp, report), "'r.json' is the result of a problem with other bounds");
  report.result.text =
      R"({"format": "carl-result", "version": 1, "constraints": [{"cost": 7, "bound": 5}]})";
  EXPECT_EQ(complaint(cssp, report), "'r.json' is the result of a problem with other bounds");
  report = good;
  report.sweep = {"s.json", R"({"format": "carl-sweep", "version": 1, "cost": "x"})"};
  EXPECT_EQ(complaint(cssp, report), "'s.json' varies a cost that this problem does not have");
  report.sweep.text = R"({"format": "carl-sweep", "version": 1, "cost": "s"})";
  EXPECT_EQ(complaint(cssp, report), "'s.json' has no \"points\"");
  report.sweep.text = R"({"format": "carl-sweep", "version": 1, "cost": "s", "points": [{}]})";
  EXPECT_EQ(complaint(cssp, report), "'s.json' has points without a number as \"bound\"");
  const std::string two = R"({"format": "carl-sweep", "version": 1, "cost": "s", "curves": )";
  report.sweep.text = two + "[7]}";
  EXPECT_EQ(complaint(cssp, report), "'s.json' has a curve without a number as \"second\"");
  report.sweep.text = two + R"([{"second": {"value": 1}}]})";
  EXPECT_EQ(complaint(cssp, report), "'s.json' has no \"points\"");
  report.sweep.text = two + R"([{"second": {"value": 1}, "points": [{"bound": 1}]}]})";
  EXPECT_EQ(complaint(cssp, report), "fine");
  report = good;
  const std::size_t last = good.policy->size() - 1;
  report.policy = changed(*good.policy, last, std::nullopt);
  EXPECT_THAT(complaint(cssp, report),
              AllOf(HasSubstr("this is no policy of the problem: closed: s1: is reached, but not "
                              "listed"),
                    HasSubstr(" in s0 may lead there; found: none")));
  report.policy = changed(*good.policy, last, (*good.policy)[0].choices[0].action);
  EXPECT_THAT(complaint(cssp, report), HasSubstr("actions: s1: s cannot be done here"));
  report.policy = changed(*good.policy, last, ActionId(1'000'000));
  EXPECT_THAT(complaint(cssp, report), HasSubstr("action 1000000 cannot be done here"));
}

TEST(WriteReport, RunsThatWouldTakeTooLongAreFewerOrNone) {
  const auto runs_of = [](double stay) {
    ExplicitBuilder builder({{"time"}, {}, {}});
    builder.add_action("a", "go", {1}, {{1 - stay, "g"}, {stay, "a"}});
    builder.add_goal(builder.state("g"));
    Cssp cssp(builder.build(builder.state("a")));
    Report report = report_of(cssp, solve_it(cssp));
    report.runs = 10'000;
    const Json data = data_of(cssp, report);
    return data.contains("runs") ? data["runs"]["runs"].get<int>() : 0;
  };
  EXPECT_EQ(runs_of(0.5), 10'000);
  EXPECT_NEAR(runs_of(0.9999), 2000, 5);  // 10,000 steps each
  EXPECT_EQ(runs_of(0.999999), 0);        // a million
}

TEST(WriteReport, APolicyThatNeverArrives) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("a", "go", {1}, {{1, "b"}});
  builder.add_action("a", "stay", {1}, {{1, "a"}});
  builder.add_action("b", "back", {1}, {{1, "a"}});
  builder.add_action("b", "on", {1}, {{1, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  Report report = report_of(cssp, solve_it(cssp));
  ASSERT_EQ(report.policy->size(), 2U);
  Expansion expansion;
  cssp.expand((*report.policy)[1].state, expansion);
  report.policy = changed(*report.policy, 1, expansion.action(0));
  EXPECT_THAT(complaint(cssp, report), HasSubstr("stays for ever among 2 states"));
  cssp.expand((*report.policy)[0].state, expansion);
  report.policy = changed(*report.policy, 0, expansion.action(1));
  EXPECT_THAT(complaint(cssp, report), HasSubstr("proper: a: the policy stays here for ever"));
}

}  // namespace
}  // namespace carl
