#include "model/probability_shares.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/scale.h"
#include "util/random.h"

namespace carl::testing {
namespace {

TEST(ProbabilityShares, AreAddedAsTheyAreWritten) {
  EXPECT_EQ(sum_of_shares(std::vector{0.1, 0.2}), 0.3);  // 0.1 + 0.2 is not
  EXPECT_EQ(sum_of_shares(std::vector{0.1, 0.1, 0.1, 0.1, 0.1, 0.1}), 0.6);
  EXPECT_EQ(sum_of_shares(std::vector{0.25}), 0.25);
}

TEST(ProbabilityShares, FittingChangesAFewLastDigitsOfOne) {
  SplitMix64 random(1);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < scaled(20'000); ++i) {
    std::vector<double> shares(2 + random.below(4));
    double whole = 0;
    for (double& share : shares) {
      // From some tenths down to next to nothing.
      share = random.unit() * std::pow(10, -static_cast<double>(random.below(14))) / 4;
      whole += share;
    }
    const double up_or_down = random.below(2) == 0 ? 0.0 : 1.0;
    whole = std::nextafter(whole, up_or_down);
    std::vector<double> fitted = shares;
    fit_shares(fitted, whole);
    ASSERT_EQ(sum_of_shares(fitted), whole) << i;
    std::size_t different = 0;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      EXPECT_NEAR(fitted[k], shares[k], 1e-15 * whole);
      different += fitted[k] != shares[k];
    }
    EXPECT_LE(different, 1U);
    changed += different;
    const std::vector<double> once = fitted;
    fit_shares(fitted, whole);
    EXPECT_EQ(fitted, once);
  }
  EXPECT_GE(changed, at_full_scale(10'000));
}

}  // namespace
}  // namespace carl::testing
