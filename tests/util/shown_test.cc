#include "util/shown.h"

#include <gtest/gtest.h>

namespace carl {
namespace {

TEST(Shown, ShortTextsAreShownWhole) {
  EXPECT_EQ(shown(""), "");
  EXPECT_EQ(shown(std::string(60, 'x')), std::string(60, 'x'));
}

TEST(Shown, LongTextsAreCutBetweenCharacters) {
  EXPECT_EQ(shown(std::string(61, 'x')), std::string(60, 'x') + "…");
  EXPECT_EQ(shown(std::string(59, 'x') + "äää"), std::string(59, 'x') + "…");
}

}  // namespace
}  // namespace carl
