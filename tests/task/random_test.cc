// Hundreds of small random problems, each compared with the naive interpreter.
#include <gtest/gtest.h>

#include "carl/error.h"
#include "support/random_domain.h"
#include "support/scale.h"
#include "task/compare.h"
#include "task/problem.h"

namespace carl::testing {
namespace {

bool has_conditional_effects(const task::Task& task) {
  return std::any_of(task.actions.begin(), task.actions.end(),
                     [](const task::Action& action) { return !action.conditionals.empty(); });
}

TEST(RandomProblems, AgreeWithTheInterpreter) {
  const std::size_t cases = scaled(600);
  std::size_t compared = 0;
  std::size_t with_actions = 0;
  std::size_t with_groups = 0;
  std::size_t with_shadows = 0;
  std::size_t with_variants = 0;
  std::size_t with_conditionals = 0;
  std::size_t with_draws = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const std::string text = random_problem(seed);
    Problem problem(text);
    const std::string what = "seed " + std::to_string(seed);
    check_task(problem.task(), what);
    if (compare_with_reference(problem.tree, *problem.model, what, 300)) ++compared;
    if (HasFailure()) FAIL() << text;
    with_draws += problem.task().initial_draw ? 1 : 0;
    with_actions += problem.task().actions.empty() ? 0 : 1;
    with_variants += problem.task().actions.size() > problem.task().labels.size() ? 1 : 0;
    with_conditionals += has_conditional_effects(problem.task()) ? 1 : 0;
    const auto& variables = problem.task().variables;
    with_shadows +=
        std::any_of(variables.begin(), variables.end(), [](const auto& v) { return v.shadow; });
    with_groups += std::any_of(variables.begin(), variables.end(),
                               [](const auto& v) { return v.values.size() > 2; });
  }
  // The suite is worth something only if it meets what it is meant to test.
  if (cases < 300) return;
  RecordProperty("compared", static_cast<int>(compared));
  EXPECT_GT(compared, cases / 3);
  EXPECT_GT(with_actions, cases / 3);
  EXPECT_GT(with_groups, cases / 50);
  EXPECT_GT(with_shadows, cases / 100);
  EXPECT_GT(with_variants, cases / 40);
  EXPECT_GT(with_conditionals, cases / 15);
  EXPECT_GT(with_draws, cases / 15);
}

TEST(RandomProblems, WithConditionalEffectsAgreeWithTheInterpreter) {
  const std::size_t cases = scaled(200);
  std::size_t compared = 0;
  std::size_t with_conditionals = 0;
  std::size_t nested = 0;
  std::size_t with_chances = 0;
  std::size_t with_groups = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const std::string text = random_conditional_problem(seed);
    Problem problem(text);
    const std::string what = "seed " + std::to_string(seed);
    check_task(problem.task(), what);
    if (!compare_with_reference(problem.tree, *problem.model, what, 100)) continue;
    if (HasFailure()) FAIL() << text;
    ++compared;
    if (!has_conditional_effects(problem.task())) continue;
    ++with_conditionals;
    const auto& variables = problem.task().variables;
    with_groups += std::any_of(variables.begin(), variables.end(),
                               [](const auto& v) { return v.values.size() > 2; });
    for (const task::Action& action : problem.task().actions)
      for (const task::ConditionalEffect& effect : action.conditionals) {
        nested += effect.parent != task::ConditionalEffect::none ? 1 : 0;
        with_chances += effect.outcomes.size() > 1 ? 1 : 0;
      }
  }
  EXPECT_GE(compared, at_full_scale(cases / 3));
  EXPECT_GE(with_conditionals, at_full_scale(cases / 6));
  EXPECT_GE(with_groups, at_full_scale(cases / 40));
  EXPECT_GE(nested, at_full_scale(cases / 6));
  EXPECT_GE(with_chances, at_full_scale(cases / 6));
}

TEST(RandomProblems, WithStaticChancesAgreeWithTheInterpreter) {
  const std::size_t cases = scaled(400);
  std::size_t compared = 0;
  std::size_t with_draws = 0;
  std::size_t with_chances = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const std::string text = random_problem_with_static_chances(seed);
    Problem problem(text);
    const std::string what = "seed " + std::to_string(seed);
    check_task(problem.task(), what);
    if (!compare_with_reference(problem.tree, *problem.model, what, 200)) continue;
    if (HasFailure()) FAIL() << text;
    ++compared;
    with_draws += problem.task().initial_draw ? 1 : 0;
    with_chances +=
        std::any_of(problem.task().actions.begin(), problem.task().actions.end(),
                    [](const task::Action& action) { return action.outcomes.size() > 1; });
  }
  EXPECT_GE(compared, at_full_scale(cases / 3));
  EXPECT_GE(with_draws, at_full_scale(cases / 30));
  EXPECT_GE(with_chances, at_full_scale(cases / 6));
}

}  // namespace
}  // namespace carl::testing
