#include "model/intern_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carl {
namespace {

TEST(InternTable, NumbersInOrderOfFirstMeeting) {
  NameTable names;
  EXPECT_EQ(names.intern("b"), 0U);
  EXPECT_EQ(names.intern("a"), 1U);
  EXPECT_EQ(names.intern("b"), 0U);
  EXPECT_EQ(names.intern(""), 2U);
  EXPECT_EQ(names.size(), 3U);
  EXPECT_EQ(names[1], "a");
  EXPECT_EQ(names[2], "");
}

TEST(InternTable, FindsOnlyWhatIsThere) {
  NameTable names;
  names.intern("a");
  EXPECT_EQ(names.find("a"), 0U);
  EXPECT_EQ(names.find("b"), std::nullopt);
  EXPECT_EQ(names.find(""), std::nullopt);
}

TEST(InternTable, KeepsManyNamesApart) {
  NameTable names;
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t i = 0; i < 10'000; ++i)
      ASSERT_EQ(names.intern(std::to_string(i)), i);
  EXPECT_EQ(names[4321], "4321");
}

TEST(InternTable, ComparesVectorsByLengthAndContent) {
  VectorTable vectors;
  const std::vector<double> a{1, 2};
  const std::vector<double> b{1};
  const std::vector<double> c{1, 2, 0};
  EXPECT_EQ(vectors.intern(a), 0U);
  EXPECT_EQ(vectors.intern(b), 1U);
  EXPECT_EQ(vectors.intern(c), 2U);
  EXPECT_EQ(vectors.intern(std::vector<double>{1, 2}), 0U);
  vectors.forget_index();
  EXPECT_EQ(vectors[2].size(), 3U);
  EXPECT_EQ(vectors[0][1], 2);
}

}  // namespace
}  // namespace carl
