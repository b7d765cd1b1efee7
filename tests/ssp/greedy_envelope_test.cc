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
      GreedyEnvelope copy = envelope;
      std::vector<StateId> kept(envelope.fringe().begin(), envelope.fringe().end());
      copy.keep_reachable(kept);
      for (const StateId s : envelope.fringe()) {
        EXPECT_FALSE(problem.graph.is_expanded(s));
        const bool is_kept = std::find(kept.begin(), kept.end(), s) != kept.end();
        EXPECT_EQ(copy.contains(s), is_kept);
        EXPECT_TRUE(reachable[s.index()] || !is_kept);
      }
    }
  }
}

TEST(GreedyEnvelope, WhatChoicesTurnedAwayFromIsFoundAgain) {
  std::size_t left_out = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomChoices problem(seed);
    GreedyEnvelope envelope(problem.ssp);
    envelope.traverse();
    const std::vector<StateId> fringe(envelope.fringe().begin(), envelope.fringe().end());
    std::vector<StateId> expanded(envelope.states().begin(), envelope.states().end());
    std::erase_if(expanded, [&](StateId s) { return !problem.graph.is_expanded(s); });
    std::vector<StateId> kept = fringe;
    envelope.keep_reachable(kept);
    EXPECT_EQ(kept, fringe) << "no choice has changed";
    std::vector<PairId> choices;
    for (const StateId s : expanded) {
      choices.push_back(problem.ssp.choice(s));
      problem.choose(s);
    }
    envelope.keep_reachable(kept);
    for (std::size_t i = 0; i < expanded.size(); ++i)
      problem.ssp.set_choice(expanded[i], choices[i]);
    envelope.extend(expanded);
    EXPECT_EQ(envelope.fringe().size(), fringe.size() - kept.size());
    left_out += envelope.fringe().size();
    for (const StateId s : fringe)
      EXPECT_TRUE(envelope.contains(s));
  }
  EXPECT_GT(left_out, 50u);
}

}  // namespace
}  // namespace carl::ssp
