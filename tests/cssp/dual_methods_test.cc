// i-dual and i²-dual against the LP over all states, on random problems with all heuristics; with
// multipliers that certify the optimum. And what is theirs alone: what they refuse, C-ROC, limits,
// outcomes that are less likely than the solver's tolerance.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "carl/error.h"
#include "carl/generate.h"
#include "cssp/agreement.h"
#include "cssp/paper_examples.h"
#include "model/explicit_model.h"
#include "support/load.h"
#include "support/options_text.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

SolveOptions with(const std::string& algorithm, const std::string& heuristic = "",
                  const std::string& mode = "") {
  SolveOptions options;
  options.algorithm = algorithm_named(algorithm);
  if (!heuristic.empty()) options.search.heuristic = heuristic_named(heuristic);
  if (!mode.empty()) options.search.heuristic_mode = heuristic_mode_named(mode);
  return options;
}

/// Duality: no policy costs less than the optimum at the prices that were found.
void expect_certifying_multipliers(const std::shared_ptr<Model>& model, const Solution& solution,
                                   const CsspOptions& changes = {}) {
  if (!solution.costs) return;
  const Cssp cssp(model, changes);
  double slackness = 0;
  for (std::size_t i = 0; i < cssp.bounds().size(); ++i) {
    const Bound& bound = cssp.bounds()[i];
    EXPECT_GE(solution.multipliers[i], 0);
    slackness += solution.multipliers[i] * (bound.upper - (*solution.costs)[bound.cost]);
  }
  EXPECT_NEAR(slackness, 0, 1e-6 * std::max(1.0, (*solution.costs)[0]));
}

TEST(DualMethods, IDualAgreesWithTheLpOnRandomModels) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(4000); ++seed) {
    const testing::RandomModelOptions random = options_for(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + random.text());
    const auto model = testing::random_model(seed, random);
    const Solution truth = run(model, lp());
    for (const char* algorithm : {"i-dual", "i-dual-textbook"}) {
      SCOPED_TRACE(algorithm);
      const Solution solution = run(model, with(algorithm, seed % 3 == 0 ? "zero" : "dijkstra"));
      EXPECT_EQ(solution.algorithm, algorithm);
      expect_same(Cssp(model), solution, truth);
      expect_certifying_multipliers(model, solution);
    }
    if (::testing::Test::HasFailure()) break;
  }
}

TEST(DualMethods, AgreeWithTheLpOnRandomTasks) {
  std::size_t optimal = 0;
  std::size_t infeasible = 0;
  constexpr std::size_t cases = 600;
  for (std::uint64_t seed = 1; seed <= testing::scaled(cases); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto model = testing::random_task(seed);
    const CsspOptions changes = random_bounds(model, seed);
    const Solution truth = run(model, lp(), changes);
    optimal += truth.status == Status::optimal && !changes.bounds.empty();
    infeasible += truth.status == Status::infeasible;
    std::vector<SolveOptions> all{with("i2-dual"), with("i2-dual", "roc"), with("auto"),
                                  with("i-dual-textbook")};
    for (const std::string& heuristic : heuristic_names())
      all.push_back(with("i-dual", heuristic));
    for (const SolveOptions& options : all) {
      SCOPED_TRACE(testing::text_of(options));
      const Solution solution = run(model, options, changes);
      expect_same(Cssp(model, changes), solution, truth);
      expect_certifying_multipliers(model, solution, changes);
    }
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(optimal, testing::scaled(cases / 10));
  EXPECT_GT(infeasible, testing::scaled(cases / 30));
}

TEST(DualMethods, AgreeWithTheLpOnRandomTasksWithConditionalEffects) {
  std::size_t optimal = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto model = testing::random_conditional_task(seed);
    const CsspOptions changes = random_bounds(model, seed);
    const Solution truth = run(model, lp(), changes);
    optimal += truth.status == Status::optimal && !changes.bounds.empty();
    std::vector<SolveOptions> all{with("i2-dual"), with("i2-dual", "roc"), with("auto")};
    for (const std::string& heuristic : heuristic_names()) {
      all.push_back(with("i-dual", heuristic));
      all.push_back(with("carl", heuristic));
    }
    for (const SolveOptions& options : all) {
      SCOPED_TRACE(testing::text_of(options));
      expect_same(Cssp(model, changes), run(model, options, changes), truth);
    }
    if (HasFailure()) break;
  }
  EXPECT_GE(optimal, testing::at_full_scale(20));
}

/// Six sheets: far too many states to expand them all, while ROC knows the way.
TEST(Auto, LeavesThePrinterToI2Dual) {
  const GeneratedInstance instance =
      generate_instance("parc", {{"sheets", "BBBCCC"}, {"f", "0.2"}, {"u", "1"}}, 1);
  const auto model = testing::load_text(instance.domain_text + instance.problem_text);
  const Solution solution = run(model, with("auto"));
  ASSERT_EQ(to_string(solution.status), "optimal");
  EXPECT_EQ(solution.algorithm, "i2-dual");
  EXPECT_NEAR((*solution.costs)[0], 1'618'058.58893, 1e-2);
}

TEST(Auto, SmallProblemsAreForCarl) {
  const Solution solution = run(testing::interesting_for_coordinate_search(), with("auto"));
  EXPECT_EQ(solution.algorithm, "carl");
  EXPECT_THAT(solution.note, ::testing::HasSubstr("auto chose carl"));
}

TEST(DualMethods, EndAfterSoManyStates) {
  const GeneratedInstance instance = generate_instance("sar", {}, 1);
  const auto model = testing::load_text(instance.domain_text + instance.problem_text);
  SolveOptions options = with("i2-dual", "roc");
  options.dual.max_expanded = 50;
  const Solution solution = run(model, options);
  EXPECT_EQ(to_string(solution.status), "limit");
  EXPECT_LE(solution.statistics.expanded, 500U);
  ASSERT_TRUE(solution.lower_bound);
  EXPECT_GT(*solution.lower_bound, 1);
  EXPECT_LE(*solution.lower_bound, 9.04376);
}

/// C-ROC may lose optimality, but never says so falsely: "optimal" and "infeasible" are the truth,
/// lower bounds are bounds, and what is returned is feasible.
void expect_nothing_false(const Cssp& cssp, const Solution& solution, const Solution& truth) {
  EXPECT_EQ(solution.heuristic, "c-roc");
  EXPECT_THAT(solution.note, ::testing::HasSubstr("may lose optimality"));
  if (solution.status != Status::limit) return expect_same(cssp, solution, truth);
  ASSERT_TRUE(truth.costs || truth.status == Status::infeasible);
  for (const TracePoint& point : solution.trace)
    if (truth.costs) {
      EXPECT_LE(point.lower_bound, (*truth.costs)[0] * (1 + 1e-8));
    }
  if (truth.costs && solution.lower_bound) {
    EXPECT_LE(*solution.lower_bound, (*truth.costs)[0] * (1 + 1e-8));
  }
  if (solution.costs) {
    ASSERT_TRUE(truth.costs);
    EXPECT_GE((*solution.costs)[0], (*truth.costs)[0] * (1 - 1e-7));
  }
}

/// CARL as in the paper, with C-ROC.
SolveOptions paper_c_roc() {
  SolveOptions options = with("carl", "roc", "c-roc");
  options.carl.outer = OuterAlgorithm::coordinate;
  options.carl.inner = InnerAlgorithm::cg_ilao_paper;
  return options;
}

TEST(DualMethods, ConstrainedRocClaimsNothingFalse) {
  std::map<std::string, std::size_t> proved;
  for (std::uint64_t seed = 1; seed <= testing::scaled(600); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto model =
        seed % 4 == 0 ? testing::random_conditional_task(seed) : testing::random_task(seed);
    const CsspOptions changes = random_bounds(model, seed);
    const Solution truth = run(model, lp(), changes);
    for (const SolveOptions& options :
         {with("i-dual", "", "c-roc"), with("carl", "", "c-roc"), paper_c_roc()}) {
      SCOPED_TRACE(testing::text_of(options));
      const Solution solution = run(model, options, changes);
      expect_nothing_false(Cssp(model, changes), solution, truth);
      proved[testing::text_of(options)] += solution.status != Status::limit;
    }
    if (::testing::Test::HasFailure()) break;
  }
  for (const auto& [options, number] : proved) {
    EXPECT_GT(number, testing::scaled(540)) << options;
    RecordProperty(options, static_cast<int>(number));
  }
}

TEST(DualMethods, TiesThatRoundingErrorsTellApart) {
  const auto model = slippery_grid(24);
  const Solution truth = run(model, lp());
  expect_same(Cssp(model), run(model, with("i-dual")), truth);
  expect_same(Cssp(model), run(model, with("i-dual", "zero")), truth);
}

TEST(DualMethods, MultipliersOfThePaperSExample) {
  const auto model = testing::interesting_for_coordinate_search();
  const Solution solution = run(model, with("i-dual"));
  ASSERT_EQ(to_string(solution.status), "optimal");
  EXPECT_NEAR(solution.multipliers[0], 0.2, 1e-9);
  EXPECT_NEAR(solution.multipliers[1], 0.2, 1e-9);
  EXPECT_NEAR(testing::probability(Cssp(model), solution, "s1", "a4"), 0.25, 1e-9);
}

/// A chain of outcomes with probability 1e-4 each: after three of them the flow is below the
/// solver's tolerance, but the policy must go on.
std::shared_ptr<Model> unlikely_chain(double last_cost) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 1.5}}, {}});
  for (int i = 0; i < 6; ++i) {
    const std::string here = "s" + std::to_string(i);
    const std::string next = "s" + std::to_string(i + 1);
    builder.add_action(here, "fast", {1, 2}, {{1e-4, next}, {1 - 1e-4, "g"}});
    builder.add_action(here, "slow", {2, 1}, {{1e-4, next}, {1 - 1e-4, "g"}});
  }
  builder.add_action("s6", "back", {last_cost, 0}, {{0.5, "s0"}, {0.5, "s5"}});
  builder.add_action("s6", "stay", {1, 0}, {{1.0, "trap"}});
  builder.add_action("trap", "stay", {1, 0}, {{1.0, "trap2"}});
  builder.add_action("trap2", "stay", {1, 0}, {{1.0, "trap"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s0"));
}

TEST(DualMethods, OutcomesBelowTheTolerance) {
  for (const double last_cost : {1.0, 1e3, 1e12}) {
    const auto model = unlikely_chain(last_cost);
    const Solution truth = run(model, lp());
    for (const char* heuristic : {"dijkstra", "zero"}) {
      SCOPED_TRACE(heuristic);
      const Solution solution = run(model, with("i-dual", heuristic));
      expect_same(Cssp(model), solution, truth);
      EXPECT_EQ(solution.policy.size(), 7U);
    }
  }
}

/// The LP cannot see that the cheap action may end in a trap: that is less likely than its
/// tolerance. A policy with it would not be proper.
TEST(DualMethods, DeadEndsBelowTheTolerance) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 5}}, {}});
  builder.add_action("s0", "risky", {1, 1}, {{1e-11, "trap"}, {1 - 1e-11, "s1"}});
  builder.add_action("s0", "safe", {5, 1}, {{1.0, "s1"}});
  builder.add_action("s1", "go", {1, 1}, {{0.5, "s0"}, {0.5, "g"}});
  builder.add_action("trap", "stay", {1, 0}, {{1.0, "trap2"}});
  builder.add_action("trap2", "stay", {1, 0}, {{1.0, "trap"}});
  builder.add_goal(builder.state("g"));
  const auto model = builder.build(builder.state("s0"));
  const Solution truth = run(model, lp());
  EXPECT_NEAR((*truth.costs)[0], 12, 1e-9);
  for (const char* heuristic : {"dijkstra", "zero"})
    expect_same(Cssp(model), run(model, with("i-dual", heuristic)), truth);
}

/// The bound is missed by a factor of 10^7, at which the LP solver finds no solution even without
/// it. That is no proof that there is no proper policy: giving up is one.
TEST(DualMethods, RoundingErrorsProveNoHopelessness) {
  const auto model = testing::load_text(R"((define (domain d) (:predicates (at ?s))
    (:constants goal s0 s5 s8) (:functions (c0) (c1) (c2) (c3))
    (:action s0-a0 :parameters () :precondition (at s0) :effect (and (at s5) (not (at s0))))
    (:action s5-a0 :parameters () :precondition (at s5)
      :effect (and (increase (c0) 2) (increase (c2) 1) (at s8) (not (at s5))))
    (:action s8-a0 :parameters () :precondition (at s8)
      :effect (and (increase (c0) 3) (increase (c1) 2) (increase (c2) 2)
                   (probabilistic 1/2 (and (at goal) (not (at s8)))))))
    (define (problem p) (:domain d) (:init (at s0))
    (:goal (at goal)) (:metric minimize (c0))
    (:give-up (increase (c0) 48) (increase (c1) 0.9) (increase (c2) 4000)
              (increase (c3) 5000000))))");
  for (const char* algorithm : {"i-dual", "i2-dual"}) {
    SCOPED_TRACE(algorithm);
    CsspOptions tiny;
    tiny.bounds = {{"c2", 4.216442742749788e-07}};
    const Solution solution = run(model, with(algorithm), tiny);
    EXPECT_EQ(solution.status, Status::infeasible);
    if (solution.algorithm == "i2-dual") {
      EXPECT_EQ(
          solution.note,
          "numerical trouble: the LP has no solution, not even without bounds; carl finished");
    }
  }
}

TEST(DualMethods, TheInitialStateIsAGoal) {
  ExplicitBuilder builder({{"time", "fuel"}, {{1, 1}}, {}});
  builder.add_goal(builder.state("g"));
  const Solution solution = run(builder.build(builder.state("g")), with("i-dual"));
  EXPECT_EQ(to_string(solution.status), "optimal");
  EXPECT_THAT(*solution.costs, ::testing::ElementsAre(0, 0));
}

TEST(DualMethods, WhatIsRefused) {
  const auto explicit_model = slippery_grid(4);
  const auto task = testing::random_task(1);
  EXPECT_THROW(run(explicit_model, with("i2-dual")), InputError);
  EXPECT_THROW(run(explicit_model, with("i-dual", "lmcut")), InputError);
  EXPECT_THROW(run(explicit_model, with("i-dual", "", "c-roc")), InputError);
  EXPECT_THROW(run(task, with("i-dual", "lmcut", "lambda")), InputError);
  EXPECT_THROW(run(task, with("i-dual", "lmcut", "c-roc")), InputError);
  EXPECT_THROW(run(task, with("i2-dual", "lmcut")), InputError);
  EXPECT_THROW(run(task, with("i2-dual", "pom", "ideal-point")), InputError);
  EXPECT_THROW(run(task, with("carl", "lmcut", "c-roc")), InputError);
  EXPECT_THROW(run(task, with("lp", "roc", "c-roc")), InputError);
}

/// Interrupted after so many calls of the progress function.
Solution interrupted(const std::shared_ptr<Model>& model, const SolveOptions& options,
                     const CsspOptions& changes, int after) {
  Monitor monitor;
  monitor.set_listener([&](const Progress&) {
    if (--after <= 0) monitor.interrupt();
  });
  Cssp cssp(model, changes);
  return solve(cssp, options, monitor);
}

TEST(DualMethods, AnInterruptKeepsTheBestSoFar) {
  std::size_t bounds = 0;
  std::size_t policies = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto model = testing::random_task(seed);
    const CsspOptions changes = random_bounds(model, seed);
    const Solution truth = run(model, lp(), changes);
    for (const char* algorithm : {"i-dual", "i2-dual"}) {
      const Solution solution =
          interrupted(model, with(algorithm), changes, static_cast<int>(seed % 10));
      if (solution.status != Status::interrupted) {
        expect_same(Cssp(model, changes), solution, truth);
        continue;
      }
      if (!truth.costs) continue;
      const double optimum = (*truth.costs)[0];
      bounds += solution.lower_bound.value_or(0) > 0;
      policies += solution.costs.has_value();
      EXPECT_LE(solution.lower_bound.value_or(0), optimum * (1 + 1e-8));
      if (solution.costs) {
        EXPECT_GE((*solution.costs)[0], optimum * (1 - 1e-7));
      }
    }
  }
  EXPECT_GE(bounds, testing::scaled(30) / 2);
  EXPECT_GE(policies, testing::scaled(3) / 2);
}

}  // namespace
}  // namespace carl
