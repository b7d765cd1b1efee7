// Properties that every instance must have, read off the problem text without the planner's own
// reader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "carl/generate.h"

namespace carl {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;
using Arguments = std::vector<std::string>;

std::string problem(const std::string& domain, const Parameters& parameters, std::uint64_t seed) {
  return generate_instance(domain, parameters, seed).problem_text;
}

/// The arguments of every "(name …)" in :init, in order.
std::vector<Arguments> facts(const std::string& text, const std::string& name) {
  const std::string init = text.substr(0, text.find("(:goal"));
  const std::string head = "(" + name + " ";
  std::vector<Arguments> result;
  for (std::size_t at = init.find(head); at != std::string::npos; at = init.find(head, at + 1)) {
    const std::size_t begin = at + head.size();
    std::istringstream words(init.substr(begin, init.find(')', begin) - begin));
    result.emplace_back(std::istream_iterator<std::string>(words),
                        std::istream_iterator<std::string>());
  }
  return result;
}

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

int distance(const std::string& a, const std::string& b) {
  const auto x = [](const std::string& cell) { return std::stoi(cell.substr(1)); };
  const auto y = [](const std::string& cell) { return std::stoi(cell.substr(cell.find('y') + 1)); };
  return std::abs(x(a) - x(b)) + std::abs(y(a) - y(b));
}

TEST(Sar, HasTheGridTheDistanceAndTheDensityAskedFor) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const std::string text = problem("sar", {{"n", "5"}, {"d", "4"}, {"r", "0.5"}}, seed);
    const std::string base = facts(text, "at").at(0).at(0);
    const std::string known = facts(text, "known-survivor").at(0).at(0);
    EXPECT_EQ(distance(base, known), 4);

    const auto roads = facts(text, "adjacent");
    EXPECT_EQ(std::set(roads.begin(), roads.end()).size(), 80U);
    for (const Arguments& road : roads)
      EXPECT_EQ(distance(road[0], road[1]), 1);

    const auto candidates = facts(text, "unsearched");
    EXPECT_EQ(std::set(candidates.begin(), candidates.end()).size(), 12U);  // 11.5 rounded up
    EXPECT_EQ(facts(text, "chance-10").size() + facts(text, "chance-30").size() +
                  facts(text, "chance-50").size(),
              12U);
    for (const Arguments& cell : candidates) {
      EXPECT_NE(cell[0], base);
      EXPECT_NE(cell[0], known);
    }
    EXPECT_EQ(facts(text, "wind").size(), 25U);
    EXPECT_THAT(text, testing::HasSubstr("(<= (expected (fuel)) 19)"));
    EXPECT_THAT(text, testing::HasSubstr("(at " + base + ")))"));
  }
}

TEST(Sar, DensityGoesFromNoneToAll) {
  EXPECT_TRUE(facts(problem("sar", {{"r", "0"}}, 1), "unsearched").empty());
  EXPECT_EQ(facts(problem("sar", {{"r", "1"}}, 1), "unsearched").size(), 14U);
  EXPECT_EQ(facts(problem("sar", {{"r", "3/4"}}, 1), "unsearched").size(), 11U);
}

TEST(Sar, ReachesTheFarthestCorner) {
  EXPECT_NO_THROW(problem("sar", {{"n", "10"}, {"d", "18"}}, 1));
  EXPECT_NO_THROW(problem("sar", {{"n", "2"}, {"d", "2"}, {"r", "1"}}, 1));
}

TEST(Elevators, TurnsGoRoundAndEverybodyWantsToMove) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const std::string text = problem("elevators", {{"e", "2"}, {"w", "2"}, {"h", "3"}}, seed);
    std::map<std::string, std::string> next;
    for (const Arguments& pair : facts(text, "next"))
      next[pair[0]] = pair[1];
    std::string order;
    std::string agent = "lift1";
    do {
      order += agent + " ";
      agent = next.at(agent);
    } while (agent != "lift1");
    EXPECT_EQ(order, "lift1 lift2 p1 p2 p3 p4 p5 ");

    EXPECT_EQ(facts(text, "waiting"), (std::vector<Arguments>{{"p1"}, {"p2"}}));
    EXPECT_EQ(facts(text, "hidden").size(), 3U);
    EXPECT_EQ(facts(text, "not-open-at").size(), 20U);
    std::map<std::string, std::string> origin;
    for (const Arguments& fact : facts(text, "origin"))
      origin[fact[0]] = fact[1];
    for (const Arguments& fact : facts(text, "destination")) {
      EXPECT_NE(fact[1], origin.at(fact[0]));
      EXPECT_LE(std::stoi(fact[1].substr(1)), 10);
    }
  }
}

TEST(Elevators, BoundsGrowWithPersonsPerLift) {
  const std::string one = problem("elevators", {{"e", "1"}, {"w", "2"}, {"h", "1"}}, 1);
  EXPECT_EQ(occurrences(one, "(<= (expected (waiting-time p"), 3U);
  EXPECT_THAT(one, testing::HasSubstr("(<= (expected (waiting-time p3)) 12)"));
  EXPECT_THAT(one, testing::HasSubstr("(<= (expected (riding-time p3)) 14)"));
  const std::string two = problem("elevators", {{"e", "2"}, {"w", "2"}, {"h", "1"}}, 1);
  EXPECT_THAT(two, testing::HasSubstr("(<= (expected (waiting-time p3)) 10)"));
}

TEST(Elevators, HiddenPersonsMayBeUndecidedBetweenTwoFloors) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Parameters size = {{"e", "2"}, {"w", "2"}, {"h", "3"}};
    Parameters undecided = size;
    undecided.emplace_back("destinations", "2");
    const std::string decided_text = problem("elevators", size, seed);
    const std::string text = problem("elevators", undecided, seed);
    EXPECT_EQ(facts(text, "origin"), facts(decided_text, "origin"));
    EXPECT_EQ(facts(text, "lift-at"), facts(decided_text, "lift-at"));
    EXPECT_TRUE(facts(text, "hidden").empty());
    EXPECT_EQ(facts(text, "waiting").size(), 2U);

    const std::vector<Arguments> destinations = facts(decided_text, "destination");
    const std::vector<Arguments> choices = facts(text, "undecided");
    ASSERT_EQ(choices.size(), 3U);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const std::string origin = facts(text, "origin").at(i + 2).at(1);
      EXPECT_EQ(choices[i][0], destinations.at(i + 2)[0]);
      EXPECT_EQ(choices[i][1], destinations.at(i + 2)[1]);
      EXPECT_EQ((std::set{origin, choices[i][1], choices[i][2]}).size(), 3U);
      EXPECT_LE(std::stoi(choices[i][2].substr(1)), 10);
    }
  }
}

/// Blocks 1 … n, each placed once, on the table or on the block below.
void expect_towers(const std::string& text, std::size_t n) {
  std::set<std::string> placed;
  std::set<std::string> covered;
  for (const Arguments& fact : facts(text, "on-table"))
    EXPECT_TRUE(placed.insert(fact[0]).second) << text;
  std::size_t on_blocks = 0;
  for (const Arguments& fact : facts(text, "on")) {
    EXPECT_TRUE(placed.contains(fact[1])) << "from the table up\n" << text;
    EXPECT_TRUE(placed.insert(fact[0]).second) << text;
    EXPECT_TRUE(covered.insert(fact[1]).second) << text;
    ++on_blocks;
  }
  EXPECT_EQ(placed.size(), n);
  EXPECT_EQ(covered.size(), on_blocks);
}

TEST(Exbw, RandomTowersAndGoalsPlaceEveryBlockOnce) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::size_t n = 1 + seed % 12;
    const std::string text =
        problem("exbw", {{"id", "random"}, {"blocks", std::to_string(n)}}, seed);
    expect_towers(text, n);
    const std::size_t goal = text.find("(:goal");
    expect_towers(text.substr(goal + 1, text.find("(:metric") - goal - 1), n);
    EXPECT_EQ(facts(text, "clear").size(), facts(text, "on-table").size());
    EXPECT_EQ(facts(text, "armed").size(), n);
    EXPECT_THAT(text, testing::HasSubstr("(increase (destroyed-blocks) " + std::to_string(n)));
  }
}

TEST(Exbw, BlocksArePlacedOnce) {
  const std::map<std::string, std::size_t> sizes = {{"1", 5}, {"2", 5},  {"3", 6},  {"4", 6},
                                                    {"5", 7}, {"6", 8},  {"7", 8},  {"8", 8},
                                                    {"9", 8}, {"t2", 2}, {"t3", 3}, {"t4", 4}};
  for (const auto& [id, size] : sizes) {
    const std::string text = problem("exbw", {{"id", id}}, 1);
    std::set<std::string> placed;
    for (const char* predicate : {"on", "on-table"})
      for (const Arguments& fact : facts(text, predicate))
        EXPECT_TRUE(placed.insert(fact[0]).second) << id << " " << fact[0];
    EXPECT_EQ(placed.size(), size) << id;
    EXPECT_EQ(facts(text, "armed").size(), size);
    EXPECT_EQ(facts(text, "clear").size(), facts(text, "on-table").size());
    EXPECT_THAT(text, testing::HasSubstr("(increase (destroyed-blocks) " + std::to_string(size)));
  }
}

TEST(Exbw, TheBoundOfTheIdCanBeReplaced) {
  EXPECT_THAT(problem("exbw", {{"id", "3"}}, 1),
              testing::HasSubstr("(<= (expected (destroyed-blocks)) 0.91)"));
  EXPECT_THAT(problem("exbw", {{"id", "3"}, {"c", "1/3"}}, 1),
              testing::HasSubstr("(<= (expected (destroyed-blocks)) 1/3)"));
}

TEST(Parc, SheetsCarryTheirImagesAndAreStackedInOrder) {
  const std::string text = problem("parc", {{"sheets", "BCB"}}, 1);
  EXPECT_EQ(facts(text, "black-image"), (std::vector<Arguments>{{"sheet1"}, {"sheet3"}}));
  EXPECT_EQ(facts(text, "color-image"), (std::vector<Arguments>{{"sheet2"}}));
  EXPECT_EQ(facts(text, "follows"),
            (std::vector<Arguments>{
                {"sheet1", "stack-bottom"}, {"sheet2", "sheet1"}, {"sheet3", "sheet2"}}));
}

TEST(Parc, AnInfiniteBoundIsNoBound) {
  EXPECT_EQ(occurrences(problem("parc", {{"u", "inf"}}, 1), "<="), 1U);
  EXPECT_EQ(occurrences(problem("parc", {{"u", "2"}}, 1), "<="), 2U);
}

TEST(Ctw, TheSafeWayLeadsToTheGoalPastSpares) {
  const std::string text = problem("ctw", {{"n", "3"}, {"d", "6"}, {"c", "2"}}, 1);
  const auto roads = facts(text, "road");
  const std::set<Arguments> road(roads.begin(), roads.end());
  const auto spares = facts(text, "spare-in");
  const std::set<Arguments> spare(spares.begin(), spares.end());
  EXPECT_EQ(facts(text, "at"), (std::vector<Arguments>{{"l-1-1"}}));
  EXPECT_THAT(text, testing::HasSubstr("(at l-1-7)))"));
  std::vector<std::string> way;
  for (int row = 1; row <= 7; ++row)
    way.push_back("l-" + std::to_string(row) + "-1");
  for (int row = 6; row >= 1; --row)
    way.push_back("l-" + std::to_string(row) + "-" + std::to_string(8 - row));
  for (std::size_t i = 1; i < way.size(); ++i) {
    EXPECT_TRUE(road.contains({way[i - 1], way[i]})) << way[i - 1] << " " << way[i];
    EXPECT_EQ(spare.contains({way[i]}), way[i] != way.back()) << way[i];
  }
}

TEST(Ctw, BudgetsAreSharedExactly) {
  const std::string text = problem("ctw", {{"n", "2"}, {"d", "2"}, {"c", "3"}}, 1);
  EXPECT_EQ(occurrences(text, ")) 2/3)"), 3U);
  EXPECT_EQ(occurrences(problem("ctw", {{"n", "3"}, {"d", "3"}, {"c", "4"}}, 1), ")) 0.875)"), 4U);
}

TEST(Ctw, OnlyVariantQPricesTheCurrenciesApart) {
  EXPECT_EQ(occurrences(problem("ctw", {{"c", "3"}}, 1), ") 1)"), 3U);
  EXPECT_THAT(problem("ctw", {{"c", "3"}, {"variant", "q"}}, 1),
              testing::HasSubstr("(= (payment-cost k3) 3)"));
}

}  // namespace
}  // namespace carl
