// Bars of a histogram against counting by hand.
#include "carl/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "carl/solution.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl {
namespace {

TEST(Histogram, AFewValuesHaveABarEach) {
  const auto bars = histogram_bars({{0, 5}, {30, 4}}, Bound{1, 15}, 12);
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_EQ(bars[0].from, 0);
  EXPECT_EQ(bars[0].to, 0);
  EXPECT_EQ(bars[0].count, 5U);
  EXPECT_FALSE(bars[0].above);
  EXPECT_TRUE(bars[1].above);
}

/// Of random distributions: every value is in the bar that says so, and on its side of the bound.
TEST(Histogram, CountsAreThoseOfTheValues) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(2000); ++seed) {
    SplitMix64 random(seed);
    const auto whole = [&](std::uint64_t n) { return static_cast<double>(random.next() % n); };
    std::map<double, std::size_t> counts;
    const double unit = std::vector<double>{1e-3, 0.1, 1, 7, 1000}[random.next() % 5];
    for (std::size_t k = 1 + random.next() % 60; k > 0; --k)
      counts[unit * whole(50)] += 1 + random.next() % 9;
    const Distribution values(counts.begin(), counts.end());
    std::optional<Bound> bound;
    if (seed % 3 != 0) bound = Bound{1, unit * whole(50) + (seed % 2 == 0 ? unit / 3 : 0)};
    const std::size_t most = 4 + random.next() % 20;
    const std::vector<HistogramBar> bars = histogram_bars(values, bound, most);
    EXPECT_LE(bars.size(), most + 3) << seed;
    std::size_t all = 0;
    for (const HistogramBar& bar : bars) {
      std::size_t inside = 0;
      for (const auto& [value, times] : values) {
        const bool above = bound && value > bound->upper + bound_tolerance(*bound);
        // What is the bound itself, but for rounding, belongs to the bar that ends there.
        const bool at_bound = bound && std::abs(value - bound->upper) <= 1e-9 * value;
        const bool in = bar.from == bar.to ? std::abs(value - bar.from) <= 1e-9 * value
                        : at_bound && !above
                            ? bar.to == bound->upper || (bar.from < value && value < bar.to)
                            : bar.from <= value && value < bar.to;
        if (in && above == bar.above) inside += times;
      }
      EXPECT_EQ(bar.count, inside) << seed << ": " << bar.from << " to " << bar.to;
      all += bar.count;
    }
    std::size_t total = 0;
    for (const auto& [value, times] : values)
      total += times;
    EXPECT_EQ(all, total) << seed;
  }
}

}  // namespace
}  // namespace carl
