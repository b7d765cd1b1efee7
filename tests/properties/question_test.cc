// Properties through the library: what the product is, how its states are called, and that it is not
// explored where that can be helped.
#include "carl/question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/explicit_builder.h"
#include "carl/pareto.h"
#include "carl/solve.h"
#include "carl/sweep.h"

namespace carl {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double tolerance = 1e-9;

/// s0 to s1 with 0.5, s2 with 0.5; round and round in s1 for a reward of 1; s2 leads back for 2.
std::shared_ptr<Model> small_model() {
  ExplicitBuilder builder({{"time", "fuel"}, {}, {}});
  for (const char* name : {"s0", "s1", "s2", "s3"})
    builder.state(name);
  builder.add_action("s0", "go", {1, 0}, {{0.5, "s1"}, {0.5, "s2"}});
  builder.add_action("s1", "round", {0, 1}, {{1, "s1"}});
  builder.add_action("s1", "leave", {3, 0}, {{1, "s3"}});
  builder.add_action("s2", "back", {2, 0}, {{1, "s0"}});
  builder.add_label("done", {false, false, false, true});
  builder.add_label("trap", {false, true, false, false});
  return builder.build(StateId(0));
}

std::shared_ptr<Model> asked(const std::string& property) {
  Monitor monitor;
  return ask_property(small_model(), {"test", property, {}, {}}, monitor);
}

Solution answer(const std::string& property) {
  Monitor monitor;
  Cssp cssp(asked(property));
  return solve(cssp, {}, monitor);
}

TEST(Question, ValuesOfSmallModel) {
  EXPECT_THAT(answer("R{\"time\"}min=? [F \"done\"]").costs->front(), DoubleNear(7, tolerance));
  EXPECT_THAT(answer("Pmin=? [F \"done\"]").costs->front(), DoubleNear(0, tolerance));
  EXPECT_THAT(answer("Pmax=? [F \"done\"]").costs->front(), DoubleNear(0, tolerance));
  EXPECT_THAT(answer("Pmax=? [F<=3 \"done\"]").costs->front(), DoubleNear(0.5, tolerance));
  EXPECT_THAT(answer("R{\"time\"}min=? [C<=2]").costs->front(), DoubleNear(2, tolerance));
  // Staying in s1 for ever takes fuel without end, so it has to be left.
  EXPECT_THAT(answer("multi(R{\"time\"}min=? [C], R{\"fuel\"}<=3 [C])").costs->front(),
              DoubleNear(7, tolerance));
}

TEST(Question, StatesSayWhatIsDecided) {
  const auto model = asked("multi(Pmax=? [F \"trap\"], P>=0.1 [F \"done\"])");
  Expansion expansion;
  model->expand(model->initial_state(), expansion);
  ASSERT_EQ(expansion.num_actions(), 2U);
  EXPECT_EQ(model->action_name(expansion.action(0)), "go");
  EXPECT_EQ(model->action_name(expansion.action(1)), "(stop)");
  EXPECT_THAT(model->cost(expansion.action(1)), ElementsAre(1, 1));
  EXPECT_THAT(model->state_facts(expansion.successors(0)[0]), ElementsAre("s1 (F \"trap\")"));
  EXPECT_THAT(model->state_facts(expansion.successors(0)[1]), ElementsAre("s2"));
}

TEST(Question, IsNotExploredWhereThatCanBeHelped) {
  EXPECT_LE(asked("Pmax=? [F \"done\"]")->num_states(), 1U);
  EXPECT_LE(asked("R{\"time\"}min=? [F \"done\"]")->num_states(), 1U);
  EXPECT_GT(asked("Pmin=? [F \"done\"]")->num_states(), 1U);
  EXPECT_GT(asked("R{\"time\"}min=? [C]")->num_states(), 1U);
}

TEST(Question, KnowsItsParts) {
  const auto model =
      asked("multi(P>=0.9 [F \"done\"], R{\"time\"}min=? [F \"done\"], P<0.5 [G \"trap\"])");
  const Question* question = model->question();
  ASSERT_NE(question, nullptr);
  EXPECT_EQ(question->kind, Question::Kind::optimise);
  ASSERT_EQ(question->objectives.size(), 3U);
  EXPECT_EQ(question->optimised()->formula, "R{\"time\"}[F \"done\"]");
  EXPECT_EQ(question->objectives[1].text, "P>=0.9 [F \"done\"]");
  EXPECT_TRUE(question->objectives[1].complement);
  EXPECT_EQ(question->notes.size(), 1U);
  EXPECT_EQ(small_model()->question(), nullptr);
}

/// Going round in s1 costs fuel, but no probability: the primary cost gets a share of it.
TEST(Question, LoopsThatCostOnlyWhatIsBounded) {
  const Solution solution = answer("multi(Pmax=? [F{\"fuel\"}<=2 \"done\"], R{\"fuel\"}<=1 [C])");
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_THAT(solution.costs->front(), DoubleNear(0, 1e-6));
}

TEST(Question, SweepsAndFronts) {
  Monitor monitor;
  Cssp swept(asked("multi(Pmax=? [F \"done\"], R{\"time\"}<=5 [C])"));
  const Sweep sweep =
      carl::sweep(swept, {"R{\"time\"}[C]", 4, 7, 1.5}, std::nullopt, SolveOptions(), monitor);
  ASSERT_EQ(sweep.status, Status::optimal);
  std::vector<double> failures;
  for (const SweepPoint& point : sweep.curves.front().points)
    failures.push_back(*point.objective);
  EXPECT_THAT(failures,
              ElementsAre(DoubleNear(1, 1e-6), DoubleNear(0.5, 1e-6), DoubleNear(0, 1e-6)));
  Cssp cssp(asked("multi(Pmin=? [F \"done\"], R{\"fuel\"}min=? [C])"));
  ParetoRequest request;
  request.costs = {"P[F \"done\"]", "R{\"fuel\"}[C]"};
  const ParetoFront front = pareto(cssp, request, {}, monitor);
  ASSERT_EQ(front.status, Status::optimal);
  // Whoever does not stay in s1, where fuel has no end, gets done.
  ASSERT_EQ(front.vertices.size(), 1U);
  EXPECT_THAT(
      front.vertices[0].costs,
      ElementsAre(DoubleNear(1, tolerance), DoubleNear(1, tolerance), DoubleNear(0, tolerance)));
  EXPECT_THAT(front.lifted, IsEmpty());
}

}  // namespace
}  // namespace carl
