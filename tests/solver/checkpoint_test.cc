// A solve that is resumed after any of its answers gives the answer of one that was not interrupted;
// what is damaged, or about something else, is an error or makes no difference.

#include "carl/checkpoint.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "carl/check.h"
#include "carl/error.h"
#include "carl/io.h"
#include "carl/policy_parts.h"
#include "carl/solve.h"
#include "carl/solver.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl {
namespace {

using ::testing::HasSubstr;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::shared_ptr<Model> model_of(std::uint64_t seed) {
  if (seed % 2 == 0) return testing::random_task(seed);
  return testing::random_model(seed, testing::random_options(seed, 12));
}

class Checkpoints : public ::testing::Test {
 protected:
  Checkpoints() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    // Made durable thousands of times, files are better not on a disk.
    const std::string memory = "/dev/shm";
    folder_ =
        std::filesystem::path(::access(memory.c_str(), W_OK) == 0 ? memory : ::testing::TempDir()) /
        fmt::format("carl-checkpoint-{}-{}", ::getpid(), test->name());
    std::filesystem::remove_all(folder_);
  }
  ~Checkpoints() override { std::filesystem::remove_all(folder_); }

  SolveOptions options(bool resume = true) const {
    SolveOptions options;
    options.checkpoint = {folder_.string(), resume, "the text of the problem"};
    return options;
  }
  Solution run(std::uint64_t seed, const SolveOptions& options) {
    Monitor monitor;
    Cssp cssp(model_of(seed));
    Solution solution = solve(cssp, options, monitor);
    if (solution.costs) {
      EXPECT_TRUE(check_policy(cssp, solution.policy, nullptr, {}, monitor).findings.empty());
    }
    return solution;
  }
  Solution resume(std::uint64_t seed) { return run(seed, options()); }
  std::string error(std::uint64_t seed) {
    try {
      resume(seed);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  Checkpoint read() const {
    Monitor monitor;
    return read_checkpoint(folder_.string(), monitor);
  }
  /// As if the process had been killed after so many answers.
  void forget_after(Checkpoint checkpoint, std::size_t calls) const {
    checkpoint.calls.resize(calls);
    std::size_t known = 0;
    for (const Checkpoint::Call& call : checkpoint.calls)
      if (call.kind == Checkpoint::Call::Kind::ask) known = std::max(known, call.policy + 1);
    checkpoint.policies.resize(known);
    write_checkpoint(checkpoint, folder_.string());
  }
  void put(const std::filesystem::path& path, const std::string& text) const {
    std::ofstream(path, std::ios::binary) << text;
  }
  /// The first one that takes a few answers and has a policy.
  std::uint64_t seed_with_answers() {
    for (std::uint64_t seed = 1;; ++seed) {
      std::filesystem::remove_all(folder_);
      const Solution solution = resume(seed);
      if (solution.status == Status::optimal && solution.mixture.size() > 1 &&
          read().calls.size() >= 4)
        return seed;
    }
  }

  std::filesystem::path folder_;
};

void expect_same(const Solution& found, const Solution& expected, double gap) {
  ASSERT_EQ(found.status, expected.status) << found.note << " / " << expected.note;
  ASSERT_EQ(found.costs.has_value(), expected.costs.has_value());
  if (!found.costs) return;
  const double cost = (*expected.costs)[0];
  EXPECT_NEAR((*found.costs)[0], cost, 2 * gap * std::abs(cost) + 1e-12);
  EXPECT_LE(found.lower_bound.value_or(0), cost * (1 + 1e-8) + 1e-12);
}

TEST_F(Checkpoints, ResumedAfterAnyAnswerASolveEndsAsItWouldHave) {
  SplitMix64 random(3);
  std::size_t resumed = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(600); ++seed) {
    SCOPED_TRACE(seed);
    std::filesystem::remove_all(folder_);
    const Solution plain = run(seed, {});
    const Solution kept = run(seed, options(false));
    // Who writes down what is said does not change it.
    ASSERT_EQ(kept.status, plain.status);
    ASSERT_EQ(kept.costs, plain.costs);
    ASSERT_EQ(kept.policy, plain.policy);
    ASSERT_EQ(kept.note, plain.note);
    const Checkpoint whole = read();
    infeasible += plain.status == Status::infeasible ? 1 : 0;
    for (int round = 0; round < 3; ++round) {
      // All of it first.
      const std::size_t calls =
          round == 0 ? whole.calls.size() : random.below(whole.calls.size() + 1);
      SCOPED_TRACE(calls);
      forget_after(whole, calls);
      const Solution again = resume(seed);
      expect_same(again, plain, 1e-4);
      if (again.note.find("in the checkpoint") != std::string::npos) ++resumed;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(resumed, testing::scaled(600));
  EXPECT_GT(infeasible, testing::scaled(24));
}

TEST_F(Checkpoints, WhatWasAskedWithOtherOptionsIsTrueAllTheSame) {
  std::size_t resumed = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(80); ++seed) {
    SCOPED_TRACE(seed);
    std::filesystem::remove_all(folder_);
    SolveOptions coarse = options();
    coarse.gap = 0.05;
    run(seed, coarse);
    SolveOptions fine = options();
    fine.gap = 1e-7;
    fine.search.epsilon = 1e-6;
    fine.carl.inner = seed % 3 == 0 ? InnerAlgorithm::vi : InnerAlgorithm::cg_ilao;
    const Solution again = run(seed, fine);
    SolveOptions plain = fine;
    plain.checkpoint = {};
    expect_same(again, run(seed, plain), 1e-7);
    if (again.note.find("in the checkpoint") != std::string::npos) ++resumed;
    if (HasFailure()) return;
  }
  EXPECT_GT(resumed, testing::scaled(40));
}

TEST_F(Checkpoints, OfAnotherProblemAreRefused) {
  const std::uint64_t seed = seed_with_answers();
  Monitor monitor;
  for (int what = 0; what < 4; ++what) {
    Cssp cssp(model_of(seed));
    SolveOptions other = options();
    if (what == 0) other.checkpoint.problem = "another text";
    if (what == 1) cssp.set_bound(cssp.cost_names()[1], 1e6);
    if (what == 2) cssp.set_penalties(std::vector{std::pair(cssp.cost_names()[0], 1e3)});
    if (what == 3) other.checkpoint.resume = false;
    EXPECT_THROW(solve(cssp, other, monitor), InputError) << what;
  }
}

TEST_F(Checkpoints, ThatAreDamagedAreRefused) {
  const std::uint64_t seed = seed_with_answers();
  const std::filesystem::path path = folder_ / "checkpoint.json";
  const std::string whole = text_of(path);
  SplitMix64 random(5);
  for (std::size_t round = 0; round < testing::scaled(200); ++round) {
    std::string text = whole;
    if (round % 2 == 0) {
      text.resize(random.below(text.size() - 20));
    } else {
      char& byte = text[random.below(text.size() - 4)];
      byte = static_cast<char>(byte ^ static_cast<char>(1U << random.below(7)));
    }
    put(path, text);
    EXPECT_NE(error(seed), "") << text;
  }
  put(path, whole);
  EXPECT_EQ(error(seed), "");
}

TEST_F(Checkpoints, PoliciesThatAreDamagedAreRefusedIfTheyAreNeeded) {
  const std::uint64_t seed = seed_with_answers();
  const Solution expected = resume(seed);
  const Checkpoint checkpoint = read();
  SplitMix64 random(6);
  std::size_t refused = 0;
  for (std::size_t round = 0; round < testing::scaled(200); ++round) {
    const auto path = folder_ / checkpoint.policies[random.below(checkpoint.policies.size())].file;
    const auto other = folder_ / checkpoint.policies[random.below(checkpoint.policies.size())].file;
    const std::string whole = text_of(path);
    std::string text = whole;
    if (round % 4 == 0)
      std::filesystem::remove(path);
    else if (round % 4 == 1)
      put(path, whole.substr(0, random.below(whole.size())));
    else if (round % 4 == 2)
      put(path, text_of(other));
    else
      put(path, (text[random.below(text.size())] = 'x', text));
    SCOPED_TRACE(text_of(path));
    try {
      expect_same(resume(seed), expected, 1e-4);
    } catch (const InputError&) {
      ++refused;
    }
    put(path, whole);
  }
  EXPECT_GT(refused, 0U);
  EXPECT_EQ(error(seed), "");
}

TEST_F(Checkpoints, PoliciesMayBeInParts) {
  const std::uint64_t seed = seed_with_answers();
  const Solution expected = resume(seed);
  Monitor monitor;
  for (const Checkpoint::KnownPolicy& policy : read().policies) {
    const std::string path = (folder_ / policy.file).string();
    Cssp cssp(model_of(seed));
    const Policy whole = resolve_policy(cssp, read_policy(path, monitor), monitor);
    write_policy_parts(cssp, whole, path, 3);
  }
  expect_same(resume(seed), expected, 1e-4);
}

TEST_F(Checkpoints, WhereThereAreNoneIsSaidAtOnce) {
  Monitor monitor;
  Cssp cssp(model_of(2));
  SolveOptions wrong = options();
  wrong.deterministic = true;
  EXPECT_THROW(solve(cssp, wrong, monitor), OptionError);
  wrong = options();
  wrong.algorithm = Algorithm::lp;
  EXPECT_THROW(solve(cssp, wrong, monitor), OptionError);
  wrong = options();
  wrong.carl.outer = OuterAlgorithm::coordinate;
  EXPECT_THROW(solve(cssp, wrong, monitor), OptionError);
  wrong = options();
  wrong.checkpoint.directory = "/dev/null/folder";
  EXPECT_THROW(solve(cssp, wrong, monitor), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

}  // namespace
}  // namespace carl
