// The API tester at work, and tests of the tester: that it shrinks what fails, and that the programs
// that it prints are right.

#include "solver/call_sequence.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "carl/error.h"
#include "solver/execute.h"
#include "solver/print_program.h"
#include "solver/run_apart.h"
#include "solver/shrink.h"
#include "support/scale.h"
#include "support/source_path.h"

namespace carl::testing {
namespace {

// --- random calls ---------------------------------------------------------------------------------

/// What is wrong; empty if nothing is.
std::string errors_of(const CallSequence& sequence) {
  const std::optional<Disagreement> found = execute(sequence);
  return found ? fmt::format("call {}: {}", found->call, found->what) : "";
}

std::string errors_apart(const CallSequence& sequence) {
  return run_apart([&] {
           try {
             return errors_of(sequence);
           } catch (const InputError&) {
             return std::string();  // a shortened sequence may have a model that is none
           }
         })
      .text;
}

/// The first of so many sequences that fails, shrunk, as text; empty if none does.
std::string first_failure(std::uint64_t first, std::size_t count) {
  const auto one_after_the_other = [&] {
    for (std::uint64_t seed = first; seed < first + count; ++seed)
      if (!errors_of(random_sequence(seed)).empty()) return std::to_string(seed);
    return std::string();
  };
  const ApartResult result = run_apart(one_after_the_other);
  if (result.text.empty()) return {};
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const CallSequence sequence = random_sequence(seed);
    const std::string errors = errors_apart(sequence);
    if (errors.empty()) continue;
    const CallSequence small =
        shrink(sequence, [](const CallSequence& one) { return !errors_apart(one).empty(); });
    return fmt::format("seed {}: {}\nshrunk to: {}\n\n{}", seed, errors, errors_apart(small),
                       program_text(small));
  }
  return result.text;
}

/// Several tests, so that they are run in parallel.
class RandomCalls : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomCalls, AnswerLikeFreshSolves) {
  constexpr std::size_t batch = 100;
  const std::size_t sequences = scaled(1600);
  for (std::size_t i = 0; i < sequences; i += batch)
    if (const std::string failure =
            first_failure((GetParam() << 32) + i, std::min(batch, sequences - i));
        !failure.empty())
      FAIL() << failure;
}

INSTANTIATE_TEST_SUITE_P(Solver, RandomCalls, ::testing::Range<std::uint64_t>(0, 6));

// --- the tester -----------------------------------------------------------------------------------

template <class Wanted, class Condition>
std::size_t position(const CallSequence& sequence, std::size_t from, Condition condition) {
  for (; from < sequence.calls.size(); ++from) {
    const auto* call = std::get_if<Wanted>(&sequence.calls[from]);
    if (call != nullptr && condition(*call)) break;
  }
  return from;
}

/// A comparison that is wrong on purpose: forbidding a cost and solving later by search.
bool fails_after_zero_bound(const CallSequence& sequence) {
  const std::size_t zero =
      position<SetBound>(sequence, 0, [](const SetBound& call) { return call.upper == 0; });
  const std::size_t solve = position<SolveIt>(sequence, zero, [](const SolveIt& call) {
    return call.options.algorithm == Algorithm::carl;
  });
  return solve < sequence.calls.size() && written_out(sequence.model).actions.size() >= 2;
}

TEST(Shrink, LeavesWhatItTakesToFail) {
  std::size_t seen = 0;
  for (std::uint64_t seed = 0; seen < 10; ++seed) {
    const CallSequence sequence = random_sequence(seed);
    if (!fails_after_zero_bound(sequence)) continue;
    ++seen;
    const CallSequence small = shrink(sequence, fails_after_zero_bound);
    ASSERT_EQ(small.calls.size(), 2U) << seed;
    EXPECT_TRUE(std::holds_alternative<SetBound>(small.calls[0]));
    const SolveIt& solve = std::get<SolveIt>(small.calls[1]);
    EXPECT_FALSE(solve.options.carl.inner);
    EXPECT_EQ(solve.options.gap, SolveOptions().gap);
    EXPECT_EQ(solve.interruption.by, Interruption::By::nothing);
    EXPECT_EQ(written_out(small.model).actions.size(), 2U);
    EXPECT_TRUE(std::holds_alternative<TableDraft>(small.model));
  }
}

TEST(Shrink, EndsAfterSoManyAttempts) {
  std::size_t attempts = 0;
  const auto counts = [&](const CallSequence&) { return ++attempts % 2 == 0; };
  shrink(random_sequence(1), counts, 15);
  EXPECT_EQ(attempts, 15U);
}

/// One call of each kind.
CallSequence example() {
  TableDraft model;
  model.costs = {{"time", "fuel", "risk"}, {{1, 4.5}}, {}};
  model.states = 3;
  model.goals = {2};
  model.actions = {{0, {1, 3, 0}, {{0.5, 1}, {0.5, 2}}},
                   {0, {2, 1, 0.25}, {{1, 1}}},
                   {1, {1, 3, 0}, {{1, 2}}},
                   {1, {4, 0, 0}, {{0.75, 2}, {0.25, 1}}}};
  SolveOptions options;
  options.carl.inner = InnerAlgorithm::cg_ilao_paper;
  options.carl.outer = OuterAlgorithm::coordinate;
  options.search.heuristic = HeuristicKind::dijkstra;
  options.search.heuristic_mode = HeuristicMode::ideal_point;
  options.gap = 0.01;
  options.explain = false;
  options.mixture_policies = true;
  SolveOptions dual;
  dual.algorithm = Algorithm::i_dual;
  const double infinity = std::numeric_limits<double>::infinity();
  using Kind = WrongCall::Kind;
  return {model,
          {SolveIt{},
           SetBound{1, 2.5},
           SolveIt{options, {}},
           SimulateIt{},
           SetBound{2, 0},
           SetGiveUp{{{10, 0, 0}}},
           SolveIt{dual, {Interruption::By::reports, 3}},
           SetGiveUp{std::nullopt},
           SetBound{2, infinity},
           SweepIt{{"fuel", 1, 5, 1}, SweepRange{"risk", 0, 0.25, 0.125}, {}, {}},
           Forget{},
           SolveIt{{}, {Interruption::By::clock, 1}},
           MoveIt{},
           Renew{true},
           SweepIt{{"risk", 0, 1, 0.5}, {}, {}, {}},
           FrontIt{{0, 1, 2}, 0.01, {}, {}},
           FrontIt{{1, 2}, {}, {}, {Interruption::By::reports, 2}},
           Renew{false},
           WrongCall{Kind::unknown_cost},
           WrongCall{Kind::negative_bound},
           WrongCall{Kind::unknown_penalty},
           WrongCall{Kind::negative_gap},
           WrongCall{Kind::no_such_sweep},
           SolveIt{}}};
}

/// The expected text is compiled and run by a test of its own.
TEST(PrintProgram, IsTheProgramThatIsCompiled) {
  const std::string path = tests::source_path("tests/solver/data/printed_program.cc");
  const std::string text = program_text(example());
  if (std::getenv("CARL_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::stringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, expected.str());
  EXPECT_FALSE(execute(example()));
}

}  // namespace
}  // namespace carl::testing
