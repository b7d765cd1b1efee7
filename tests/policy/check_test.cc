#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/explicit_model.h"
#include "policy/files.h"
#include "support/load.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string>& algorithms(const Cssp& cssp) {
  static const std::vector<std::string> constrained{"carl", "lp"};
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names = constrained;
    names.insert(names.end(), inner_names().begin(), inner_names().end());
    return names;
  }();
  return cssp.constraints().empty() ? all : constrained;
}

std::shared_ptr<Model> two_ways() {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 2}}, {}});
  builder.add_action("s", "try", {1, 1}, {{0.75, "s"}, {0.25, "g"}});
  builder.add_action("s", "pay", {6, 0}, {{1.0, "t"}});
  builder.add_action("t", "go", {0, 0}, {{1.0, "g"}});
  builder.add_action("t", "back", {1, 0}, {{1.0, "s"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s"));
}

/// Half of the departures by "try": visits 2.5 of s, 0.5 of t; time 5, fuel 2.
PolicyFile half_and_half() {
  return {{"time", "fuel"},
          {{"s", false, 2.5, {{"try", 0.8}, {"pay", 0.2}}}, {"t", false, 0.5, {{"go", 1}}}}};
}

bool has(const CheckReport& report, CheckKind kind, bool warning = false) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& f) { return f.kind == kind && f.warning == warning; });
}

TEST(Check, APolicyThatHolds) {
  Cssp cssp(two_ways(), for_check());
  CheckOptions options;
  options.exact = true;
  const CheckReport report = check(cssp, half_and_half(), nullptr, options);
  EXPECT_TRUE(report.holds()) << text_of(report);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_NEAR((*report.costs)[0], 5, 1e-13);
  EXPECT_NEAR((*report.costs)[1], 2, 1e-13);
  EXPECT_NEAR(report.steps, 3, 1e-13);
  EXPECT_EQ(report.exact[0].fraction, "5");
  EXPECT_EQ(report.exact[1].fraction, "2");
  EXPECT_EQ(report.exact[1].lower, 2);
  EXPECT_EQ(report.exact[1].upper, 2);
  EXPECT_EQ(report.states, 2U);
  EXPECT_EQ(report.stochastic_states, 1U);
}

TEST(Check, EveryKindOfFault) {
  struct Case {
    CheckKind kind;
    std::string what;
    std::function<void(PolicyFile&)> corrupt;
  };
  const std::vector<Case> cases{
      {CheckKind::costs, "other costs", [](PolicyFile& p) { p.costs = {"time"}; }},
      {CheckKind::states, "listed twice", [](PolicyFile& p) { p.states.push_back(p.states[1]); }},
      {CheckKind::states, "does not exist",
       [](PolicyFile& p) {
         p.states.push_back({"u", false, {}, {{"go", 1}}});
       }},
      {CheckKind::states, "wrong way", [](PolicyFile& p) { p.states[0].factored = true; }},
      {CheckKind::actions, "fly cannot be done here",
       [](PolicyFile& p) { p.states[1].choices[0].action = "fly"; }},
      {CheckKind::actions, "gives up",
       [](PolicyFile& p) { p.states[1].choices[0].action = "(give-up)"; }},
      {CheckKind::actions, "try is listed twice",
       [](PolicyFile& p) { p.states[0].choices[1].action = "try"; }},
      {CheckKind::distributions, "sum of the probabilities",
       [](PolicyFile& p) { p.states[0].choices[0].probability = 0.81; }},
      {CheckKind::distributions, "probability of pay",
       [](PolicyFile& p) {
         p.states[0].choices[0].probability = 1.2;
         p.states[0].choices[1].probability = -0.2;
       }},
      {CheckKind::distributions, "no actions", [](PolicyFile& p) { p.states[1].choices.clear(); }},
      {CheckKind::closed, "not listed", [](PolicyFile& p) { p.states.pop_back(); }},
      {CheckKind::closed, "not listed", [](PolicyFile& p) { p.states.clear(); }},
      {CheckKind::proper, "stays for ever among 2 states",
       [](PolicyFile& p) {
         p.states[0].choices = {{"pay", 1}};
         p.states[1].choices[0].action = "back";
       }},
      {CheckKind::visits, "expected visits", [](PolicyFile& p) { p.states[1].visits = 0.501; }},
      {CheckKind::bounds, "expected fuel",
       [](PolicyFile& p) {
         p.states[0].choices[0].probability = 0.81;
         p.states[0].choices[1].probability = 0.19;
       }},
  };
  for (const Case& c : cases) {
    PolicyFile policy = half_and_half();
    c.corrupt(policy);
    Cssp cssp(two_ways(), for_check());
    const CheckReport report = check(cssp, policy);
    EXPECT_FALSE(report.holds()) << c.what;
    EXPECT_TRUE(has(report, c.kind)) << c.what << "\n" << text_of(report);
    EXPECT_THAT(text_of(report), HasSubstr(c.what));
  }
}

TEST(Check, SuperfluousEntriesAreWarnings) {
  PolicyFile policy = half_and_half();
  policy.states[0].choices = {{"try", 1}};
  policy.states[0].visits = 4;
  policy.states.push_back({"g", false, {}, {{"go", 1}}});
  CsspOptions lifted;
  lifted.bounds = {{"fuel", 4}};
  Cssp cssp(two_ways(), for_check(lifted));
  const CheckReport report = check(cssp, policy);
  EXPECT_TRUE(report.holds()) << text_of(report);
  EXPECT_EQ(report.findings.size(), 2U);
  EXPECT_TRUE(has(report, CheckKind::states, true));
  // An unknown state might exist as long as not all states were looked at.
  policy.states.push_back({"nowhere", false, {}, {{"go", 1}}});
  EXPECT_FALSE(check(cssp, policy).holds());
  CheckOptions few;
  few.max_states = 1;
  EXPECT_TRUE(check(cssp, policy, nullptr, few).holds());
}

TEST(Check, PartsOfAMixtureMayExceedBounds) {
  PolicyFile policy = half_and_half();
  policy.states[0] = {"s", false, 4.0, {{"try", 1}}};
  policy.states.pop_back();
  Cssp cssp(two_ways(), for_check());
  EXPECT_TRUE(has(check(cssp, policy), CheckKind::bounds));
  CheckOptions options;
  options.bounds = false;
  EXPECT_TRUE(check(cssp, policy, nullptr, options).holds());
}

TEST(Check, ABoundOfZeroIsJudgedByTheCost) {
  ExplicitBuilder builder({{"time", "risk"}, {{1, 0}}, {}});
  builder.add_action("s", "risky", {1, 0.25}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")), for_check());
  const CheckReport report = check(cssp, {{"time", "risk"}, {{"s", false, 1.0, {{"risky", 1}}}}});
  EXPECT_TRUE(has(report, CheckKind::bounds)) << text_of(report);
}

TEST(Check, StartInAGoal) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("g")), for_check());
  CheckOptions options;
  options.exact = true;
  options.max_exact_work = 0;
  const CheckReport report = check(cssp, {{"time"}, {}}, nullptr, options);
  EXPECT_TRUE(report.holds());
  EXPECT_EQ(*report.costs, std::vector<double>{0});
  EXPECT_EQ(report.exact[0].upper, 0);
}

/// Both sides build the problem for themselves.
template <class MakeModel>
void expect_policies_pass(const MakeModel& make_model, const CsspOptions& options, bool exact,
                          std::size_t& passed) {
  Cssp first(make_model(), options);
  for (const std::string& algorithm : algorithms(first)) {
    SolveOptions solve_options;
    solve_options.algorithm = algorithm_named(algorithm);
    Cssp cssp(make_model(), options);
    const Answer found = answer(cssp, solve_options);
    if (found.status != Status::optimal) continue;
    Cssp other(make_model(), for_check(options));
    CheckOptions check_options;
    check_options.exact = exact;
    const CheckReport report = check(other, found.policy, &found.result, check_options);
    EXPECT_TRUE(report.findings.empty()) << algorithm << "\n" << text_of(report);
    ++passed;
  }
}

TEST(Check, PoliciesOfAllAlgorithmsPassOnRandomModels) {
  std::size_t passed = 0;
  for (std::size_t seed = 1; seed <= scaled(400); ++seed) {
    const RandomModelOptions options = random_options(seed, 12);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options.text());
    expect_policies_pass([&] { return random_model(seed, options); }, {}, seed % 3 == 0, passed);
  }
  EXPECT_GE(passed, at_full_scale(400));
}

TEST(Check, PoliciesOfAllAlgorithmsPassOnRandomTasks) {
  std::size_t passed = 0;
  for (std::size_t seed = 1; seed <= scaled(150); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto make = [&] { return random_task_or_draw(seed); };
    expect_policies_pass(make, {}, seed % 3 == 0, passed);
    // A bound halfway between what the cheapest policy needs and what the most frugal one needs.
    Cssp cssp(make());
    if (cssp.num_costs() < 2) continue;
    SolveOptions options;
    options.algorithm = Algorithm::lp;
    const Answer cheapest = answer(cssp, options);
    if (cheapest.status != Status::optimal) continue;
    CsspOptions bounded;
    bounded.bounds = {{cssp.cost_names()[1], 0.9 * cheapest.result.costs[1].second}};
    expect_policies_pass(make, bounded, seed % 3 == 0, passed);
  }
  EXPECT_GE(passed, at_full_scale(300));
}

/// Changes one thing for the worse; false if there was nothing to change.
class Vandal {
 public:
  explicit Vandal(std::uint64_t seed) : random_(seed) {}

  static constexpr std::size_t num_ways = 14;

  bool corrupt(std::size_t way, Cssp& cssp, Answer& answer) {
    std::vector<PolicyFile::Entry>& states = answer.policy.states;
    if (states.empty()) return false;
    PolicyFile::Entry& entry = states[random_.below(states.size())];
    PolicyFile::Choice& choice = entry.choices[random_.below(entry.choices.size())];
    switch (way) {
      case 0:
        choice.probability *= 0.5 + 0.4 * random_.unit();
        return true;
      case 1:
        return shift_probability(states);
      case 2:
        return swap_action(cssp, entry, choice);
      case 3:
        choice.action += "'";
        return true;
      case 4:
        states.erase(states.begin() + static_cast<long>(random_.below(states.size())));
        return true;
      case 5:
        entry.state += "'";
        return true;
      case 6:
        states.push_back(entry);
        return true;
      case 7:
        return change(*entry.visits);
      case 8:
        return change(*answer.result.objective);
      case 9:
        return change(answer.result.costs[random_.below(answer.result.costs.size())].second);
      case 10:
        if (answer.result.constraints.empty()) return false;
        return change(*random_constraint(answer).value);
      case 11:
        if (answer.result.constraints.empty()) return false;
        return change(random_constraint(answer).bound);
      case 12:
        answer.result.lower_bound = *answer.result.objective * 1.001 + 0.001;
        return true;
      default:
        answer.result.gap = *answer.result.gap + 0.01;
        return true;
    }
  }

 private:
  ResultFile::Constraint& random_constraint(Answer& answer) {
    return answer.result.constraints[random_.below(answer.result.constraints.size())];
  }

  bool change(double& number) {
    number = number * (1 + 0.001 * (1 + random_.unit())) + 0.0001;
    return true;
  }

  /// Between two actions, so that the sum stays one.
  bool shift_probability(std::vector<PolicyFile::Entry>& states) {
    for (PolicyFile::Entry& entry : states) {
      if (entry.choices.size() < 2 || *entry.visits < 1e-3) continue;
      const double share = 0.1 * (1 + random_.unit()) * entry.choices[0].probability;
      entry.choices[0].probability -= share;
      entry.choices[1].probability += share;
      return true;
    }
    return false;
  }

  /// By another one that is applicable in the same state.
  bool swap_action(Cssp& cssp, const PolicyFile::Entry& entry, PolicyFile::Choice& choice) {
    if (*entry.visits * choice.probability < 1e-3) return false;
    Expansion expansion;
    for (std::size_t s = 0; s < cssp.num_states(); ++s) {
      if (cssp.state_name(StateId(s)) != entry.state) continue;
      cssp.expand(StateId(s), expansion);
      const std::size_t first = random_.below(expansion.num_actions());
      for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
        const ActionId action = expansion.action((first + i) % expansion.num_actions());
        if (cssp.action_name(action) == choice.action) continue;
        choice.action = cssp.action_name(action);
        return true;
      }
    }
    return false;
  }

  SplitMix64 random_;
};

template <class MakeModel>
void expect_corruptions_found(std::uint64_t seed, const MakeModel& make_model,
                              const CsspOptions& options, std::vector<std::size_t>& found) {
  Cssp cssp(make_model(), options);
  SolveOptions solve_options;
  solve_options.algorithm = Algorithm::lp;
  solve_options.gap = 1e-6;
  const Answer good = answer(cssp, solve_options);
  if (good.status != Status::optimal) return;
  Cssp other(make_model(), for_check(options));
  ASSERT_TRUE(check(other, good.policy, &good.result).holds());
  for (std::size_t way = 0; way < Vandal::num_ways; ++way) {
    Answer bad = good;
    if (!Vandal(seed * 100 + way).corrupt(way, other, bad)) continue;
    Cssp fresh(make_model(), for_check(options));
    EXPECT_FALSE(check(fresh, bad.policy, &bad.result).holds()) << "way " << way;
    ++found[way];
  }
}

TEST(Check, FindsAllCorruptionsOfRealPolicies) {
  std::vector<std::size_t> found(Vandal::num_ways, 0);
  for (std::size_t seed = 1; seed <= scaled(1000); ++seed) {
    RandomModelOptions options = random_options(seed, 8);
    options.integer_costs = false;  // actions with the same costs and outcomes are no corruption
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options.text());
    expect_corruptions_found(
        seed, [&] { return random_model(seed, options); }, {}, found);
  }
  for (std::size_t way = 0; way < found.size(); ++way)
    EXPECT_GE(found[way], at_full_scale(20)) << "way " << way;
}

TEST(Check, FindsAllCorruptionsOfFactoredPolicies) {
  std::vector<std::size_t> found(Vandal::num_ways, 0);
  for (std::size_t seed = 1; seed <= scaled(60); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_corruptions_found(
        seed, [&] { return random_task_or_draw(seed); }, {}, found);
  }
  for (const std::size_t way : {0U, 2U, 3U, 4U, 5U, 7U, 8U})
    EXPECT_GE(found[way], at_full_scale(20)) << "way " << way;
}

/// A random walk over states with ways on, back and round; whether a policy is proper is told by
/// following it backwards from the goal.
TEST(Check, FindsImproperLoops) {
  SplitMix64 random(5);
  std::size_t improper = 0;
  for (std::size_t round = 0; round < scaled(500); ++round) {
    const std::size_t n = 2 + random.below(8);
    const auto name = [&](std::size_t i) { return i == n ? "g" : "s" + std::to_string(i); };
    ExplicitBuilder builder({{"time"}, {}, {}});
    PolicyFile policy{{"time"}, {}};
    std::vector<std::array<std::size_t, 2>> next(n);
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = {random.below(n + 1), random.below(n + 1)};
      if (next[i][0] == next[i][1]) next[i][1] = (next[i][0] + 1) % (n + 1);
      builder.add_action(name(i), "move", {1}, {{0.5, name(next[i][0])}, {0.5, name(next[i][1])}});
    }
    builder.add_goal(builder.state("g"));
    Cssp cssp(builder.build(builder.state("s0")), for_check());
    std::vector<bool> met(n + 1, false), reaches(n + 1, false);
    met[0] = reaches[n] = true;
    for (std::size_t k = 0; k <= n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (const std::size_t j : next[i]) {
          if (met[i]) met[j] = true;
          if (reaches[j]) reaches[i] = true;
        }
    bool proper = true;
    for (std::size_t i = 0; i < n; ++i) {
      if (!met[i]) continue;
      policy.states.push_back({name(i), false, {}, {{"move", 1}}});
      proper = proper && reaches[i];
    }
    const CheckReport report = check(cssp, policy);
    EXPECT_EQ(!has(report, CheckKind::proper), proper) << text_of(report);
    EXPECT_EQ(report.holds(), proper) << text_of(report);
    improper += !proper;
  }
  EXPECT_GE(improper, at_full_scale(100));
}

/// The interval of the certificate holds the exact value, and is narrow.
TEST(Check, TheCertificateEnclosesTheExactCosts) {
  std::size_t compared = 0;
  for (std::size_t seed = 1; seed <= scaled(200); ++seed) {
    const RandomModelOptions options = random_options(seed, 12);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options.text());
    Cssp cssp(random_model(seed, options));
    SolveOptions solve_options;
    solve_options.algorithm = Algorithm::lp;
    const Answer found = answer(cssp, solve_options);
    if (found.status != Status::optimal) continue;
    Cssp other(random_model(seed, options), for_check());
    CheckOptions check_options;
    check_options.exact = true;
    const CheckReport exact = check(other, found.policy, nullptr, check_options);
    check_options.max_exact_work = 0;
    const CheckReport certified = check(other, found.policy, nullptr, check_options);
    ASSERT_TRUE(exact.exactly);
    ASSERT_FALSE(certified.exactly);
    for (std::size_t i = 0; i < cssp.num_costs(); ++i) {
      const double scale = std::max(1.0, certified.exact[i].upper);
      EXPECT_LE(certified.exact[i].lower, exact.exact[i].lower);
      EXPECT_GE(certified.exact[i].upper, exact.exact[i].upper);
      EXPECT_LE(certified.exact[i].upper - certified.exact[i].lower, 1e-10 * scale);
      EXPECT_NEAR(exact.exact[i].lower, (*exact.costs)[i], 1e-11 * scale);
      ++compared;
    }
  }
  EXPECT_GE(compared, at_full_scale(200));
}

TEST(Check, NumbersAreTakenAsWritten) {
  const auto model = load_text(R"((define (domain d) (:requirements :probabilistic-effects :fluents)
    (:predicates (start) (end)) (:functions (time))
    (:action try :parameters () :precondition (start)
      :effect (and (probabilistic 1/3 (and (not (start)) (end))) (increase (time) 0.1))))
    (define (problem p) (:domain d) (:init (start)) (:goal (end)) (:metric minimize (time))))");
  Cssp cssp(model, for_check());
  CheckOptions options;
  options.exact = true;
  const CheckReport report =
      check(cssp, {{"(time)"}, {{"(start)", true, 3.0, {{"(try)", 1}}}}}, nullptr, options);
  ASSERT_EQ(report.exact.size(), 1U) << text_of(report);
  EXPECT_EQ(report.exact[0].fraction, "3/10");
}

/// There and back along a line: n² steps on average, in one component.
TEST(Check, LargeComponents) {
  for (const std::size_t n : {50U, 150U, 400U, 20'000U}) {
    ExplicitBuilder builder({{"steps"}, {}, {}});
    PolicyFile policy{{"steps"}, {}};
    const auto name = [&](std::size_t i) { return std::to_string(i); };
    for (std::size_t i = 0; i < n; ++i) {
      if (i == 0)
        builder.add_action(name(0), "move", {1}, {{1.0, name(1)}});
      else
        builder.add_action(name(i), "move", {1}, {{0.5, name(i - 1)}, {0.5, name(i + 1)}});
      policy.states.push_back({name(i), false, {}, {{"move", 1}}});
    }
    builder.add_goal(builder.state(name(n)));
    Cssp cssp(builder.build(builder.state("0")), for_check());
    CheckOptions options;
    options.exact = true;
    const CheckReport report = check(cssp, policy, nullptr, options);
    ASSERT_TRUE(report.holds()) << text_of(report);
    const auto expected = static_cast<double>(n * n);
    EXPECT_NEAR((*report.costs)[0], expected, 1e-9 * expected);
    EXPECT_LE(report.exact[0].lower, expected);
    EXPECT_GE(report.exact[0].upper, expected);
    EXPECT_LE(report.exact[0].upper - report.exact[0].lower, 1e-7 * expected);
  }
}

TEST(Check, TooRareGoals) {
  ExplicitBuilder builder({{"steps"}, {}, {}});
  const double tiny = 1e-200;
  builder.add_action("s", "move", {1}, {{1.0, "t"}});
  builder.add_action("t", "move", {1}, {{1.0, "s"}});
  builder.add_action("t", "leave", {1}, {{tiny, "g"}, {1.0, "s"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")), for_check());
  CheckOptions options;
  options.exact = true;
  const auto policy = [&](double probability) {
    return PolicyFile{
        {"steps"},
        {{"s", false, {}, {{"move", 1}}}, {"t", false, {}, {{"leave", probability}, {"move", 1}}}}};
  };
  const CheckReport rare = check(cssp, policy(1e-10), nullptr, options);
  EXPECT_TRUE(rare.holds()) << text_of(rare);
  EXPECT_NEAR((*rare.costs)[0] / 2e210, 1, 1e-9);
  const CheckReport never = check(cssp, policy(1e-200), nullptr, options);
  EXPECT_TRUE(has(never, CheckKind::proper)) << text_of(never);
}

TEST(Check, ClaimsOfAResult) {
  struct Case {
    std::string what;
    std::function<void(ResultFile&)> corrupt;
  };
  const std::vector<Case> cases{
      {"objective", [](ResultFile& r) { r.objective = 4.9; }},
      {"objective", [](ResultFile& r) { r.objective.reset(); }},
      {"cost time", [](ResultFile& r) { r.costs[0].second = 4.9; }},
      {"cost fuel", [](ResultFile& r) { r.costs.pop_back(); }},
      {"cost toll", [](ResultFile& r) { r.costs.emplace_back("toll", 1); }},
      {"bound on fuel", [](ResultFile& r) { r.constraints[0].bound = 3; }},
      {"bound on fuel", [](ResultFile& r) { r.constraints.clear(); }},
      {"bound on time",
       [](ResultFile& r) {
         r.constraints.push_back({"time", 9, {}, {}});
       }},
      {"value of the constraint", [](ResultFile& r) { r.constraints[0].value = 1.9; }},
      {"multiplier of fuel", [](ResultFile& r) { r.constraints[0].multiplier = -1; }},
      {"lower bound", [](ResultFile& r) { r.lower_bound = 5.1; }},
      {"lower bound", [](ResultFile& r) { r.lower_bound.reset(); }},
      {"gap", [](ResultFile& r) { r.gap = 0.1; }},
      {"a gap of at most 0.0001",
       [](ResultFile& r) {
         r.lower_bound = 4;
         r.gap = 0.2;
       }},
      {"number of states", [](ResultFile& r) { r.states = 3; }},
      {"random choice", [](ResultFile& r) { r.stochastic_states = 0; }},
      {"weights of the mixture", [](ResultFile& r) { r.mixture[0].weight = 0.4; }},
      {"weighted fuel", [](ResultFile& r) { r.mixture[0].costs[1] = 3; }},
      {"mixture", [](ResultFile& r) { r.mixture[0].costs.pop_back(); }},
      {"this policy is proper", [](ResultFile& r) { r.status = "no-proper-policy"; }},
      {"meets all bounds", [](ResultFile& r) { r.status = "infeasible"; }},
      {"one that carl knows", [](ResultFile& r) { r.status = "perfect"; }},
  };
  Cssp solved(two_ways());
  SolveOptions options;
  options.algorithm = Algorithm::lp;
  const Answer good = answer(solved, options);
  Cssp cssp(two_ways(), for_check());
  EXPECT_TRUE(check(cssp, good.policy, &good.result).findings.empty());
  for (const Case& c : cases) {
    ResultFile result = good.result;
    c.corrupt(result);
    const CheckReport report = check(cssp, good.policy, &result);
    EXPECT_TRUE(has(report, CheckKind::result)) << c.what;
    EXPECT_THAT(text_of(report), HasSubstr(c.what));
  }
}

TEST(Check, ClaimsOfCostsThatAreNextToNeverPaid) {
  // A failure costs one, and comes about so rarely that what is claimed of it need have no digits.
  ExplicitBuilder builder({{"time", "failures"}, {}, {}});
  builder.add_action("s", "go", {1, 0}, {{1 - 1e-9, "g"}, {1e-9, "t"}});
  builder.add_action("t", "go", {1, 0}, {{1 - 1e-9, "g"}, {1e-9, "u"}});
  builder.add_action("u", "fail", {1, 1}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  const auto model = builder.build(builder.state("s"));
  Cssp solved(model);
  Answer claimed = answer(solved, {});
  Cssp cssp(model, for_check());
  ASSERT_NEAR(claimed.result.costs[1].second, 1e-18, 1e-26);
  const auto holds = [&](double claim) {
    claimed.result.costs[1].second = claim;
    return check(cssp, claimed.policy, &claimed.result).holds();
  };
  EXPECT_TRUE(holds(1e-18));
  EXPECT_TRUE(holds(2e-18));
  EXPECT_TRUE(holds(0));
  EXPECT_FALSE(holds(2e-15));
}

}  // namespace
}  // namespace carl::testing
