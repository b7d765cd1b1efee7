// The generated texts as the planner's own reader sees them: what is minimised, what is bounded,
// and what giving up costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carl/generate.h"
#include "pddl/read.h"

namespace carl {
namespace {

using testing::ElementsAre;
using Parameters = std::vector<std::pair<std::string, std::string>>;

pddl::SyntaxTree tree_of(const std::string& domain, const Parameters& parameters) {
  const GeneratedInstance instance = generate_instance(domain, parameters, 1);
  Monitor monitor;
  return pddl::read({{"domain", instance.domain_text}, {"problem", instance.problem_text}},
                    monitor);
}

std::vector<std::string> cost_names(const pddl::SyntaxTree& tree) {
  std::vector<std::string> names;
  for (const pddl::CostExpression& cost : tree.costs)
    names.push_back(cost.name);
  return names;
}

/// "fuel <= 16" per bound.
std::vector<std::string> bounds(const pddl::SyntaxTree& tree) {
  std::vector<std::string> texts;
  for (const pddl::CostBound& bound : tree.bounds)
    texts.push_back(tree.costs[bound.cost].name + " <= " + bound.upper.get_str());
  return texts;
}

TEST(ReadGenerated, Sar) {
  const pddl::SyntaxTree tree = tree_of("sar", {});
  EXPECT_THAT(cost_names(tree), ElementsAre("time", "fuel"));
  EXPECT_THAT(bounds(tree), ElementsAre("fuel <= 16"));
  EXPECT_FALSE(tree.give_up);
}

TEST(ReadGenerated, Elevators) {
  const pddl::SyntaxTree tree = tree_of("elevators", {});
  EXPECT_THAT(bounds(tree), ElementsAre("(waiting-time p1) <= 10", "(riding-time p1) <= 12",
                                        "(waiting-time p2) <= 10", "(riding-time p2) <= 12"));
  EXPECT_EQ(tree.costs[0].name, "turns");
  EXPECT_EQ(tree.costs.size(), 5U);
  EXPECT_FALSE(tree.give_up);
}

TEST(ReadGenerated, Exbw) {
  const pddl::SyntaxTree tree = tree_of("exbw", {{"id", "2"}});
  EXPECT_THAT(cost_names(tree), ElementsAre("total-cost", "destroyed-blocks"));
  EXPECT_THAT(bounds(tree), ElementsAre("destroyed-blocks <= 7/100"));
  ASSERT_TRUE(tree.give_up);
  EXPECT_THAT(*tree.give_up, ElementsAre(500, 5));
}

TEST(ReadGenerated, Parc) {
  const pddl::SyntaxTree tree = tree_of("parc", {{"u", "inf"}});
  EXPECT_THAT(cost_names(tree), ElementsAre("total-cost", "failures", "finisher1-uses"));
  EXPECT_THAT(bounds(tree), ElementsAre("failures <= 1/5"));
  ASSERT_TRUE(tree.give_up);
  EXPECT_THAT(*tree.give_up, ElementsAre(10'000'000, 3, 4));
}

TEST(ReadGenerated, Ctw) {
  const pddl::SyntaxTree tree = tree_of("ctw", {{"n", "2"}, {"d", "2"}, {"c", "3"}});
  EXPECT_THAT(cost_names(tree),
              ElementsAre("total-cost", "(spent k1)", "(spent k2)", "(spent k3)"));
  EXPECT_THAT(bounds(tree),
              ElementsAre("(spent k1) <= 2/3", "(spent k2) <= 2/3", "(spent k3) <= 2/3"));
  ASSERT_TRUE(tree.give_up);
  EXPECT_THAT(*tree.give_up, ElementsAre(500, 5, 5, 5));
}

TEST(ReadGenerated, HasNothingToRemarkOn) {
  // Where the search and the lifts end up may be where they are.
  for (const BenchmarkDomain& domain : benchmark_domains())
    EXPECT_THAT(tree_of(domain.name, {}).notes,
                testing::Each(testing::StartsWith("the goal asks for what is true")))
        << domain.name;
}

}  // namespace
}  // namespace carl
