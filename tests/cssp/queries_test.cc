// How often an outer search asks the oracle the same thing. One answer may be too coarse, and the
// next one is exact: whoever asks for the same weights more than a few times has not understood
// that. All questions count, those of proofs of infeasibility and of repairs as well.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "carl/generate.h"
#include "cssp/agreement.h"
#include "cssp/farkas.h"
#include "cssp/lagrangian.h"
#include "cssp/outer_search.h"
#include "cssp/repair.h"
#include "oracle/search_oracle.h"
#include "support/random_model.h"
#include "support/scale.h"
#include "support/slow_models.h"

namespace carl::cssp {
namespace {

enum class Bounds { as_they_come, exact, as_tolerated, only_if_wanted };

/// Passes questions on, and counts them. Bounds may be exact, or no better than they must: those of first
/// answers, or all that nobody has asked for.
class CountingOracle final : public oracle::Oracle {
 public:
  explicit CountingOracle(oracle::Oracle& real, Bounds bounds = Bounds::as_they_come)
      : real_(real), bounds_(bounds) {}

  oracle::Answer ask(std::span<const double> weights) override {
    const std::size_t times = ++times_[{weights.begin(), weights.end()}];
    oracle::Answer answer = real_.ask(weights);
    if (bounds_ == Bounds::as_tolerated && times == 1)
      answer.lower_bound = std::min(answer.lower_bound, (1 - tolerated_) * answer.weighted_cost);
    if (bounds_ == Bounds::only_if_wanted && wanted_ == oracle::Wanted::policies)
      answer.lower_bound = 0;
    return answer;
  }
  void tolerate(double loss, oracle::Wanted wanted) override {
    tolerated_ = loss;
    wanted_ = wanted;
    if (bounds_ == Bounds::as_they_come) real_.tolerate(loss, wanted);
  }
  double bound_nearby(std::span<const double> weights, double negligible_loss,
                      double target) override {
    return real_.bound_nearby(weights, negligible_loss, target);
  }
  bool tighten() override { return real_.tighten(); }
  std::size_t num_policies() const override { return real_.num_policies(); }
  const std::vector<double>& costs(oracle::PolicyHandle policy) const override {
    return real_.costs(policy);
  }
  Policy policy(oracle::PolicyHandle policy) const override { return real_.policy(policy); }
  bool is_allowed(oracle::PolicyHandle policy) const override { return real_.is_allowed(policy); }
  oracle::EvaluatedPolicy mix(std::span<const double> mixture) const override {
    return real_.mix(mixture);
  }
  std::size_t work() const override { return real_.work(); }
  Monitor& monitor() override { return real_.monitor(); }

  /// Of the weights that were asked for most often.
  std::size_t most_often() const {
    std::size_t most = 0;
    for (const auto& [weights, times] : times_)
      most = std::max(most, times);
    return most;
  }
  std::size_t different() const { return times_.size(); }

 private:
  oracle::Oracle& real_;
  Bounds bounds_;
  double tolerated_ = 0;
  oracle::Wanted wanted_ = oracle::Wanted::bounds;
  std::map<std::vector<double>, std::size_t> times_;
};

constexpr std::size_t a_handful = 6;

struct Seen {
  std::size_t optimal = 0;
  std::size_t infeasible = 0;
};

/// Outer search and repair by one of the inner algorithms, or by default if none is named.
void solve_and_count(Cssp& cssp, const std::string& inner, double gap, Seen& seen) {
  SCOPED_TRACE(inner);
  Monitor monitor;
  SolveOptions options;
  options.gap = gap;
  if (!inner.empty()) options.carl.inner = inner_named(inner);
  oracle::SearchOracle search(cssp, options, monitor);
  CountingOracle oracle(search);
  Lagrangian lagrangian(cssp, oracle);
  const auto outer = make_bundle_search(lagrangian, options, {{}, proof_by_small_lp(search)});
  const End end = outer->run();
  EXPECT_TRUE(end == End::optimal || end == End::infeasible) << outer->incumbent().note;
  if (end == End::infeasible) find_repair(lagrangian);
  seen.optimal += end == End::optimal;
  seen.infeasible += end == End::infeasible;
  EXPECT_LE(oracle.most_often(), a_handful);
  EXPECT_LE(oracle.different(), 60u);
}

std::string inner_of(std::uint64_t seed) {
  const std::vector<std::string>& names = inner_names();
  return seed % 2 == 0 ? std::string() : names[seed / 2 % names.size()];
}

TEST(Queries, AreNotRepeatedOnSlowModels) {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= testing::scaled(400) && !::testing::Test::HasFailure();
       ++seed) {
    SCOPED_TRACE(testing::slow_model_text(seed));
    Cssp cssp(testing::random_slow_model(seed));
    solve_and_count(cssp, inner_of(seed), seed % 3 == 0 ? 1e-4 : 1e-7, seen);
  }
  EXPECT_GE(seen.optimal, testing::at_full_scale(250));
  EXPECT_GE(seen.infeasible, testing::at_full_scale(60));
}

TEST(Queries, AreNotRepeatedOnIllConditionedModels) {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= testing::scaled(2000) && !::testing::Test::HasFailure();
       ++seed) {
    testing::RandomModelOptions options = testing::random_options(seed, 12);
    options.bounds = testing::BoundsKind::none;
    if (options.dead_ends == testing::DeadEnds::unavoidable)
      options.dead_ends = testing::DeadEnds::none;
    options.near_loops = seed % 3 != 0;
    options.many_free_actions = seed % 5 != 0;
    options.tiny_probabilities = seed % 4 == 0;
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options.text());
    const auto model = testing::random_model(seed, options);
    Cssp cssp(model, random_bounds(model, seed));
    if (cssp.constraints().empty()) continue;
    solve_and_count(cssp, inner_of(seed), seed % 3 == 0 ? 1e-4 : 1e-7, seen);
  }
  EXPECT_GE(seen.optimal, testing::at_full_scale(400));
  EXPECT_GE(seen.infeasible, testing::at_full_scale(500));
}

/// How many λ it takes.
std::size_t count_different(Cssp& cssp, Bounds bounds) {
  Monitor monitor;
  SolveOptions options;
  options.gap = 1e-4;
  oracle::SearchOracle search(cssp, options, monitor);
  CountingOracle oracle(search, bounds);
  Lagrangian lagrangian(cssp, oracle);
  const auto outer = make_bundle_search(lagrangian, options, {{}, proof_by_small_lp(search)});
  const End end = outer->run();
  EXPECT_TRUE(end == End::optimal || end == End::infeasible) << outer->incumbent().note;
  return oracle.different();
}

/// A bound that has lost what was tolerated, or was not wanted, is made exact where that is all that is
/// missing.
TEST(Queries, AreHardlyMoreIfBoundsLoseWhatIsTolerated) {
  std::size_t exact = 0;
  std::size_t rough = 0;
  std::size_t without = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    testing::RandomModelOptions options = testing::random_options(seed, 60);
    options.bounds = testing::BoundsKind::none;
    options.dead_ends = testing::DeadEnds::none;
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options.text());
    const auto model = testing::random_model(seed, options);
    Cssp cssp(model, random_bounds(model, seed));
    if (cssp.constraints().size() < 2) continue;
    exact += count_different(cssp, Bounds::exact);
    rough += count_different(cssp, Bounds::as_tolerated);
    without += count_different(cssp, Bounds::only_if_wanted);
  }
  RecordProperty("exact", std::to_string(exact));
  RecordProperty("rough", std::to_string(rough));
  RecordProperty("without", std::to_string(without));
  EXPECT_GE(exact, testing::at_full_scale(300));
  EXPECT_LE(static_cast<double>(rough), 1.02 * static_cast<double>(exact));
  EXPECT_LE(static_cast<double>(without), 1.05 * static_cast<double>(exact));
}

/// Components so large that answers are policies and hardly bounds on the way to the best multipliers.
class LargeGrid {
 public:
  LargeGrid(double fuel, double risk) : cssp_(generate_model("grid", {{"n", "110"}}, 1)) {
    cssp_.set_bound("fuel", fuel);
    cssp_.set_bound("risk", risk);
    options_.gap = 1e-4;
    search_.emplace(cssp_, options_, monitor_);
    oracle_.emplace(*search_);
    lagrangian_.emplace(cssp_, *oracle_);
    outer_ = make_bundle_search(*lagrangian_, options_, {{}, {}});
  }
  OuterSearch& outer() { return *outer_; }
  const CountingOracle& oracle() const { return *oracle_; }

 private:
  Cssp cssp_;
  Monitor monitor_;
  SolveOptions options_;
  std::optional<oracle::SearchOracle> search_;
  std::optional<CountingOracle> oracle_;
  std::optional<Lagrangian> lagrangian_;
  std::unique_ptr<OuterSearch> outer_;
};

TEST(Queries, OfLargeComponentsAreFew) {
  for (const auto& [fuel, risk] : {std::pair(220.0, 27.5), std::pair(180.0, 60.0)}) {
    LargeGrid grid(fuel, risk);
    EXPECT_EQ(grid.outer().run(), End::optimal) << grid.outer().incumbent().note;
    EXPECT_LE(grid.outer().gap(), 1e-4);
    EXPECT_LE(grid.oracle().different(), 14U);
    EXPECT_LE(grid.oracle().most_often(), 3U);
  }
}

TEST(Queries, OfLargeComponentsProveThatBoundsCannotBeMet) {
  LargeGrid grid(60, 1);
  EXPECT_EQ(grid.outer().run(), End::infeasible) << grid.outer().incumbent().note;
  EXPECT_LE(grid.oracle().different(), 14U);
}

/// Where a bound is enough it is looked at after every answer.
TEST(Queries, OfLargeComponentsEndWhereABoundIsEnough) {
  LargeGrid whole(220, 27.5);
  ASSERT_EQ(whole.outer().run(), End::optimal);
  const double optimum = whole.outer().incumbent().upper_bound;
  LargeGrid part(220, 27.5);
  const double enough = 0.998 * optimum;
  part.outer().take_part_in_branching(enough);
  EXPECT_EQ(part.outer().run(), End::optimal);
  EXPECT_GE(part.outer().incumbent().lower_bound, enough);
  EXPECT_LE(part.oracle().different() + 4, whole.oracle().different());
}

}  // namespace
}  // namespace carl::cssp
