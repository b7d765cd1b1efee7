// Options: their names, and everything that solve(), sweep() and make_certificate() reject at once,
// with the words of the library, which knows of no command line.

#include "carl/options.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>

#include "carl/certificate.h"
#include "carl/sweep.h"
#include "cssp/agreement.h"
#include "cssp/paper_examples.h"
#include "support/random_task.h"

namespace carl::cssp {
namespace {

using ::testing::ElementsAre;
using ::testing::MatchesRegex;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

/// What `call` is told, with its hint.
std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const OptionError& error) {
    return error.what();
  }
  return "";
}

std::string solve_complaint(const std::shared_ptr<Model>& model, const SolveOptions& options) {
  return complaint([&] { run(model, options); });
}

std::string sweep_complaint(const SolveOptions& options) {
  return complaint([&] {
    Cssp cssp(testing::getting_to_work());
    Monitor monitor;
    sweep(cssp, {"price", 1, 3, 1}, {}, options, monitor);
  });
}

TEST(Options, EveryNameStandsForItsValue) {
  const auto expect_round_trip = [](const std::vector<std::string>& names, auto named) {
    EXPECT_FALSE(names.empty());
    for (const std::string& name : names)
      EXPECT_EQ(to_string(named(name)), name);
  };
  expect_round_trip(algorithm_names(), algorithm_named);
  expect_round_trip(outer_names(), outer_named);
  expect_round_trip(inner_names(), inner_named);
  expect_round_trip(heuristic_names(), heuristic_named);
  expect_round_trip(heuristic_mode_names(), heuristic_mode_named);
  EXPECT_EQ(algorithm_named("auto"), Algorithm::automatic);
  EXPECT_THAT(outer_names(), ElementsAre("bundle", "coordinate"));
  EXPECT_THAT(heuristic_mode_names(), ElementsAre("lambda", "ideal-point", "c-roc"));
}

TEST(Options, WhatSolvesScalarisedProblemsSolvesProblemsWithoutBounds) {
  std::vector<std::string> found;
  for (const std::string& name : algorithm_names())
    if (const auto inner = inner_algorithm(algorithm_named(name))) {
      EXPECT_EQ(to_string(*inner), name);
      found.push_back(name);
    }
  EXPECT_EQ(found, inner_names());
}

TEST(Options, UnknownNamesAreToldWhichThereAre) {
  EXPECT_EQ(complaint([] { algorithm_named("i-daul"); }),
            "error: there is no algorithm named 'i-daul'\n"
            "  hint: did you mean 'i-dual'? choose one of: " +
                std::string("carl, auto, i-dual, i-dual-textbook, i2-dual, lp, cg-ilao, "
                            "cg-ilao-paper, ilao, lrtdp, vi"));
  EXPECT_EQ(complaint([] { outer_named(""); }),
            "error: there is no outer algorithm named ''\n"
            "  hint: choose one of: bundle, coordinate");
  EXPECT_EQ(complaint([] { inner_named("lp"); }),
            "error: there is no inner algorithm named 'lp'\n"
            "  hint: choose one of: cg-ilao, cg-ilao-paper, ilao, lrtdp, vi");
  EXPECT_EQ(complaint([] { heuristic_named("lm-cut"); }),
            "error: there is no heuristic named 'lm-cut'\n"
            "  hint: did you mean 'lmcut'? choose one of: "
            "pdb, landmarks, lmcut, roc, pom, hmax, dijkstra, zero");
  EXPECT_EQ(complaint([] { heuristic_mode_named("Lambda"); }),
            "error: there is no heuristic mode named 'Lambda'\n"
            "  hint: did you mean 'lambda'? choose one of: lambda, ideal-point, c-roc");
}

TEST(Options, NumbersMustBeInRange) {
  const auto model = testing::getting_to_work();
  const auto with = [](double gap, std::optional<double> epsilon, std::optional<double> eta) {
    SolveOptions options;
    options.gap = gap;
    options.search.epsilon = epsilon;
    options.carl.eta = eta;
    return options;
  };
  EXPECT_EQ(solve_complaint(model, with(nan, {}, {})),
            "error: `gap`: nan is not a number of 0 or more");
  EXPECT_EQ(solve_complaint(model, with(-1, {}, {})),
            "error: `gap`: -1 is not a number of 0 or more");
  EXPECT_EQ(solve_complaint(model, with(0, {}, {})), "");
  EXPECT_EQ(solve_complaint(model, with(infinite, {}, {})), "");
  for (const double number : {0.0, -1.0, nan, infinite}) {
    SCOPED_TRACE(number);
    EXPECT_THAT(solve_complaint(model, with(1e-4, number, {})),
                MatchesRegex("error: `epsilon`: .* is not a number above 0"));
    EXPECT_THAT(sweep_complaint(with(1e-4, {}, number)),
                MatchesRegex("error: `eta`: .* is not a number above 0"));
  }
  EXPECT_EQ(sweep_complaint(with(nan, {}, {})), "error: `gap`: nan is not a number of 0 or more");
}

SolveOptions with(Algorithm algorithm, std::optional<HeuristicKind> heuristic = {},
                  std::optional<HeuristicMode> mode = {}) {
  SolveOptions options;
  options.algorithm = algorithm;
  options.search.heuristic = heuristic;
  options.search.heuristic_mode = mode;
  return options;
}

TEST(Options, ChoicesMustGoTogether) {
  using enum Algorithm;
  const auto task = testing::random_task(1);
  EXPECT_EQ(solve_complaint(task, with(i_dual, {}, HeuristicMode::lambda)),
            "error: i-dual needs a lower bound for each cost, not one for scalarised costs\n"
            "  hint: leave out `heuristic_mode lambda`");
  EXPECT_EQ(solve_complaint(task, with(i_dual, HeuristicKind::hmax, HeuristicMode::c_roc)),
            "error: `heuristic_mode c-roc` goes with the heuristic roc\n"
            "  hint: leave out `heuristic`, or the mode");
  EXPECT_EQ(solve_complaint(task, with(i2_dual, {}, HeuristicMode::ideal_point)),
            "error: i2-dual has its heuristic inside the LP and no mode for it\n"
            "  hint: leave out `heuristic_mode`");
  EXPECT_EQ(solve_complaint(task, with(i2_dual, HeuristicKind::zero)),
            "error: i2-dual cannot build 'zero' into its LP\n"
            "  hint: choose pom or roc, or `algorithm i-dual`");
  EXPECT_EQ(solve_complaint(task, with(Algorithm::carl, HeuristicKind::hmax, HeuristicMode::c_roc)),
            "error: `heuristic_mode c-roc` goes with the heuristic roc\n"
            "  hint: leave out `heuristic`, or the mode");
  const std::string not_for_others =
      "error: C-ROC is a heuristic for carl and i-dual alone\n"
      "  hint: choose `algorithm i-dual`, or one of the modes lambda and ideal-point";
  for (const Algorithm algorithm : {automatic, lp, vi, cg_ilao})
    EXPECT_EQ(solve_complaint(task, with(algorithm, HeuristicKind::roc, HeuristicMode::c_roc)),
              not_for_others);
  SolveOptions kept;
  kept.checkpoint.directory = "folder";
  EXPECT_EQ(sweep_complaint(kept),
            "error: there are no checkpoints of sweeps and fronts\n"
            "  hint: leave out `checkpoint` and `resume`");
  EXPECT_EQ(sweep_complaint(with(i_dual, {}, HeuristicMode::c_roc)),
            "error: C-ROC is for one set of bounds, not for sweeps and fronts\n"
            "  hint: choose one of the modes lambda and ideal-point");
  // All that guides i-dual without a task is one bound per cost, whatever it is asked for.
  for (const auto heuristic : {HeuristicKind::dijkstra, HeuristicKind::zero})
    EXPECT_EQ(solve_complaint(task, with(i_dual, heuristic, HeuristicMode::lambda)), "");
}

TEST(Options, ChoicesMustSuitTheProblem) {
  const auto model = testing::getting_to_work();
  for (const std::string& name : algorithm_names()) {
    SCOPED_TRACE(name);
    SolveOptions options = with(algorithm_named(name));
    if (inner_algorithm(options.algorithm)) {
      EXPECT_EQ(solve_complaint(model, options),
                "error: '" + name +
                    "' is for problems without bounds\n"
                    "  hint: solve this one with `algorithm carl`");
      continue;
    }
    options.search.heuristic = HeuristicKind::pom;
    EXPECT_EQ(solve_complaint(model, options),
              options.algorithm == Algorithm::i2_dual
                  ? "error: i2-dual needs a factored problem\n"
                    "  hint: for other models choose i-dual or carl"
                  : "error: the heuristic 'pom' needs a factored problem\n"
                    "  hint: for other models choose dijkstra or zero");
  }
  EXPECT_EQ(solve_complaint(model, with(Algorithm::i_dual, {}, HeuristicMode::c_roc)),
            "error: the heuristic 'roc' needs a factored problem\n"
            "  hint: for other models choose dijkstra or zero");
}

TEST(Options, ACertificateNeedsAHeuristicThatSuitsTheProblem) {
  Cssp cssp(testing::getting_to_work());
  Monitor monitor;
  const Solution solution = solve(cssp, {}, monitor);
  CertificateOptions options;
  options.heuristic = HeuristicKind::lmcut;
  EXPECT_EQ(complaint([&] { make_certificate(cssp, solution, options, monitor); }),
            "error: the heuristic 'lmcut' needs a factored problem\n"
            "  hint: for other models choose dijkstra or zero");
}

TEST(Options, ASweepHasAnAlgorithmOfItsOwn) {
  SolveOptions options = with(Algorithm::vi);
  options.carl.outer = OuterAlgorithm::coordinate;
  EXPECT_EQ(sweep_complaint(options), "");
}

TEST(Options, OnlyCarlDoesWithoutCoins) {
  const auto model = testing::getting_to_work();
  const auto without_coins = [](SolveOptions options) {
    options.deterministic = true;
    return options;
  };
  for (const auto algorithm : {Algorithm::lp, Algorithm::i_dual, Algorithm::i2_dual})
    EXPECT_EQ(solve_complaint(model, without_coins(with(algorithm))),
              "error: '" + std::string(to_string(algorithm)) +
                  "' cannot look for policies that toss no coin\n"
                  "  hint: with `deterministic` choose `algorithm carl`");
  SolveOptions coordinate = without_coins(with(Algorithm::carl));
  coordinate.carl.outer = OuterAlgorithm::coordinate;
  EXPECT_EQ(solve_complaint(model, coordinate),
            "error: coordinate search has no part in looking for policies that toss no coin\n"
            "  hint: with `deterministic` leave out `outer coordinate`");
  EXPECT_EQ(solve_complaint(model, without_coins(with(Algorithm::carl, {}, HeuristicMode::c_roc))),
            "error: C-ROC proves nothing of policies that toss no coin\n"
            "  hint: with `deterministic` leave out `heuristic_mode c-roc`");
  EXPECT_EQ(solve_complaint(model, without_coins(with(Algorithm::automatic))), "");
  EXPECT_EQ(sweep_complaint(without_coins(with(Algorithm::carl))),
            "error: sweeps and fronts are about policies that may toss coins\n"
            "  hint: solve for one bound after the other, each with `deterministic`");
}

TEST(Options, PoliciesWithoutCoinsHaveNoCertificate) {
  Cssp cssp(testing::getting_to_work());
  Monitor monitor;
  SolveOptions options;
  options.deterministic = true;
  const Solution solution = solve(cssp, options, monitor);
  try {
    make_certificate(cssp, solution, {}, monitor);
    FAIL();
  } catch (const NoCertificate& none) {
    EXPECT_STREQ(none.what(),
                 "what is proved of all policies is no proof of the best one that tosses no coin");
  }
}

}  // namespace
}  // namespace carl::cssp
