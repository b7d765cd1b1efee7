#include "carl/error.h"

#include <gtest/gtest.h>

namespace carl {
namespace {

TEST(InputError, ShowsPositionLineCaretAndHint) {
  const InputError error({"p.pddl", 3, 5}, "  (:gaol x)", "unknown section ':gaol'",
                         "did you mean ':goal'?");
  EXPECT_STREQ(error.what(),
               "p.pddl:3:5: error: unknown section ':gaol'\n"
               "    (:gaol x)\n"
               "      ^\n"
               "  hint: did you mean ':goal'?");
}

TEST(InputError, WithoutPositionIsOneLine) {
  EXPECT_STREQ(InputError("no goal").what(), "error: no goal");
}

TEST(InputError, CutsLongLinesAroundTheCaret) {
  const InputError error({"p", 1, 5000}, std::string(10000, 'x'), "m");
  EXPECT_LT(std::string(error.what()).size(), 400U);
}

TEST(InputError, CaretBeyondTheLineIsHarmless) {
  const InputError error({"p", 1, 1000000}, "short", "m");
  EXPECT_NE(std::string(error.what()).find("short"), std::string::npos);
}

}  // namespace
}  // namespace carl
