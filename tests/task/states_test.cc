// Packed states, the registry that numbers them, and the tree that finds applicable actions.
#include <gtest/gtest.h>

#include <algorithm>

#include "carl/monitor.h"
#include "task/packed_state.h"
#include "task/state_index.h"
#include "task/state_registry.h"
#include "task/successor_generator.h"
#include "util/random.h"

namespace carl::task {
namespace {

std::vector<Variable> variables_with(const std::vector<std::size_t>& sizes) {
  std::vector<Variable> variables;
  variables.reserve(sizes.size());
  for (const std::size_t size : sizes)
    variables.push_back({std::vector<std::string>(size), false});
  return variables;
}

TEST(StateLayout, UsesAsFewWordsAsItCan) {
  EXPECT_EQ(StateLayout(variables_with({})).num_words(), 1U);
  EXPECT_EQ(StateLayout(variables_with(std::vector<std::size_t>(64, 2))).num_words(), 1U);
  EXPECT_EQ(StateLayout(variables_with(std::vector<std::size_t>(65, 2))).num_words(), 2U);
  // Thirteen variables of five bits leave a gap of four that single bits fill.
  std::vector<std::size_t> sizes(12, 32);
  sizes.insert(sizes.begin(), 4, 2);
  EXPECT_EQ(StateLayout(variables_with(sizes)).num_words(), 1U);
  EXPECT_EQ(StateLayout(variables_with(std::vector<std::size_t>(13, 32))).num_words(), 2U);
}

TEST(StateLayout, PacksAndUnpacksAndCompiles) {
  SplitMix64 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::size_t> sizes;
    for (std::uint64_t i = 1 + random.below(60); i > 0; --i)
      sizes.push_back(1 + random.below(random.below(2) == 0 ? 3 : 500));
    const StateLayout layout(variables_with(sizes));
    std::vector<std::uint32_t> values;
    std::vector<std::uint32_t> others;
    std::vector<Fact> facts;
    for (std::size_t v = 0; v < sizes.size(); ++v) {
      values.push_back(static_cast<std::uint32_t>(random.below(sizes[v])));
      others.push_back(static_cast<std::uint32_t>(random.below(sizes[v])));
      if (random.below(2) == 0) facts.push_back({VariableId(v), others[v]});
    }
    std::vector<std::uint64_t> state(layout.num_words());
    layout.pack(values, state);
    std::vector<std::uint32_t> unpacked(sizes.size());
    layout.unpack(state, unpacked);
    EXPECT_EQ(unpacked, values);
    const bool agree = std::all_of(facts.begin(), facts.end(), [&](const Fact& fact) {
      return values[fact.variable.index()] == fact.value;
    });
    const std::vector<PackedFacts> compiled = layout.compile(facts);
    EXPECT_LE(compiled.size(), layout.num_words());
    EXPECT_EQ(std::all_of(compiled.begin(), compiled.end(),
                          [&](const PackedFacts& f) { return f.hold(state.data()); }),
              agree);
    for (const PackedFacts& f : compiled)
      f.apply(state.data());
    for (const Fact& fact : facts)
      values[fact.variable.index()] = fact.value;
    layout.unpack(state, unpacked);
    EXPECT_EQ(unpacked, values);
  }
}

TEST(StateRegistry, NumbersStatesDenselyAndFindsThemAgain) {
  for (const std::size_t words : {1U, 3U, 40'000U}) {
    StateRegistry registry(words);
    const std::size_t count = words == 40'000U ? 5 : 100'000;
    std::vector<std::uint64_t> state(words, 0);
    for (std::size_t i = 0; i < count; ++i) {
      state[words - 1] = i * i;
      ASSERT_EQ(registry.insert(state.data()), StateId(i));
    }
    const PackedState early = registry[StateId(2)];
    EXPECT_EQ(early[words - 1], 4U);
    for (std::size_t i = 0; i < count; ++i) {
      state[words - 1] = i * i;
      ASSERT_EQ(registry.insert(state.data()), StateId(i));
    }
    EXPECT_EQ(registry.size(), count);
  }
}

TEST(StateRegistry, NeedsLittleBesidesTheWords) {
  StateRegistry registry(2);
  for (std::uint64_t i = 0; i < 300'000; ++i) {
    const std::uint64_t state[2] = {i, ~i};
    registry.insert(state);
    if (i > 100'000) {
      ASSERT_LT(registry.bytes(), 44 * i);
    }
  }
}

/// Many with the same bits that slots keep, at the end of a part, so that they go on at its beginning.
TEST(StateIndex, TellsStatesApartWhoseHashesAreAlike) {
  StateIndex index;
  const auto find = [&](std::uint64_t hash, std::uint32_t number) {
    return index.find(hash, [&](std::uint32_t found) { return found == number; });
  };
  constexpr std::uint64_t last = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(find(last, i), StateIndex::none);
    index.add(last, i);
    index.add(last - (std::uint64_t{i} << 28U), 1000 + i);
    index.add(i, 2000 + i);  // elsewhere, all with the same place
  }
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(find(last, i), i);
    EXPECT_EQ(find(last - (std::uint64_t{i} << 28U), 1000 + i), 1000 + i);
    EXPECT_EQ(find(i, 2000 + i), 2000 + i);
  }
  EXPECT_EQ(find(last, 3000), StateIndex::none);
  EXPECT_EQ(find(last / 2, 1), StateIndex::none);
}

TEST(StateRegistry, HoldsManyStates) {
  constexpr std::size_t words = 2;
  StateRegistry registry(words);
  constexpr std::uint64_t count = 900'000;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t state[words] = {i * i, i % 7};
    ASSERT_EQ(registry.insert(state), StateId(i));
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t state[words] = {i * i, i % 7};
    ASSERT_EQ(registry.find(state), StateId(i));
    ASSERT_EQ(registry[StateId(i)][0], i * i);
  }
  const std::uint64_t other[words] = {5, 5};
  EXPECT_FALSE(registry.find(other).valid());
}

Task random_task(SplitMix64& random) {
  Task task;
  std::vector<std::size_t> sizes;
  for (std::uint64_t i = 1 + random.below(6); i > 0; --i)
    sizes.push_back(random.below(8) == 0 ? 80 : 2 + random.below(4));
  task.variables = variables_with(sizes);
  for (std::uint64_t i = random.below(40); i > 0; --i) {
    Action action;
    for (std::size_t v = 0; v < sizes.size(); ++v)
      if (random.below(3) == 0)
        action.precondition.push_back(
            {VariableId(v), static_cast<std::uint32_t>(random.below(sizes[v]))});
    task.actions.push_back(action);
  }
  return task;
}

TEST(SuccessorGenerator, FindsWhatASearchThroughAllActionsFinds) {
  SplitMix64 random(11);
  for (int round = 0; round < 200; ++round) {
    const Task task = random_task(random);
    const StateLayout layout(task.variables);
    const SuccessorGenerator generator(task, layout);
    for (int k = 0; k < 20; ++k) {
      std::vector<std::uint32_t> values;
      for (const Variable& variable : task.variables)
        values.push_back(static_cast<std::uint32_t>(random.below(variable.values.size())));
      std::vector<std::uint64_t> state(layout.num_words());
      layout.pack(values, state);
      std::vector<std::uint32_t> expected;
      for (std::uint32_t a = 0; a < task.actions.size(); ++a) {
        const auto& precondition = task.actions[a].precondition;
        if (std::all_of(precondition.begin(), precondition.end(), [&](const Fact& fact) {
              return values[fact.variable.index()] == fact.value;
            }))
          expected.push_back(a);
      }
      std::vector<std::uint32_t> found;
      generator.collect(state.data(), found);
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected);
    }
  }
}

TEST(SuccessorGenerator, DoesNotRecurseAlongLongPreconditions) {
  Task task;
  task.variables = variables_with(std::vector<std::size_t>(300'000, 2));
  Action action;
  for (std::size_t v = 0; v < task.variables.size(); ++v)
    action.precondition.push_back({VariableId(v), 0});
  task.actions = {action, action};
  task.actions[1].precondition.pop_back();
  const StateLayout layout(task.variables);
  const SuccessorGenerator generator(task, layout);
  std::vector<std::uint64_t> state(layout.num_words(), 0);
  std::vector<std::uint32_t> found;
  generator.collect(state.data(), found);
  EXPECT_EQ(found.size(), 2U);
  const Fact last{VariableId(task.variables.size() - 1), 1};
  layout.compile(std::span(&last, 1)).front().apply(state.data());
  found.clear();
  generator.collect(state.data(), found);
  EXPECT_EQ(found, std::vector<std::uint32_t>{1});
}

}  // namespace
}  // namespace carl::task
