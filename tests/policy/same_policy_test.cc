// A policy is the same policy in memory and in a file: checks, simulations and reports must not be
// able to tell. And what is right for one of the three is right for the others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "carl/error.h"
#include "carl/simulate.h"
#include "io/report_page.h"
#include "model/explicit_model.h"
#include "policy/files.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Everything that a check says, as `carl check --json` does, and the numbers to their last digit.
template <class AnyPolicy>
std::string check_text(Cssp& cssp, const AnyPolicy& policy, const ResultFile* result) {
  Monitor monitor;
  CheckOptions options;
  options.exact = true;
  const CheckReport report = check_policy(cssp, policy, result, options, monitor);
  std::ostringstream out;
  write_check(cssp, report, out);
  for (const CheckReport::Line& line : report.lines)
    out << to_string(line.kind) << ' ' << static_cast<int>(line.outcome) << ' ' << line.detail
        << '\n';
  out << text_of(report);
  return out.str();
}

/// The figures of some runs, and one of them step by step.
template <class AnyPolicy>
std::string simulation_text(Cssp& cssp, const AnyPolicy& policy) {
  Monitor monitor;
  const Simulator simulator(cssp, policy, monitor);
  std::ostringstream out;
  for (const Finding& finding : simulator.findings())
    out << to_string(finding.kind) << ": " << finding.state << ": " << finding.what << '\n';
  if (!simulator.findings().empty()) return out.str();
  SimulateOptions options;
  options.runs = 50;
  options.threads = 1;
  write_simulation(cssp, simulator.run(options, monitor), options, out);
  for (const TraceStep& step : simulator.trace(3, options))
    out << cssp.state_name(step.state) << ' ' << cssp.action_name(step.action) << ' '
        << step.action_probability << ' ' << cssp.state_name(step.successor) << '\n';
  return out.str();
}

/// What the page of `carl report` shows: all of it that is not the same in every page.
std::string page_text(Cssp& cssp, const Policy& policy, const std::string& result) {
  Report report;
  report.result = {"the result", result};
  report.policy = policy;
  std::ostringstream out;
  Monitor monitor;
  write_report(cssp, report, out, monitor);
  const std::string page = out.str();
  const std::size_t begin = io::report_page.find(io::report_placeholder);
  const std::size_t end = io::report_page.size() - begin - io::report_placeholder.size();
  return page.substr(begin, page.size() - begin - end);
}

std::string result_text(const Cssp& cssp, const Solution& solution) {
  std::ostringstream out;
  write_result(cssp, solution, out);
  return out.str();
}

struct Seen {
  std::size_t policies = 0;
  std::size_t stochastic = 0;
  std::size_t giving_up = 0;
};

/// The policy in memory belongs to the model it was found for; the file is read for a fresh one.
template <class MakeModel>
void expect_the_same(const MakeModel& make_model, const SolveOptions& options, Seen& seen) {
  const std::shared_ptr<Model> model = make_model();
  Cssp solved(model);
  Monitor monitor;
  const Solution solution = solve(solved, options, monitor);
  if (!solution.costs) return;
  const PolicyFile file = as_file(solved, solution.policy);
  const ResultFile result = as_file(solved, solution);
  Cssp same(model, for_check());
  Cssp fresh(make_model(), for_check());
  const std::string checked = check_text(same, solution.policy, &result);
  EXPECT_EQ(checked, check_text(fresh, file, &result));
  EXPECT_THAT(checked, HasSubstr("\"holds\": true"));
  EXPECT_EQ(simulation_text(same, solution.policy), simulation_text(fresh, file));
  Cssp other(make_model());
  const std::string claims = result_text(solved, solution);
  const std::string page = page_text(solved, solution.policy, claims);
  EXPECT_EQ(page, page_text(other, resolve_policy(other, file, monitor), claims));
  ++seen.policies;
  seen.stochastic += !solution.policy.is_deterministic();
  seen.giving_up += page.find("\"given-up\"") != std::string::npos;
}

TEST(SamePolicy, OfRandomModels) {
  Seen seen;
  for (std::size_t seed = 1; seed <= scaled(400); ++seed) {
    const RandomModelOptions options = random_options(seed, 12);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options.text());
    expect_the_same([&] { return random_model(seed, options); }, {}, seen);
    if (HasFailure()) break;
  }
  EXPECT_GE(seen.policies, at_full_scale(200));
  EXPECT_GE(seen.stochastic, at_full_scale(20));
  EXPECT_GE(seen.giving_up, at_full_scale(5));
}

TEST(SamePolicy, OfRandomTasks) {
  Seen seen;
  SolveOptions options;
  options.algorithm = Algorithm::lp;
  for (std::size_t seed = 1; seed <= scaled(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_the_same([&] { return random_task(seed); }, options, seen);
    if (HasFailure()) break;
  }
  EXPECT_GE(seen.policies, at_full_scale(100));
  EXPECT_GE(seen.giving_up, at_full_scale(5));
}

TEST(SamePolicy, WhereTheInitialStateIsAGoal) {
  const auto make = [] {
    ExplicitBuilder builder({{"time"}, {}, {}});
    builder.add_goal(builder.state("g"));
    return builder.build(builder.state("g"));
  };
  Seen seen;
  expect_the_same(make, {}, seen);
  EXPECT_EQ(seen.policies, 1U);
  Cssp cssp(make());
  const std::string result = R"({"format": "carl-result", "version": 1, "constraints": []})";
  EXPECT_THAT(page_text(cssp, {}, result), HasSubstr(R"("visits":1.0,"depth":0,"goal":"goal")"));
}

/// In "s" one tries (and may have to try again) or pays to get to "t".
std::shared_ptr<Model> two_ways() {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 2.5}}, {}});
  builder.add_action("s", "try", {1, 1}, {{0.75, "s"}, {0.25, "g"}});
  builder.add_action("s", "pay", {6, 0}, {{1.0, "t"}});
  builder.add_action("t", "go", {0, 0}, {{1.0, "g"}});
  builder.add_action("t", "back", {1, 0}, {{1.0, "s"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s"));
}

PolicyFile file_of(std::vector<PolicyFile::Choice> in_s, std::vector<PolicyFile::Choice> in_t) {
  return {{"time", "fuel"}, {{"s", false, {}, std::move(in_s)}, {"t", false, {}, std::move(in_t)}}};
}

/// The same by ids: s, g, t are states 0, 1, 2 and try, pay, go, back actions 0 to 3.
Policy policy_of(const PolicyFile& file) {
  const std::vector<std::string> actions{"try", "pay", "go", "back"};
  Policy policy;
  for (const PolicyFile::Entry& entry : file.states) {
    policy.add_state(StateId(entry.state == "s" ? 0 : 2), entry.visits);
    for (const PolicyFile::Choice& choice : entry.choices)
      policy.add_choice(
          ActionId(static_cast<std::size_t>(
              std::find(actions.begin(), actions.end(), choice.action) - actions.begin())),
          choice.probability);
  }
  return policy;
}

/// What the three say of a policy: "" if they accept it, else the first thing that is wrong.
struct Verdicts {
  std::string check;
  std::string simulate;
  std::string report;

  bool accepted() const { return check.empty() && simulate.empty() && report.empty(); }
};

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

template <class AnyPolicy>
Verdicts verdicts(const AnyPolicy& policy) {
  Cssp cssp(two_ways(), for_check());
  Monitor monitor;
  Verdicts result;
  for (const Finding& finding : check_policy(cssp, policy, nullptr, {}, monitor).findings)
    if (!finding.warning && result.check.empty())
      result.check =
          std::string(to_string(finding.kind)) + ": " + finding.state + ": " + finding.what;
  const Simulator simulator(cssp, policy, monitor);
  if (!simulator.findings().empty()) result.simulate = first_line(simulation_text(cssp, policy));
  try {
    Report report;
    report.result = {"r", R"({"format": "carl-result", "version": 1, "constraints":
                              [{"cost": "fuel", "bound": 2.5}]})"};
    if constexpr (std::is_same_v<AnyPolicy, Policy>)
      report.policy = policy;
    else
      report.policy = resolve_policy(cssp, policy, monitor);
    std::ostringstream out;
    write_report(cssp, report, out, monitor);
  } catch (const InputError& error) {
    result.report = error.message();
  }
  return result;
}

/// All three, and the policy in memory as the one in the file.
void expect_refused(const PolicyFile& file, const std::string& what) {
  for (const Verdicts& found : {verdicts(file), verdicts(policy_of(file))}) {
    EXPECT_EQ(found.check, what);
    EXPECT_EQ(found.simulate, what);
    EXPECT_THAT(found.report, StartsWith("this is no policy of the problem: " + what));
  }
}

void expect_accepted(const PolicyFile& file) {
  for (const Verdicts& found : {verdicts(file), verdicts(policy_of(file))})
    EXPECT_TRUE(found.accepted()) << found.check << found.simulate << found.report;
}

TEST(SamePolicy, WhatHasProbabilityZeroIsNotThere) {
  const PolicyFile without = file_of({{"try", 0.8}, {"pay", 0.2}}, {{"go", 1}});
  const PolicyFile with = file_of({{"try", 0.8}, {"pay", 0.2}}, {{"back", 0}, {"go", 1}});
  expect_accepted(without);
  expect_accepted(with);
  Cssp cssp(two_ways(), for_check());
  EXPECT_EQ(check_text(cssp, with, nullptr), check_text(cssp, without, nullptr));
  EXPECT_EQ(simulation_text(cssp, with), simulation_text(cssp, without));
  const std::string result =
      R"({"format": "carl-result", "version": 1, "constraints": [{"cost": "fuel", "bound": 2.5}]})";
  EXPECT_EQ(page_text(cssp, policy_of(with), result), page_text(cssp, policy_of(without), result));
  // But it must be an action of the state, and something must be done.
  expect_refused(file_of({{"try", 0.8}, {"pay", 0.2}}, {{"try", 0}, {"go", 1}}),
                 "actions: t: try cannot be done here");
  expect_refused(file_of({{"try", 0.8}, {"pay", 0.2}}, {{"go", 0}}),
                 "distributions: t: sum of the probabilities");
}

TEST(SamePolicy, SumsAreOneUpToTheSameRounding) {
  for (const double sign : {1.0, -1.0}) {
    expect_accepted(file_of({{"try", 0.8 + sign * 1e-10}, {"pay", 0.2}}, {{"go", 1}}));
    expect_refused(file_of({{"try", 0.8 + sign * 1e-8}, {"pay", 0.2}}, {{"go", 1}}),
                   "distributions: s: sum of the probabilities");
  }
  // As written with nine digits, where a model's outcomes may be so, too.
  expect_accepted(file_of({{"try", 0.333333333}, {"pay", 0.666666666}}, {{"go", 1}}));
  expect_refused(file_of({{"try", 1.2}, {"pay", -0.2}}, {{"go", 1}}),
                 "distributions: s: probability of pay");
  expect_refused(file_of({{"try", 1}}, {}), "distributions: t: has no actions");
}

TEST(SamePolicy, OtherFaults) {
  expect_refused(file_of({{"pay", 1}}, {{"back", 1}}),
                 "proper: s: the policy stays for ever among 2 states, this being one");
  expect_refused(file_of({{"try", 0.5}, {"try", 0.5}}, {{"go", 1}}),
                 "actions: s: try is listed twice");
  // A name that is no action at all, twice, has three findings.
  Cssp cssp(two_ways(), for_check());
  EXPECT_EQ(text_of(check(cssp, file_of({{"fly", 0.5}, {"fly", 0.5}}, {{"go", 1}}))),
            "states: t: is not reached by the policy: its entry is not needed, expected , found \n"
            "actions: s: fly cannot be done here, expected one of try, pay, found fly\n"
            "actions: s: fly is listed twice, expected , found \n"
            "actions: s: fly cannot be done here, expected one of try, pay, found fly\n");
  PolicyFile file = file_of({{"try", 0.8}, {"pay", 0.2}}, {{"go", 1}});
  file.states.push_back(file.states[1]);
  expect_refused(file, "states: t: is listed twice");
  file.states.resize(1);
  expect_refused(file, "closed: t: is reached, but not listed");
  // Costs have names in files only.
  file = file_of({{"try", 0.8}, {"pay", 0.2}}, {{"go", 1}});
  file.costs = {"time"};
  const Verdicts found = verdicts(file);
  EXPECT_EQ(found.check, "costs: : the policy is about other costs than the model");
  EXPECT_EQ(found.simulate, found.check);
  EXPECT_THAT(found.report, HasSubstr("about other costs"));
}

/// Nothing stops a program from writing down numbers that are none of the problem's.
TEST(SamePolicy, IdsOfNothing) {
  Policy policy;
  policy.add_state(StateId(0));
  policy.add_choice(ActionId(0));
  EXPECT_TRUE(verdicts(policy).simulate.empty());
  const auto with_choice = [](ActionId action) {
    Policy other;
    other.add_state(StateId(0));
    other.add_choice(action);
    return verdicts(other);
  };
  EXPECT_EQ(with_choice(ActionId(1'000'000)).check,
            "actions: s: action 1000000 cannot be done here");
  EXPECT_EQ(with_choice(ActionId(3)).check, "actions: s: action 3 cannot be done here");
  EXPECT_THAT(with_choice(ActionId()).check, HasSubstr("cannot be done here"));
  EXPECT_EQ(with_choice(Cssp::give_up_action).check,
            "actions: s: gives up, which this problem does not allow");
  for (const StateId state : {StateId(77), StateId(), Cssp::given_up}) {
    Policy other = policy;
    other.add_state(state);
    other.add_choice(ActionId(0));
    EXPECT_THAT(verdicts(other).check, HasSubstr("does not exist"));
  }
  // Superfluous, not wrong.
  policy.add_state(StateId(1));
  policy.add_choice(ActionId(0));
  policy.add_state(StateId(2));
  policy.add_choice(ActionId(2));
  Cssp cssp(two_ways(), for_check());
  CheckOptions options;
  options.bounds = false;
  Monitor monitor;
  const CheckReport report = check_policy(cssp, policy, nullptr, options, monitor);
  EXPECT_TRUE(report.holds()) << text_of(report);
  EXPECT_THAT(text_of(report), HasSubstr("states: g: is a goal, where nothing is done"));
  EXPECT_THAT(text_of(report), HasSubstr("states: t: is not reached by the policy"));
}

/// Where numbers do not suffice, none of the three pretends that they do.
TEST(SamePolicy, AGoalThatIsReachedTooRarely) {
  ExplicitBuilder builder({{"steps"}, {}, {}});
  builder.add_action("s", "move", {1}, {{1.0, "t"}});
  builder.add_action("t", "move", {1}, {{1.0, "s"}});
  builder.add_action("t", "leave", {1}, {{1e-200, "g"}, {1.0, "s"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")), for_check());
  const PolicyFile file{
      {"steps"},
      {{"s", false, {}, {{"move", 1}}}, {"t", false, {}, {{"leave", 1e-200}, {"move", 1}}}}};
  const std::string what = "the goal is reached too rarely for costs to be computed";
  EXPECT_THAT(check_text(cssp, file, nullptr), HasSubstr(what));
  EXPECT_EQ(simulation_text(cssp, file), "proper: : " + what + "\n");
  Monitor monitor;
  try {
    page_text(cssp, resolve_policy(cssp, file, monitor),
              R"({"format": "carl-result", "version": 1, "constraints": []})");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "this is no policy of the problem: proper: " + what);
  }
}

}  // namespace
}  // namespace carl::testing
