// Models that went wrong once: each file says by its name what was difficult about it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carl/check.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "cssp/agreement.h"
#include "support/options_text.h"
#include "support/source_path.h"

namespace carl {
namespace {

std::shared_ptr<Model> model_of(const std::string& name) {
  Monitor monitor;
  return load_model({tests::source_path("tests/cssp/data/" + name + ".json")}, monitor);
}

std::vector<SolveOptions> all_constrained_algorithms() {
  std::vector<SolveOptions> result;
  for (const char* algorithm : {"carl", "auto", "i-dual", "lp"}) {
    result.emplace_back().algorithm = algorithm_named(algorithm);
    if (result.back().algorithm != Algorithm::carl) continue;
    result.emplace_back().carl.outer = OuterAlgorithm::coordinate;
  }
  return result;
}

/// Whatever the status is, what is said must fit together.
void expect_consistent(const std::shared_ptr<Model>& model, const Solution& solution) {
  const Cssp cssp(model);
  EXPECT_NE(solution.status, Status::limit) << solution.note;
  if (solution.infeasibility && solution.infeasibility->zero_bounds.empty()) {
    EXPECT_GT(solution.infeasibility->least, solution.infeasibility->allowed);
  }
  if (!solution.costs) return;
  EXPECT_LE(*solution.lower_bound, (*solution.costs)[0]);
  EXPECT_LE(*solution.gap(), 1e-4);
  for (const Bound& bound : cssp.bounds())
    EXPECT_LE((*solution.costs)[bound.cost], bound.upper + bound_tolerance(bound));
  double total = 0;
  std::vector<double> mixed(cssp.num_costs(), 0.0);
  for (const MixtureComponent& part : solution.mixture) {
    total += part.weight;
    for (std::size_t i = 0; i < mixed.size(); ++i)
      mixed[i] += part.weight * part.costs[i];
  }
  if (solution.mixture.empty()) return;
  EXPECT_NEAR(total, 1, 1e-12);
  for (std::size_t i = 0; i < mixed.size(); ++i)
    EXPECT_NEAR(mixed[i], (*solution.costs)[i], 1e-9 * mixed[i]);
}

class Defect : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, Defect,
                         ::testing::Values("near_loops_infeasible", "missed_by_one_in_a_billion",
                                           "far_beyond_the_goal", "mixture_of_tiny_parts",
                                           "costs_of_millionths", "getting_to_work"),
                         [](const auto& instance) { return instance.param; });

TEST_P(Defect, EveryAlgorithmIsConsistent) {
  const auto model = model_of(GetParam());
  for (const SolveOptions& options : all_constrained_algorithms()) {
    SCOPED_TRACE(testing::text_of(options));
    expect_consistent(model, run(model, options));
  }
}

TEST(Defects, InfeasibilityIsProvedWhereScalarisedProblemsAreEndless) {
  const auto model = model_of("near_loops_infeasible");
  for (const SolveOptions& options : all_constrained_algorithms()) {
    SCOPED_TRACE(testing::text_of(options));
    const Solution solution = run(model, options);
    ASSERT_EQ(solution.status, Status::infeasible) << solution.note;
    // i-dual need not expand everything to know enough; values of a problem with a little primary
    // cost in it prove a little less than there is.
    EXPECT_GT(solution.infeasibility->least, options.algorithm == Algorithm::i_dual ? 4.7 : 95.2);
  }
}

TEST(Defects, SmallCostsAreAsPreciseAsLargeOnes) {
  const auto model = model_of("costs_of_millionths");
  for (const SolveOptions& options : all_constrained_algorithms()) {
    SCOPED_TRACE(testing::text_of(options));
    // A quarter of the slow way, three quarters of the fast one.
    const Solution solution = run(model, options);
    EXPECT_NEAR((*solution.costs)[0], 3e-6, 1.1e-4 * 3e-6);
    EXPECT_GE(*solution.lower_bound, (*solution.costs)[0] * (1 - 1.1e-4));
  }
}

TEST(Defects, TinyBounds) {
  const auto model = model_of("getting_to_work");
  for (const SolveOptions& options : all_constrained_algorithms())
    for (const double bound : {2e-9, 1e-6, 1e-12, 1e-100}) {
      SCOPED_TRACE(testing::text_of(options) + " " + std::to_string(bound));
      CsspOptions changes;
      changes.bounds.emplace_back("price", bound);
      const Solution solution = run(model, options, changes);
      ASSERT_EQ(solution.status, Status::optimal) << solution.note;
      EXPECT_NEAR((*solution.costs)[0], 30, 30 * 1e-4);
      EXPECT_LE((*solution.costs)[1], bound * (1 + 1e-9));
    }
}

}  // namespace
}  // namespace carl
