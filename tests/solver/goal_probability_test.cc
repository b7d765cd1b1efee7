// Probabilities of the goal: by hand, and by all algorithms and heuristics on factored problems.
// Random models with free loops are compared with brute force in tests/guarantees.
#include <gtest/gtest.h>

#include <cmath>

#include "carl/check.h"
#include "carl/explore.h"
#include "carl/io.h"
#include "carl/options.h"
#include "carl/problem.h"
#include "carl/simulate.h"
#include "support/load.h"
#include "support/source_path.h"

namespace carl::testing {
namespace {

SolveOptions precisely() {
  SolveOptions options;
  options.gap = 1e-9;
  return options;
}

SolveOptions by(Algorithm algorithm) {
  SolveOptions options;
  options.algorithm = algorithm;
  return options;
}

SimulateOptions runs(std::size_t number, std::uint64_t seed) {
  SimulateOptions options;
  options.runs = number;
  options.seed = seed;
  return options;
}

std::shared_ptr<Model> load_files(const std::string& folder, const std::string& problem) {
  Monitor monitor;
  return load_model(
      {tests::source_path(folder + "/domain.pddl"), tests::source_path(folder + "/" + problem)},
      monitor);
}

CsspOptions at_least(double probability, bool only_when_lost = false) {
  CsspOptions options;
  options.goal_probability = GoalProbability{probability, false, only_when_lost};
  return options;
}

CsspOptions largest() {
  CsspOptions options;
  options.goal_probability = GoalProbability{1, true, false};
  return options;
}

/// A leap reaches the goal with probability 0.9, or else there is no way out of the water; the
/// bridge is safe and far.
constexpr const char* river = R"(
(define (domain river)
  (:predicates (here) (wet) (across) (dizzy))
  (:functions (time))
  (:action leap :parameters () :precondition (and (here) (not (dizzy)))
    :effect (and (not (here)) (increase (time) 1) (probabilistic 0.9 (across) 0.1 (wet))))
  (:action bridge :parameters () :precondition (and (here) (not (dizzy)))
    :effect (and (not (here)) (increase (time) 11) (across)))
  (:action turn-round :parameters () :precondition (and (here) (not (dizzy))) :effect (dizzy))
  (:action rest :parameters () :precondition (dizzy) :effect (not (dizzy))))
(define (problem today) (:domain river)
  (:init (here)) (:goal (across)) )";

TEST(GoalProbability, OfTheRiver) {
  Monitor monitor;
  const auto model = load_text(std::string(river) + "(:metric minimize (time)))");
  // Turning round is free, so that one could go on for ever: this takes collapsing.
  const SolvedProblem certain = solve_problem(model, largest(), precisely(), monitor);
  ASSERT_EQ(certain.solution.status, Status::optimal);
  EXPECT_NEAR((*certain.solution.costs)[0], 11, 1e-9);
  EXPECT_NEAR((*certain.solution.costs)[1], 0, 1e-12);

  const SolvedProblem mostly = solve_problem(model, at_least(0.95), precisely(), monitor);
  ASSERT_EQ(mostly.solution.status, Status::optimal);
  EXPECT_NEAR((*mostly.solution.costs)[0], 6, 1e-7);
  EXPECT_NEAR((*mostly.solution.costs)[1], 0.05, 1e-9);
  Cssp problem = mostly.problem;
  problem.remove_forbidden_actions(false);
  EXPECT_TRUE(check_policy(problem, mostly.solution.policy, nullptr, {}, monitor).holds());

  // Leap with probability 5/9 and stay at home otherwise; or leap always if giving up is for the
  // lost.
  const SolvedProblem half = solve_problem(model, at_least(0.5), precisely(), monitor);
  EXPECT_NEAR((*half.solution.costs)[0], 5.0 / 9, 1e-7);
  const SolvedProblem brave = solve_problem(model, at_least(0.5, true), precisely(), monitor);
  EXPECT_NEAR((*brave.solution.costs)[0], 1, 1e-7);
  EXPECT_NEAR((*brave.solution.costs)[1], 0.1, 1e-9);
}

TEST(GoalProbability, IsReadFromTexts) {
  Monitor monitor;
  const auto problem = [&](const std::string& rest) {
    return make_problem(load_text(river + rest + ")"), {}, monitor);
  };
  EXPECT_EQ(problem("(:metric minimize (time)) (:constraints (>= (probability goal) 0.95))")
                .bounds()[0]
                .upper,
            0.05);
  EXPECT_EQ(problem("(:goal-probability 3/4)").bounds()[0].upper, 0.25);
  // As in competition files: as many actions as it takes.
  const Cssp cssp = problem("(:metric maximize (goal-achieved))");
  EXPECT_EQ(cssp.cost_names(), (std::vector<std::string>{"steps", "time", "failure"}));
  EXPECT_TRUE(cssp.bounds().empty());
}

TEST(GoalProbability, LargestUnderBounds) {
  Monitor monitor;
  const auto model = load_text(
      std::string(river) + "(:metric minimize (steps)) (:constraints (<= (expected (time)) 6)))");
  const SolvedProblem answer = solve_problem(model, largest(), precisely(), monitor);
  ASSERT_EQ(answer.solution.status, Status::optimal);
  // Half of the time the bridge, half of the time a leap.
  EXPECT_NEAR((*answer.solution.costs)[2], 0.05, 2e-8);
  EXPECT_NEAR((*answer.solution.costs)[0], 1, 1e-5);
}

TEST(GoalProbability, GuaranteesCountWhatWasUsedBeforeGivingUp) {
  Monitor monitor;
  CsspOptions options = largest();
  options.guarantees = {{Guarantee::Kind::chance, "time", 10, 0.25}};
  const auto model = load_text(std::string(river) + "(:metric minimize (time)))");
  const SolvedProblem answer = solve_problem(model, options, precisely(), monitor);
  ASSERT_EQ(answer.solution.status, Status::optimal);
  // The bridge in a quarter of all runs.
  EXPECT_NEAR((*answer.solution.costs)[1], 0.075, 1e-7);
  EXPECT_NEAR((*answer.solution.costs)[0], 0.25 * 11 + 0.75, 1e-4);
}

TEST(GoalProbability, SimulationsCountWhoGivesUp) {
  Monitor monitor;
  const auto model = load_text(std::string(river) + "(:metric minimize (time)))");
  for (const bool only_when_lost : {false, true}) {
    const SolvedProblem answer = solve_problem(model, at_least(0.5, only_when_lost), {}, monitor);
    Cssp problem = answer.problem;
    const Simulator simulator(problem, answer.solution.policy, monitor);
    const Simulation simulation = simulator.run(runs(20'000, 3), monitor);
    const double failure = (*answer.solution.costs)[1];
    EXPECT_NEAR(static_cast<double>(simulation.given_up) / 20'000, failure,
                4 * std::sqrt(failure * (1 - failure) / 20'000));
  }
}

/// Whatever solves it, whatever guides the search.
void compare_all(const std::shared_ptr<Model>& model, const CsspOptions& options, bool thoroughly) {
  Monitor monitor;
  Cssp problem = make_problem(model, options, monitor);
  const Solution expected = solve(problem, by(Algorithm::lp), monitor);
  ASSERT_EQ(expected.status, Status::optimal);
  std::vector<SolveOptions> ways;
  for (const std::string& name : heuristic_names()) {
    SolveOptions way;
    way.search.heuristic = heuristic_named(name);
    way.carl.inner = InnerAlgorithm::cg_ilao;
    ways.push_back(way);
    if (!thoroughly) continue;
    way.search.heuristic_mode = HeuristicMode::ideal_point;
    ways.push_back(way);
    way.algorithm = Algorithm::i_dual;
    ways.push_back(way);
  }
  ways.push_back(by(Algorithm::automatic));
  if (thoroughly) ways.push_back(by(Algorithm::i2_dual));
  for (const SolveOptions& way : ways) {
    const Solution found = solve(problem, way, monitor);
    ASSERT_EQ(found.status, Status::optimal) << found.heuristic << ' ' << found.algorithm;
    EXPECT_NEAR(found.costs->front() / expected.costs->front(), 1, 2e-4)
        << found.heuristic << ' ' << found.algorithm;
    EXPECT_GE(expected.costs->front() * (1 + 1e-9), *found.lower_bound);
  }
}

TEST(GoalProbability, AllWaysAgreeOnTheTireworld) {
  const auto model = load_files("benchmarks/ippc/triangle-tireworld", "small.pddl");
  compare_all(model, at_least(0.8), true);
}

TEST(Guarantees, AllWaysAgreeOnTheDrone) {
  const auto model = load_files("examples/drone-delivery", "problem.pddl");
  CsspOptions options;
  options.guarantees = {{Guarantee::Kind::chance, "battery", 40, 0.1}};
  compare_all(model, options, false);
}

TEST(GoalProbability, LoopsAreNoErrorForThoseWhoCount) {
  Monitor monitor;
  Cssp problem = make_problem(load_text(std::string(river) + "(:metric minimize (time)))"),
                              at_least(0.9), monitor);
  EXPECT_TRUE(explore(problem, 100, monitor).complete);
  const Sweep swept = sweep(problem, {"failure", 0, 0.2, 0.05}, std::nullopt, {}, monitor);
  EXPECT_EQ(swept.status, Status::optimal);
  Solution solution = solve(problem, {}, monitor);
  EXPECT_THROW(make_certificate(problem, solution, {}, monitor), NoCertificate);
}

}  // namespace
}  // namespace carl::testing
