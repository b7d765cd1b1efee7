#include "util/strongly_connected.h"

#include <gtest/gtest.h>

#include "util/random.h"

namespace carl {
namespace {

using Edges = std::vector<std::vector<std::uint32_t>>;

Components components_of(const Edges& edges) {
  return strongly_connected_components(
      edges.size(), [&](std::size_t v) { return edges[v].size(); },
      [&](std::size_t v, std::size_t i) { return edges[v][i]; });
}

TEST(StronglyConnected, ComesOutInReverseTopologicalOrder) {
  const Components c = components_of({{1}, {2, 3}, {1}, {4}, {}});
  EXPECT_EQ(c.count, 4U);
  EXPECT_EQ(c.of[1], c.of[2]);
  EXPECT_GT(c.of[0], c.of[1]);
  EXPECT_GT(c.of[1], c.of[3]);
  EXPECT_GT(c.of[3], c.of[4]);
}

TEST(StronglyConnected, ListsTheMembersOfEachComponent) {
  const Components c = components_of({{1}, {2, 3}, {1}, {4}, {}});
  const ComponentMembers members(c);
  ASSERT_EQ(members.num_components(), 4U);
  const auto list = [&](std::uint32_t node) {
    const auto nodes = members[c.of[node]];
    return std::vector<std::uint32_t>(nodes.begin(), nodes.end());
  };
  EXPECT_EQ(list(0), std::vector<std::uint32_t>{0});
  EXPECT_EQ(list(1), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(list(3), std::vector<std::uint32_t>{3});
  EXPECT_EQ(list(4), std::vector<std::uint32_t>{4});
}

TEST(StronglyConnected, LongChainsDoNotOverflowTheStack) {
  Edges edges(1000000);
  for (std::uint32_t v = 0; v + 1 < edges.size(); ++v)
    edges[v] = {v + 1};
  EXPECT_EQ(components_of(edges).count, edges.size());
}

TEST(StronglyConnected, AgreesWithMutualReachability) {
  SplitMix64 random(5);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(12);
    Edges edges(n);
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
    for (std::size_t v = 0; v < n; ++v) {
      reach[v][v] = true;
      for (std::uint64_t k = random.below(3); k-- > 0;) {
        edges[v].push_back(static_cast<std::uint32_t>(random.below(n)));
        reach[v][edges[v].back()] = true;
      }
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          if (reach[i][k] && reach[k][j]) reach[i][j] = true;
    const Components c = components_of(edges);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_EQ(c.of[i] == c.of[j], reach[i][j] && reach[j][i]);
        if (reach[i][j]) {
          EXPECT_GE(c.of[i], c.of[j]);
        }
      }
  }
}

}  // namespace
}  // namespace carl
