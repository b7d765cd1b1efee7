// What is said of Q-values against the Q-values themselves.

#include "ssp/local_change.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "carl/explicit_builder.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

/// States in a row. Actions lead to states nearby, or anywhere, and the last few of some to the goal.
struct Row {
  Row(std::size_t size, std::size_t reach, std::uint64_t seed)
      : random(seed), cssp(build(size, reach)), graph(cssp, 1) {
    Monitor monitor;
    graph.expand_all(monitor);
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (!graph.is_goal(StateId(s))) states.emplace_back(s);
    value.assign(graph.num_states(), 0.0);
  }

  std::shared_ptr<Model> build(std::size_t size, std::size_t reach) {
    ExplicitBuilder builder({{"time"}, {}, {}});
    const auto state = [&](std::size_t i) { return builder.state(std::to_string(i)); };
    for (std::size_t i = 0; i < size; ++i)
      state(i);
    for (std::size_t i = 0; i < size; ++i)
      for (int a = 0; a < 3; ++a) {
        const std::size_t to = (i + 1 + random.below(reach)) % size;
        builder.add_outcome(0.5, a == 0 ? state((i + 1) % size) : state(to == i ? i + 1 : to));
        builder.add_outcome(
            0.5, i % 10 == 0 && i > size / 2 ? state(size) : state((i + size - 1) % size));
        builder.add_action(state(i), std::to_string(a), {1.0});
      }
    builder.add_goal(state(size));
    return builder.build(state(0));
  }

  double q(PairId p) const {
    return q_value(graph, p, 1.0, [&](StateId s) { return value[s.index()]; });
  }

  SplitMix64 random;
  Cssp cssp;
  SearchGraph graph;
  std::vector<StateId> states;
  std::vector<double> value;
};

/// Differences of all Q-values of a state to its first.
std::vector<double> differences(const Row& row, StateId s) {
  std::vector<double> result;
  for (const PairId p : row.graph.pairs(s))
    result.push_back(row.q(p) - row.q(*row.graph.pairs(s).begin()));
  return result;
}

TEST(LocalChange, BoundsHowQValuesChangeAgainstEachOther) {
  const Threads threads;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Row row(2'000, seed % 4 == 3 ? 1'900 : 5, seed);
    LocalChange change(threads);
    change.take_on(row.graph, row.states);
    std::vector<std::vector<double>> before;
    for (const StateId s : row.states)
      before.push_back(differences(row, s));
    for (int step = 0; step < 3; ++step) {
      const std::size_t from = row.random.below(2'000);
      const double shift = 100 * row.random.unit();
      for (std::size_t i = from; i < row.states.size(); ++i) {
        const double by = shift + (i % 97 == 0 ? row.random.unit() : 0.0);
        row.value[row.states[i].index()] += by;
        change.note(i, by);
      }
      for (std::size_t i = 0; i < from; ++i)
        change.note(i, 0);
      change.end_step();
    }
    for (std::size_t i = 0; i < row.states.size(); ++i) {
      const std::vector<double> now = differences(row, row.states[i]);
      for (std::size_t k = 0; k < now.size(); ++k)
        ASSERT_LE(std::abs(now[k] - before[i][k]), change.at(i) + 1e-9)
            << "state " << i << ", seed " << seed;
    }
  }
}

TEST(LocalChange, WhatFallsAlikeDoesNotCount) {
  const Threads threads;
  Row row(2'000, 5, 1);
  LocalChange change(threads);
  change.take_on(row.graph, row.states);
  for (std::size_t i = 0; i < row.states.size(); ++i)
    change.note(i, i < 1'500 ? -7.0 : 0.0);
  change.end_step();
  EXPECT_EQ(change.at(800), 0);
  EXPECT_EQ(change.at(1'900), 0);
  EXPECT_EQ(change.at(1'499), 7);
  EXPECT_EQ(change.at(1'100), 7) << "its neighbours lead to a goal, which does not fall";
  change.forget();
  EXPECT_EQ(change.at(1'499), 0);
}

/// Who looks halfway through a step sees some successors changed and others not. What he may rely on
/// afterwards is what he sees less what he knows to have changed.
TEST(LocalChange, MarginsOfALookHalfwayHoldInTheEnd) {
  const Threads threads;
  Row row(2'000, 5, 1);
  LocalChange change(threads);
  change.take_on(row.graph, row.states);
  for (double& value : row.value)
    value = row.random.unit();
  const auto fall = [&](std::size_t i) {
    row.value[row.states[i].index()] -= 7;
    change.note(i, -7);
  };
  for (std::size_t i = 0; i < row.states.size(); i += 2)
    fall(i);
  constexpr std::size_t begin = 400;
  constexpr std::size_t end = 900;
  std::vector<LocalChange::Range> seen(end);
  std::vector<std::vector<double>> halfway(end);
  for (std::size_t s = begin; s < end; ++s) {
    change.look_around(s, 0, 2'000, seen[s]);
    halfway[s] = differences(row, row.states[s]);
  }
  for (std::size_t i = 1; i < row.states.size(); i += 2)
    fall(i);
  change.end_step();
  double largest = 0;
  for (std::size_t s = begin; s < end; ++s) {
    EXPECT_EQ(change.at(s), 0) << "all has fallen alike";
    const std::vector<double> now = differences(row, row.states[s]);
    for (std::size_t k = 0; k < now.size(); ++k) {
      const double difference = std::abs(now[k] - halfway[s][k]);
      EXPECT_LE(difference, seen[s].width() + 1e-9);
      largest = std::max(largest, difference);
    }
  }
  EXPECT_GT(largest, 1) << "or this is no test";
}

TEST(LocalChange, SeesTheStepAtHandWithinARangeOfStates) {
  const Threads threads;
  Row row(2'000, 5, 1);
  LocalChange change(threads);
  change.take_on(row.graph, row.states);
  change.note(159, -3);
  LocalChange::Range seen;
  change.look_around(160, 0, 2'000, seen);
  EXPECT_EQ(seen.width(), 3);
  change.look_around(160, 160, 2'000, seen);
  EXPECT_EQ(seen.width(), 0);
  change.look_around(400, 0, 2'000, seen);
  EXPECT_EQ(seen.width(), 0);
}

}  // namespace
}  // namespace carl::ssp
