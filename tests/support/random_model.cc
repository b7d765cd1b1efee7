#include "support/random_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "util/random.h"

namespace carl::testing {
namespace {

struct DraftOutcome {
  double probability;
  std::size_t successor;
};

struct DraftAction {
  std::string name;
  std::vector<double> cost;
  std::vector<DraftOutcome> outcomes;
};

/// States 0 … n-1 can act, n is the goal, n+1 the dead end.
struct Draft {
  std::vector<std::vector<DraftAction>> actions;
  std::optional<std::vector<double>> give_up;

  std::size_t goal() const { return actions.size(); }
  std::size_t dead_end() const { return actions.size() + 1; }
};

double weighted(std::span<const double> weights, std::span<const double> costs) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * costs[i];
  return sum;
}

/// Solves a draft for a weighting of its costs under which every loop costs something, by plain
/// value iteration, which shares no code with the planner.
class DraftSolver {
 public:
  DraftSolver(const Draft& draft, std::vector<double> weights)
      : draft_(draft), weights_(std::move(weights)), values_(draft.goal() + 2) {
    values_[draft_.dead_end()] = give_up_value();
    iterate([&](std::size_t state) {
      const double value = best(state).second;
      return relative_change(std::exchange(values_[state], value), value);
    });
  }

  double value() const { return values_[0]; }
  /// The cost vector of the optimal policy.
  std::vector<double> costs() const;

 private:
  static constexpr std::size_t giving_up = static_cast<std::size_t>(-1);

  double give_up_value() const {
    return draft_.give_up ? weighted(weights_, *draft_.give_up) : 1e9;
  }
  /// The best action of a state and its value.
  std::pair<std::size_t, double> best(std::size_t state) const {
    std::pair<std::size_t, double> best{giving_up, give_up_value()};
    for (std::size_t a = 0; a < draft_.actions[state].size(); ++a) {
      const DraftAction& action = draft_.actions[state][a];
      double value = weighted(weights_, action.cost);
      for (const DraftOutcome& outcome : action.outcomes)
        value += outcome.probability * values_[outcome.successor];
      if (value < best.second) best = {a, value};
    }
    return best;
  }
  static double relative_change(double before, double after) {
    return std::abs(after - before) / std::max(1.0, std::abs(after));
  }
  /// Calls `update(state)`, which returns the change, for all states until there is hardly any.
  template <class Update>
  void iterate(Update update) const {
    for (int sweep = 0; sweep < 100'000; ++sweep) {
      double change = 0;
      for (std::size_t state = draft_.goal(); state-- > 0;)
        change = std::max(change, update(state));
      if (change < 1e-12) return;
    }
  }

  const Draft& draft_;
  std::vector<double> weights_;
  std::vector<double> values_;
};

std::vector<double> DraftSolver::costs() const {
  std::vector<double> result;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    std::vector<double> costs(values_.size());
    const double penalty = draft_.give_up ? (*draft_.give_up)[i] : 0;
    costs[draft_.dead_end()] = penalty;
    iterate([&](std::size_t state) {
      const std::size_t choice = best(state).first;
      double cost = penalty;
      if (choice != giving_up) {
        cost = draft_.actions[state][choice].cost[i];
        for (const DraftOutcome& outcome : draft_.actions[state][choice].outcomes)
          cost += outcome.probability * costs[outcome.successor];
      }
      return relative_change(std::exchange(costs[state], cost), cost);
    });
    result.push_back(costs[0]);
  }
  return result;
}

class RandomModel {
 public:
  RandomModel(std::uint64_t seed, const RandomModelOptions& options)
      : options_(options), seed_(seed), random_(seed) {}

  std::shared_ptr<ExplicitModel> make();

 private:
  bool chance(double probability) { return random_.unit() < probability; }
  std::size_t between(std::size_t low, std::size_t high) {
    return low + random_.below(high - low + 1);
  }
  /// The power of ten that costs of this kind are near where costs differ widely.
  double scale_of(std::size_t cost) const {
    return static_cast<double>(SplitMix64(seed_ + cost).below(15)) - 6;
  }
  void draw_actions(std::size_t state);
  std::vector<DraftOutcome> draw_outcomes(std::size_t state, bool safe);
  std::size_t draw_successor(std::size_t state, bool safe);
  std::vector<double> draw_probabilities(std::size_t count);
  std::vector<double> draw_cost(bool free);
  double draw_secondary_cost(std::size_t cost);
  double draw_positive_cost(std::size_t cost);
  void make_near_loop(std::size_t state, std::vector<DraftOutcome>& outcomes);
  void add_tiny_outcome(std::size_t state, bool safe, std::vector<DraftOutcome>& outcomes);
  void draw_give_up();
  void add_zero_cost_loop();
  std::vector<Bound> draw_bounds();
  std::shared_ptr<ExplicitModel> build();

  RandomModelOptions options_;
  std::uint64_t seed_;
  SplitMix64 random_;
  Draft draft_;
  std::vector<Bound> bounds_;
};

std::shared_ptr<ExplicitModel> RandomModel::make() {
  draft_.actions.resize(options_.states);
  for (std::size_t state = 0; state < options_.states; ++state)
    draw_actions(state);
  if (options_.give_up) draw_give_up();
  bounds_ = draw_bounds();
  if (options_.zero_cost_loop) add_zero_cost_loop();
  return build();
}

void RandomModel::draw_actions(std::size_t state) {
  const std::size_t count = between(1, options_.actions);
  for (std::size_t a = 0; a < count; ++a) {
    DraftAction action;
    action.name = fmt::format("a{}", a);
    action.outcomes = draw_outcomes(state, a == 0);
    if (options_.tiny_probabilities && chance(0.3))
      add_tiny_outcome(state, a == 0, action.outcomes);
    if (options_.near_loops && chance(0.4)) make_near_loop(state, action.outcomes);
    const bool forward =
        std::all_of(action.outcomes.begin(), action.outcomes.end(),
                    [&](const DraftOutcome& outcome) { return outcome.successor > state; });
    const bool may_be_free = options_.zero_primary_costs || options_.many_free_actions;
    action.cost =
        draw_cost(may_be_free && forward && chance(options_.many_free_actions ? 0.9 : 0.3));
    draft_.actions[state].push_back(std::move(action));
  }
  if (options_.self_loops && chance(0.5))
    draft_.actions[state].push_back({"stay", draw_cost(false), {{1.0, state}}});
}

std::vector<DraftOutcome> RandomModel::draw_outcomes(std::size_t state, bool safe) {
  std::vector<std::size_t> successors;
  if (safe) successors.push_back(between(state + 1, draft_.goal()));
  if (options_.dead_ends == DeadEnds::unavoidable && state == 0)
    successors.push_back(draft_.dead_end());
  const std::size_t wanted = between(std::max<std::size_t>(1, successors.size()),
                                     std::max(options_.outcomes, successors.size()));
  // Few successors may be possible, so a repeated draw is not repeated until it is new.
  for (std::size_t i = successors.size(); i < wanted || successors.empty(); ++i) {
    const std::size_t successor = draw_successor(state, safe);
    if (std::find(successors.begin(), successors.end(), successor) == successors.end())
      successors.push_back(successor);
  }
  const std::vector<double> probabilities = draw_probabilities(successors.size());
  std::vector<DraftOutcome> outcomes;
  for (std::size_t i = 0; i < successors.size(); ++i)
    outcomes.push_back({probabilities[i], successors[i]});
  return outcomes;
}

std::size_t RandomModel::draw_successor(std::size_t state, bool safe) {
  if (options_.dead_ends != DeadEnds::none && !safe && chance(0.2)) return draft_.dead_end();
  return options_.cycles ? between(0, draft_.goal()) : between(state + 1, draft_.goal());
}

std::vector<double> RandomModel::draw_probabilities(std::size_t count) {
  std::vector<double> probabilities(count);
  if (options_.integer_costs) {
    // Halve the rest each time: 1/2, 1/4, 1/4.
    double rest = 1;
    for (std::size_t i = 0; i < count; ++i)
      rest -= probabilities[i] = i + 1 < count ? rest / 2 : rest;
    random_.shuffle(probabilities);
    return probabilities;
  }
  double sum = 0;
  for (double& probability : probabilities)
    sum += probability = 0.05 + random_.unit();
  for (double& probability : probabilities)
    probability /= sum;
  return probabilities;
}

/// Leads on with a probability of 1e-1 … 1e-6 only, else back to the same state, seldom to an
/// earlier one: that makes loops of several states, which are slower by a power.
void RandomModel::make_near_loop(std::size_t state, std::vector<DraftOutcome>& outcomes) {
  const bool back = options_.cycles && chance(0.2);
  const double onward = std::pow(10.0, -static_cast<double>(between(1, back ? 3 : 6)));
  const std::size_t target = back ? between(0, state) : state;
  for (DraftOutcome& outcome : outcomes)
    outcome.probability *= onward;
  const auto same = std::find_if(outcomes.begin(), outcomes.end(),
                                 [&](const DraftOutcome& o) { return o.successor == target; });
  if (same != outcomes.end())
    same->probability += 1 - onward;
  else
    outcomes.push_back({1 - onward, target});
}

void RandomModel::add_tiny_outcome(std::size_t state, bool safe,
                                   std::vector<DraftOutcome>& outcomes) {
  const double tiny = std::pow(10.0, -static_cast<double>(between(3, 9)));
  const std::size_t successor = draw_successor(state, safe);
  if (std::any_of(outcomes.begin(), outcomes.end(),
                  [&](const DraftOutcome& o) { return o.successor == successor; }))
    return;
  std::max_element(outcomes.begin(), outcomes.end(), [](const auto& a, const auto& b) {
    return a.probability < b.probability;
  })->probability -= tiny;
  outcomes.push_back({tiny, successor});
}

std::vector<double> RandomModel::draw_cost(bool free) {
  std::vector<double> cost;
  cost.push_back(free ? 0 : draw_positive_cost(0));
  for (std::size_t i = 1; i < options_.costs; ++i)
    cost.push_back(draw_secondary_cost(i));
  return cost;
}

double RandomModel::draw_secondary_cost(std::size_t cost) {
  const bool decisive = cost == 1;
  const bool may_be_zero =
      decisive && options_.bounds == BoundsKind::contradictory
          ? false
          : options_.zero_secondary_costs || (decisive && options_.bounds == BoundsKind::zero);
  if (may_be_zero && chance(0.5)) return 0;
  return draw_positive_cost(cost);
}

double RandomModel::draw_positive_cost(std::size_t cost) {
  if (options_.integer_costs) return static_cast<double>(between(1, 3));
  if (!options_.wide_costs) return 0.1 + 3 * random_.unit();
  // Each cost in a unit of its own, or every number of any size.
  if (cost % 2 == 0) return (1 + random_.unit()) * std::pow(10.0, scale_of(cost));
  return std::pow(10.0, -6 + 15 * random_.unit());
}

void RandomModel::draw_give_up() {
  std::vector<double> penalty{static_cast<double>(between(5, 50))};
  for (std::size_t i = 1; i < options_.costs; ++i) {
    const bool decisive = i == 1 && options_.bounds == BoundsKind::contradictory;
    penalty.push_back(static_cast<double>(between(decisive ? 1 : 0, 10)));
  }
  if (options_.wide_costs)
    for (std::size_t i = 0; i < options_.costs; ++i)
      if (chance(0.8)) penalty[i] *= std::pow(10.0, scale_of(i));
  draft_.give_up = std::move(penalty);
}

void RandomModel::add_zero_cost_loop() {
  assert(options_.states >= 2);
  for (const std::size_t state : {std::size_t{0}, std::size_t{1}})
    draft_.actions[state].push_back({"spin", draw_cost(true), {{1.0, 1 - state}}});
}

std::vector<Bound> RandomModel::draw_bounds() {
  if (options_.bounds == BoundsKind::none) return {};
  std::vector<Bound> bounds;
  if (options_.dead_ends == DeadEnds::unavoidable && !options_.give_up) {
    // There is no proper policy, whatever the bounds.
    for (std::size_t i = 1; i < options_.costs; ++i)
      bounds.push_back({i, static_cast<double>(between(0, 9))});
    return bounds;
  }
  std::vector<double> cheap(options_.costs, 0.0);
  cheap[0] = 1;
  const std::vector<double> first = DraftSolver(draft_, cheap).costs();
  // A little of the primary cost, because the others may be zero all the way round a loop.
  std::vector<double> thrifty(options_.costs, 1.0);
  thrifty[0] = 0.01;
  const std::vector<double> second = DraftSolver(draft_, thrifty).costs();

  const double share = 0.1 + 0.8 * random_.unit();
  for (std::size_t i = 1; i < options_.costs; ++i) {
    const bool tight = options_.bounds == BoundsKind::tight;
    bounds.push_back({i, tight ? share * first[i] + (1 - share) * second[i] : 2 * first[i] + 1});
  }
  if (options_.bounds == BoundsKind::zero) bounds.front().upper = 0;
  if (options_.bounds == BoundsKind::contradictory) {
    std::vector<double> decisive(options_.costs, 0.0);
    decisive[1] = 1;
    bounds.front().upper = DraftSolver(draft_, decisive).value() / 2;
  }
  return bounds;
}

std::shared_ptr<ExplicitModel> RandomModel::build() {
  CostModel costs;
  for (std::size_t i = 0; i < options_.costs; ++i)
    costs.costs.push_back(fmt::format("c{}", i));
  costs.bounds = bounds_;
  costs.give_up = draft_.give_up;
  ExplicitBuilder builder(std::move(costs));
  std::vector<StateId> states;
  for (std::size_t state = 0; state < options_.states; ++state)
    states.push_back(builder.state(fmt::format("s{}", state)));
  states.push_back(builder.state("goal"));
  builder.add_goal(states.back());
  if (options_.dead_ends != DeadEnds::none) states.push_back(builder.state("dead-end"));
  for (std::size_t state = 0; state < options_.states; ++state) {
    for (const DraftAction& action : draft_.actions[state]) {
      for (const DraftOutcome& outcome : action.outcomes)
        builder.add_outcome(outcome.probability, states[outcome.successor]);
      builder.add_action(states[state], action.name, action.cost);
    }
  }
  return std::static_pointer_cast<ExplicitModel>(builder.build(states.front()));
}

}  // namespace

std::string RandomModelOptions::text() const {
  return fmt::format(
      "states {} actions {} outcomes {} costs {} bounds {} dead ends {} cycles {} self-loops {} "
      "give-up {} zero secondary {} zero primary {} zero-cost loop {} integer {} near-loops {} "
      "tiny {} wide {} many free {}",
      states, actions, outcomes, costs, static_cast<int>(bounds), static_cast<int>(dead_ends),
      cycles, self_loops, give_up, zero_secondary_costs, zero_primary_costs, zero_cost_loop,
      integer_costs, near_loops, tiny_probabilities, wide_costs, many_free_actions);
}

RandomModelOptions random_options(std::uint64_t seed, std::size_t states) {
  SplitMix64 random(~seed);  // unlike the numbers that random_model() draws for this seed
  const auto coin = [&] { return random.below(2) == 1; };
  RandomModelOptions options;
  options.states = 1 + random.below(states);
  options.actions = 1 + random.below(3);
  options.outcomes = 1 + random.below(3);
  options.costs = 2 + random.below(3);
  options.bounds = static_cast<BoundsKind>(random.below(5));
  options.dead_ends = static_cast<DeadEnds>(random.below(3));
  options.cycles = coin();
  options.self_loops = coin();
  options.give_up = coin();
  options.zero_secondary_costs = coin();
  options.zero_primary_costs = coin();
  options.integer_costs = coin();
  return options;
}

std::shared_ptr<ExplicitModel> random_model(std::uint64_t seed, const RandomModelOptions& options) {
  return RandomModel(seed, options).make();
}

}  // namespace carl::testing
