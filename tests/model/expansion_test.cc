#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "carl/model.h"

namespace carl {
namespace {

/// "7: 0.5>1 0.5>2; 8: 1>3" for two actions.
std::string text(const Expansion& expansion) {
  std::string result;
  for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
    if (i > 0) result += "; ";
    result += std::to_string(expansion.action(i).index()) + ":";
    for (std::size_t k = 0; k < expansion.successors(i).size(); ++k) {
      std::string probability = std::to_string(expansion.probabilities(i)[k]);
      probability.erase(probability.find_last_not_of('0') + 1);
      if (probability.back() == '.') probability.pop_back();
      result += " " + probability + ">" + std::to_string(expansion.successors(i)[k].index());
    }
  }
  return result;
}

Expansion three_actions() {
  Expansion expansion;
  expansion.begin_action(ActionId(7));
  expansion.add_outcome(0.5, StateId(1));
  expansion.add_outcome(0.5, StateId(2));
  expansion.begin_action(ActionId(8));
  expansion.add_outcome(1, StateId(1));
  expansion.begin_action(ActionId(9));
  expansion.add_distinct_outcomes(std::vector<double>{0.25, 0.75},
                                  std::vector<StateId>{StateId(4), StateId(3)});
  return expansion;
}

TEST(Expansion, KeepsActionsAndOutcomesInOrder) {
  const Expansion expansion = three_actions();
  EXPECT_EQ(text(expansion), "7: 0.5>1 0.5>2; 8: 1>1; 9: 0.25>4 0.75>3");
  EXPECT_EQ(expansion.num_outcomes(), 5U);
}

TEST(Expansion, MergesOutcomesOfOneActionWithTheSameSuccessor) {
  Expansion expansion;
  expansion.begin_action(ActionId(0));
  expansion.add_outcome(0.25, StateId(1));
  expansion.add_outcome(0.5, StateId(2));
  expansion.add_outcome(0.25, StateId(1));
  EXPECT_EQ(text(expansion), "0: 0.5>1 0.5>2");
}

TEST(Expansion, MergesManyOutcomesToo) {
  Expansion expansion;
  for (std::size_t action = 0; action < 2; ++action) {
    expansion.begin_action(ActionId(action));
    for (std::size_t i = 0; i < 300; ++i)
      expansion.add_outcome(1.0 / 512, StateId(i % 100 + action));
  }
  ASSERT_EQ(expansion.num_outcomes(), 200U);
  for (std::size_t action = 0; action < 2; ++action) {
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(expansion.successors(action)[i], StateId(i + action));
      EXPECT_EQ(expansion.probabilities(action)[i], 3.0 / 512);
    }
  }
}

TEST(Expansion, ClearForgetsEverything) {
  Expansion expansion = three_actions();
  expansion.clear();
  EXPECT_EQ(expansion.num_actions(), 0U);
  EXPECT_EQ(expansion.num_outcomes(), 0U);
}

TEST(Expansion, RemovesActionsFromAnyPlace) {
  for (const auto& [removed, expected] :
       std::vector<std::pair<std::vector<std::size_t>, std::string>>{
           {{0}, "8: 1>1; 9: 0.25>4 0.75>3"},
           {{1}, "7: 0.5>1 0.5>2; 9: 0.25>4 0.75>3"},
           {{2}, "7: 0.5>1 0.5>2; 8: 1>1"},
           {{0, 1, 2}, ""},
           {{}, "7: 0.5>1 0.5>2; 8: 1>1; 9: 0.25>4 0.75>3"}}) {
    Expansion expansion = three_actions();
    expansion.remove_if([&drop = removed](std::size_t i) {
      return std::find(drop.begin(), drop.end(), i) != drop.end();
    });
    EXPECT_EQ(text(expansion), expected);
  }
}

TEST(Expansion, Reorders) {
  Expansion expansion = three_actions();
  expansion.reorder(std::vector<std::size_t>{2, 0, 1});
  EXPECT_EQ(text(expansion), "9: 0.25>4 0.75>3; 7: 0.5>1 0.5>2; 8: 1>1");
}

TEST(Expansion, MayBeAddedToAfterEachChange) {
  Expansion expansion = three_actions();
  expansion.remove_if([](std::size_t i) { return i == 2; });
  expansion.begin_action(ActionId(0));
  expansion.add_outcome(1, StateId(0));
  EXPECT_EQ(text(expansion), "7: 0.5>1 0.5>2; 8: 1>1; 0: 1>0");
}

}  // namespace
}  // namespace carl
