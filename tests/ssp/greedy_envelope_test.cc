#include "ssp/greedy_envelope.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heuristics/dijkstra.h"
#include "support/random_model.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

/// A graph of which about every other state is expanded, with choices drawn at random.
struct RandomChoices {
  explicit RandomChoices(std::uint64_t seed)
      : random(seed),
        cssp(testing::random_model(seed, {.states = 30, .actions = 3, .outcomes = 2})),
        graph(cssp),
        ssp(graph, heuristic, std::vector<double>(cssp.num_costs(), 1.0)) {
    ssp.expand(ssp.initial_state());
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (ssp.is_fringe(StateId(s)) && random.below(2) == 0) ssp.expand(StateId(s));
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (graph.is_expanded(StateId(s))) choose(StateId(s));
  }

  void choose(StateId s) {
    const PairRange pairs = graph.pairs(s);
    auto choice = pairs.begin();
    for (std::size_t k = random.below(pairs.size()); k > 0; --k)
      ++choice;
    ssp.set_choice(s, *choice);
  }

  std::vector<bool> reachable() const {
    std::vector<bool> seen(graph.num_states(), false);
    std::vector<StateId> stack{ssp.initial_state()};
    seen[ssp.initial_state().index()] = true;
    while (!stack.empty()) {
      const StateId s = stack.back();
      stack.pop_back();
      if (!graph.is_expanded(s)) continue;
      for (const StateId t : graph.successors(ssp.choice(s))) {
        if (seen[t.index()] || graph.is_goal(t)) continue;
        seen[t.index()] = true;
        stack.push_back(t);
      }
    }
    return seen;
  }

  SplitMix64 random;
  Cssp cssp;
  SearchGraph graph;
  heuristics::ZeroHeuristic heuristic;
  ScalarisedSsp ssp;
};

TEST(GreedyEnvelope, ATraversalMeetsWhatChoicesReach) {
  for (std::uint64_t seed = 0; seed < testing::scaled(300); ++seed) {
    const RandomChoices problem(seed);
    GreedyEnvelope envelope(problem.ssp);
    envelope.traverse();
    const std::vector<bool> reachable = problem.reachable();
    for (std::size_t s = 0; s < problem.graph.num_states(); ++s)
      EXPECT_EQ(envelope.contains(StateId(s)), reachable[s]) << "seed " << seed << " state " << s;
    for (std::size_t i = 0; i < envelope.states().size(); ++i)
      EXPECT_TRUE(i == 0 ||
                  envelope.rank(envelope.states()[i - 1]) < envelope.rank(envelope.states()[i]));
    EXPECT_EQ(envelope.states().back(), problem.ssp.initial_state());
  }
}

TEST(GreedyEnvelope, AnExtensionKeepsAllThatChoicesReach) {
  for (std::uint64_t seed = 0; seed < testing::scaled(300); ++seed) {
    RandomChoices problem(seed);
    GreedyEnvelope envelope(problem.ssp);
    envelope.traverse();
    for (int round = 0; round < 4; ++round) {
      std::vector<StateId> changed;
      for (std::size_t s = 0; s < problem.graph.num_states(); ++s)
        if (problem.graph.is_expanded(StateId(s)) && problem.random.below(6) == 0) {
          problem.choose(StateId(s));
          changed.push_back(StateId(s));
        }
      std::vector<bool> before(problem.graph.num_states());
      std::int32_t lowest = 0;
      for (std::size_t s = 0; s < before.size(); ++s) {
        before[s] = envelope.contains(StateId(s));
        if (before[s]) lowest = std::min(lowest, envelope.rank(StateId(s)));
      }
      envelope.extend(changed);
      const std::vector<bool> reachable = problem.reachable();
      for (std::size_t s = 0; s < reachable.size(); ++s) {
        if (!reachable[s]) continue;
        ASSERT_TRUE(envelope.contains(StateId(s))) << "seed " << seed << " state " << s;
      }
      for (const StateId s : envelope.states()) {
        EXPECT_FALSE(before[s.index()]);
        EXPECT_LT(envelope.rank(s), lowest) << "new states come first";
      }
      for (const StateId s : envelope.fringe()) {
        EXPECT_FALSE(problem.graph.is_expanded(s));
        EXPECT_TRUE(reachable[s.index()] || !envelope.still_leads_to(s));
      }
    }
  }
}

TEST(GreedyEnvelope, WhatWasForgottenIsFoundAgain) {
  RandomChoices problem(1);
  GreedyEnvelope envelope(problem.ssp);
  envelope.traverse();
  ASSERT_FALSE(envelope.fringe().empty());
  const StateId s = envelope.fringe()[0];
  EXPECT_TRUE(envelope.still_leads_to(s));
  envelope.forget(s);
  EXPECT_FALSE(envelope.contains(s));
  std::vector<StateId> all(envelope.states().begin(), envelope.states().end());
  std::erase_if(all, [&](StateId t) { return !problem.graph.is_expanded(t); });
  envelope.extend(all);
  EXPECT_EQ(std::count(envelope.fringe().begin(), envelope.fringe().end(), s), 1);
}

}  // namespace
}  // namespace carl::ssp
