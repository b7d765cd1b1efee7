// Krylov methods against factorizations and rational arithmetic, on small systems of all kinds: what
// they claim to have solved is solved, and brackets hold.

#include "ssp/krylov.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "ssp/factorization.h"
#include "ssp/krylov_evaluation.h"
#include "support/scale.h"
#include "util/random.h"
#include "util/rational.h"

namespace carl::ssp {
namespace {

constexpr int probability_unit = 1 << 20;
const Threads threads;

/// I - P of a policy that mostly leads to states before, which is the order that Krylov methods like, or
/// anywhere. Probabilities are multiples of 2^-20, so that rational arithmetic gives the same matrix.
struct RandomSystem {
  RandomSystem(std::uint64_t seed, std::size_t most_states) {
    SplitMix64 random(seed);
    const std::size_t size = 1 + random.below(most_states);
    const bool ordered = random.below(3) != 0;
    // In units: from leaving half the time to once in 10^5 steps, by one state or by all.
    const std::uint64_t leaving = std::uint64_t{10} << random.below(16);
    const bool all_leave = random.below(2) == 0;
    for (std::size_t i = 0; i < size; ++i) {
      std::set<std::size_t> to;
      for (std::size_t k = 1 + random.below(4); k > 0; --k) {
        const bool anywhere = !ordered || random.below(4) == 0;
        to.insert(anywhere ? random.below(size) : random.below(i + 1));
      }
      // The first state leaves, and the state before is always possible: the policy is proper.
      if (i > 0) to.insert(i - 1);
      to.erase(i);
      add_row(i, to, i == 0 || all_leave ? leaving : 0, random);
      scale.push_back(static_cast<double>(i + 1) * (0.5 + random.unit()));
      cost.push_back(random.below(4) == 0 ? 0.0 : static_cast<double>(1 + random.below(100)));
    }
    start = random.below(size);
  }

  void add_row(std::size_t i, const std::set<std::size_t>& to, std::uint64_t leaving,
               SplitMix64& random) {
    std::uint64_t left = probability_unit - leaving;
    matrix.column.push_back(static_cast<int>(i));
    matrix.value.push_back(1);
    std::size_t others = to.size();
    for (const std::size_t j : to) {
      const std::uint64_t share = --others == 0 ? left : 1 + random.below(left - others);
      left -= share;
      matrix.column.push_back(static_cast<int>(j));
      matrix.value.push_back(-static_cast<double>(share) / probability_unit);
    }
    matrix.diagonal.push_back(1);
    matrix.first.push_back(static_cast<int>(matrix.column.size()));
  }

  /// By Gaussian elimination; transposed or not.
  std::vector<Rational> exact(const std::vector<double>& b, bool columns) const {
    const std::size_t n = matrix.size();
    std::vector<std::vector<Rational>> row(n, std::vector<Rational>(n + 1));
    for (std::size_t i = 0; i < n; ++i) {
      row[i][n] = Rational(b[i]);
      for (std::size_t e = matrix.begin(i); e < matrix.end(i); ++e) {
        const std::size_t j = matrix.column_of(e);
        (columns ? row[j][i] : row[i][j]) = Rational(matrix.value[e]);
      }
    }
    for (std::size_t c = 0; c < n; ++c)
      for (std::size_t i = 0; i < n; ++i) {
        if (i == c || row[i][c] == 0) continue;
        const Rational factor = row[i][c] / row[c][c];
        for (std::size_t k = c; k <= n; ++k)
          row[i][k] -= factor * row[c][k];
      }
    std::vector<Rational> x(n);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = row[i][n] / row[i][i];
    return x;
  }

  Matrix matrix;
  std::vector<double> scale;
  std::vector<double> cost;
  std::size_t start;
};

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double size = 0;
  double difference = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    size = std::max(size, std::abs(y[i]));
    difference = std::max(difference, std::abs(x[i] - y[i]));
  }
  return difference / std::max(size, 1e-300);
}

TEST(Krylov, GivesWhatFactorizationsGive) {
  const std::uint64_t cases = testing::scaled(2000);
  std::uint64_t rows_solved = 0;
  std::uint64_t columns_solved = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomSystem system(seed, 300);
    const Krylov krylov(system.matrix, system.scale, threads);
    if (!krylov.ok()) continue;
    Factorization factorization(system.matrix);
    ASSERT_TRUE(factorization.ok());
    const std::vector<double> units(system.cost.size(), 1.0);
    std::vector<double> x(system.cost.size(), 0.0);
    // Errors are at most residuals times steps, of which there are fewer than 10^8 here.
    if (krylov.solve_rows(system.cost, units, 1e-12, x) <= 1e-10) {
      ++rows_solved;
      EXPECT_LE(largest_difference(x, factorization.solve_rows(system.cost)), 1e-7);
    }
    std::vector<double> right(system.cost.size(), 0.0);
    right[system.start] = 1;
    std::vector<double> visits(system.cost.size(), 0.0);
    if (krylov.solve_columns(transposed(system.matrix), right, 1e-12 * system.scale[system.start],
                             visits) <= 1e-9) {
      ++columns_solved;
      EXPECT_LE(largest_difference(visits, factorization.solve_columns(right)), 1e-6);
    }
  }
  // The rest have values of up to 10^8, whose own rounding errors are larger than that.
  EXPECT_GE(rows_solved, cases * 3 / 4);
  EXPECT_GE(columns_solved, cases * 9 / 10);
}

TEST(Krylov, SolvesWithoutDroppingInOneStep) {
  // Then the factors are exact, and so is every step.
  for (std::uint64_t seed = 0; seed < testing::scaled(200); ++seed) {
    const RandomSystem system(seed, 60);
    SparseRows rows;
    for (std::size_t i = 0; i < system.matrix.size(); ++i) {
      for (std::size_t e = system.matrix.begin(i); e < system.matrix.end(i); ++e) {
        if (system.matrix.column_of(e) == i) continue;
        rows.column.push_back(static_cast<std::uint32_t>(system.matrix.column_of(e)));
        rows.value.push_back(system.matrix.value[e]);
      }
      rows.first.push_back(rows.column.size());
      rows.diagonal.push_back(1);
    }
    IncompleteLu factors(threads, {.drop = 0, .entries_per_decade = 16});
    ASSERT_TRUE(factors.factorize(rows));
    Factorization factorization(system.matrix);
    std::vector<double> x = system.cost;
    factors.solve_rows(x);
    EXPECT_LE(largest_difference(x, factorization.solve_rows(system.cost)), 1e-7) << seed;
    x = system.cost;
    factors.solve_columns(x);
    EXPECT_LE(largest_difference(x, factorization.solve_columns(system.cost)), 1e-7) << seed;
  }
}

TEST(KrylovEvaluation, BracketsContainTheRationalCosts) {
  const std::uint64_t cases = testing::scaled(600);
  std::uint64_t evaluated = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomSystem system(seed, 25);
    std::vector<double> costs;
    for (std::size_t i = 0; i < system.cost.size(); ++i) {
      costs.push_back(seed % 2 == 0 ? 1.0 : system.cost[i]);
      costs.push_back(system.cost[system.cost.size() - 1 - i]);
    }
    const auto evaluation =
        evaluate_by_krylov(system.matrix, system.scale, costs, 2, system.start, threads);
    if (!evaluation) continue;
    ++evaluated;
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<double> column;
      for (std::size_t i = 0; i < system.cost.size(); ++i)
        column.push_back(costs[2 * i + k]);
      const Rational truth = system.exact(column, false)[system.start];
      EXPECT_LE(truth, Rational(evaluation->costs[k])) << k;
      EXPECT_GE(truth, Rational(evaluation->costs[k]) - Rational(evaluation->errors[k])) << k;
      const double next_to_nothing =
          k == 0 ? 0 : 1e-12 * std::min(1.0, *std::max_element(column.begin(), column.end()));
      EXPECT_LE(evaluation->errors[k], 1e-9 * std::max(evaluation->costs[k], next_to_nothing)) << k;
    }
    std::vector<double> right(system.cost.size(), 0.0);
    right[system.start] = 1;
    const std::vector<Rational> visits = system.exact(right, true);
    for (std::size_t i = 0; i < visits.size(); ++i)
      EXPECT_NEAR(evaluation->visits[i], to_double(visits[i]), 1e-7 * (1 + to_double(visits[i])));
  }
  EXPECT_GE(evaluated, cases * 3 / 4);
}

TEST(KrylovEvaluation, ACostThatIsNextToNeverPaidIsInNobodysWay) {
  // A queue of up to 400, left when it is empty: one more with probability 0.4, one less with 0.6. What
  // does not fit in any more is lost, 2/3 as often for each place.
  constexpr std::size_t size = 400;
  Matrix matrix;
  matrix.first = {0};
  std::vector<double> scale;
  std::vector<double> costs;
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_full = i + 1 == size;
    if (i > 0) {
      matrix.column.push_back(static_cast<int>(i - 1));
      matrix.value.push_back(-0.6);
    }
    matrix.diagonal.push_back(is_full ? 0.6 : 1);
    matrix.column.push_back(static_cast<int>(i));
    matrix.value.push_back(is_full ? 0.6 : 1);
    if (!is_full) {
      matrix.column.push_back(static_cast<int>(i + 1));
      matrix.value.push_back(-0.4);
    }
    matrix.first.push_back(static_cast<int>(matrix.column.size()));
    scale.push_back(static_cast<double>(i + 1));
    costs.push_back(1);
    costs.push_back(is_full ? 1 : 0);
  }
  const auto evaluation = evaluate_by_krylov(matrix, scale, costs, 2, 0, threads);
  ASSERT_TRUE(evaluation);
  EXPECT_NEAR(evaluation->costs[0], 5, 1e-9);  // gambler's ruin: 1/(0.6 - 0.4)
  const double truth = std::pow(2.0 / 3, static_cast<double>(size - 1)) / 0.6;
  EXPECT_GE(evaluation->costs[1], truth);
  EXPECT_LE(evaluation->costs[1] - evaluation->errors[1], truth);
  EXPECT_LE(evaluation->costs[1], 1e-22);
}

TEST(KrylovEvaluation, SaysNothingOfASystemThatHasNoSolution) {
  // Two states that lead to each other alone.
  Matrix matrix;
  matrix.column = {0, 1, 0, 1};
  matrix.value = {1, -1, -1, 1};
  matrix.first = {0, 2, 4};
  matrix.diagonal = {1, 1};
  const std::vector<double> ones{1, 1};
  EXPECT_FALSE(evaluate_by_krylov(matrix, ones, ones, 1, 0, threads));
}

TEST(KrylovEvaluation, EndsWhenInterrupted) {
  const RandomSystem system(1, 300);
  std::atomic<bool> interrupted = true;
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupted);
  EXPECT_FALSE(Krylov(system.matrix, system.scale, threads, &monitor).ok());
  EXPECT_FALSE(evaluate_by_krylov(system.matrix, system.scale, system.cost, 1, system.start,
                                  threads, {.monitor = &monitor}));
}

}  // namespace
}  // namespace carl::ssp
