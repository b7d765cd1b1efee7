// Explanations against independent solves on random models: what an action loses against the LP over
// all states from every successor; prices against the LP with other bounds; budgets against the
// costs of the policy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "carl/error.h"
#include "carl/explain.h"
#include "carl/explicit_builder.h"
#include "carl/solve.h"
#include "support/random_model.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl {
namespace {

using Vector = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

double dot(const Vector& a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double scale(double value) {
  return std::max(1.0, std::abs(value));
}

/// The least weighted cost from a state, by the LP of a model of its own; infinite if there is none.
double least_from(Cssp& cssp, StateId start, const Vector& weights) {
  if (cssp.is_goal(start)) return 0;
  std::optional<Vector> give_up;
  if (cssp.can_give_up()) give_up = Vector{dot(weights, *cssp.give_up_penalty())};
  ExplicitBuilder builder({{"weighted"}, {}, give_up});
  std::map<StateId, std::size_t> number{{start, 0}};
  std::vector<StateId> states{start};
  struct Found {
    std::size_t state;
    double cost;
    std::vector<std::pair<double, std::size_t>> outcomes;
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (cssp.is_goal(states[i])) continue;
    Expansion out;
    cssp.expand(states[i], out);
    for (std::size_t a = 0; a < out.num_actions(); ++a) {
      if (out.action(a) == Cssp::give_up_action) continue;
      Found& action = found.emplace_back(Found{i, dot(weights, cssp.cost(out.action(a))), {}});
      for (std::size_t k = 0; k < out.successors(a).size(); ++k) {
        const auto [place, is_new] = number.try_emplace(out.successors(a)[k], states.size());
        if (is_new) states.push_back(out.successors(a)[k]);
        action.outcomes.emplace_back(out.probabilities(a)[k], place->second);
      }
    }
  }
  builder.add_states(states.size());
  for (std::size_t i = 0; i < states.size(); ++i)
    if (cssp.is_goal(states[i])) builder.add_goal(StateId(i));
  for (const Found& action : found) {
    for (const auto& [probability, to] : action.outcomes)
      builder.add_outcome(probability, StateId(to));
    builder.add_action(StateId(action.state), Vector{action.cost});
  }
  Cssp own(builder.build(StateId(0)));
  Monitor monitor;
  SolveOptions options;
  options.algorithm = Algorithm::lp;
  options.gap = 1e-9;
  const Solution solution = solve(own, options, monitor);
  return solution.costs ? (*solution.costs)[0] : infinity;
}

/// By action: its weighted cost if it is taken once.
std::map<ActionId, double> q_values(Cssp& cssp, StateId state, const Vector& weights) {
  std::map<ActionId, double> result;
  Expansion out;
  cssp.expand(state, out);
  for (std::size_t a = 0; a < out.num_actions(); ++a) {
    double q = dot(weights, cssp.cost(out.action(a)));
    for (std::size_t k = 0; k < out.successors(a).size(); ++k)
      q += out.probabilities(a)[k] * least_from(cssp, out.successors(a)[k], weights);
    result[out.action(a)] = q;
  }
  return result;
}

double least(const std::map<ActionId, double>& q) {
  double result = infinity;
  for (const auto& [action, value] : q)
    result = std::min(result, value);
  return result;
}

Vector weights_of(const Cssp& cssp, const Vector& multipliers,
                  std::optional<std::size_t> without = std::nullopt) {
  Vector weights(cssp.num_costs(), 0.0);
  weights[0] = 1;
  for (std::size_t b = 0; b < cssp.bounds().size(); ++b)
    if (without != b) weights[cssp.bounds()[b].cost] += multipliers[b];
  return weights;
}

void expect_state(Cssp& cssp, const Explanation& explanation, const StateExplanation& state) {
  const Vector weights = weights_of(cssp, explanation.multipliers);
  const auto q = q_values(cssp, state.state, weights);
  const Vector primary = weights_of(cssp, Vector(cssp.bounds().size(), 0.0));
  const auto free = q_values(cssp, state.state, primary);
  ASSERT_EQ(state.actions.size(), q.size());
  for (const Alternative& action : state.actions) {
    SCOPED_TRACE(cssp.action_name(action.action));
    const double truth = q.at(action.action);
    ASSERT_EQ(action.costs.has_value(), truth < infinity);
    if (!action.costs) continue;
    EXPECT_NEAR(dot(weights, *action.costs), truth, 2e-6 * scale(truth));
    EXPECT_NEAR(*action.loss, truth - least(q), 2e-6 * scale(truth));
    const double freely = free.at(action.action);
    EXPECT_NEAR(*action.loss_without_bounds, freely - least(free), 2e-6 * scale(freely));
    if (action.probability > 0) {
      EXPECT_NEAR(*action.loss, 0, 2e-6 * scale(truth));
    }
  }
  EXPECT_NEAR(free.at(*state.without_bounds), least(free), 2e-6 * scale(least(free)));
  for (std::size_t b = 0; b < cssp.bounds().size(); ++b) {
    const auto decisive = std::find_if(state.decisive.begin(), state.decisive.end(),
                                       [&](const auto& one) { return one.first == b; });
    const auto without = q_values(cssp, state.state, weights_of(cssp, explanation.multipliers, b));
    const double slack = 2e-6 * scale(least(without));
    if (decisive != state.decisive.end()) {
      EXPECT_NEAR(without.at(decisive->second), least(without), slack);
      EXPECT_GT(q.at(decisive->second), least(q));
      continue;
    }
    // Something that is best with the bound is best without it, too.
    double best = infinity;
    for (const auto& [action, value] : q)
      if (value <= least(q) + 2e-6 * scale(value)) best = std::min(best, without.at(action));
    EXPECT_NEAR(best, least(without), slack);
  }
}

double optimum(const std::shared_ptr<Model>& model, const Cssp& cssp, std::size_t bound,
               double upper) {
  Cssp own(model);
  for (const Bound& one : cssp.bounds())
    own.set_bound(cssp.cost_names()[one.cost], one.upper);
  own.set_bound(cssp.cost_names()[cssp.bounds()[bound].cost], upper);
  Monitor monitor;
  SolveOptions options;
  options.algorithm = Algorithm::lp;
  options.gap = 1e-9;
  const Solution solution = solve(own, options, monitor);
  return solution.costs ? (*solution.costs)[0] : infinity;
}

/// On the range the optimum is on the line of the price; beyond it is above.
void expect_range(const std::shared_ptr<Model>& model, const Cssp& cssp,
                  const Explanation& explanation, const PriceRange& range) {
  const double u = cssp.bounds()[range.bound].upper;
  const double here = explanation.costs[0];
  const auto line = [&](double upper) { return here - range.price * (upper - u); };
  EXPECT_LE(range.from, u * (1 + 1e-6) + 1e-6);
  EXPECT_GE(range.to, u * (1 - 1e-6) - 1e-6);
  const double far = range.to < infinity ? range.to : 2 * u + range.from + 1;
  for (const double share : {0.001, 0.5, 0.999}) {
    const double at = range.from + share * (far - range.from);
    EXPECT_NEAR(optimum(model, cssp, range.bound, at), line(at), 1e-6 * scale(here)) << at;
  }
  const double off = 1e-2 * scale(u);
  if (range.to < infinity) {
    EXPECT_GT(optimum(model, cssp, range.bound, range.to + off), line(range.to + off));
  }
  if (range.from > off) {
    EXPECT_GT(optimum(model, cssp, range.bound, range.from - off), line(range.from - off));
  }
}

TEST(Explain, AgreesWithIndependentSolves) {
  std::size_t explained = 0;
  std::size_t decisive = 0;
  std::size_t priced = 0;
  std::size_t unreached = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(1000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomModelOptions options = testing::random_options(seed, 6);
    options.costs = 2 + seed % 3;
    options.actions = 4;
    options.bounds = seed % 5 == 0   ? testing::BoundsKind::none
                     : seed % 5 == 1 ? testing::BoundsKind::slack
                                     : testing::BoundsKind::tight;
    const auto model = testing::random_model(seed, options);
    Cssp cssp(model);
    Monitor monitor;
    ExplainRequest request;
    for (std::size_t s = 0; s < model->num_states(); ++s)
      if (!model->is_goal(StateId(s)))
        request.states.push_back(model->state_facts(StateId(s)).front());
    request.spenders = 1000;
    if (seed % 2 == 0) request.max_states = 0;  // a search from each
    const Explanation explanation = explain(cssp, request, {}, monitor);
    if (explanation.status != Status::optimal) continue;
    for (const StateExplanation& state : explanation.states) {
      if (state.actions.empty()) continue;
      SCOPED_TRACE(cssp.state_name(state.state));
      if (!state.without_bounds) continue;  // nothing can be done there
      expect_state(cssp, explanation, state);
      ++explained;
      decisive += !state.decisive.empty();
      unreached += state.visits == 0;
    }
    for (const PriceRange& range : explanation.ranges) {
      SCOPED_TRACE("bound " + std::to_string(range.bound));
      expect_range(model, cssp, explanation, range);
      priced += range.price > 0;
    }
    for (std::size_t c = 0; c < cssp.num_costs(); ++c) {
      double sum = 0;
      for (const Spending& spent : explanation.spending[c])
        sum += spent.amount;
      EXPECT_NEAR(sum, explanation.costs[c], 1e-8 * scale(sum));
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(explained, testing::at_full_scale(1500));
  EXPECT_GT(decisive, testing::at_full_scale(30));
  EXPECT_GT(priced, testing::at_full_scale(120));
  EXPECT_GT(unreached, testing::at_full_scale(300));
}

TEST(Explain, OfAStateThatIsNotKnown) {
  const auto model = testing::random_model(1);
  Cssp cssp(model);
  Monitor monitor;
  ExplainRequest request;
  request.states = {"nowhere"};
  try {
    explain(cssp, request, {}, monitor);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "no state 'nowhere' is known");
  }
  for (std::size_t s = 0; s < model->num_states(); ++s) {
    if (!model->is_goal(StateId(s))) continue;
    request.states = {cssp.state_name(StateId(s))};
    try {
      explain(cssp, request, {}, monitor);
      FAIL();
    } catch (const InputError& error) {
      EXPECT_EQ(error.message(), "'" + request.states[0] + "' is a goal, where nothing is done");
    }
  }
}

}  // namespace
}  // namespace carl
