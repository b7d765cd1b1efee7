#include "pddl/type_closure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <limits>

namespace carl::pddl {
namespace {

std::vector<Type> diamond() {
  return {{"object", {}},
          {"vehicle", {TypeId(0)}},
          {"boat", {TypeId(1)}},
          {"car", {TypeId(1)}},
          {"amphibious", {TypeId(2), TypeId(3)}},
          {"city", {TypeId(0)}}};
}

std::vector<bool> below(const std::vector<TypeId>& tops) {
  Monitor monitor;
  return types_below(subtypes_of(diamond()), tops, monitor);
}

TEST(TypeClosure, AllThatIsBelow) {
  using ::testing::ElementsAre;
  EXPECT_THAT(below({TypeId(0)}), ElementsAre(true, true, true, true, true, true));
  EXPECT_THAT(below({TypeId(2)}), ElementsAre(false, false, true, false, true, false));
  EXPECT_THAT(below({TypeId(4)}), ElementsAre(false, false, false, false, true, false));
  EXPECT_THAT(below({TypeId(5), TypeId(3)}), ElementsAre(false, false, false, true, true, true));
  EXPECT_THAT(below({}), ElementsAre(false, false, false, false, false, false));
}

/// A chain of types as long as a text can make it, and a limit that ends the walk along it.
TEST(TypeClosure, LongChainsAndLimits) {
  std::vector<Type> types{{"object", {}}};
  for (std::size_t t = 1; t < 200'000; ++t)
    types.push_back({"t", {TypeId(t - 1)}});
  const Subtypes subtypes = subtypes_of(types);
  const std::vector<TypeId> tops{TypeId(1)};
  Monitor none;
  const std::vector<bool> result = types_below(subtypes, tops, none);
  EXPECT_FALSE(result.front());
  EXPECT_TRUE(result.back());
  std::atomic<bool> interrupt = true;
  Monitor interrupted(std::numeric_limits<double>::infinity(), 0, &interrupt);
  EXPECT_THROW(types_below(subtypes, tops, interrupted), LimitReached);
}

}  // namespace
}  // namespace carl::pddl
