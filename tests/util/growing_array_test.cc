#include "util/growing_array.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <utility>

namespace carl {
namespace {

/// From a few bytes to many megabytes, by single elements and by many.
TEST(GrowingArray, KeepsItsElements) {
  GrowingArray<std::uint32_t> array;
  std::size_t n = 0;
  while (n < 3'000'000) {
    if (n % 5 != 0) {
      array.push_back(static_cast<std::uint32_t>(n++));
      continue;
    }
    const std::size_t more = 1 + n / 3;
    std::uint32_t* const first = array.extend(more);
    for (std::size_t i = 0; i < more; ++i)
      first[i] = static_cast<std::uint32_t>(n++);
  }
  GrowingArray<std::uint32_t> moved = std::move(array);
  GrowingArray<std::uint32_t> small;
  small.push_back(7);
  std::swap(small, moved);
  EXPECT_EQ(moved.size(), 1U);
  ASSERT_EQ(small.size(), n);
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(small[i], i);
  small.cut(n / 2);
  small.resize(n, 5);
  EXPECT_EQ(small[n / 2 - 1], n / 2 - 1);
  EXPECT_EQ(small[n / 2], 5U);
  EXPECT_EQ(small.back(), 5U);
}

TEST(GrowingArray, SaysThatThereIsNotSoMuch) {
  GrowingArray<std::uint64_t> array;
  array.push_back(3);
  EXPECT_THROW(array.reserve(SIZE_MAX / 4), std::bad_alloc);
  EXPECT_EQ(array[0], 3U);
}

}  // namespace
}  // namespace carl
