// Many ranks agree with one process, on models of all kinds. Every rank runs every test; the first
// one knows the answer of carl::solve() and compares.

#include <gtest/gtest.h>

#include <optional>

#include "carl/check.h"
#include "carl/cluster.h"
#include "carl/error.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

using testing::random_model;
using testing::random_options;
using testing::RandomModelOptions;

cluster::Session* session = nullptr;

constexpr double gap = 1e-6;

/// What both solves have in common, or what they were refused for.
struct Outcome {
  Solution solution;
  bool refused = false;
};

template <class Solve>
Outcome outcome_of(Cssp& cssp, Solve solve) {
  SolveOptions options;
  options.gap = gap;
  options.explain = false;
  Monitor monitor;
  Outcome outcome;
  try {
    outcome.solution = solve(cssp, options, monitor);
  } catch (const InputError&) {
    outcome.refused = true;
  }
  return outcome;
}

/// The policy costs what the solution says, and meets the bounds, by other means.
void expect_checked(Cssp cssp, const Solution& solution, const std::string& text) {
  cssp.remove_forbidden_actions(false);
  Monitor monitor;
  const CheckReport checked = check_policy(cssp, solution.policy, nullptr, {}, monitor);
  ASSERT_TRUE(checked.holds() && checked.costs) << text;
  for (std::size_t i = 0; i < solution.costs->size(); ++i) {
    const double expected = (*checked.costs)[i];
    EXPECT_NEAR((*solution.costs)[i], expected, 1e-8 * (1e-3 + expected)) << text;
  }
}

void expect_agreement(Cssp& cssp, const std::string& text) {
  const Outcome many = outcome_of(cssp, cluster::solve);
  if (!session->is_first()) return;
  const Outcome one =
      outcome_of(cssp, static_cast<Solution (*)(Cssp&, const SolveOptions&, Monitor&)>(solve));
  EXPECT_EQ(many.refused, one.refused) << text;
  if (one.refused || many.refused) return;
  ASSERT_EQ(to_string(many.solution.status), to_string(one.solution.status)) << text << "\n"
                                                                             << many.solution.note;
  ASSERT_EQ(many.solution.costs.has_value(), one.solution.costs.has_value()) << text;
  if (many.solution.infeasibility) {
    EXPECT_EQ(many.solution.infeasibility->zero_bounds, one.solution.infeasibility->zero_bounds);
  }
  if (!one.solution.costs) return;
  const double expected = one.solution.costs->front();
  EXPECT_NEAR(many.solution.costs->front(), expected, 2 * gap * expected + 1e-12) << text;
  EXPECT_LE(*many.solution.lower_bound, expected * (1 + 1e-9)) << text;
  if (many.solution.status == Status::optimal) expect_checked(cssp, many.solution, text);
}

TEST(Cluster, AgreesOnRandomModels) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    const RandomModelOptions options = random_options(seed, 4 + seed % 60);
    Cssp cssp(random_model(seed, options));
    expect_agreement(cssp, options.text() + " seed " + std::to_string(seed));
  }
}

TEST(Cluster, AgreesOnRandomTasks) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(200); ++seed) {
    Cssp cssp(testing::random_task_or_draw(seed));
    expect_agreement(cssp, "task of seed " + std::to_string(seed));
  }
}

}  // namespace
}  // namespace carl

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  carl::cluster::Session session;
  carl::session = &session;
  if (!session.is_first()) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  return RUN_ALL_TESTS();
}
