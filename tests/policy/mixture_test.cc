// Every optimal policy is a mixture of at most n+1 deterministic ones, each a policy of its own.

#include <gtest/gtest.h>

#include "policy/files.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl::testing {
namespace {

template <class MakeModel>
void expect_mixture(const MakeModel& make_model, const CsspOptions& problem,
                    const SolveOptions& options, std::size_t& mixed) {
  Cssp cssp(make_model(), problem);
  Monitor monitor;
  const Solution solution = solve(cssp, options, monitor);
  if (solution.status != Status::optimal) return;
  EXPECT_GE(solution.mixture.size(), 1U);
  EXPECT_LE(solution.mixture.size(), cssp.constraints().size() + 1);
  double weight = 0;
  std::vector<double> costs(cssp.num_costs(), 0.0);
  for (const MixtureComponent& part : solution.mixture) {
    EXPECT_GT(part.weight, 0);
    weight += part.weight;
    for (const Policy::Entry entry : part.policy)
      EXPECT_EQ(entry.choices.size(), 1U);
    Cssp other(make_model(), for_check(problem));
    CheckOptions check_options;
    check_options.bounds = false;
    const CheckReport report = check(other, as_file(cssp, part.policy), nullptr, check_options);
    ASSERT_TRUE(report.findings.empty()) << text_of(report);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      EXPECT_NEAR(part.costs[i], (*report.costs)[i], 1e-9 * std::max(1.0, part.costs[i]));
      costs[i] += part.weight * (*report.costs)[i];
    }
  }
  EXPECT_NEAR(weight, 1, 1e-9);
  for (std::size_t i = 0; i < costs.size(); ++i)
    EXPECT_NEAR(costs[i], (*solution.costs)[i], 1e-7 * std::max(1.0, costs[i]));
  mixed += solution.mixture.size() > 1;
}

TEST(Mixture, OfRandomModels) {
  std::size_t mixed = 0;
  for (std::size_t seed = 1; seed <= scaled(300); ++seed) {
    const RandomModelOptions model = random_options(seed, 12);
    for (const auto& [algorithm, outer] : std::vector<std::pair<std::string, std::string>>{
             {"lp", "bundle"}, {"carl", "bundle"}, {"carl", "coordinate"}}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + algorithm + ", " + outer + ": " +
                   model.text());
      SolveOptions options;
      options.algorithm = algorithm_named(algorithm);
      options.carl.outer = outer_named(outer);
      options.mixture_policies = true;
      expect_mixture([&] { return random_model(seed, model); }, {}, options, mixed);
    }
  }
  EXPECT_GE(mixed, at_full_scale(50));
}

TEST(Mixture, OfSearchesWithoutBoundsIsOnePolicy) {
  for (const std::string& algorithm : inner_names()) {
    SolveOptions options;
    options.algorithm = algorithm_named(algorithm);
    options.mixture_policies = true;
    std::size_t mixed = 0;
    for (std::size_t seed = 1; seed <= scaled(20); ++seed)
      expect_mixture([&] { return random_task(seed); }, {}, options, mixed);
    EXPECT_EQ(mixed, 0U);
  }
}

}  // namespace
}  // namespace carl::testing
