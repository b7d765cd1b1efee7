// The equations of a policy on many ranks: how well they are solved, and how soon.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/explicit_builder.h"
#include "carl/generate.h"
#include "cluster/engine.h"
#include "cluster/policy_matrix.h"
#include "cluster/prepared_rows.h"
#include "support/random_model.h"
#include "support/scale.h"
#include "support/test_clock.h"
#include "util/random.h"

namespace carl::cluster {
namespace {

/// A problem, spread over the ranks.
class Spread {
 public:
  explicit Spread(std::shared_ptr<Model> model)
      : cssp_(std::move(model)), ranks_(MPI_COMM_WORLD), watch_(ranks_, monitor_) {
    ProblemRows problem = read_rows(cssp_, {}, ranks_, watch_);
    homes_.emplace(cssp_, problem.homes, ranks_);
    prepared_.emplace(prepare(problem, {}, ranks_, watch_));
  }

  bool is_ready() const { return prepared_->outcome == PreparedRows::Outcome::ready; }
  PreparedRows& prepared() { return *prepared_; }
  const Rows& rows() const { return prepared_->rows; }
  const Ranks& ranks() const { return ranks_; }
  const Homes& homes() const { return *homes_; }
  Watch& watch() { return watch_; }

 private:
  Cssp cssp_;
  Ranks ranks_;
  Monitor monitor_;
  Watch watch_;
  std::optional<Homes> homes_;
  std::optional<PreparedRows> prepared_;
};

/// All pairs of a state alike: proper wherever the goal can be reached from everywhere.
RankPolicy at_random(const Rows& rows) {
  RankPolicy policy;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const auto share = 1 / static_cast<double>(rows.last_pair(s) - rows.first_pair(s));
    for (std::size_t p = rows.first_pair(s); p < rows.last_pair(s); ++p)
      policy.add_choice(static_cast<std::uint32_t>(p), share);
    policy.end_state();
  }
  return policy;
}

std::vector<double> first_costs(const Rows& rows, const RankPolicy& policy) {
  std::vector<double> result(rows.size(), 0.0);
  for (std::size_t s = 0; s < rows.size(); ++s)
    for (const auto& [pair, probability] : policy.choices(s))
      result[s] += probability * rows.cost(pair)[0];
  return result;
}

/// Good ones, bad ones and nonsense.
std::vector<std::vector<double>> scales(const Spread& spread, const std::vector<double>& values) {
  const std::size_t slots = spread.rows().num_slots();
  std::vector<double> mixed(slots);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const auto number = static_cast<double>(spread.rows().global(static_cast<std::uint32_t>(slot)));
    mixed[slot] = std::fmod(number, 3) == 0   ? 0
                  : std::fmod(number, 3) == 1 ? std::numeric_limits<double>::infinity()
                                              : 1 + std::fmod(7 * number, 11);
  }
  return {values, std::vector<double>(slots, 0.0), mixed};
}

/// Costs-to-go and visits, with whatever scale, agree: what the initial state costs is the sum over
/// visits of what each costs.
TEST(Equations, AgreeWithTheTransposedOnesWhateverTheScale) {
  std::size_t tried = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(60); ++seed) {
    const testing::RandomModelOptions options = testing::random_options(seed, 4 + seed % 80);
    Spread spread(testing::random_model(seed, options));
    if (!spread.is_ready()) continue;
    const Rows& rows = spread.rows();
    const Ghosts ghosts(rows, spread.ranks());
    const RankPolicy policy = at_random(rows);
    const std::vector<double> costs = first_costs(rows, policy);
    const GlobalId initial = spread.prepared().initial;
    const bool is_here = initial >= rows.begin() && initial < rows.begin() + rows.size();
    std::vector<double> start(rows.size(), 0.0);
    if (is_here) start[initial - rows.begin()] = 1;
    std::vector<double> values(rows.num_slots(), 0.0);
    SolverWork work;
    for (const std::vector<double>& scale : scales(spread, values)) {
      PolicyMatrix matrix(rows, ghosts, spread.ranks(), policy, scale, work, spread.watch(),
                          AtLimit::go_on);
      values.assign(rows.num_slots(), 0.0);
      std::vector<double> visits(rows.num_slots(), 0.0);
      ASSERT_TRUE(matrix.solve(costs, values)) << options.text() << " seed " << seed;
      ASSERT_TRUE(matrix.solve_transposed(start, visits)) << options.text() << " seed " << seed;
      double of_visits = 0;
      for (std::size_t s = 0; s < rows.size(); ++s)
        of_visits += visits[s] * costs[s];
      const double expected = spread.ranks().sum(is_here ? values[initial - rows.begin()] : 0.0);
      EXPECT_NEAR(spread.ranks().sum(of_visits), expected, 1e-8 * (1e-3 + expected))
          << options.text() << " seed " << seed;
      ++tried;
    }
  }
  EXPECT_GE(tried, testing::at_full_scale(30));
}

/// I - P of a chain of states at random, spread evenly: most of what a state leads to is below it, or
/// anywhere.
class RandomMatrix {
 public:
  RandomMatrix(std::size_t size, bool is_local, std::uint64_t seed, const Ranks& ranks) {
    const Ownership ownership = Ownership::even(size, ranks);
    std::vector<PetscInt> first{0};
    std::vector<PetscInt> columns;
    std::vector<PetscScalar> entries;
    for (GlobalId s = ownership.begin(ranks); s < ownership.end(ranks); ++s) {
      SplitMix64 random(seed * 1000 + s);
      std::map<GlobalId, double> row{{s, 1.0}};
      for (int k = 0; k < 3; ++k) {
        const GlobalId target =
            is_local ? s + 2 - random.below(std::min<GlobalId>(s + 3, 14)) : random.below(size);
        row[std::min<GlobalId>(target, size - 1)] -= 0.32;
      }
      for (const auto& [column, entry] : row) {
        columns.push_back(static_cast<PetscInt>(column));
        entries.push_back(entry);
      }
      first.push_back(static_cast<PetscInt>(columns.size()));
      scale_.push_back(1 + static_cast<double>(s));
    }
    const auto own = static_cast<PetscInt>(scale_.size());
    check(MatCreateMPIAIJWithArrays(ranks.communicator(), own, own, static_cast<PetscInt>(size),
                                    static_cast<PetscInt>(size), first.data(), columns.data(),
                                    entries.data(), matrix_.put()));
  }
  Mat matrix() const { return matrix_; }
  const std::vector<double>& scale() const { return scale_; }
  Vector random_vector(std::uint64_t seed) const {
    Vector result;
    check(MatCreateVecs(matrix_, result.put(), nullptr));
    PetscInt begin = 0;
    check(MatGetOwnershipRange(matrix_, &begin, nullptr));
    for (std::size_t s = 0; s < scale_.size(); ++s) {
      SplitMix64 random(seed * 100'000 + static_cast<std::uint64_t>(begin) + s);
      check(VecSetValue(result, begin + static_cast<PetscInt>(s), random.unit() - 0.5,
                        INSERT_VALUES));
    }
    check(VecAssemblyBegin(result));
    check(VecAssemblyEnd(result));
    return result;
  }

 private:
  Matrix matrix_;
  std::vector<double> scale_;
};

/// For any number of sweeps: yᵀ (M x) = (Mᵀ y)ᵀ x.
TEST(Equations, SweepsOfColumnsAreThoseOfRowsTransposed) {
  const Ranks ranks(MPI_COMM_WORLD);
  for (std::uint64_t seed = 1; seed <= testing::scaled(40); ++seed) {
    const RandomMatrix random(2 + 7 * seed, seed % 2 == 0, seed, ranks);
    // With rows of others, or, where their entries could not be numbered, without.
    const std::uint64_t most_entries = seed % 3 == 0 ? 5 : most_of_petsc;
    RankFactors factors(random.matrix(), random.scale(), ranks, nullptr, most_entries);
    ASSERT_TRUE(ranks.all(factors.ok()));
    const Vector x = random.random_vector(2 * seed);
    const Vector y = random.random_vector(2 * seed + 1);
    Vector result = random.random_vector(0);
    for (int sweeps = 1; sweeps <= 4; ++sweeps) {
      PetscScalar of_rows = 0;
      PetscScalar of_columns = 0;
      factors.solve_rows(x, sweeps, result);
      check(VecDot(result, y, &of_rows));
      factors.solve_columns(y, sweeps, result);
      check(VecDot(result, x, &of_columns));
      EXPECT_NEAR(of_rows, of_columns, 1e-11 * (1 + std::abs(of_rows)))
          << "seed " << seed << ", sweeps " << sweeps;
    }
  }
}

/// On any number of ranks, since each waits for those below: a seventh of all leads uphill.
TEST(Equations, SweepsLeaveLittle) {
  const Ranks ranks(MPI_COMM_WORLD);
  for (std::uint64_t seed = 1; seed <= testing::scaled(20); ++seed) {
    const RandomMatrix random(200 + 10 * seed, true, seed, ranks);
    RankFactors factors(random.matrix(), random.scale(), ranks, nullptr);
    const Vector b = random.random_vector(seed);
    Vector x = random.random_vector(0);
    Vector rest = random.random_vector(0);
    PetscReal before = 0;
    check(VecNorm(b, NORM_2, &before));
    for (int sweeps = 1; sweeps <= 6; ++sweeps) {
      factors.solve_rows(b, sweeps, x);
      check(MatMult(random.matrix(), x, rest));
      check(VecAYPX(rest, -1, b));
      PetscReal left = 0;
      check(VecNorm(rest, NORM_2, &left));
      EXPECT_LE(left, std::max(0.25 * before, 1e-12)) << "seed " << seed << ", sweeps " << sweeps;
      before = left;
    }
  }
}

/// Blocks of ILU(0) take 10 iterations and more here; factors that do not wait for ranks below take 7
/// sweeps and more on four ranks.
TEST(Equations, AFewIterationsSolveThemOnAnyNumberOfRanks) {
  Spread spread(generate_model("grid", {{"n", "100"}}, 1));
  Engine engine(std::move(spread.prepared()), 1e-4, spread.homes(), spread.ranks(), spread.watch());
  for (const double weight : {0.0, 1.0, 0.5}) {
    const oracle::Answer answer = engine.ask(std::vector<double>{1, weight, weight});
    EXPECT_EQ(answer.outcome, oracle::Answer::Outcome::answered);
    EXPECT_GE(answer.lower_bound, answer.weighted_cost * (1 - 1e-5));
  }
  const SolverWork work = engine.work().equations;
  EXPECT_EQ(work.factorizations, 0U);
  EXPECT_GE(work.systems, 10U);
  EXPECT_LE(work.sweeps + 2 * work.iterations, 6 * work.systems);
}

/// Two states that can go to the goal, or to each other.
std::shared_ptr<Model> back_and_forth() {
  ExplicitBuilder builder(CostModel{{"cost"}, {}, {}});
  const StateId left = builder.state("left");
  const StateId right = builder.state("right");
  const StateId goal = builder.state("goal");
  builder.add_goal(goal);
  for (const StateId state : {left, right}) {
    for (const StateId target : {goal, state == left ? right : left}) {
      builder.add_outcome(1, target);
      builder.add_action(state, target == goal ? "end" : "go on", std::vector<double>{1.0});
    }
  }
  return builder.build(left);
}

/// Nothing can end a parallel factorization, so that it is not begun when time is up, or as good as up;
/// though iterations may go on then. What never ends has no solution, and all methods are tried.
TEST(Equations, AreNotFactorizedWhenThereIsNoTimeForIt) {
  Spread spread(back_and_forth());
  const Rows& rows = spread.rows();
  const Ghosts ghosts(rows, spread.ranks());
  std::vector<std::uint32_t> pairs;
  for (std::size_t s = 0; s < rows.size(); ++s)
    pairs.push_back(static_cast<std::uint32_t>(
        rows.targets(rows.first_pair(s)).front() == rows.goal_slot() ? rows.first_pair(s) + 1
                                                                     : rows.first_pair(s)));
  const RankPolicy policy(pairs);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double seconds : {infinity, 1e6, 1e-9, 0.0})
    for (const AtLimit at_limit : {AtLimit::end, AtLimit::go_on}) {
      testing::TestClock clock;
      Monitor monitor = clock.monitor(seconds);
      Watch watch(spread.ranks(), monitor);
      SolverWork work;
      PolicyMatrix matrix(rows, ghosts, spread.ranks(), policy,
                          std::vector<double>(rows.num_slots(), 1.0), work, watch, at_limit);
      std::vector<double> x(rows.num_slots(), 0.0);
      EXPECT_FALSE(matrix.solve(std::vector<double>(rows.size(), 1.0), x));
      EXPECT_EQ(work.factorizations, seconds > 1 ? 1U : 0U) << seconds;
    }
}

/// A mixture costs what its policies cost on average, which takes no new costs-to-go: it is what goes on
/// after a limit. Evaluated anew, this one would take twice as many solutions.
TEST(Equations, AMixtureTakesLittleMoreThanTheVisitsOfItsPolicies) {
  Spread spread(generate_model("grid", {{"n", "60"}}, 1));
  Engine engine(std::move(spread.prepared()), 1e-4, spread.homes(), spread.ranks(), spread.watch());
  engine.ask(std::vector<double>{1, 0, 0});
  engine.ask(std::vector<double>{1, 2, 2});
  ASSERT_EQ(engine.num_policies(), 2U);
  const std::uint64_t before = engine.work().equations.systems;
  const oracle::EvaluatedPolicy mixed = engine.mix(std::vector<double>{0.25, 0.75});
  ASSERT_TRUE(mixed.proper);
  for (std::size_t i = 0; i < mixed.costs.size(); ++i) {
    const double expected = 0.25 * engine.costs(0)[i] + 0.75 * engine.costs(1)[i];
    EXPECT_NEAR(mixed.costs[i], expected, 1e-8 * expected) << i;
  }
  EXPECT_LE(engine.work().equations.systems, before + 9);
}

}  // namespace
}  // namespace carl::cluster
