// What single runs cost where outcomes differ in cost, against distributions that are computed
// exactly by tiny interpreters: of PPDDL by the naive one, of explicit models from the lists that
// their texts are written from. And that planning knows nothing of all this.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "carl/simulate.h"
#include "io/read_explicit.h"
#include "policy/files.h"
#include "support/random_domain.h"
#include "support/reference.h"
#include "support/scale.h"
#include "task/problem.h"
#include "util/random.h"

namespace carl::testing {
namespace {

using Costs = std::vector<double>;
/// By cost: what a run may cost, and how likely that is.
using Totals = std::vector<std::map<double, double>>;

constexpr std::size_t num_runs = 2000;

Simulation simulate(Cssp& cssp, const PolicyFile& policy, std::uint64_t seed) {
  Monitor monitor;
  const Simulator simulator(cssp, policy, monitor);
  EXPECT_TRUE(simulator.findings().empty()) << simulator.findings().front().what;
  SimulateOptions options;
  options.runs = num_runs;
  options.seed = seed;
  options.threads = 1;
  return simulator.run(options, monitor);
}

/// How often a run costs at most `limit`.
double share_up_to(const Distribution& distribution, double limit) {
  std::size_t count = 0;
  for (const auto& [value, times] : distribution)
    if (value <= limit) count += times;
  return static_cast<double>(count) / static_cast<double>(num_runs);
}

/// Means and the shares of runs up to some limits are within four standard errors.
void compare(const Totals& totals, const Simulation& simulation, std::size_t& compared) {
  const double n = num_runs;
  for (std::size_t i = 0; i < simulation.costs.size(); ++i) {
    std::map<double, double> exact;
    for (const auto& [value, probability] : totals[i])
      exact[std::round(value * 1e6) * 1e-6] += probability;  // they differ by rounding
    double mean = 0;
    double squares = 0;
    for (const auto& [value, probability] : exact) {
      mean += probability * value;
      squares += probability * value * value;
    }
    const double deviation = std::sqrt(std::max(0.0, squares - mean * mean));
    const double largest = exact.rbegin()->first;
    EXPECT_NEAR(simulation.costs[i].mean, mean, 4 * deviation / std::sqrt(n) + 1e-6 * largest);
    EXPECT_NEAR(simulation.costs[i].exact, mean, 1e-6 * largest);
    double sum = 0;
    for (const auto& [value, probability] : exact) {
      sum += probability;
      if (sum < 0.02 || sum > 0.98) continue;
      const double error = std::sqrt(sum * (1 - sum) / n);
      EXPECT_NEAR(share_up_to(simulation.distributions[i], value + 1e-5), sum, 4 * error + 1e-6)
          << "cost " << i << " up to " << value;
      ++compared;
    }
  }
}

/// Steps through all runs at once, for each cost by itself; `step(state, visit)` calls
/// visit(successor, cost, probability) for whatever the policy may lead to, with no successor at
/// the end of a run.
template <class State, class Step>
std::optional<Totals> enumerate(const State& initial, std::size_t num_costs, const Step& step) {
  Totals totals(num_costs);
  for (std::size_t i = 0; i < num_costs; ++i) {
    std::map<std::pair<State, double>, double> open{{{initial, 0.0}, 1.0}};
    for (double left = 1; left > 1e-8;) {
      if (open.size() > 2000) return std::nullopt;
      std::map<std::pair<State, double>, double> next;
      left = 0;
      for (const auto& [run, weight] : open)
        step(run.first, [&, so_far = run.second, weight = weight](const std::optional<State>& to,
                                                                  const Costs& cost, double p) {
          const double sum = std::round((so_far + cost[i]) * 0x1p30) * 0x1p-30;
          if (!to) {
            totals[i][sum] += weight * p;
          } else {
            next[{*to, sum}] += weight * p;
            left += weight * p;
          }
        });
      open = std::move(next);
    }
  }
  return totals;
}

Costs rounded(const std::vector<Rational>& costs) {
  Costs result;
  for (const Rational& cost : costs)
    result.push_back(to_double(cost));
  return result;
}

/// A random policy for a factored problem: some actions here and there, and giving up often enough.
struct FactoredCase {
  explicit FactoredCase(std::uint64_t seed) : problem(random_problem(seed)), random(seed) {
    CsspOptions options = for_check();
    options.give_up.emplace();
    for (const std::string& cost : problem.model->cost_model().costs)
      options.give_up->emplace_back(cost, static_cast<double>(random.below(4)));
    cssp = std::make_unique<Cssp>(problem.model, options);
    policy.costs = cssp->cost_names();
    const StateId initial = cssp->initial_state();
    for (std::size_t s = initial.index(); s < cssp->num_states() && s < 100; ++s)
      if (!cssp->is_goal(StateId(s))) add_entry(StateId(s));
  }

  void add_entry(StateId state) {
    Expansion expansion;
    cssp->expand(state, expansion);
    PolicyFile::Entry entry{cssp->state_name(state), true, {}, {{"(give-up)", 0.4375}}};
    const std::size_t others = expansion.num_actions() - 1;
    if (others == 0) entry.choices[0].probability = 1;
    const std::size_t first = others == 0 ? 0 : random.below(others);
    for (std::size_t k = 0; k < std::min<std::size_t>(others, 2); ++k)
      entry.choices.push_back({cssp->action_name(expansion.action((first + k) % others)),
                               others == 1 ? 0.5625 : (k == 0 ? 0.25 : 0.3125)});
    choices[entry.state] = entry.choices;
    policy.states.push_back(std::move(entry));
  }

  /// Steps of the interpreter.
  std::optional<Totals> totals() const {
    const Reference reference(problem.tree);
    std::map<std::string, const Reference::GroundAction*> actions;
    for (const Reference::GroundAction& action : reference.actions())
      actions[action.name] = &action;
    std::set<std::string> kept;
    for (const task::Variable& variable : problem.task().variables)
      if (!variable.shadow) kept.insert(variable.values.begin(), variable.values.end());
    const AtomSet undrawn{"(initial state: not drawn yet)"};
    const auto name = [&](const AtomSet& state) {
      if (state == undrawn) return *undrawn.begin();
      std::vector<std::string> facts;
      for (const std::string& atom : state)
        if (kept.count(atom) > 0) facts.push_back(atom);
      return fmt::format("{}", fmt::join(facts, " "));
    };
    const std::size_t num_costs = policy.costs.size();
    const auto states = reference.initial_states();
    const AtomSet start = problem.task().initial_draw ? undrawn : states.begin()->first;
    if (start != undrawn && reference.is_goal(start)) return Totals(num_costs, {{0.0, 1.0}});
    return enumerate(start, num_costs, [&](const AtomSet& state, auto visit) {
      for (const PolicyFile::Choice& choice : choices.at(name(state))) {
        if (choice.action == "(give-up)") {
          visit(std::nullopt, *cssp->give_up_penalty(), choice.probability);
          continue;
        }
        if (state == undrawn) {
          for (const auto& [drawn, probability] : states)
            visit(reference.is_goal(drawn) ? std::nullopt : std::optional<AtomSet>(drawn),
                  Costs(num_costs), choice.probability * to_double(probability));
          continue;
        }
        const auto transition = reference.apply(*actions.at(choice.action), state);
        for (const auto& [outcome, probability] : transition.outcomes) {
          const bool ends = reference.is_goal(outcome.first);
          visit(ends ? std::nullopt : std::optional<AtomSet>(outcome.first),
                rounded(outcome.second), choice.probability * to_double(probability));
        }
      }
    });
  }

  Problem problem;
  SplitMix64 random;
  std::unique_ptr<Cssp> cssp;
  PolicyFile policy;
  std::map<std::string, std::vector<PolicyFile::Choice>> choices;
};

TEST(OutcomeCosts, FactoredRunsCostWhatTheInterpreterSays) {
  std::size_t cases = 0;
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= scaled(800); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    FactoredCase problem(seed);
    if (problem.cssp->num_states() >= 100 || problem.problem.task().cost_shares.empty()) continue;
    const auto totals = problem.totals();
    if (!totals) continue;
    compare(*totals, simulate(*problem.cssp, problem.policy, seed), compared);
    ++cases;
  }
  EXPECT_GE(cases, at_full_scale(50));
  EXPECT_GE(compared, at_full_scale(300));
}

/// A random explicit model as the lists that its text is written from. Numbers are small fractions
/// of powers of two, so sums are exact.
struct ListedModel {
  struct Outcome {
    std::size_t to = 0;
    double probability = 0;
    Costs cost;
  };
  struct Action {
    Costs cost;  // expected
    std::vector<Outcome> outcomes;
  };

  static constexpr std::size_t num_costs = 2;
  static constexpr std::size_t goal = 4;

  explicit ListedModel(std::uint64_t seed) {
    SplitMix64 random(seed);
    for (auto& state : actions)
      for (std::size_t a = 0; a < 2; ++a) {
        Action action{Costs(num_costs, 0.0), {}};
        double rest = 1;
        while (rest > 0) {
          const double p = rest <= 0.125 ? rest : static_cast<double>(1 + random.below(3)) / 16;
          // Successors repeat, at other costs and at the same ones.
          Outcome outcome{random.below(3) == 0 ? goal : random.below(goal + 1), p, {}};
          for (std::size_t i = 0; i < num_costs; ++i) {
            outcome.cost.push_back(static_cast<double>(i == 0 ? 1 + random.below(2)
                                                              : random.below(3) * random.below(4)));
            action.cost[i] += p * outcome.cost[i];
          }
          rest -= p;
          action.outcomes.push_back(std::move(outcome));
        }
        state.push_back(std::move(action));
      }
  }

  /// With the outcomes apart, or merged into one for each successor.
  std::string text(bool apart) const {
    std::vector<std::string> lines;
    for (std::size_t s = 0; s < goal; ++s)
      for (std::size_t a = 0; a < actions[s].size(); ++a) {
        const Action& action = actions[s][a];
        std::vector<std::string> outcomes;
        std::vector<std::size_t> order;
        std::map<std::size_t, double> merged;
        for (const Outcome& o : action.outcomes) {
          outcomes.push_back(fmt::format(R"({{ "state": {}, "probability": {}, "cost": [{}] }})",
                                         o.to, o.probability, fmt::join(o.cost, ", ")));
          if (merged.count(o.to) == 0) order.push_back(o.to);
          merged[o.to] += o.probability;
        }
        if (!apart) outcomes.clear();
        for (const std::size_t to : order)
          if (!apart) outcomes.push_back(fmt::format("\"{}\": {}", to, merged[to]));
        lines.push_back(
            fmt::format(R"({{ "state": {}, "name": "a{}", "cost": [{}], "outcomes": {} {} {} }})",
                        s, a, fmt::join(action.cost, ", "), apart ? "[" : "{",
                        fmt::join(outcomes, ", "), apart ? "]" : "}"));
      }
    return fmt::format(R"({{ "format": "cssp", "version": 1, "costs": ["time", "risk"],
      "bounds": {{ "risk": 4 }}, "give_up": {{ "time": 20, "risk": 1 }},
      "initial": 0, "goals": [{}], "actions": [ {} ] }})",
                       goal, fmt::join(lines, ",\n"));
  }

  std::array<std::vector<Action>, goal> actions;
};

std::shared_ptr<Model> read_text(const std::string& text) {
  Monitor monitor;
  return io::read_explicit("model.json", text, monitor);
}

TEST(OutcomeCosts, ExplicitRunsCostWhatTheListsSay) {
  std::size_t cases = 0;
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ListedModel lists(seed);
    Cssp cssp(read_text(lists.text(true)), for_check());
    PolicyFile policy{cssp.cost_names(), {}};
    for (std::size_t s = 0; s < ListedModel::goal; ++s)
      policy.states.push_back(
          {std::to_string(s), false, {}, {{"a0", 0.5}, {"a1", 0.25}, {"(give-up)", 0.25}}});
    const auto totals = enumerate<std::size_t>(0, 2, [&](std::size_t s, auto visit) {
      for (std::size_t a = 0; a < 2; ++a)
        for (const auto& o : lists.actions[s][a].outcomes)
          visit(o.to == ListedModel::goal ? std::nullopt : std::optional(o.to), o.cost,
                (a == 0 ? 0.5 : 0.25) * o.probability);
      visit(std::nullopt, {20, 1}, 0.25);
    });
    ASSERT_TRUE(totals.has_value());
    compare(*totals, simulate(cssp, policy, seed), compared);
    ++cases;
  }
  EXPECT_GE(cases, at_full_scale(200));
  EXPECT_GE(compared, at_full_scale(4000));
}

/// A result without what differs from one solve to the next.
std::string lasting(const Cssp& cssp, const Solution& solution) {
  std::ostringstream out;
  write_result(cssp, solution, out);
  nlohmann::json json = nlohmann::json::parse(out.str());
  json["statistics"].erase("seconds");
  if (json["statistics"].contains("multiplier_search"))
    json["statistics"]["multiplier_search"].erase("seconds");
  json["statistics"].erase("peak_memory_mb");
  if (json.contains("trace"))
    for (auto& point : json["trace"])
      point.erase("seconds");
  write_policy(cssp, solution.policy, out);
  return json.dump() + out.str().substr(out.str().find("\"carl-policy\""));
}

TEST(OutcomeCosts, PlansAreTheSameBitForBitWhetherOutcomesAreApartOrMerged) {
  for (std::uint64_t seed = 1; seed <= scaled(60); ++seed) {
    const ListedModel lists(seed);
    for (const char* algorithm : {"carl", "i-dual", "lp"}) {
      SCOPED_TRACE(fmt::format("seed {}, {}", seed, algorithm));
      Cssp apart(read_text(lists.text(true)));
      Cssp merged(read_text(lists.text(false)));
      SolveOptions options;
      options.algorithm = algorithm_named(algorithm);
      Monitor monitor;
      EXPECT_EQ(lasting(apart, solve(apart, options, monitor)),
                lasting(merged, solve(merged, options, monitor)));
    }
  }
}

/// A crash is a failure, not a tenth of one.
TEST(OutcomeCosts, AFailureIsCountedOnceItHappens) {
  Problem problem(R"(
    (define (domain delivery) (:requirements :probabilistic-effects :fluents :conditional-effects)
      (:predicates (here) (there) (stormy)) (:functions (time) (failures))
      (:action fly :parameters () :precondition (here)
       :effect (and (increase (time) 1) (when (stormy) (increase (time) 2))
                    (probabilistic 0.9 (and (not (here)) (there))
                                   0.1 (increase (failures) 1)))))
    (define (problem p) (:domain delivery) (:init (here) (stormy)) (:goal (there))
      (:metric minimize (time)) (:constraints (<= (expected (failures)) 0.5))))");
  Cssp cssp(problem.model, for_check());
  PolicyFile policy{cssp.cost_names(), {}};
  policy.states.push_back({cssp.state_name(cssp.initial_state()), true, {}, {{"(fly)", 1}}});
  const Simulation simulation = simulate(cssp, policy, 1);
  ASSERT_EQ(cssp.cost_names()[1], "failures");
  for (const auto& [value, times] : simulation.distributions[1])
    EXPECT_EQ(value, std::round(value));
  EXPECT_NEAR(simulation.costs[1].exact, 1.0 / 9, 1e-12);
  EXPECT_EQ(simulation.costs[1].median, 0);
  EXPECT_NEAR(static_cast<double>(simulation.within[0]), 0.9 * num_runs, 60);
  // The trace says the same.
  Monitor monitor;
  const Simulator simulator(cssp, policy, monitor);
  SimulateOptions options;
  std::size_t failures = 0;
  for (std::size_t run = 0; run < 200; ++run) {
    double before = 0;
    for (const TraceStep& step : simulator.trace(run, options)) {
      const bool failed = step.costs[1] > before;
      EXPECT_EQ(failed, step.successor == step.state);
      EXPECT_EQ(step.costs[1], before + (failed ? 1 : 0));
      EXPECT_NEAR(step.outcome_probability, failed ? 0.1 : 0.9, 1e-12);
      before = step.costs[1];
      failures += failed;
    }
  }
  EXPECT_GT(failures, 5U);
}

}  // namespace
}  // namespace carl::testing
