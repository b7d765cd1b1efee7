// What an oracle says again is true, whatever it is asked after it was resumed: all answers against
// policy iteration over all states.

#include "oracle/checkpointed_oracle.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "graph/proper_region.h"
#include "oracle/search_oracle.h"
#include "ssp/policy_iteration.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::oracle {
namespace {

std::shared_ptr<Model> model_of(std::uint64_t seed) {
  if (seed % 3 == 0) return testing::random_task(seed);
  testing::RandomModelOptions options = testing::random_options(seed, 12);
  options.bounds = testing::BoundsKind::none;
  return testing::random_model(seed, options);
}

/// All states, and what is least for any weights; infinite if there is no proper policy.
class Reference {
 public:
  explicit Reference(std::uint64_t seed) : cssp_(model_of(seed)), graph_(cssp_) {
    graph_.expand_all(monitor_);
    region_ = graph::proper_region(graph_, monitor_);
  }
  bool has_question() const {
    return region_.contains(graph_.initial_state()) && !graph_.is_goal(graph_.initial_state());
  }
  double least(std::span<const double> weights) {
    return ssp::policy_iteration(graph_, region_, weights, monitor_)
        .value[graph_.initial_state().index()];
  }

 private:
  Cssp cssp_;
  Monitor monitor_;
  graph::SearchGraph graph_;
  graph::ProperRegion region_;
};

/// A process that asks, from when it was started to when it was killed.
class Process {
 public:
  Process(std::uint64_t seed, const std::string& folder)
      : cssp_(model_of(seed)),
        search_(cssp_, {}, monitor_),
        oracle_(search_, search_, cssp_, {folder, true, std::to_string(seed)}) {}

  CheckpointedOracle& oracle() { return oracle_; }
  const Cssp& cssp() const { return cssp_; }

 private:
  Monitor monitor_;
  Cssp cssp_;
  SearchOracle search_;
  CheckpointedOracle oracle_;
};

struct Question {
  enum class Kind { ask, ask_and_bound, tighten } kind;
  std::vector<double> weights;
};

std::vector<Question> random_questions(std::size_t num_costs, SplitMix64& random) {
  std::vector<Question> questions(1 + random.below(6));
  for (Question& question : questions) {
    question.kind = static_cast<Question::Kind>(random.below(3));
    question.weights = {1};
    while (question.weights.size() < num_costs)
      question.weights.push_back(random.below(3) == 0 ? 0.0 : 3 * random.unit());
  }
  return questions;
}

double weighted(std::span<const double> costs, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t i = 0; i < costs.size(); ++i)
    sum += costs[i] * weights[i];
  return sum;
}

constexpr double rounding = 1e-9;

void expect_true(const Answer& answer, const Question& question, CheckpointedOracle& oracle,
                 Reference& reference) {
  const double least = reference.least(question.weights);
  ASSERT_EQ(answer.outcome, Answer::Outcome::answered);
  EXPECT_LE(answer.lower_bound, least * (1 + rounding) + 1e-12);
  EXPECT_GE(answer.weighted_cost, least * (1 - rounding) - 1e-12);
  ASSERT_LT(answer.policy, oracle.num_policies());
  EXPECT_NEAR(weighted(oracle.costs(answer.policy), question.weights), answer.weighted_cost,
              rounding * (1 + answer.weighted_cost));
  if (question.kind != Question::Kind::ask_and_bound) return;
  // Of the weights that were just asked for, a bound is as good as the answer.
  const double bound = oracle.bound_nearby(question.weights, 1e-12, 0);
  EXPECT_LE(bound, least * (1 + rounding) + 1e-12);
  EXPECT_GE(bound, answer.lower_bound * (1 - 1e-3) - 1e-9);
}

void ask_all(const std::vector<Question>& questions, CheckpointedOracle& oracle,
             Reference& reference) {
  for (const Question& question : questions) {
    if (question.kind == Question::Kind::tighten)
      oracle.tighten();
    else
      expect_true(oracle.ask(question.weights), question, oracle, reference);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// What was found, in this process and others, can be mixed.
void expect_mixture(CheckpointedOracle& oracle, SplitMix64& random) {
  std::vector<double> mixture(oracle.num_policies());
  double sum = 0;
  for (double& weight : mixture)
    sum += weight = random.below(2) == 0 ? 0.0 : random.unit();
  if (sum == 0) sum = mixture.front() = 1;
  std::vector<double> expected(oracle.costs(0).size(), 0.0);
  for (std::size_t k = 0; k < mixture.size(); ++k) {
    mixture[k] /= sum;
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] += mixture[k] * oracle.costs(k)[i];
  }
  const EvaluatedPolicy mixed = oracle.mix(mixture);
  ASSERT_TRUE(mixed.proper);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(mixed.costs[i], expected[i], 1e-7 * (1 + expected[i]));
}

TEST(CheckpointedOracle, WhatIsSaidAgainIsTrueWhateverIsAskedNext) {
  const std::string memory = "/dev/shm";
  const std::filesystem::path folder =
      std::filesystem::path(::access(memory.c_str(), W_OK) == 0 ? memory : ::testing::TempDir()) /
      fmt::format("carl-oracle-{}", ::getpid());
  std::size_t resumed = 0;
  std::size_t answered = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    Reference reference(seed);
    if (!reference.has_question()) continue;
    std::filesystem::remove_all(folder);
    std::vector<Question> questions;
    for (int life = 0; life < 4; ++life) {
      Process process(seed, folder.string());
      // Those of the process before, or the first few of them, and then others.
      questions.resize(random.below(questions.size() + 1));
      for (Question& question : random_questions(process.cssp().num_costs(), random))
        questions.push_back(std::move(question));
      ask_all(questions, process.oracle(), reference);
      resumed += process.oracle().num_resumed();
      answered += questions.size();
      EXPECT_EQ(process.oracle().trouble(), "");
      if (process.oracle().num_policies() > 0) expect_mixture(process.oracle(), random);
      if (::testing::Test::HasFailure()) return;
    }
  }
  std::filesystem::remove_all(folder);
  EXPECT_GT(resumed, answered / 10);
}

}  // namespace
}  // namespace carl::oracle
