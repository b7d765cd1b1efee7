#include "ssp/sub_solution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "model/explicit_model.h"
#include "ssp/policy_iteration.h"
#include "support/random_model.h"
#include "support/scale.h"
#include "support/slow_models.h"
#include "util/random.h"
#include "util/rational.h"

namespace carl::ssp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A random model with random non-negative weights, solved exactly.
class SolvedModel {
 public:
  explicit SolvedModel(std::uint64_t seed)
      : options_(options(seed)), cssp_(testing::random_model(seed, options_)), graph_(cssp_) {
    graph_.expand_all(monitor_);
    SplitMix64 random(seed);
    weights_.assign(graph_.num_costs(), 0.0);
    weights_[0] = 1;
    for (std::size_t i = 1; i < weights_.size(); ++i)
      if (random.below(2) == 0) weights_[i] = std::pow(10.0, 3 * random.unit() - 2);
    optimal_ = policy_iteration(graph_, graph::proper_region(graph_, monitor_), weights_, monitor_);
  }

  std::string text() const { return options_.text(); }
  Cssp& cssp() { return cssp_; }
  const SearchGraph& graph() const { return graph_; }
  const std::vector<double>& weights() const { return weights_; }
  const std::vector<double>& values() const { return optimal_.value; }
  double least_cost() const {
    double least = infinity;
    for (std::size_t p = 0; p < graph_.num_pairs(); ++p)
      least = std::min(least, graph::weighted_cost(graph_.cost(PairId(p)), weights_));
    return least;
  }
  double optimum() const { return optimal_.value[graph_.initial_state().index()]; }

 private:
  static testing::RandomModelOptions options(std::uint64_t seed) {
    auto options = testing::random_options(seed, 9);
    options.bounds = testing::BoundsKind::none;
    options.costs = 1 + seed % 4;
    if (!options.give_up && options.dead_ends == testing::DeadEnds::unavoidable)
      options.dead_ends = testing::DeadEnds::avoidable;
    return options;
  }

  testing::RandomModelOptions options_;
  Cssp cssp_;
  SearchGraph graph_;
  Monitor monitor_;
  std::vector<double> weights_;
  OptimalValues optimal_;
};

/// Expands some of what can be reached, or everything.
SearchGraph random_part(Cssp& cssp, SplitMix64& random) {
  SearchGraph graph(cssp);
  const double share = std::min(1.0, 0.2 + random.unit());
  std::vector<bool> met(graph.num_states(), false);
  std::vector<StateId> queue{graph.initial_state()};
  met[graph.initial_state().index()] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (graph.is_goal(queue[i]) || random.unit() > share) continue;
    graph.expand(queue[i]);
    for (const PairId p : graph.pairs(queue[i]))
      for (const StateId t : graph.successors(p))
        if (!met[t.index()]) {
          met[t.index()] = true;
          queue.push_back(t);
        }
  }
  return graph;
}

/// Errors of one size and kind.
class Perturbation {
 public:
  Perturbation(SplitMix64& random, double scale) : random_(random), scale_(scale) {
    size_ = std::pow(10.0, 16 * random.unit() - 15);
    kind_ = random.below(7);
    sign_ = random.below(3);
  }

  double operator()(double value) {
    const double error = size_ * random_.unit() * (sign_ == 0 || coin() ? 1 : -1);
    switch (kind_) {
      case 0:
        return value * (1 + error);
      case 1:
        return value + error * scale_;
      case 2:
        return value * (1 + size_);  // all alike
      case 3:
        return 0;
      case 4:
        return scale_ * std::pow(10.0, 300 * random_.unit());
      case 5:
        return coin() ? value : 0;
      default:
        return coin() ? value : value * (1 + error);
    }
  }

 private:
  bool coin() { return random_.below(2) == 0; }

  SplitMix64& random_;
  double scale_;
  double size_;
  std::uint64_t kind_;
  std::uint64_t sign_;
};

/// Wrong values at expanded states, admissible ones at the others.
std::vector<double> adversarial_values(const SolvedModel& model, const SearchGraph& part,
                                       SplitMix64& random) {
  Perturbation perturb(random, std::max(1.0, model.optimum()));
  const bool one_only = random.below(3) == 0;
  const StateId single(random.below(part.num_states()));
  const bool knows_dead_ends = random.below(2) == 0;
  const std::uint64_t fringe = random.below(3);
  std::vector<double> value = model.values();
  for (std::size_t s = 0; s < value.size(); ++s) {
    if (part.is_goal(StateId(s))) continue;
    if (value[s] == infinity) {
      if (!knows_dead_ends) value[s] = 100 * random.unit();
    } else if (part.is_expanded(StateId(s))) {
      if (!one_only || StateId(s) == single) value[s] = perturb(value[s]);
    } else if (fringe < 2) {
      value[s] *= fringe == 0 ? 0 : random.unit();
    }
  }
  return value;
}

TEST(LowerBound, HoldsWhateverTheValues) {
  Monitor monitor;
  const std::size_t cases = testing::scaled(5000);
  std::size_t useful = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SolvedModel model(seed);
    SplitMix64 random(~seed);
    for (int round = 0; round < 6; ++round) {
      const SearchGraph part = random_part(model.cssp(), random);
      std::vector<double> value = adversarial_values(model, part, random);
      const double bound = sound_lower_bound(part, model.weights(), value, monitor);
      ASSERT_LE(bound, model.optimum() * (1 + 1e-9))
          << "seed " << seed << " round " << round << " " << model.text();
      ASSERT_GE(bound, 0);
      if (bound > 0.5 * model.optimum()) ++useful;
    }
  }
  EXPECT_GE(useful, cases);
}

/// A number of the model as it may have been written, given its double.
Rational as_written(double value, int direction) {
  return Rational(value) * (1 + Rational(direction * 0x1.0p-53));
}

/// V(s) ≤ c(a) + Σ p V(s') for all pairs, without rounding, for θV; whichever way the graph's
/// numbers were rounded.
void expect_sub_solution(const SearchGraph& graph, std::span<const double> weights,
                         const SubSolution& solution, SplitMix64& random) {
  const Rational theta(solution.theta);
  for (std::size_t p = 0; p < graph.num_pairs(); ++p) {
    const PairId pair(p);
    if (!graph.is_expanded(graph.state(pair)) || !graph.is_allowed(pair)) continue;
    const auto direction = [&] { return static_cast<int>(random.below(3)) - 1; };
    const auto successors = graph.successors(pair);
    const auto hopeless = [&](StateId t) { return solution.value[t.index()] == infinity; };
    if (hopeless(graph.state(pair)) || std::any_of(successors.begin(), successors.end(), hopeless))
      continue;
    Rational sum = 0;
    Rational total = 0;
    for (std::size_t k = 0; k < successors.size(); ++k) {
      const Rational probability = as_written(graph.probabilities(pair)[k], direction());
      total += probability;
      sum += probability * Rational(solution.value[successors[k].index()]);
    }
    Rational q = graph.ends(pair) ? Rational(0) : Rational(theta * sum / total);
    for (std::size_t i = 0; i < weights.size(); ++i)
      q += Rational(weights[i]) * as_written(graph.cost(pair)[i], direction());
    ASSERT_LE(theta * Rational(solution.value[graph.state(pair).index()]), q) << "pair " << p;
  }
}

/// Weights as of a ray: no primary cost, so that policies may go round for nothing.
std::vector<double> ray(const SolvedModel& model, SplitMix64& random) {
  std::vector<double> weights(model.weights().size(), 0.0);
  weights[random.below(weights.size())] = 1;
  return weights;
}

TEST(SubSolution, SatisfiesAllInequalitiesWithoutRounding) {
  Monitor monitor;
  for (std::uint64_t seed = 0; seed < testing::scaled(2000); ++seed) {
    SolvedModel model(seed);
    SplitMix64 random(~seed);
    const SearchGraph part = random_part(model.cssp(), random);
    const std::vector<double> weights = seed % 2 == 0 ? model.weights() : ray(model, random);
    std::vector<double> value = adversarial_values(model, part, random);
    if (seed % 2 != 0)
      for (std::size_t s = 0; s < value.size(); ++s)
        if (!part.is_expanded(StateId(s)) && value[s] != infinity) value[s] = 0;
    const SubSolution solution =
        make_sub_solution(part, weights, value, monitor, {.holds_as_written = true});
    ASSERT_LE(solution.theta, 1);
    expect_sub_solution(part, weights, solution, random);
    if (HasFatalFailure()) FAIL() << "seed " << seed << " " << model.text();
  }
}

TEST(SubSolution, CostsNextToNothingForExactValues) {
  Monitor monitor;
  for (std::uint64_t seed = 0; seed < testing::scaled(1000); ++seed) {
    const SolvedModel model(seed);
    const SubSolution solution = make_sub_solution(model.graph(), model.weights(), model.values(),
                                                   monitor, {.holds_as_written = true});
    ASSERT_GE(solution.bound, model.optimum() * (1 - 1e-9)) << "seed " << seed << model.text();
  }
}

TEST(LowerBound, IsTightForExactValues) {
  Monitor monitor;
  const std::size_t cases = testing::scaled(5000);
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const SolvedModel model(seed);
    std::vector<double> value = model.values();
    const double bound = sound_lower_bound(model.graph(), model.weights(), value, monitor);
    ASSERT_GE(bound, model.optimum() * (1 - 1e-9)) << "seed " << seed << " " << model.text();
  }
}

TEST(LowerBound, RoundingErrorsCostNextToNothing) {
  Monitor monitor;
  const std::size_t cases = testing::scaled(5000);
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const SolvedModel model(seed);
    SplitMix64 random(~seed);
    std::vector<double> value = model.values();
    for (double& v : value)
      v *= 1 + 1e-13 * (2 * random.unit() - 1);
    const double bound = sound_lower_bound(model.graph(), model.weights(), value, monitor);
    ASSERT_GE(bound, model.optimum() * (1 - 1e-9)) << "seed " << seed << " " << model.text();
    ASSERT_LE(bound, model.optimum() * (1 + 1e-9)) << "seed " << seed << " " << model.text();
  }
}

/// The bound for values that are the given ones times 1 ± noise.
double bound_with_noise(const SearchGraph& graph, std::vector<double> value, double noise) {
  Monitor monitor;
  SplitMix64 random(1);
  for (double& v : value)
    v *= 1 + noise * (2 * random.unit() - 1);
  return sound_lower_bound(graph, std::array{1.0}, value, monitor);
}

TEST(LowerBound, NoiseAlongFreeActionsIsRepairedInAnyOrder) {
  // Free chains with increasing and with decreasing ids, between steps that cost something.
  constexpr int n = 200;
  ExplicitBuilder builder({{"time"}, {}, {}});
  const auto name = [](int i) { return "s" + std::to_string(i); };
  builder.state(name(0));
  for (int i = n; i-- > 1;)
    builder.state(name(i));
  for (int i = n; i < 2 * n; ++i)
    builder.state(name(i));
  for (int i = 0; i < 2 * n; ++i) {
    const double cost = i % n == 0 ? 1 : 0;
    builder.add_action(name(i), "on", {cost}, {{1.0, i + 1 == 2 * n ? "g" : name(i + 1)}});
    if (cost > 0) builder.add_action(name(i), "retry", {cost}, {{0.5, name(0)}, {0.5, "g"}});
  }
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state(name(0))));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const auto optimal =
      policy_iteration(graph, graph::proper_region(graph, monitor), std::array{1.0}, monitor);
  const double optimum = optimal.value[graph.initial_state().index()];
  EXPECT_NEAR(bound_with_noise(graph, optimal.value, 1e-12), optimum, 1e-9 * optimum);
}

TEST(LowerBound, NoiseOnFreeActionsThatLoopIsRepaired) {
  // Free actions that go round many times before they leave.
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("s", "pay", {1}, {{1.0, "a"}});
  builder.add_action("a", "x", {0}, {{0.5, "b"}, {0.5, "c"}});
  builder.add_action("b", "x", {0}, {{0.99, "a"}, {0.01, "end"}});
  builder.add_action("c", "x", {0}, {{0.999, "b"}, {0.001, "s"}});
  builder.add_action("end", "x", {7}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const auto optimal =
      policy_iteration(graph, graph::proper_region(graph, monitor), std::array{1.0}, monitor);
  const double optimum = optimal.value[graph.initial_state().index()];
  EXPECT_NEAR(bound_with_noise(graph, optimal.value, 1e-13), optimum, 1e-9 * optimum);
  // What the loop leads to is worth less: this has to go round until all have heard of it.
  std::vector<double> value = optimal.value;
  for (double& v : value)
    if (v == 7) v -= 1e-6;
  EXPECT_NEAR(sound_lower_bound(graph, std::array{1.0}, value, monitor), optimum - 1e-6, 1e-9);
}

/// A machine that is off at no cost until it happens to start, once in so many steps of four phases
/// each; running costs, and ends after as many.
std::shared_ptr<Model> slow_machine(double steps) {
  ExplicitBuilder builder({{"energy"}, {}, {}});
  for (const char* mode : {"off", "on"}) {
    const std::string m = mode;
    const bool on = m == "on";
    builder.add_action("decide " + m, "stay", {0}, {{1.0, "switch " + m}});
    builder.add_action("decide " + m, "change", {0}, {{0.5, "switch on"}, {0.5, "switch off"}});
    builder.add_action("switch " + m, "wait", {0}, {{0.9, "arrive " + m}, {0.1, "decide " + m}});
    builder.add_action("arrive " + m, "tick", {0},
                       {{0.05, "switch " + m}, {0.94, "run " + m}, {0.01, "alarm " + m}});
    builder.add_action("alarm " + m, "calm", {10}, {{1.0, "decide " + m}});
    builder.add_action("run " + m, "run", {on ? 2.5 : 0.0},
                       {{1 - 1 / steps, "decide " + m}, {1 / steps, on ? "end" : "decide on"}});
  }
  builder.add_goal(builder.state("end"));
  return builder.build(builder.state("decide off"));
}

TEST(LowerBound, FreeActionsThatHardlyEverLeaveAreNoObstacle) {
  Monitor monitor;
  for (const double steps : {1e2, 1e4, 1e6}) {
    Cssp cssp(slow_machine(steps));
    SearchGraph graph(cssp);
    graph.expand_all(monitor);
    const auto optimal =
        policy_iteration(graph, graph::proper_region(graph, monitor), std::array{1.0}, monitor);
    const double optimum = optimal.value[graph.initial_state().index()];
    EXPECT_NEAR(sound_lower_bound(graph, std::array{1.0}, optimal.value, monitor), optimum,
                1e-13 * steps * optimum);
    EXPECT_NEAR(bound_with_noise(graph, optimal.value, 1e-14), optimum, 1e-12 * steps * optimum);
    const SubSolution proof = make_sub_solution(graph, std::array{1.0}, optimal.value, monitor,
                                                {.holds_as_written = true});
    EXPECT_NEAR(proof.bound, optimum, 1e-13 * steps * optimum);
    SplitMix64 random(1);
    expect_sub_solution(graph, std::array{1.0}, proof, random);
  }
}

/// Everything is tight in the values of an optimal policy, and rounding errors go round for as many
/// steps as the policy takes: sweeps do not come to an end, and paid pairs are no better than free
/// ones.
TEST(SubSolution, ExactValuesOfSlowPoliciesLoseNextToNothing) {
  Monitor monitor;
  for (std::uint64_t seed = 1; seed <= testing::scaled(150); ++seed) {
    SCOPED_TRACE(testing::slow_model_text(seed));
    Cssp cssp(testing::random_slow_model(seed));
    SearchGraph graph(cssp);
    graph.expand_all(monitor);
    SplitMix64 random(seed);
    std::vector<double> weights{1.0};
    while (weights.size() < graph.num_costs())
      weights.push_back(random.below(3) == 0 ? 0.0 : std::pow(10.0, 4 * random.unit() - 2));
    const OptimalValues optimal =
        policy_iteration(graph, graph::proper_region(graph, monitor), weights, monitor);
    const double optimum = optimal.value[graph.initial_state().index()];
    for (const double noise : {0.0, 1e-15, 1e-9}) {
      std::vector<double> value = optimal.value;
      for (double& v : value)
        v *= 1 + noise * (2 * random.unit() - 1);
      // Of noise that is no rounding error sweeps make what they can, and a proof the rest.
      const SubSolution solution = make_sub_solution(
          graph, weights, value, monitor,
          {.max_sweeps = noise > 1e-12 ? 100u : 20u, .holds_as_written = seed % 2 == 0});
      EXPECT_GE(solution.bound, optimum * (1 - 2e-9 - 2 * noise));
      EXPECT_LE(solution.bound, optimum * (1 + 1e-12));
      if (seed % 2 == 0) expect_sub_solution(graph, weights, solution, random);
    }
    if (HasFailure()) return;
  }
}

TEST(SubSolution, IsOneEvenAfterALimit) {
  const std::atomic<bool> interrupt = true;
  Monitor monitor;
  Monitor reached(infinity, 0, &interrupt);
  ASSERT_TRUE(reached.reached());
  Cssp cssp(slow_machine(1e4));
  SearchGraph graph(cssp);
  graph.expand_all(monitor);
  auto optimal =
      policy_iteration(graph, graph::proper_region(graph, monitor), std::array{1.0}, monitor);
  SplitMix64 random(1);
  for (std::size_t s = 0; s < optimal.value.size(); ++s)
    if (graph.is_expanded(StateId(s))) optimal.value[s] *= 1 + 0.1 * random.unit();
  const SubSolution solution =
      make_sub_solution(graph, std::array{1.0}, optimal.value, reached, {.holds_as_written = true});
  EXPECT_GT(solution.bound, 0);
  expect_sub_solution(graph, std::array{1.0}, solution, random);
}

TEST(SubSolution, GoingRoundForNothingHasOneValue) {
  // a and b go round for nothing and leave once in 10^12 steps, for a step that costs 3 or for c,
  // whose value is given as 5.
  ExplicitBuilder builder({{"time", "risk"}, {}, {}});
  builder.add_action("a", "x", {1, 0}, {{1.0, "b"}});
  builder.add_action("b", "x", {1, 0}, {{1.0, "a"}});
  builder.add_action("b", "leave", {1, 0}, {{1 - 1e-12, "a"}, {1e-12, "c"}});
  builder.add_action("c", "x", {1, 3}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("a")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  std::vector<double> value(graph.num_states(), 0.0);
  for (std::size_t s = 0; s < value.size(); ++s)
    if (!graph.is_goal(StateId(s))) value[s] = s % 2 == 0 ? 4 : 5;
  const std::array weights{0.0, 1.0};
  const SubSolution solution =
      make_sub_solution(graph, weights, value, monitor, {.holds_as_written = true});
  SplitMix64 random(1);
  expect_sub_solution(graph, weights, solution, random);
  EXPECT_NEAR(solution.bound, 3, 1e-12);
}

TEST(LowerBound, HoldsWhereAStepIsTinyBesideTheValue) {
  // Falls back to the start with probability 1/2 at each of 30 steps: V(s0) = 3·2^29 - 2. Errors
  // that add up over so many steps are near the last bit of a value in each.
  ExplicitBuilder builder({{"time"}, {}, {}});
  const auto name = [](int i) { return "s" + std::to_string(i); };
  builder.add_action(name(0), "x", {1}, {{1.0, name(1)}});
  for (int i = 1; i < 30; ++i)
    builder.add_action(name(i), "x", {1}, {{0.5, name(0)}, {0.5, i == 29 ? "g" : name(i + 1)}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state(name(0))));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  const auto optimal =
      policy_iteration(graph, graph::proper_region(graph, monitor), std::array{1.0}, monitor);
  const double optimum = 3 * 0x1.0p29 - 2;
  ASSERT_NEAR(optimal.value[graph.initial_state().index()], optimum, 1e-12 * optimum);
  for (double error = 1e-12; error < 1; error *= 1.5) {
    std::vector<double> value = optimal.value;
    for (double& v : value)
      v *= 1 + error;
    const double bound = sound_lower_bound(graph, std::array{1.0}, value, monitor);
    EXPECT_LE(bound, optimum * (1 + 1e-9)) << "error " << error;
    EXPECT_GE(bound, optimum * (1 - 1e-6)) << "error " << error;
  }
}

TEST(LowerBound, IsInfiniteWithoutAProperPolicy) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("s", "x", {1}, {{0.5, "g"}, {0.5, "dead"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  std::vector<double> value(graph.num_states(), infinity);
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (graph.is_goal(StateId(s))) value[s] = 0;
  EXPECT_EQ(sound_lower_bound(graph, std::array{1.0}, value, monitor), infinity);
}

TEST(LowerBound, AnErrorFarFromTheBestPolicyDoesNotSpoilIt) {
  // The detour's value is far too high, which scaling alone would make the start pay for.
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_action("s", "straight", {10}, {{1.0, "g"}});
  builder.add_action("s", "detour", {20}, {{1.0, "d"}});
  builder.add_action("d", "x", {1}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  Cssp cssp(builder.build(builder.state("s")));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  auto optimal =
      policy_iteration(graph, graph::proper_region(graph, monitor), std::array{1.0}, monitor);
  for (double& v : optimal.value)
    if (v == 1) v = 1000;
  EXPECT_DOUBLE_EQ(sound_lower_bound(graph, std::array{1.0}, optimal.value, monitor), 10);
}

TEST(LowerBound, ScalingUndoesACommonFactor) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  const auto name = [](int i) { return "s" + std::to_string(i); };
  for (int i = 0; i < 12; ++i)
    builder.add_action(name(i), "up", {1}, {{0.6, name(i + 1)}, {0.4, name(i / 2)}});
  builder.add_goal(builder.state(name(12)));
  Cssp cssp(builder.build(builder.state(name(0))));
  SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor);
  auto optimal =
      policy_iteration(graph, graph::proper_region(graph, monitor), std::array{1.0}, monitor);
  const double optimum = optimal.value[graph.initial_state().index()];
  for (double& v : optimal.value)
    v *= 2;
  EXPECT_NEAR(sound_lower_bound(graph, std::array{1.0}, optimal.value, monitor), optimum,
              1e-9 * optimum);
}

}  // namespace
}  // namespace carl::ssp
