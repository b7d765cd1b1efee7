// Checkpoints of problems that no rank has all of: what ranks have written any of them can go on with,
// and one process, and the other way round.

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>
#include <string>

#include "carl/cluster.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "cluster/common_scale.h"
#include "common_folder.h"
#include "model/cost_scale.h"
#include "support/random_model.h"
#include "support/random_prism.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

using testing::CommonFolder;

constexpr double gap = 1e-6;
constexpr double rough_gap = 0.3;

SolveOptions options_of(const std::string& checkpoint, double asked) {
  SolveOptions options;
  options.gap = asked;
  options.explain = false;
  options.checkpoint = {checkpoint, true, "the same"};
  return options;
}

using Load = std::function<std::shared_ptr<Model>(bool in_shares)>;

Solution solve_on_ranks(const Load& load, const SolveOptions& options) {
  Cssp cssp(load(true));
  Monitor monitor;
  return cluster::solve(cssp, options, monitor);
}

Solution solve_alone(const Load& load, const SolveOptions& options) {
  Cssp cssp(load(false));
  Monitor monitor;
  return solve(cssp, options, monitor);
}

/// Ranks begin, ranks go on, one process ends it; or one process begins. 0 if that is not worth
/// counting.
std::size_t expect_resumed(const Load& load, const CommonFolder& folder, const std::string& text) {
  const bool is_first = folder.ranks().is_first();
  const std::string by_ranks = folder.file("by-ranks");
  const std::string by_one = folder.file("by-one");
  SolveOptions plain;
  plain.gap = gap;
  plain.explain = false;
  const Solution expected = is_first ? solve_alone(load, plain) : Solution();
  if (!folder.ranks().any(is_first && expected.costs.has_value())) return 0;
  solve_on_ranks(load, options_of(by_ranks, rough_gap));
  const Solution many = solve_on_ranks(load, options_of(by_ranks, gap));
  if (is_first) solve_alone(load, options_of(by_one, rough_gap));
  folder.meet();
  const Solution taken_over = solve_on_ranks(load, options_of(by_one, gap));
  if (!is_first) return 1;
  const Solution one = solve_alone(load, options_of(by_ranks, gap));
  for (const Solution* solution : {&many, &taken_over, &one}) {
    EXPECT_EQ(to_string(solution->status), to_string(expected.status)) << text;
    if (!solution->costs) return 0;
    EXPECT_NEAR(solution->costs->front(), expected.costs->front(),
                2 * gap * expected.costs->front() + 1e-12)
        << text;
    EXPECT_NE(solution->note.find("in the checkpoint"), std::string::npos) << text;
  }
  EXPECT_EQ(one.statistics.scalarised_ssps, 0U) << text;
  return 1;
}

TEST(Checkpoints, OfModelsReadInShares) {
  CommonFolder folder;
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(25); ++seed) {
    folder.clear();
    testing::RandomModelOptions options = testing::random_options(seed, 5 + seed % 60);
    options.give_up = false;  // is not written to UMB
    const std::string file = folder.file("model.umb");
    Cssp whole(testing::random_model(seed, options));
    if (folder.ranks().is_first()) {
      std::ofstream out(file, std::ios::binary);
      Monitor monitor;
      write_umb(whole, out, monitor);
    }
    folder.meet();
    const Load load = [&](bool in_shares) {
      LoadOptions how{};
      how.minimise = whole.cost_names().front();
      if (in_shares) how.share = {folder.ranks().index(), folder.ranks().count(), 0};
      Monitor monitor;
      return load_model({file}, monitor, nullptr, how);
    };
    compared += expect_resumed(load, folder, options.text() + " seed " + std::to_string(seed));
  }
  if (folder.ranks().is_first()) {
    EXPECT_GE(compared, testing::at_full_scale(5));
  }
}

TEST(Checkpoints, OfTasks) {
  CommonFolder folder;
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(25); ++seed) {
    folder.clear();
    const Load load = [&](bool /*in_shares*/) { return testing::random_task_or_draw(seed); };
    compared += expect_resumed(load, folder, "task of seed " + std::to_string(seed));
  }
  if (folder.ranks().is_first()) {
    EXPECT_GE(compared, testing::at_full_scale(5));
  }
}

TEST(Checkpoints, OfPrismPrograms) {
  CommonFolder folder;
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(40); ++seed) {
    folder.clear();
    const Load load = [&](bool /*in_shares*/) { return testing::random_prism_model(seed); };
    compared += expect_resumed(load, folder, "program of seed " + std::to_string(seed));
  }
  if (folder.ranks().is_first()) {
    EXPECT_GE(compared, testing::at_full_scale(5));
  }
}

/// Units follow from it, and answers in a checkpoint are in these units.
TEST(Checkpoints, CostsHaveTheScaleOfTheWholeModel) {
  CommonFolder folder;
  for (std::uint64_t seed = 1; seed <= testing::scaled(20); ++seed) {
    folder.clear();
    testing::RandomModelOptions options = testing::random_options(seed, 5 + seed % 60);
    options.give_up = false;
    const std::string file = folder.file("model.umb");
    Monitor monitor;
    if (folder.ranks().is_first()) {
      std::ofstream out(file, std::ios::binary);
      Cssp cssp(testing::random_model(seed, options));
      write_umb(cssp, out, monitor);
    }
    folder.meet();
    Cssp whole(load_model({file}, monitor));
    LoadOptions how{};
    how.share = {folder.ranks().index(), folder.ranks().count(), 0};
    Cssp shared(load_model({file}, monitor, nullptr, how));
    EXPECT_EQ(cluster::common_cost_scale(shared, folder.ranks()), cost_scale(whole)) << seed;
  }
}

}  // namespace
}  // namespace carl
