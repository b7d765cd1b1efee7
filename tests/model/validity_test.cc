#include "model/validity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "carl/error.h"

namespace carl {
namespace {

template <class Check>
std::string complaint(Check check) {
  try {
    check();
  } catch (const InputError& error) {
    return error.hint().empty() ? error.message() : error.message() + " | " + error.hint();
  }
  return "fine";
}

TEST(Validity, CostsAreFiniteAndNotNegative) {
  const auto cost = [](double value) { return complaint([&] { check_cost("cost", value); }); };
  EXPECT_EQ(cost(0), "fine");
  EXPECT_EQ(cost(-0.0), "fine");
  EXPECT_EQ(cost(1e15), "fine");
  EXPECT_EQ(cost(-0.5), "the cost is -0.5, but must not be negative");
  EXPECT_EQ(cost(std::nan("")), "the cost is not a number");
  EXPECT_EQ(cost(std::numeric_limits<double>::infinity()),
            "the cost is inf, but must not be above 1e+15 | "
            "larger numbers cannot be added up accurately; use a larger unit");
}

TEST(Validity, CostVectorsHaveOneEntryPerCost) {
  const std::vector<std::string> names{"time", "price"};
  EXPECT_EQ(complaint([&] { check_cost_vector(names, std::vector<double>{1, 2}); }), "fine");
  EXPECT_EQ(complaint([&] { check_cost_vector(names, std::vector<double>{1}); }),
            "the number of costs is 1, but must be 2 | the costs are: time, price");
  EXPECT_EQ(complaint([&] {
              check_cost_vector(names, std::vector<double>{1, -2});
            }),
            "the cost is -2, but must not be negative");
}

TEST(Validity, ProbabilitiesLieBetweenZeroAndOne) {
  const auto probability = [](double value) {
    return complaint([&] { check_probability(value); });
  };
  EXPECT_EQ(probability(0), "fine");
  EXPECT_EQ(probability(1), "fine");
  EXPECT_EQ(probability(1.5), "the probability is 1.5, but must be between 0 and 1");
  EXPECT_EQ(probability(-0.1), "the probability is -0.1, but must be between 0 and 1");
  EXPECT_EQ(probability(std::nan("")), "the probability is nan, but must be between 0 and 1");
}

TEST(Validity, ProbabilitiesThatSumToOneAreKeptAsWritten) {
  std::vector<double> probabilities{0.1, 0.2, 0.7};
  const std::vector<double> before = probabilities;
  normalise(probabilities);
  EXPECT_EQ(probabilities, before);
}

TEST(Validity, RoundedProbabilitiesAreScaled) {
  std::vector<double> thirds(3, 0.333333333);
  normalise(thirds);
  EXPECT_NEAR(std::accumulate(thirds.begin(), thirds.end(), 0.0), 1, 1e-15);
  const std::vector<double> once = thirds;
  normalise(thirds);
  EXPECT_EQ(thirds, once);
}

TEST(Validity, ManyProbabilitiesAreSummedAccurately) {
  // A plain sum of these is off by 1e-13.
  std::vector<double> many(100'000, 1e-5);
  const std::vector<double> before = many;
  normalise(many);
  EXPECT_EQ(many, before);
}

TEST(Validity, OtherSumsAreErrors) {
  const auto sum = [](std::vector<double> probabilities) {
    return complaint([&] { normalise(probabilities); });
  };
  EXPECT_EQ(sum({0.5, 0.4}), "probabilities sum to 0.9, not 1");
  EXPECT_EQ(sum({0.5, 0.500000002}), "probabilities sum to 1.000000002, not 1");
  EXPECT_EQ(sum({0.5, 0.500000001}), "fine");
  EXPECT_EQ(sum({}), "there are no outcomes");
}

TEST(Validity, GiveUpIsNoActionName) {
  EXPECT_EQ(complaint([] { check_action_name("give-up"); }), "fine");
  EXPECT_EQ(complaint([] { check_action_name("(give-up)"); }),
            "'(give-up)' cannot be the name of an action | policies use this name for giving up");
}

TEST(Validity, CostModels) {
  const auto model = [](CostModel costs) { return complaint([&] { check_cost_model(costs); }); };
  EXPECT_EQ(model({{"a", "b"}, {{1, 3}, {0, 0}}, {{1.0, 2.0}}}), "fine");
  EXPECT_EQ(model({{}, {}, {}}), "there are no costs | costs[0] is minimised");
  EXPECT_EQ(model({{"a", "a"}, {}, {}}), "there are two costs named 'a'");
  EXPECT_EQ(model({{"a", ""}, {}, {}}), "the name of a cost is empty");
  EXPECT_EQ(model({{"a"}, {{1, 3}}, {}}),
            "there is a bound on cost number 1, but there are 1 costs");
  EXPECT_EQ(model({{"a"}, {{0, 3}, {0, 4}}, {}}), "there are two bounds on 'a'");
  EXPECT_EQ(model({{"a"}, {{0, -3}}, {}}), "the bound on 'a' is -3, but must not be negative");
  EXPECT_EQ(model({{"a"}, {}, {}, {true, false}}),
            "'rewards' has 2 entries, but there are 1 costs");
  EXPECT_EQ(model({{"a"}, {}, {{1.0, 2.0}}}), "there are 2 penalties for giving up, but 1 costs");
  EXPECT_EQ(model({{"a"}, {}, {{-1.0}}}), "the penalty on 'a' is -1, but must not be negative");
}

}  // namespace
}  // namespace carl
