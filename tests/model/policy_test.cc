#include "carl/policy.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "support/scale.h"
#include "util/random.h"

namespace carl {
namespace {

TEST(Policy, SaysWhatWasAdded) {
  Policy policy;
  EXPECT_TRUE(policy.empty());
  EXPECT_EQ(policy.find(StateId(0)), std::nullopt);
  policy.add_state(StateId(7), 1.5);
  policy.add_choice(ActionId(3));
  policy.add_state(StateId(2));
  policy.add_choice(ActionId(4), 0.25);
  policy.add_choice(ActionId(5), 0.75);
  policy.add_state(StateId(9), 0.0);
  ASSERT_EQ(policy.size(), 3U);
  EXPECT_EQ(policy[0].state, StateId(7));
  EXPECT_EQ(policy[0].visits, 1.5);
  ASSERT_EQ(policy[0].choices.size(), 1U);
  EXPECT_EQ(policy[0].choices[0], (Policy::Choice{ActionId(3), 1}));
  EXPECT_EQ(policy[1].visits, std::nullopt);
  ASSERT_EQ(policy[1].choices.size(), 2U);
  EXPECT_EQ(policy[1].choices[1], (Policy::Choice{ActionId(5), 0.75}));
  EXPECT_EQ(policy[2].visits, 0.0);
  EXPECT_TRUE(policy[2].choices.empty());
  EXPECT_EQ(policy.find(StateId(2)), 1U);
  EXPECT_EQ(policy.find(StateId(3)), std::nullopt);
  EXPECT_EQ(policy.num_stochastic_states(), 1U);
  EXPECT_FALSE(policy.is_deterministic());
}

TEST(Policy, OfAStateThatIsAddedTwiceTheFirstIsFound) {
  Policy policy;
  for (const std::size_t action : {0U, 1U}) {
    policy.add_state(StateId(5));
    policy.add_choice(ActionId(action));
  }
  EXPECT_EQ(policy.size(), 2U);
  EXPECT_EQ(policy.find(StateId(5)), 0U);
}

TEST(Policy, AnActionOfProbabilityZeroIsNoRandomChoice) {
  Policy policy;
  policy.add_state(StateId(0));
  policy.add_choice(ActionId(0), 1);
  policy.add_choice(ActionId(1), 0);
  EXPECT_TRUE(policy.is_deterministic());
  EXPECT_EQ(policy[0].choices.size(), 2U);
}

/// The same in the plainest form there is.
struct Plain {
  StateId state;
  std::optional<double> visits;
  std::vector<Policy::Choice> choices;
};

TEST(Policy, IsWhatAListOfListsWouldBe) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    std::vector<Plain> plain;
    std::map<StateId, std::size_t> place;
    Policy policy;
    if (seed % 2 == 0) policy.reserve(random.below(50));
    const std::size_t states = random.below(200);
    for (std::size_t i = 0; i < states; ++i) {
      Plain entry{StateId(random.below(1U << random.below(32))), {}, {}};
      if (random.below(2) == 0) entry.visits = random.unit();
      const std::size_t choices = random.below(5) > 0 ? 1 : random.below(4);
      for (std::size_t c = 0; c < choices; ++c)
        entry.choices.push_back({ActionId(random.below(10)), random.below(4) > 0 ? 1.0 : 0.5});
      policy.add_state(entry.state, entry.visits);
      for (const Policy::Choice& choice : entry.choices)
        policy.add_choice(choice.action, choice.probability);
      place.emplace(entry.state, i);
      plain.push_back(std::move(entry));
    }
    ASSERT_EQ(policy.size(), states);
    std::size_t i = 0;
    std::size_t stochastic = 0;
    for (const Policy::Entry entry : policy) {
      EXPECT_EQ(entry.state, plain[i].state);
      EXPECT_EQ(entry.visits, plain[i].visits);
      EXPECT_EQ(std::vector<Policy::Choice>(entry.choices.begin(), entry.choices.end()),
                plain[i].choices);
      EXPECT_EQ(policy.find(entry.state), place.at(entry.state));
      EXPECT_EQ(policy.find(StateId(entry.state.index() + 1)).has_value(),
                place.contains(StateId(entry.state.index() + 1)));
      stochastic += entry.choices.size() > 1;
      ++i;
    }
    EXPECT_EQ(i, states);
    EXPECT_EQ(policy.num_stochastic_states(), stochastic);
    Policy copy = policy;
    EXPECT_TRUE(copy == policy);
    copy.add_state(StateId(0));
    EXPECT_FALSE(copy == policy);
  }
}

Policy deterministic(std::size_t states) {
  Policy policy;
  policy.reserve(states);
  for (std::size_t i = 0; i < states; ++i) {
    policy.add_state(StateId(3 * i), 1);
    policy.add_choice(ActionId(i));
  }
  return policy;
}

/// State, action and visits take 16 bytes, finding a state 4 for each slot of a table that is at
/// least three eighths full. A random choice takes room for itself alone.
TEST(Policy, IsCompactWhereItIsDeterministic) {
  EXPECT_LE(deterministic(98'304).bytes(), 22 * 98'304U);
  for (const std::size_t states : {1000U, 98'304U, 98'305U}) {
    const std::size_t bytes = deterministic(states).bytes();
    EXPECT_LE(bytes, 27 * states);
    Policy policy;
    policy.reserve(states);
    for (std::size_t i = 0; i < states; ++i) {
      policy.add_state(StateId(3 * i), 1);
      if (i != states / 2) {
        policy.add_choice(ActionId(i));
      } else {
        policy.add_choice(ActionId(0), 0.5);
        policy.add_choice(ActionId(1), 0.5);
      }
    }
    EXPECT_FALSE(policy.is_deterministic());
    EXPECT_LE(policy.bytes(), bytes + 100);
  }
}

}  // namespace
}  // namespace carl
