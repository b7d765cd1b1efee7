// The shortest way into a dead end: it can be followed, it ends where no goal can be reached, each
// of its actions may also help, and nothing shorter does it.

#include "cssp/dead_end.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "agreement.h"
#include "heuristics/make_heuristic.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

/// All reachable states of a problem, read off the model once more.
class Space {
 public:
  explicit Space(Cssp& cssp) : initial_(cssp.initial_state()) {
    std::deque<StateId> queue{initial_};
    std::set<StateId> met{initial_};
    for (Expansion expansion; !queue.empty(); queue.pop_front()) {
      const StateId s = queue.front();
      if (cssp.is_goal(s)) {
        hopeful_.insert(s);
        continue;
      }
      cssp.expand(s, expansion);
      for (std::size_t i = 0; i < expansion.num_actions(); ++i)
        for (std::size_t k = 0; k < expansion.successors(i).size(); ++k) {
          const StateId t = expansion.successors(i)[k];
          outcomes_[s][expansion.action(i)][t] = expansion.probabilities(i)[k];
          if (met.insert(t).second) queue.push_back(t);
        }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [s, actions] : outcomes_)
        for (const auto& [action, outcomes] : actions)
          if (may_help(s, action)) changed |= hopeful_.insert(s).second;
    }
  }

  bool is_dead(StateId s) const { return hopeful_.count(s) == 0; }
  bool may_help(StateId s, ActionId action) const {
    for (const auto& [t, probability] : outcomes_.at(s).at(action))
      if (t != s && hopeful_.count(t) > 0) return true;  // staying is no help
    return false;
  }
  double probability(StateId s, ActionId action, StateId t) const {
    const auto& outcomes = outcomes_.at(s).at(action);
    return outcomes.count(t) > 0 ? outcomes.at(t) : 0;
  }

  /// Steps to the nearest dead end by actions that may help.
  std::size_t distance() const {
    std::map<StateId, std::size_t> steps{{initial_, 0}};
    for (std::deque<StateId> queue{initial_}; !queue.empty(); queue.pop_front()) {
      const StateId s = queue.front();
      if (is_dead(s)) return steps[s];
      if (outcomes_.count(s) == 0) continue;
      for (const auto& [action, outcomes] : outcomes_.at(s))
        if (may_help(s, action))
          for (const auto& [t, probability] : outcomes)
            if (steps.try_emplace(t, steps[s] + 1).second) queue.push_back(t);
    }
    return ~std::size_t{0};
  }

 private:
  StateId initial_;
  std::map<StateId, std::map<ActionId, std::map<StateId, double>>> outcomes_;
  std::set<StateId> hopeful_;
};

void expect_reason(Cssp& cssp, const DeadEnd& dead_end) {
  const Space space(cssp);
  EXPECT_TRUE(space.is_dead(dead_end.state));
  StateId here = cssp.initial_state();
  for (std::size_t i = 0; i < dead_end.steps.size(); ++i) {
    const DeadEnd::Step& step = dead_end.steps[i];
    ASSERT_EQ(step.state, here);
    here = i + 1 < dead_end.steps.size() ? dead_end.steps[i + 1].state : dead_end.state;
    EXPECT_TRUE(space.may_help(step.state, step.action));
    EXPECT_NEAR(space.probability(step.state, step.action, here), step.probability, 1e-12);
    EXPECT_GT(step.probability, 0);
  }
  EXPECT_EQ(dead_end.steps.size(), space.distance());
  EXPECT_FALSE(sentences(cssp, dead_end).empty());
}

TEST(DeadEnd, OfRandomExplicitModels) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomModelOptions options = testing::random_options(seed, 8);
    options.dead_ends = testing::DeadEnds::unavoidable;
    options.bounds = testing::BoundsKind::none;
    options.give_up = false;
    const auto model = testing::random_model(seed, options);
    const Solution solution = run(model, {});
    if (solution.status != Status::no_proper_policy) continue;
    ++found;
    ASSERT_TRUE(solution.dead_end);
    Cssp cssp(model);
    expect_reason(cssp, *solution.dead_end);
  }
  EXPECT_GE(found, testing::at_full_scale(100));
}

TEST(DeadEnd, OfRandomTasksByEveryAlgorithm) {
  const std::vector<std::string>& algorithms = algorithm_names();
  std::size_t with_steps = 0;
  std::size_t at_once = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    const auto model = testing::random_task(seed);
    if (model->cost_model().give_up) continue;
    SolveOptions options;
    options.algorithm = algorithm_named(algorithms[seed % algorithms.size()]);
    const Solution solution = run(model, options);
    if (solution.status != Status::no_proper_policy) continue;
    ASSERT_TRUE(solution.dead_end);
    (solution.dead_end->steps.empty() ? at_once : with_steps) += 1;
    Cssp cssp(model);
    expect_reason(cssp, *solution.dead_end);
    // The relaxation is h-max's.
    Monitor monitor;
    graph::SearchGraph graph(cssp);
    const auto hmax =
        heuristics::make_heuristic(graph, HeuristicKind::hmax, HeuristicMode::lambda, monitor);
    hmax->set_weights(std::vector<double>(cssp.num_costs(), 1.0));
    std::vector<double> ignored(cssp.num_costs());
    EXPECT_EQ(solution.dead_end->reason.empty(), hmax->evaluate(solution.dead_end->state, ignored));
  }
  EXPECT_GE(with_steps + at_once, testing::at_full_scale(5));
}

TEST(DeadEnd, IsNotWhatABoundOfZeroForbids) {
  // The safe way is forbidden, but it leads nowhere for certain, either.
  ExplicitBuilder builder({{"time", "price"}, {{1, 0}}, {}});
  builder.add_action("home", "taxi", {1, 1}, {{0.5, "work"}, {0.5, "bridge"}});
  builder.add_action("home", "walk", {1, 0}, {{1.0, "forest"}});
  builder.add_action("forest", "walk", {1, 0}, {{1.0, "swamp"}});
  builder.add_action("bridge", "jump", {1, 0}, {{0.5, "work"}, {0.5, "pit"}});
  builder.add_goal(builder.state("work"));
  const auto model = builder.build(builder.state("home"));
  const Solution solution = run(model, {});
  ASSERT_EQ(solution.status, Status::no_proper_policy);
  ASSERT_TRUE(solution.dead_end);
  Cssp cssp(model);
  ASSERT_EQ(solution.dead_end->steps.size(), 2U);
  EXPECT_EQ(cssp.action_name(solution.dead_end->steps[0].action), "taxi");
  EXPECT_EQ(cssp.state_name(solution.dead_end->state), "pit");
}

TEST(DeadEnd, NothingIfThereIsNoTime) {
  testing::RandomModelOptions options;
  options.dead_ends = testing::DeadEnds::unavoidable;
  Cssp cssp(testing::random_model(1, options));
  const std::atomic<bool> interrupt{true};
  Monitor monitor(1e9, 0, &interrupt);
  EXPECT_FALSE(cssp::find_dead_end(cssp, monitor));
}

}  // namespace
}  // namespace carl
