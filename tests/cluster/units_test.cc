// Another unit of the costs changes nothing but the numbers of the answer: what counts as nothing is
// measured against the costs of the model.

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "carl/cluster.h"
#include "carl/explicit_builder.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "common_folder.h"
#include "ill_conditioned.h"
#include "model/explicit_model.h"
#include "support/random_model.h"
#include "support/scale.h"

namespace carl {
namespace {

using testing::RandomModelOptions;

constexpr double gap = 1e-6;

/// The model with all costs, bounds and penalties multiplied.
std::shared_ptr<Model> in_other_units(ExplicitModel& model, double factor) {
  CostModel costs = model.cost_model();
  for (Bound& bound : costs.bounds)
    bound.upper *= factor;
  if (costs.give_up)
    for (double& penalty : *costs.give_up)
      penalty *= factor;
  ExplicitBuilder builder(costs);
  for (std::size_t s = 0; s < model.num_states(); ++s)
    builder.state(model.state_name(StateId(s)));
  for (std::size_t s = 0; s < model.num_states(); ++s) {
    if (model.is_goal(StateId(s))) builder.add_goal(StateId(s));
    for (const ActionId action : model.actions(StateId(s))) {
      for (std::size_t k = 0; k < model.successors(action).size(); ++k)
        builder.add_outcome(model.probabilities(action)[k], model.successors(action)[k]);
      std::vector<double> cost(model.cost(action).begin(), model.cost(action).end());
      for (double& amount : cost)
        amount *= factor;
      builder.add_action(StateId(s), model.action_name(action), cost);
    }
  }
  return builder.build(model.initial_state());
}

/// The same model, with all costs multiplied.
using Load = std::function<std::shared_ptr<Model>(double factor)>;

Solution solve_on_ranks(const Load& load, double factor) {
  SolveOptions options;
  options.gap = gap;
  options.explain = false;
  Cssp cssp(load(factor));
  Monitor monitor;
  return cluster::solve(cssp, options, monitor);
}

/// A power of two as unit changes no digit of the answer, one of ten the last ones. How often there were
/// answers to compare.
std::size_t expect_same_in_all_units(const Load& load, const std::string& text) {
  std::size_t compared = 0;
  const Solution one = solve_on_ranks(load, 1);
  for (const double factor : {0x1p-49, 0x1p40, 1e-9, 1e9}) {
    const Solution other = solve_on_ranks(load, factor);
    EXPECT_EQ(to_string(other.status), to_string(one.status)) << text << " times " << factor;
    EXPECT_EQ(other.costs.has_value(), one.costs.has_value()) << text << " times " << factor;
    if (!one.costs || !other.costs) continue;
    const bool is_exact = factor == 0x1p-49 || factor == 0x1p40;
    const double expected = one.costs->front() * factor;
    EXPECT_NEAR(other.costs->front(), expected, is_exact ? 0 : 2 * gap * expected) << text;
    const double bound = *one.lower_bound * factor;
    EXPECT_NEAR(*other.lower_bound, bound, is_exact ? 0 : 2 * gap * bound) << text;
    ++compared;
  }
  return compared;
}

/// Models of all kinds, and then some with runs so long that not every evaluation is exact to the last
/// digit: in units that are too large other costs would count as exact than in those of the model.
std::vector<std::uint64_t> seeds(std::size_t of_all_kinds) {
  std::vector<std::uint64_t> result{45, 72, 77, 110, 111, 115, 117, 141, 152, 171, 182, 190};
  for (std::uint64_t seed = 1; seed <= testing::scaled(of_all_kinds); ++seed)
    result.push_back(seed % 2 == 0 ? 1000 + seed : 2000 + seed);
  return result;
}

RandomModelOptions options_of(std::uint64_t seed) {
  RandomModelOptions options = seed < 2000 ? testing::random_options(seed, 4 + seed % 60)
                                           : testing::ill_conditioned(seed / 2);
  if (seed < 1000) {
    options = testing::ill_conditioned(seed / 2);
    options.states = 5 + seed % 200;
    options.near_loops = true;
    options.tiny_probabilities = seed % 4 != 0;
    options.zero_secondary_costs = seed % 3 == 0;
  }
  options.wide_costs = false;  // costs above 1e15 are refused
  return options;
}

TEST(Units, DoNotMatter) {
  const cluster::Ranks ranks(MPI_COMM_WORLD);
  std::size_t compared = 0;
  for (const std::uint64_t seed : seeds(50)) {
    const RandomModelOptions options = options_of(seed);
    const std::shared_ptr<ExplicitModel> model = testing::random_model(seed, options);
    compared +=
        expect_same_in_all_units([&](double factor) { return in_other_units(*model, factor); },
                                 options.text() + " seed " + std::to_string(seed));
  }
  if (ranks.is_first()) {
    EXPECT_GE(compared, testing::at_full_scale(80));
  }
}

/// No rank knows all costs then.
TEST(Units, OfModelsReadInSharesDoNotMatter) {
  testing::CommonFolder folder;
  const cluster::Ranks& ranks = folder.ranks();
  const std::string file = folder.file("model.umb");
  std::size_t compared = 0;
  for (const std::uint64_t seed : seeds(10)) {
    RandomModelOptions options = options_of(seed);
    options.give_up = false;  // is not written to UMB
    const std::shared_ptr<ExplicitModel> model = testing::random_model(seed, options);
    const Load load = [&](double factor) {
      Cssp whole(in_other_units(*model, factor));
      Monitor monitor;
      if (ranks.is_first()) {
        std::ofstream out(file, std::ios::binary);
        write_umb(whole, out, monitor);
      }
      folder.meet();
      LoadOptions how{};
      how.minimise = whole.cost_names().front();
      how.share = {ranks.index(), ranks.count(), 0};
      std::shared_ptr<Model> shared = load_model({file}, monitor, nullptr, how);
      folder.meet();  // before the file is another
      return shared;
    };
    compared += expect_same_in_all_units(load, options.text() + " seed " + std::to_string(seed));
  }
  if (ranks.is_first()) {
    EXPECT_GE(compared, testing::at_full_scale(20));
  }
}

}  // namespace
}  // namespace carl
