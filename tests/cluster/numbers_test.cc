// More of something than can be numbered is an error of all ranks at once, whichever of them has too much.
// The limits are small here: those of PETSc and MPI take hundreds of gigabytes.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cluster/agreement.h"
#include "cluster/borders.h"
#include "cluster/policy_matrix.h"
#include "cluster/ranks.h"
#include "cluster/rows.h"

namespace carl::cluster {
namespace {

/// Ends as a memory limit does. The message, the same on all ranks.
template <class Function>
std::string too_large(Function function) {
  try {
    function();
  } catch (const TooLarge& error) {
    EXPECT_EQ(error.kind(), LimitKind::memory);
    return error.what();
  }
  return "";
}

/// So many states with two pairs each to the goal.
Rows rows_of(std::size_t states) {
  Rows rows(1);
  for (std::size_t s = 0; s < states; ++s) {
    for (std::uint32_t action = 0; action < 2; ++action) {
      rows.add_outcome(goal_id, 1);
      rows.add_pair(ActionId(action), std::vector<double>{1.0}, 1);
    }
    rows.end_state(s);
  }
  return rows;
}

TEST(Numbers, OfStatesOnAllRanks) {
  const Ranks ranks(MPI_COMM_WORLD);
  const std::size_t all = 5 * ranks.count();
  const Ownership ownership = Ownership::of(5, ranks);
  EXPECT_EQ(too_large([&] {
              rows_of(5).finish(ownership, ranks, {all - 1, 100});
            }),
            std::to_string(all) + " states are more than PETSc was built for, which is " +
                std::to_string(all - 1) + "; with indices of 64 bits it has room for more");
  EXPECT_EQ(too_large([&] { rows_of(5).finish(ownership, ranks, {all, 100}); }), "");
}

/// By what PETSc was built for, which takes no rows to find out.
TEST(Numbers, OfStatesForPetsc) {
  const Ranks ranks(MPI_COMM_WORLD);
  Ownership ownership;
  for (std::size_t r = 0; r <= ranks.count(); ++r)
    ownership.first.push_back(r * (most_of_petsc / ranks.count() + 1));
  EXPECT_NE(too_large([&] { Rows(1).finish(ownership, ranks); }), "");
}

TEST(Numbers, OfPairsOnOneRank) {
  const Ranks ranks(MPI_COMM_WORLD);
  for (std::size_t crowded = 0; crowded < ranks.count(); ++crowded) {
    const std::size_t own = ranks.index() == crowded ? 6 : 5;
    const Ownership ownership = Ownership::of(own, ranks);
    EXPECT_EQ(
        too_large([&] {
          rows_of(own).finish(ownership, ranks, {100, 11});
        }),
        "one rank has 12 pairs of states and actions, and 11 at most can be numbered: use more "
        "ranks");
    EXPECT_EQ(too_large([&] { rows_of(own).finish(ownership, ranks, {100, 12}); }), "");
  }
}

TEST(Numbers, OfEntriesOnOneRank) {
  const Ranks ranks(MPI_COMM_WORLD);
  for (std::size_t crowded = 0; crowded < ranks.count(); ++crowded) {
    const std::size_t own = ranks.index() == crowded ? 1001 : 1000;
    EXPECT_EQ(
        too_large([&] { check_entries(own, ranks, 1000); }),
        "the equations of one rank have 1001 entries, more than PETSc was built for, which is "
        "1000: use more ranks");
    EXPECT_EQ(too_large([&] { check_entries(own, ranks, 1001); }), "");
  }
}

/// Each rank has ten states, and knows the first three of the rank above.
TEST(Numbers, OfStatesInAMessage) {
  const Ranks ranks(MPI_COMM_WORLD);
  std::vector<std::int64_t> first;
  for (std::size_t r = 0; r <= ranks.count(); ++r)
    first.push_back(static_cast<std::int64_t>(10 * r));
  std::vector<std::int64_t> states;
  for (std::int64_t s = first[ranks.index()]; s < first[ranks.index()] + 13; ++s)
    if (s < first.back()) states.push_back(s);
  const std::string message = too_large([&] { Borders(states, first, ranks, 2); });
  EXPECT_EQ(message, ranks.count() == 1 ? ""
                                        : "two ranks have 3 states on their border, and 2 at most "
                                          "can be in a message: use more ranks");
  EXPECT_EQ(too_large([&] { Borders(states, first, ranks, 3); }), "");
}

}  // namespace
}  // namespace carl::cluster
