// Answers of the oracle against policy iteration over all states, for random weights one after the
// other, so that each search starts from what the one before has left.

#include "oracle/search_oracle.h"

#include <gtest/gtest.h>

#include "carl/generate.h"
#include "graph/proper_region.h"
#include "ssp/policy_iteration.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "support/slow_models.h"
#include "util/random.h"

namespace carl::oracle {
namespace {

/// All states, and what is least for any weights.
class Reference {
 public:
  explicit Reference(const std::shared_ptr<Model>& model) : cssp_(model), graph_(cssp_) {
    graph_.expand_all(monitor_);
    region_ = graph::proper_region(graph_, monitor_);
  }
  bool has_proper_policy() const { return region_.contains(graph_.initial_state()); }
  double least(std::span<const double> weights) {
    const StateId start = graph_.initial_state();
    if (graph_.is_goal(start)) return 0;
    return ssp::policy_iteration(graph_, region_, weights, monitor_).value[start.index()];
  }

 private:
  Cssp cssp_;
  Monitor monitor_;
  graph::SearchGraph graph_;
  graph::ProperRegion region_;
};

std::shared_ptr<Model> model_of(std::uint64_t seed) {
  if (seed % 3 == 0) return testing::random_task(seed);
  testing::RandomModelOptions options = testing::random_options(seed, 12);
  options.bounds = testing::BoundsKind::none;
  return testing::random_model(seed, options);
}

/// Free actions and loops that are hardly ever left, or one of the slow models.
std::shared_ptr<Model> slow_model_of(std::uint64_t seed) {
  if (seed % 4 == 0) return testing::random_slow_model(seed);
  testing::RandomModelOptions options = testing::random_options(seed, 12);
  options.bounds = testing::BoundsKind::none;
  if (options.dead_ends == testing::DeadEnds::unavoidable)
    options.dead_ends = testing::DeadEnds::none;
  options.near_loops = true;
  options.many_free_actions = seed % 2 == 0;
  options.tiny_probabilities = seed % 3 == 0;
  return testing::random_model(seed, options);
}

std::vector<double> random_weights(std::size_t n, SplitMix64& random) {
  std::vector<double> weights{1.0};
  while (weights.size() < n)
    weights.push_back(random.below(3) == 0 ? 0.0 : static_cast<double>(random.below(300)) / 100);
  return weights;
}

SolveOptions random_options(std::uint64_t seed) {
  SolveOptions options;
  const std::vector<std::string>& inner = inner_names();
  if (seed % 7 != 0) options.carl.inner = inner_named(inner[seed % inner.size()]);
  return options;
}

TEST(SearchOracle, AnswersAreRightForOneWeightAfterTheOther) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(1500); ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    const std::shared_ptr<Model> model = model_of(seed);
    Reference reference(model);
    Cssp cssp(model);
    Monitor monitor;
    SearchOracle oracle(cssp, random_options(seed), monitor);
    for (int question = 0; question < 4; ++question) {
      const std::vector<double> weights = random_weights(cssp.num_costs(), random);
      const Answer answer = oracle.ask(weights);
      if (!reference.has_proper_policy()) {
        ASSERT_EQ(answer.outcome, Answer::Outcome::no_proper_policy);
        continue;
      }
      ASSERT_EQ(answer.outcome, Answer::Outcome::answered);
      const double least = reference.least(weights);
      ASSERT_LE(answer.lower_bound, least * (1 + 1e-9));
      ASSERT_GE(answer.weighted_cost, least * (1 - 1e-9));
      ASSERT_LE(answer.weighted_cost, least * (1 + 1e-2) + 1e-3);
      ASSERT_NEAR(answer.weighted_cost, graph::weighted_cost(oracle.costs(answer.policy), weights),
                  1e-9 * answer.weighted_cost);
      // A ray close to the weights asked for.
      std::vector<double> ray = weights;
      ray[0] = 0;
      ASSERT_LE(oracle.bound_nearby(ray, 1e-12, 0), reference.least(ray) * (1 + 1e-9));
    }
  }
}

/// Where values settle over very many steps and most actions are free: who asks again has the
/// optimum and a bound that is next to it, and is told that there is no more to be had.
TEST(SearchOracle, FinalAnswersAreOptimalOnSlowModels) {
  std::size_t final_at_once = 0;
  std::size_t answers = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(2000) && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed % 4 == 0 ? testing::slow_model_text(seed) : std::to_string(seed));
    SplitMix64 random(seed);
    const std::shared_ptr<Model> model = slow_model_of(seed);
    Reference reference(model);
    Cssp cssp(model);
    Monitor monitor;
    SearchOracle oracle(cssp, random_options(seed), monitor);
    for (int question = 0; question < 3; ++question) {
      const std::vector<double> weights = random_weights(cssp.num_costs(), random);
      const double least = reference.least(weights);
      Answer answer = oracle.ask(weights);
      ++answers;
      final_at_once += answer.is_final;
      for (int more = 0; more < 3 && !answer.is_final; ++more) {
        ASSERT_LE(answer.lower_bound, least * (1 + 1e-12));
        answer = oracle.ask(weights);
      }
      EXPECT_TRUE(answer.is_final);
      EXPECT_LE(answer.lower_bound, least * (1 + 1e-12));
      // Some take 10^10 steps, and every step costs a rounding error.
      EXPECT_GE(answer.lower_bound, least * (1 - 1e-5));
      EXPECT_LE(answer.weighted_cost, least * (1 + 1e-9));
    }
  }
  EXPECT_GE(final_at_once, testing::at_full_scale(1000));
  EXPECT_LE(final_at_once, answers - testing::at_full_scale(100));
}

/// A large component stops where a policy is good enough, with a bound that is worth little. Who asks for
/// the same weights again wants the bound, which then is as good as he said.
TEST(SearchOracle, BoundsThatWereNotWantedAreMadeWhenTheyAre) {
  Cssp cssp(generate_model("grid", {{"n", "120"}}, 1));
  Monitor monitor;
  SearchOracle oracle(cssp, SolveOptions(), monitor);
  std::size_t worthless = 0;
  std::size_t kept = 0;
  constexpr double share = 1e-4;
  constexpr double loss = 1e-6;
  for (const double weight : {0.1, 1.0, 0.4, 0.37, 0.05, 0.36}) {
    const std::vector<double> weights{1.0, weight, 5 * weight};
    oracle.tolerate(share, Wanted::policies);
    const Answer rough = oracle.ask(weights);
    oracle.tolerate(loss, Wanted::bounds);
    const Answer sound = oracle.ask(weights);
    oracle.tolerate(0, Wanted::bounds);
    const Answer exact = oracle.ask(weights);
    ASSERT_EQ(exact.outcome, Answer::Outcome::answered);
    const double least = exact.weighted_cost;
    EXPECT_GE(exact.lower_bound, least * (1 - 1e-9));
    EXPECT_LE(rough.weighted_cost, least * (1 + 2 * share));
    EXPECT_LE(rough.lower_bound, least);
    worthless += rough.lower_bound < rough.weighted_cost * (1 - 2 * share);
    kept += sound.policy == rough.policy;
    EXPECT_LE(sound.lower_bound, least);
    EXPECT_GE(sound.lower_bound, sound.weighted_cost * (1 - 2 * loss));
  }
  EXPECT_GE(worthless, 1U);
  EXPECT_GE(kept, 1U);
}

TEST(SearchOracle, AMixtureCostsWhatItsPartsCostOnAverage) {
  std::size_t mixed = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(600); ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(~seed);
    Cssp cssp(model_of(seed));
    Monitor monitor;
    SearchOracle oracle(cssp, random_options(seed), monitor);
    for (int question = 0; question < 6; ++question)
      oracle.ask(random_weights(cssp.num_costs(), random));
    if (oracle.num_policies() < 2) continue;
    ++mixed;
    std::vector<double> mixture(oracle.num_policies(),
                                1.0 / static_cast<double>(oracle.num_policies()));
    const EvaluatedPolicy found = oracle.mix(mixture);
    ASSERT_TRUE(found.proper);
    for (std::size_t i = 0; i < cssp.num_costs(); ++i) {
      double expected = 0;
      for (PolicyHandle k = 0; k < mixture.size(); ++k)
        expected += mixture[k] * oracle.costs(k)[i];
      ASSERT_NEAR(found.costs[i], expected, 1e-8 * expected);
    }
    double weight = 0;
    std::vector<double> taken_apart(cssp.num_costs(), 0.0);
    for (const MixtureComponent& part : oracle.take_apart(found.policy, false)) {
      weight += part.weight;
      for (std::size_t i = 0; i < taken_apart.size(); ++i)
        taken_apart[i] += part.weight * part.costs[i];
    }
    ASSERT_NEAR(weight, 1, 1e-9);
    for (std::size_t i = 0; i < taken_apart.size(); ++i)
      ASSERT_NEAR(taken_apart[i], found.costs[i], 1e-7 * found.costs[i]);
  }
  EXPECT_GE(mixed, testing::at_full_scale(100));
}

/// Search and expansion take turns of any length, and whichever is done first wins.
TEST(SearchOracle, AnswersAreRightHoweverTurnsAreTaken) {
  std::size_t searched = 0;
  std::size_t expanded = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(1000); ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    const std::shared_ptr<Model> model = testing::random_task(seed);
    Reference reference(model);
    if (!reference.has_proper_policy()) continue;
    Cssp cssp(model);
    Monitor monitor;
    TurnRules rules;
    rules.work_before_first_look = random.below(100'000);
    rules.work_before_second_thought = random.below(200'000);
    rules.states_of_first_step = 1 + random.below(10);
    rules.states_before_judging = random.below(3) == 0 ? 10 + random.below(50) : 60'000;
    SearchOracle oracle(cssp, SolveOptions{}, monitor, rules);
    for (int question = 0; question < 4; ++question) {
      const std::vector<double> weights = random_weights(cssp.num_costs(), random);
      const Answer answer = oracle.ask(weights);
      ASSERT_EQ(answer.outcome, Answer::Outcome::answered);
      const double least = reference.least(weights);
      ASSERT_LE(answer.lower_bound, least * (1 + 1e-9));
      ASSERT_GE(answer.weighted_cost, least * (1 - 1e-9));
      ASSERT_LE(answer.weighted_cost, least * (1 + 1e-2) + 1e-3);
    }
    ++(oracle.heuristic() == HeuristicKind::zero ? expanded : searched);
  }
  EXPECT_GE(searched, testing::at_full_scale(100));
  EXPECT_GE(expanded, testing::at_full_scale(100));
}

/// Unless that would take far more than the step before.
TEST(StepwiseExpansion, DoublesTheStatesUntilAllAreKnown) {
  Cssp cssp(testing::random_task(5));
  Monitor monitor;
  graph::SearchGraph whole(cssp);
  ASSERT_TRUE(whole.expand_all(monitor));
  graph::SearchGraph graph(cssp);
  StepwiseExpansion expansion(most_states_to_expand, {.states_of_first_step = 1});
  std::size_t work = 0;
  std::size_t states = 1;
  auto outcome = StepwiseExpansion::Outcome::more_to_come;
  while (outcome == StepwiseExpansion::Outcome::more_to_come) {
    const std::size_t before = graph.num_expanded();
    outcome = expansion.take_step(graph, monitor);
    EXPECT_GE(expansion.work(), work);
    work = expansion.work();
    EXPECT_TRUE(before == 0 || graph.num_expanded() <= 4 * before + 1);
    if (outcome == StepwiseExpansion::Outcome::whole) break;
    EXPECT_TRUE(graph.num_states() > states || graph.num_expanded() > 4 * before);
    if (graph.num_states() > states) states *= 2;
  }
  EXPECT_EQ(outcome, StepwiseExpansion::Outcome::whole);
  EXPECT_EQ(graph.num_expanded(), whole.num_expanded());
  EXPECT_GE(expansion.next_turn(0, false), 2 * work);
}

/// A search that is known to be far from its end gets less than an expansion that is not near its
/// own; then both rules are the same.
TEST(StepwiseExpansion, TakesPrecedenceOverASearchThatIsFarFromItsEnd) {
  Cssp cssp(testing::random_task(5));
  Monitor monitor;
  graph::SearchGraph graph(cssp);
  StepwiseExpansion expansion(most_states_to_expand,
                              {.work_before_second_thought = 1, .states_of_first_step = 1});
  ASSERT_EQ(expansion.take_step(graph, monitor), StepwiseExpansion::Outcome::more_to_come);
  EXPECT_EQ(expansion.next_turn(0, false), 2 * expansion.work());
  EXPECT_LT(expansion.next_turn(0, true), expansion.work());
  EXPECT_GE(expansion.next_turn(0, true), 1);
}

TEST(Strategy, ExpensiveHeuristicsAreNotLookedAtEarly) {
  EXPECT_TRUE(is_worth_a_look(1'000, 10'000'000));
  EXPECT_FALSE(is_worth_a_look(10'000'000, 10'000'000));
  EXPECT_TRUE(is_worth_a_look(1'000'000, 10'000'000));
}

class ConstantHeuristic final : public heuristics::Heuristic {
 public:
  explicit ConstantHeuristic(double value) : value_(value) {}
  void set_weights(std::span<const double> /*weights*/) override {}
  bool depends_on_weights() const override { return false; }
  bool evaluate(StateId /*state*/, std::span<double> out) override {
    ++evaluations_;
    std::fill(out.begin(), out.end(), 0.0);
    out[0] = value_;
    return true;
  }
  std::size_t work_per_evaluation() const override { return 1'000; }

 private:
  double value_;
};

TEST(Strategy, GoesByWhatHeuristicsSayOfTheStartThenOfTheFringe) {
  Cssp cssp(testing::random_task(5));
  Monitor monitor;
  graph::SearchGraph graph(cssp);
  ConstantHeuristic search(10);
  std::vector<double> weights(cssp.num_costs(), 0.0);
  weights[0] = 1;
  ssp::ScalarisedSsp ssp(graph, search, weights);  // the initial state is the fringe
  ConstantHeuristic little(4);
  ConstantHeuristic half(6);
  ConstantHeuristic more(14);
  ConstantHeuristic much(16);
  EXPECT_TRUE(says_much_more(much, ssp));
  EXPECT_FALSE(says_much_more(more, ssp));
  EXPECT_TRUE(says_more(more, ssp));
  EXPECT_FALSE(says_more(half, ssp));
  const auto better = [&](heuristics::Heuristic* pdb, heuristics::Heuristic* landmarks) {
    return better_heuristic(pdb, landmarks, ssp, 1'000'000, monitor);
  };
  EXPECT_EQ(better(&half, &little), HeuristicKind::pdb);
  EXPECT_EQ(better(&half, &much), HeuristicKind::landmarks);
  EXPECT_EQ(better(&little, &more), HeuristicKind::hmax);
  EXPECT_EQ(better(nullptr, &much), HeuristicKind::landmarks);
  EXPECT_EQ(better(&half, nullptr), HeuristicKind::pdb);
  EXPECT_EQ(better(&little, nullptr), HeuristicKind::hmax);
  EXPECT_EQ(better(nullptr, nullptr), HeuristicKind::hmax);
}

/// A comparison that would take too long looks at fewer states.
TEST(Strategy, ComparesNoMoreStatesThanTheWorkAllows) {
  Cssp cssp(testing::random_task(5));
  Monitor monitor;
  graph::SearchGraph graph(cssp);
  ConstantHeuristic search(10);
  std::vector<double> weights(cssp.num_costs(), 0.0);
  weights[0] = 1;
  ssp::ScalarisedSsp ssp(graph, search, weights);
  for (int i = 0; i < 3; ++i)
    for (std::size_t s = 0, known = graph.num_states(); s < known; ++s)
      if (ssp.is_fringe(StateId(s))) ssp.expand(StateId(s));
  std::size_t fringe = 0;
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    fringe += ssp.is_fringe(StateId(s));
  ASSERT_GE(fringe, 5);
  ConstantHeuristic many(20);
  ConstantHeuristic few(20);
  better_heuristic(nullptr, &many, ssp, 1'000'000, monitor);
  better_heuristic(nullptr, &few, ssp, 1'000, monitor);
  EXPECT_GE(many.evaluations(), 5);
  EXPECT_LE(few.evaluations(), 2);
}

/// States that others have expanded before, all or some of them, are no obstacle.
TEST(SearchOracle, MayBeginWithAGraphThatIsExpanded) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(1000); ++seed) {
    SCOPED_TRACE(seed);
    SplitMix64 random(seed);
    const std::shared_ptr<Model> model = model_of(seed);
    Reference reference(model);
    if (!reference.has_proper_policy()) continue;
    Cssp cssp(model);
    Monitor monitor;
    auto graph = std::make_unique<graph::SearchGraph>(cssp);
    const auto start = graph->bookmark();
    graph->expand_all(monitor, seed % 2 == 0 ? 5 : 1'000'000);
    if (seed % 5 == 0) graph->return_to(start);  // what is known of them stays
    SearchOracle oracle(std::move(graph), random_options(seed), monitor);
    const std::vector<double> weights = random_weights(cssp.num_costs(), random);
    const Answer answer = oracle.ask(weights);
    ASSERT_EQ(answer.outcome, Answer::Outcome::answered);
    const double least = reference.least(weights);
    ASSERT_LE(answer.lower_bound, least * (1 + 1e-9));
    ASSERT_GE(answer.weighted_cost, least * (1 - 1e-9));
    ASSERT_LE(answer.weighted_cost, least * (1 + 1e-2) + 1e-3);
  }
}

}  // namespace
}  // namespace carl::oracle
