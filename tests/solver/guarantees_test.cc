// Guarantees per run where executions can confirm them: what a run is charged is what it has really
// used, run by run, and how often that happens is what was planned. Optimal values are compared with
// brute force in tests/guarantees.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carl/check.h"
#include "carl/io.h"
#include "carl/options.h"
#include "carl/problem.h"
#include "carl/simulate.h"
#include "carl/user_model.h"
#include "model/budget_model.h"
#include "model/budget_unit.h"
#include "support/load.h"
#include "support/random_model.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::testing {
namespace {

using Kind = Guarantee::Kind;

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

CsspOptions with(const Guarantee& guarantee, double unit = 0) {
  CsspOptions options;
  options.guarantees = {guarantee};
  if (unit > 0) options.units = {{"fuel", unit}};
  return options;
}

// --- units ----------------------------------------------------------------------------------------

TEST(BudgetUnit, NumbersAreThoseThatWereWritten) {
  EXPECT_EQ(as_written(1.0 / 3), Rational(1, 3));
  EXPECT_EQ(as_written(0.1), Rational(1, 10));
  EXPECT_EQ(as_written(0.3333333333), *parse_rational("0.3333333333"));
  EXPECT_EQ(as_written(10.0 / 21), Rational(10, 21));
  EXPECT_EQ(as_written(1e15), Rational("1000000000000000"));
  EXPECT_EQ(as_written(0), 0);
}

TEST(BudgetUnit, IsTheGreatestCommonDivisor) {
  const auto unit = [](std::vector<Rational> amounts) { return common_unit(amounts); };
  EXPECT_EQ(unit({6, 4}), 2);
  EXPECT_EQ(unit({Rational(1, 3), Rational(1, 2)}), Rational(1, 6));
  EXPECT_EQ(unit({as_written(0.1), as_written(0.25)}), Rational(1, 20));
  EXPECT_EQ(unit({}), 1);
}

// --- problems by hand -----------------------------------------------------------------------------

constexpr const char* delivery = R"(
(define (domain delivery)
  (:predicates (home) (there))
  (:functions (time) (fuel))
  (:action fly :parameters () :precondition (home)
    :effect (and (increase (time) 1)
      (probabilistic 0.75 (and (not (home)) (there) (increase (fuel) 2))
                     0.25 (increase (fuel) 1/2))))
  (:action walk :parameters () :precondition (home)
    :effect (and (not (home)) (there) (increase (time) 6))))
(define (problem today) (:domain delivery)
  (:init (home)) (:goal (there)) (:metric minimize (time)) )";

std::shared_ptr<Model> with_constraints(const std::string& constraints) {
  return load_text(delivery + constraints + ")");
}

TEST(Guarantees, StatesSayWhatHasBeenUsed) {
  Monitor monitor;
  Cssp cssp = make_problem(with_constraints("(:constraints (<= (probability (> (fuel) 5/2)) 1/8))"),
                           {}, monitor);
  EXPECT_EQ(cssp.cost_names().back(), "P(fuel > 2.5)");
  ASSERT_EQ(cssp.bounds().size(), 1);
  EXPECT_EQ(cssp.bounds()[0].upper, 0.125);
  EXPECT_EQ(cssp.state_name(cssp.initial_state()), "(home) (used fuel 0)");
  Expansion expansion;
  cssp.expand(cssp.initial_state(), expansion);
  ASSERT_EQ(expansion.num_actions(), 2);
  EXPECT_EQ(cssp.action_name(expansion.action(0)), "(fly)");
  std::vector<std::string> successors;
  for (const StateId s : expansion.successors(0))
    successors.push_back(cssp.state_name(s));
  EXPECT_EQ(successors,
            (std::vector<std::string>{"(there) (used fuel 2)", "(home) (used fuel 0.5)"}));
  // Two failed flights are 1; another one that succeeds exceeds 2.5.
  StateId state = expansion.successors(0)[1];
  cssp.expand(state, expansion);
  state = expansion.successors(0)[1];
  cssp.expand(state, expansion);
  EXPECT_EQ(cssp.cost(expansion.action(0)).back(), 0.75);
  EXPECT_EQ(cssp.state_name(expansion.successors(0)[0]), "(there) (used fuel 3+)");
}

/// Fly until it succeeds: more than 2.5 are used if the first two attempts fail, 1/16 of all runs.
TEST(Guarantees, ChanceConstraint) {
  Monitor monitor;
  const auto solved = [&](const std::string& upper) {
    SolvedProblem answer = solve_problem(
        with_constraints("(:constraints (<= (probability (> (fuel) 2.5)) " + upper + "))"), {},
        precisely(), monitor);
    EXPECT_EQ(answer.solution.status, Status::optimal);
    return answer.solution.costs->front();
  };
  EXPECT_NEAR(solved("1/16"), 4.0 / 3, 1e-7);
  // Walk after two failures: 1 + 1/4 + 6/16.
  EXPECT_NEAR(solved("0"), 1 + 0.25 + 6.0 / 16, 1e-7);
  EXPECT_NEAR(solved("1/32"), (4.0 / 3 + 1.625) / 2, 1e-7);
}

TEST(Guarantees, AreAboutTheSameCostWhateverIsMinimised) {
  Monitor monitor;
  const std::string text =
      delivery + std::string("(:constraints (<= (probability (> (time) 2)) 1/8)))");
  const auto model = load_model_texts({{"delivery.pddl", text}}, monitor, nullptr, {{}, "fuel"});
  EXPECT_EQ(model->cost_model().costs, (std::vector<std::string>{"fuel", "time"}));
  EXPECT_EQ(model->cost_model().guarantees.at(0).cost, "time");
}

TEST(Guarantees, ExpectedExcessAndCvar) {
  Monitor monitor;
  // Without a bound: 2 + 1/2·k with probability 3/4·(1/4)^k, so E[(X - 2)⁺] = 1/6.
  const SolvedProblem excess =
      solve_problem(with_constraints("(:constraints (<= (expected-excess (fuel) 2) 1/12))"), {},
                    precisely(), monitor);
  ASSERT_EQ(excess.solution.status, Status::optimal);
  EXPECT_NEAR(excess.solution.costs->back(), 1.0 / 12, 1e-9);
  // The worst quarter of all runs use 2.5 and more, 2.5 + 1/6 on average.
  const auto cvar = [&](double upper) {
    return solve_problem(with_constraints(""), with({Kind::cvar, "fuel", 0.75, upper}), precisely(),
                         monitor);
  };
  EXPECT_NEAR(cvar(2.5 + 1.0 / 6).solution.costs->front(), 4.0 / 3, 1e-6);
  EXPECT_GT(cvar(2.5).solution.costs->front(), 1.34);
  // Walking always uses nothing at all.
  EXPECT_NEAR(cvar(0).solution.costs->front(), 6, 1e-9);
}

TEST(Guarantees, PenaltiesCountAsUsed) {
  Monitor monitor;
  CsspOptions options;
  options.give_up = {{"time", 0.5}, {"fuel", 3}};
  options.guarantees = {{Kind::chance, "fuel", 2.5, 0.5}};
  const SolvedProblem answer = solve_problem(with_constraints(""), options, precisely(), monitor);
  ASSERT_EQ(answer.solution.status, Status::optimal);
  // Half of the runs may give up at once; the others fly.
  EXPECT_LT(answer.solution.costs->front(), 4.0 / 3);
  EXPECT_NEAR(answer.solution.costs->back(), 0.5, 1e-9);
  bool gives_up = false;
  for (const Policy::Entry entry : answer.solution.policy)
    for (const Policy::Choice choice : entry.choices)
      gives_up |= answer.problem.gives_up(choice.action);
  EXPECT_TRUE(gives_up);
}

TEST(Guarantees, UnitsRoundUpAndSaySo) {
  Monitor monitor;
  CsspOptions options;
  options.units = {{"fuel", 1}};
  options.guarantees = {{Kind::chance, "fuel", 2.5, 1}};
  SolvedProblem answer = solve_problem(with_constraints(""), options, {}, monitor);
  // A failed attempt counts as 1, so that the second one that follows exceeds 2.5 if it succeeds.
  EXPECT_NEAR(answer.solution.costs->back(), 0.25, 1e-9);
  EXPECT_NE(answer.problem.warnings().back().find("rounded up to multiples of 1"),
            std::string::npos);
  options.units = {{"fuel", 0.25}};
  answer = solve_problem(with_constraints(""), options, {}, monitor);
  EXPECT_NEAR(answer.solution.costs->back(), 0.0625, 1e-9);
  EXPECT_TRUE(answer.problem.warnings().empty());
}

// --- what is wrong --------------------------------------------------------------------------------

std::string complaint(const std::shared_ptr<Model>& model, const CsspOptions& options) {
  Monitor monitor;
  try {
    make_problem(model, options, monitor);
  } catch (const InputError& error) {
    return error.message() + " | " + error.hint();
  }
  return "none";
}

struct Chain {
  using State = int;
  carl::CostModel cost_model() const { return {{"time", "fuel"}, {}, {}}; }
  State initial() const { return 0; }
  bool is_goal(const State& place) const { return place == 3; }
  void actions(const State& place, carl::ActionSink<State>& out) const {
    out.action("go", {1, 1}).outcome(0.5, place + 1, {1, 0}).outcome(0.5, place + 1, {1, 2});
    out.action("stay", {1, 0}).outcome(1, place);
  }
  std::string state_name(const State& place) const { return std::to_string(place); }
};

TEST(Guarantees, Complaints) {
  const auto model = with_constraints("");
  EXPECT_EQ(complaint(model, with({Kind::chance, "petrol", 2, 0.1})),
            "`chance`: there is no cost named 'petrol' | the costs are: time, fuel");
  EXPECT_EQ(complaint(model, with({Kind::chance, "fuel", -2, 0.1})),
            "`chance`: the limit is -2, but must not be negative | ");
  EXPECT_EQ(complaint(model, with({Kind::chance, "fuel", 2, 1.5})),
            "`chance`: 1.5 is not a probability | ");
  EXPECT_EQ(complaint(model, with({Kind::cvar, "fuel", 1, 2})),
            "`cvar`: the level is 1, but must be 0 or more and below 1 | 0.95 is about the worst "
            "5% of all runs");
  EXPECT_EQ(complaint(model, with({Kind::cvar, "fuel", 0.9, 2})),
            "CVaR 0.9 of fuel ≤ 2 is a search over many problems, one for each threshold | for a "
            "single one ask for the expected excess over a limit, `excess`");
  EXPECT_EQ(complaint(model, with({Kind::chance, "fuel", 1e6, 0.1})),
            "the budget 1000000 of 'fuel' has 2e+06 levels in units of 0.5, the largest unit of "
            "which all amounts are multiples | `unit fuel=10000` rounds amounts up to multiples of "
            "that, which never makes a guarantee weaker");
  EXPECT_EQ(complaint(model, with({Kind::chance, "fuel", 1e6, 0.1}, 0.1)),
            "the budget 1000000 of 'fuel' has 1e+07 levels in units of 0.1, which is too many | "
            "`unit fuel=10000` rounds amounts up to multiples of that, which never makes a "
            "guarantee weaker");
  CsspOptions zero = with({Kind::chance, "fuel", 1, 0.1});
  zero.units = {{"fuel", 0}};
  EXPECT_EQ(complaint(model, zero), "`unit`: the unit of 'fuel' is 0 | ");
  EXPECT_EQ(complaint(make_model(Chain{}), with({Kind::chance, "fuel", 2, 0.1})),
            "the model does not say beforehand which amounts of 'fuel' there are | give the unit "
            "to count it in, for example `unit fuel=1`");
  EXPECT_EQ(complaint(make_model(Chain{}), with({Kind::chance, "fuel", 2, 0.1}, 1)), "none");
  Monitor monitor;
  try {
    solve_problem(model, with({Kind::cvar, "fuel", 0.9, 1e6}), {}, monitor);
    ADD_FAILURE();
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find("levels in units of"), std::string::npos);
  }
  CsspOptions two = with({Kind::cvar, "fuel", 0.9, 4000});
  two.guarantees.push_back({Kind::cvar, "time", 0.9, 4000});
  try {
    solve_problem(model, two, {}, monitor);
    ADD_FAILURE();
  } catch (const OptionError& error) {
    EXPECT_EQ(error.message(), "`cvar`: there are more than 100000 combinations of thresholds");
  }
  try {
    const Cssp cssp(model, with({Kind::chance, "fuel", 2, 0.1}));
    ADD_FAILURE();
  } catch (const OptionError& error) {
    EXPECT_EQ(error.message(),
              "a problem that asks for more than expected costs is made by make_problem()");
  }
  try {
    thresholds_of(*model, with({Kind::cvar, "fuel", 0.9, 4}), {"time", "fuel"});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(),
              "the file does not say which threshold of CVaR 0.9 of fuel ≤ 4 it is about");
  }
}

/// What a file is about is found again by the names of its costs, also if two bounds are on the
/// CVaR of one cost.
TEST(Guarantees, ThresholdsOfAFile) {
  const auto model = with_constraints("");
  CsspOptions two = with({Kind::cvar, "fuel", 0.5, 4});
  two.guarantees.push_back({Kind::cvar, "fuel", 0.9, 6});
  const auto of = [&](const CsspOptions& options, const std::vector<std::string>& costs) {
    return thresholds_of(*model, options, costs);
  };
  EXPECT_EQ(of(two, {"time", "fuel", "excess(fuel > 1)", "excess(fuel > 3)"}),
            (std::vector<double>{1, 3}));
  EXPECT_EQ(of(two, {"time", "fuel", "excess(fuel > 3)", "excess(fuel > 1)"}),
            (std::vector<double>{3, 1}));
  // Two at the same threshold are one.
  EXPECT_EQ(of(two, {"time", "fuel", "excess(fuel > 2)"}), (std::vector<double>{2, 2}));
  // So is one that asks for what a bound on the excess asks for.
  two.guarantees[1] = {Kind::excess, "fuel", 2, 1};
  EXPECT_EQ(of(two, {"time", "fuel", "excess(fuel > 2)"}), (std::vector<double>{2}));
  EXPECT_EQ(of(two, {"time", "fuel", "excess(fuel > 3)", "excess(fuel > 2)"}),
            (std::vector<double>{3}));
  Monitor monitor;
  two.guarantees = {{Kind::cvar, "fuel", 0.5, 2}, {Kind::cvar, "fuel", 0.9, 3}};
  const SolvedProblem answer = solve_problem(model, two, precisely(), monitor);
  ASSERT_EQ(answer.solution.status, Status::optimal);
  EXPECT_EQ(of(two, answer.problem.cost_names()), answer.thresholds);
}

TEST(Guarantees, UsersOwnModels) {
  Monitor monitor;
  CsspOptions options;
  options.units = {{"fuel", 1}};
  options.guarantees = {{Kind::chance, "fuel", 4, 1}, {Kind::excess, "fuel", 2, 10}};
  const SolvedProblem answer = solve_problem(make_model(Chain{}), options, {}, monitor);
  ASSERT_EQ(answer.solution.status, Status::optimal);
  // Three coins of 0 or 2: 6 with probability 1/8; above 2: (3·2 + 4)/8.
  EXPECT_NEAR((*answer.solution.costs)[2], 0.125, 1e-12);
  EXPECT_NEAR((*answer.solution.costs)[3], 10.0 / 8, 1e-12);
}

// --- executions -----------------------------------------------------------------------------------

/// Every run of the simulation is charged what it has used.
void compare_runs(const Cssp& problem, const std::vector<Guarantee>& guarantees,
                  const Simulation& simulation) {
  const std::size_t n = problem.num_costs();
  for (std::size_t first = 0; first < simulation.totals.size(); first += n) {
    const double* run = &simulation.totals[first];
    for (std::size_t g = 0; g < guarantees.size(); ++g) {
      const double used = run[1];
      const double charged = run[n - guarantees.size() + g];
      const double limit = guarantees[g].limit;
      if (guarantees[g].kind == Kind::chance)
        ASSERT_EQ(charged, used > limit + 1e-9 ? 1 : 0) << used << " of " << limit;
      else
        ASSERT_NEAR(charged, std::max(0.0, used - limit), 1e-9 * (1 + used));
    }
  }
}

TEST(Guarantees, SimulationsConfirmThem) {
  Monitor monitor;
  std::size_t policies = 0;
  std::size_t between = 0;  // probabilities that are neither 0 nor 1
  for (std::uint64_t seed = 1; seed <= scaled(400); ++seed) {
    RandomModelOptions kind;
    kind.integer_costs = true;
    kind.costs = 2;
    kind.states = 3 + seed % 4;
    kind.give_up = seed % 3 == 0;
    kind.zero_secondary_costs = seed % 2 == 0;
    const std::shared_ptr<Model> model = random_model(seed, kind);
    const std::string fuel = model->cost_model().costs[1];
    SplitMix64 random(seed);
    CsspOptions options;
    const auto below = [&](std::size_t n) { return static_cast<double>(random.below(n)); };
    options.guarantees = {{Kind::chance, fuel, below(12), 0.05 * (1 + below(12))},
                          {Kind::excess, fuel, below(12), 0.5 * (1 + below(8))}};
    const SolvedProblem answer = solve_problem(model, options, {}, monitor);
    if (!answer.solution.costs) continue;
    ASSERT_EQ(answer.solution.status, Status::optimal) << seed;
    ++policies;
    Cssp problem = answer.problem;
    const Simulator simulator(problem, answer.solution.policy, monitor);
    ASSERT_TRUE(simulator.findings().empty());
    const Simulation simulation = simulator.run(runs(2000, seed), monitor);
    compare_runs(problem, options.guarantees, simulation);
    for (std::size_t c = 0; c < problem.num_costs(); ++c) {
      const Sample& sample = simulation.costs[c];
      const double exact = (*answer.solution.costs)[c];
      double error = std::max(sample.deviation / std::sqrt(2000.0), 1e-9);
      if (c == 2) error = std::sqrt(std::max(0.0, exact * (1 - exact)) / 2000) + 1.0 / 2000;
      // What hardly ever happens tells nothing of its average.
      if (c == 3 && sample.percentile_99 == 0) continue;
      EXPECT_NEAR(sample.mean, exact, 4 * error) << problem.cost_names()[c] << " of model " << seed;
    }
    const double chance = (*answer.solution.costs)[2];
    between += chance > 0.01 && chance < 0.99;
  }
  EXPECT_GE(policies, at_full_scale(200));
  EXPECT_GE(between, at_full_scale(50));
}

/// All algorithms and heuristics agree on unfolded problems.
TEST(Guarantees, AlgorithmsAgree) {
  Monitor monitor;
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= scaled(60); ++seed) {
    RandomModelOptions kind;
    kind.integer_costs = true;
    kind.costs = 2;
    kind.give_up = seed % 2 == 0;
    kind.dead_ends = kind.give_up ? DeadEnds::avoidable : DeadEnds::none;
    const std::shared_ptr<Model> model = random_model(seed, kind);
    CsspOptions options;
    options.guarantees = {{Kind::chance, model->cost_model().costs[1], 5, 0.2}};
    Cssp problem = make_problem(model, options, monitor);
    const Solution lp = solve(problem, by(Algorithm::lp), monitor);
    for (const HeuristicKind heuristic : {HeuristicKind::dijkstra, HeuristicKind::zero})
      for (const Algorithm algorithm : {Algorithm::carl, Algorithm::i_dual, Algorithm::automatic}) {
        SolveOptions solve_options = by(algorithm);
        solve_options.search.heuristic = heuristic;
        solve_options.carl.inner = InnerAlgorithm::cg_ilao;
        const Solution solution = solve(problem, solve_options, monitor);
        ASSERT_EQ(solution.status, lp.status) << seed;
        if (!lp.costs) continue;
        EXPECT_NEAR(solution.costs->front() / lp.costs->front(), 1, 2e-4) << seed;
        ++compared;
      }
  }
  EXPECT_GE(compared, at_full_scale(150));
}

}  // namespace
}  // namespace carl::testing
