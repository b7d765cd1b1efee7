#include "policy/running_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "policy/tolerances.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::policy {
namespace {

using testing::scaled;

std::size_t total(const Distribution& distribution) {
  std::size_t count = 0;
  for (const auto& [value, times] : distribution)
    count += times;
  return count;
}

TEST(ValueCounts, AFewDifferentValuesAreCountedExactly) {
  ValueCounts counts(std::nullopt);
  for (std::size_t i = 0; i < 1'000'000; ++i)
    counts.add(static_cast<double>(i % 7) / 3);
  const Distribution sorted = counts.sorted();
  ASSERT_EQ(sorted.size(), 7U);
  EXPECT_EQ(sorted[0], std::pair(0.0, std::size_t{142'858}));
  EXPECT_EQ(sorted[4], std::pair(4.0 / 3, std::size_t{142'857}));
  EXPECT_EQ(counts.relative_error(), 0);
}

/// From 1e-6 to 1e6, and zero.
std::vector<double> spread_values(std::size_t n) {
  SplitMix64 random(3);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(random.below(50) == 0 ? 0 : std::pow(10, 12 * random.unit() - 6));
  return values;
}

TEST(ValueCounts, ManyDifferentValuesAreRoundedButNeverAcrossTheBound) {
  std::vector<double> values = spread_values(400'000);
  const Bound bound{0, 12.3456789};
  ValueCounts counts(bound);
  ValueCounts backwards(bound);
  for (std::size_t i = 0; i < values.size(); ++i) {
    counts.add(values[i]);
    backwards.add(values[values.size() - 1 - i]);
  }
  const Distribution sorted = counts.sorted();
  EXPECT_EQ(sorted, backwards.sorted());
  EXPECT_LT(sorted.size(), 60'000U);
  EXPECT_EQ(total(sorted), values.size());
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  EXPECT_GT(counts.relative_error(), 0);
  EXPECT_LT(counts.relative_error(), 0.001);
  std::sort(values.begin(), values.end());
  std::size_t i = 0;
  std::size_t within = 0;
  for (const auto& [value, times] : sorted) {
    if (within_bound(value, bound)) within += times;
    for (std::size_t k = 0; k < times; ++k, ++i)
      ASSERT_NEAR(value, values[i], counts.relative_error() * values[i]);
  }
  EXPECT_EQ(within,
            static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](double value) {
              return within_bound(value, bound);
            })));
}

TEST(RunningSample, PiecesGiveWhatTheWholeGives) {
  const std::vector<double> values = spread_values(300'000);
  RunningSample whole(1, std::nullopt);
  whole.add(values.data(), 1, values.size());
  RunningSample pieces(1, std::nullopt);
  for (std::size_t i = 0; i < values.size(); i += 50'000)
    pieces.add(values.data() + i, 1, 50'000);
  const Sample a = whole.sample(whole.distribution());
  const Sample b = pieces.sample(pieces.distribution());
  EXPECT_DOUBLE_EQ(a.mean, b.mean);
  EXPECT_NEAR(a.deviation, b.deviation, 1e-12 * a.deviation);
  EXPECT_EQ(a.median, b.median);
  EXPECT_EQ(a.least, 0);
  EXPECT_EQ(a.greatest, *std::max_element(values.begin(), values.end()));
  EXPECT_EQ(a.greatest, b.greatest);
  EXPECT_EQ(a.exact, 1);
  // Against the definition.
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  EXPECT_NEAR(a.mean, mean, 1e-9 * mean);
  EXPECT_NEAR(a.deviation, std::sqrt(squares / (n - 1)), 1e-9 * a.deviation);
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_NEAR(a.median, sorted[149'999], 0.001 * a.median);
  EXPECT_NEAR(a.percentile_99, sorted[296'999], 0.001 * a.percentile_99);
}

TEST(RunningSample, OfLargeNumbersTheDeviationIsNotLost) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 1000; ++i)
    values.push_back(1e12 + static_cast<double>(i % 2));
  RunningSample sample(1e12, std::nullopt);
  for (std::size_t i = 0; i < 10; ++i)
    sample.add(values.data(), 2, 500);
  EXPECT_EQ(sample.sample(sample.distribution()).deviation, 0);
  sample.add(values.data(), 1, 1000);
  EXPECT_NEAR(sample.sample(sample.distribution()).deviation, 0.2764, 1e-3);
}

}  // namespace
}  // namespace carl::policy
