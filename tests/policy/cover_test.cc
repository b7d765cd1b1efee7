// Policies that cover all states, and what they cost from each: compared with a naive exploration, a
// naive fixpoint for where a goal can be reached, and plain value iteration, on random problems.

#include "carl/cover.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <map>

#include "carl/error.h"
#include "carl/simulate.h"
#include "cssp/cover_states.h"
#include "policy/files.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;

/// All that can be done, state by state.
class Everything {
 public:
  struct Pair {
    ActionId action;
    std::vector<double> cost;
    std::vector<std::pair<double, std::size_t>> outcomes;
  };

  explicit Everything(Cssp& cssp) : cssp_(cssp) {
    add(cssp.initial_state());
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (!cssp.is_goal(states_[i])) expand(i);
    shrink();
  }

  std::size_t size() const { return states_.size(); }
  StateId state(std::size_t i) const { return states_[i]; }
  std::size_t number(StateId s) const { return number_.at(s.index()); }
  bool is_goal(std::size_t i) const { return cssp_.is_goal(states_[i]); }
  /// A goal is reached with certainty by some policy.
  bool is_hopeful(std::size_t i) const { return hopeful_[i]; }
  const Pair& pair(std::size_t i, ActionId action) const {
    for (const Pair& pair : pairs_[i])
      if (pair.action == action) return pair;
    throw std::runtime_error("no such action");
  }

  /// The least weighted costs, by value iteration from zero.
  std::vector<double> optimum(const std::vector<double>& weights) const {
    std::vector<double> value(size(), 0.0);
    for (int round = 0; round < 1'000'000; ++round) {
      double change = 0;
      for (std::size_t i = size(); i-- > 0;) {
        if (is_goal(i) || !hopeful_[i]) continue;
        double best = HUGE_VAL;
        for (const Pair& pair : pairs_[i])
          if (stays(pair)) best = std::min(best, q(pair, weights, value));
        change = std::max(change, std::abs(best - value[i]) / std::max(1.0, best));
        value[i] = best;
      }
      if (change < 1e-14) return value;
    }
    throw std::runtime_error("value iteration does not end");
  }

 private:
  std::size_t add(StateId s) {
    const auto [place, is_new] = number_.try_emplace(s.index(), states_.size());
    if (is_new) {
      states_.push_back(s);
      pairs_.emplace_back();
    }
    return place->second;
  }

  void expand(std::size_t i) {
    Expansion expansion;
    cssp_.expand(states_[i], expansion);
    for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
      Pair pair;
      pair.action = expansion.action(a);
      const auto cost = cssp_.cost(pair.action);
      pair.cost.assign(cost.begin(), cost.end());
      for (std::size_t k = 0; k < expansion.successors(a).size(); ++k)
        pair.outcomes.emplace_back(expansion.probabilities(a)[k], add(expansion.successors(a)[k]));
      pairs_[i].push_back(std::move(pair));
    }
  }

  bool stays(const Pair& pair) const {
    return std::all_of(pair.outcomes.begin(), pair.outcomes.end(),
                       [&](const auto& outcome) { return hopeful_[outcome.second]; });
  }

  void shrink() {
    hopeful_.assign(size(), true);
    for (bool changed = true; changed;) {
      std::vector<bool> reaches(size(), false);
      for (bool grown = true; grown;) {
        grown = false;
        for (std::size_t i = 0; i < size(); ++i) {
          if (reaches[i] || !hopeful_[i]) continue;
          bool now = is_goal(i);
          for (const Pair& pair : pairs_[i]) {
            if (!stays(pair)) continue;
            now = now || pair.outcomes.empty();  // giving up
            for (const auto& outcome : pair.outcomes)
              now = now || reaches[outcome.second];
          }
          reaches[i] = now;
          grown = grown || now;
        }
      }
      changed = reaches != hopeful_;
      hopeful_ = reaches;
    }
  }

  static double q(const Pair& pair, const std::vector<double>& weights,
                  const std::vector<double>& value) {
    double sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k)
      sum += weights[k] * pair.cost[k];
    for (const auto& [probability, to] : pair.outcomes)
      sum += probability * value[to];
    return sum;
  }

  Cssp& cssp_;
  std::vector<StateId> states_;
  std::map<std::size_t, std::size_t> number_;
  std::vector<std::vector<Pair>> pairs_;
  std::vector<bool> hopeful_;
};

struct Totals {
  std::size_t problems = 0;
  std::size_t added = 0;
  std::size_t hopeless = 0;
  std::size_t priced = 0;
};

/// v = c + P v for every cost, state by state.
void expect_bellman_equations(const Everything& all, const Policy& policy,
                              const std::vector<double>& values, std::size_t num_costs) {
  for (std::size_t e = 0; e < policy.size(); ++e) {
    for (std::size_t k = 0; k < num_costs; ++k) {
      double expected = 0;
      for (const Policy::Choice choice : policy[e].choices) {
        const Everything::Pair& pair = all.pair(all.number(policy[e].state), choice.action);
        double q = pair.cost[k];
        for (const auto& [probability, to] : pair.outcomes)
          if (!all.is_goal(to))
            q += probability * values[*policy.find(all.state(to)) * num_costs + k];
        expected += choice.probability * q;
      }
      EXPECT_NEAR(values[e * num_costs + k], expected, 1e-9 * std::max(1.0, expected));
    }
  }
}

/// The file says what it should, and the check agrees.
void expect_check_passes(const std::shared_ptr<Model>& fresh, const Cssp& cssp,
                         const Policy& policy, const PolicyDetails& details) {
  std::ostringstream out;
  write_policy(cssp, policy, out, details);
  Monitor monitor;
  const PolicyFile file = read_policy_text("policy.json", out.str(), monitor);
  EXPECT_TRUE(file.covers_all);
  Cssp problem(fresh, for_check());
  const CheckReport report = check(problem, file);
  EXPECT_TRUE(report.holds()) << text_of(report);
  EXPECT_TRUE(report.findings.empty()) << text_of(report);
  EXPECT_TRUE(Simulator(problem, file, monitor).findings().empty());
}

void expect_covered(const std::function<std::shared_ptr<Model>()>& make, Totals& totals) {
  Cssp cssp(make());
  Monitor monitor;
  SolveOptions options;
  options.gap = 1e-9;
  const Solution solution = solve(cssp, options, monitor);
  if (solution.status != Status::optimal) return;
  // Every other problem by value iteration, as if it were large.
  const Coverage coverage = totals.problems % 2 == 0 ? cover_all_states(cssp, solution, 1, monitor)
                                                     : cssp::cover(cssp, solution, 1, 0, monitor);
  const Policy& policy = coverage.policy;
  for (std::size_t i = 0; i < solution.policy.size(); ++i)
    EXPECT_EQ(policy[i].state, solution.policy[i].state);
  const Everything all(cssp);
  std::size_t hopeless = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    hopeless += all.is_hopeful(i) ? 0 : 1;
    EXPECT_EQ(policy.find(all.state(i)).has_value(), all.is_hopeful(i) && !all.is_goal(i));
  }
  EXPECT_EQ(coverage.hopeless, hopeless);
  EXPECT_EQ(coverage.added, policy.size() - solution.policy.size());
  const std::vector<double> values = policy_values(cssp, policy, monitor);
  expect_bellman_equations(all, policy, values, cssp.num_costs());
  std::vector<double> weights(cssp.num_costs(), 0.0);
  weights[0] = 1;
  for (std::size_t b = 0; b < solution.multipliers.size(); ++b)
    if (cssp.bounds()[b].upper > 0) weights[cssp.bounds()[b].cost] += solution.multipliers[b];
  const std::vector<double> best = all.optimum(weights);
  for (std::size_t e = 0; e < policy.size(); ++e) {
    double cost = 0;
    for (std::size_t k = 0; k < weights.size(); ++k)
      cost += weights[k] * values[e * weights.size() + k];
    const double least = best[all.number(policy[e].state)];
    EXPECT_NEAR(cost, least, 1e-6 * std::max(1.0, least)) << cssp.state_name(policy[e].state);
  }
  expect_check_passes(make(), cssp, policy, {true, values});
  ++totals.problems;
  totals.added += coverage.added;
  totals.hopeless += coverage.hopeless;
  const auto has_price = [](double weight) { return weight > 0; };
  totals.priced += std::any_of(weights.begin() + 1, weights.end(), has_price) ? 1 : 0;
}

TEST(CoverAllStates, RandomModels) {
  Totals totals;
  for (std::uint64_t seed = 1; seed <= scaled(1000); ++seed) {
    const RandomModelOptions options = random_options(seed, 14);
    SCOPED_TRACE(fmt::format("seed {}, {}", seed, options.text()));
    expect_covered([&] { return random_model(seed, options); }, totals);
    if (HasFailure()) return;
  }
  EXPECT_GE(totals.problems, at_full_scale(400));
  EXPECT_GE(totals.added, at_full_scale(400));
  EXPECT_GE(totals.hopeless, at_full_scale(50));
  EXPECT_GE(totals.priced, at_full_scale(50));
}

TEST(CoverAllStates, RandomTasks) {
  Totals totals;
  for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
    SCOPED_TRACE(seed);
    expect_covered([&] { return random_task_or_draw(seed); }, totals);
    expect_covered([&] { return random_conditional_task(seed); }, totals);
    if (HasFailure()) return;
  }
  EXPECT_GE(totals.problems, at_full_scale(150));
  EXPECT_GE(totals.added, at_full_scale(1000));
}

constexpr const char* street = R"({ "format": "cssp", "version": 1, "costs": ["time", "price"],
  "bounds": { "price": 2 }, "initial": "home", "goals": ["work"], "actions": [
  { "state": "home", "name": "walk", "cost": [30, 0], "outcomes": { "work": 1 } },
  { "state": "home", "name": "tram", "cost": [10, 4], "outcomes": { "work": 1 } },
  { "state": "home", "name": "jump", "cost": [1000, 0], "outcomes": { "lost": 0.5, "pit": 0.5 } },
  { "state": "lost", "name": "taxi", "cost": [1, 20], "outcomes": { "work": 1 } },
  { "state": "lost", "name": "walk", "cost": [20, 0], "outcomes": { "home": 1 } },
  { "state": "pit", "name": "wait", "cost": [1, 0], "outcomes": { "pit": 1 } } ] })";

std::shared_ptr<Model> street_model() {
  Monitor monitor;
  return load_model_texts({{"street.json", street}}, monitor);
}

TEST(CoverAllStates, PricesWhatIsBounded) {
  Cssp cssp(street_model());
  Monitor monitor;
  const Solution solution = solve(cssp, {}, monitor);
  const Coverage coverage = cover_all_states(cssp, solution, 1, monitor);
  // A unit of price is worth 5 minutes, so that the taxi is not worth its 20.
  ASSERT_EQ(coverage.policy.size(), 2U);
  EXPECT_EQ(cssp.action_name(coverage.policy[1].choices[0].action), "walk");
  EXPECT_EQ(coverage.policy[1].visits, 0.0);
  EXPECT_EQ(coverage.hopeless, 1U);
  EXPECT_THAT(
      policy_values(cssp, coverage.policy, monitor),
      ::testing::ElementsAre(::testing::DoubleNear(20, 1e-9), ::testing::DoubleNear(2, 1e-9),
                             ::testing::DoubleNear(40, 1e-9), ::testing::DoubleNear(2, 1e-9)));
}

TEST(CoverAllStates, NeedsAPolicyAndPrices) {
  Cssp cssp(street_model());
  Monitor monitor;
  Solution solution = solve(cssp, {}, monitor);
  solution.multipliers.clear();
  EXPECT_THROW(cover_all_states(cssp, solution, 1, monitor), NoCoverage);
  solution.costs.reset();
  EXPECT_THROW(cover_all_states(cssp, solution, 1, monitor), NoCoverage);
}

TEST(CoverAllStates, EndsAtALimit) {
  Cssp cssp(street_model());
  Monitor monitor;
  const Solution solution = solve(cssp, {}, monitor);
  const std::atomic<bool> interrupt{true};
  Monitor interrupted(1e9, 0, &interrupt);
  EXPECT_THROW(cover_all_states(cssp, solution, 1, interrupted), LimitReached);
}

/// The covering policy of the street, with one text in place of another.
std::string findings_of(const std::string& from, const std::string& to) {
  Cssp cssp(street_model());
  Monitor monitor;
  const Solution solution = solve(cssp, {}, monitor);
  const Coverage coverage = cover_all_states(cssp, solution, 1, monitor);
  std::ostringstream out;
  write_policy(cssp, coverage.policy, out, {true, policy_values(cssp, coverage.policy, monitor)});
  std::string text = out.str();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << text;
  text.replace(at, from.size(), to);
  Cssp fresh(street_model(), for_check());
  const CheckReport report = check(fresh, read_policy_text("policy.json", text, monitor));
  EXPECT_EQ(report.holds(), report.findings.empty());
  return text_of(report);
}

TEST(CheckCoverage, FindsWhatIsWrong) {
  EXPECT_EQ(findings_of("\"covers\"", "\"covers\""), "");
  EXPECT_EQ(findings_of("\"lost\"", "\"last\""),
            "states: last: does not exist: no policy reaches such a state, expected , found \n"
            "covered: lost: can be reached, but is not listed, expected an entry: a goal can be "
            "reached from there, found none\n");
  EXPECT_EQ(findings_of("[40.0,2.0]", "[41.0,2.0]"),
            "values: lost: expected time from here on, expected 40, found 41\n");
  EXPECT_THAT(findings_of("{\"name\":\"walk\",\"probability\":1.0}",
                          "{\"name\":\"fly\",\"probability\":1.0}"),
              HasSubstr("actions: lost: fly cannot be done here, expected one of taxi, walk"));
}

TEST(ReadPolicy, RefusesWhatItCannotMean) {
  const auto message = [](const std::string& members, const std::string& values = "[1]") {
    Monitor monitor;
    try {
      read_policy_text("p.json",
                       "{\"format\": \"carl-policy\", \"version\": 1, \"costs\": [\"c\"]," +
                           members + " \"states\": [{\"state\": \"s\", \"values\": " + values +
                           ", \"actions\": []}]}",
                       monitor);
    } catch (const InputError& error) {
      return error.message();
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("\"covers\": \"all\", \"facts\": [\"(at b)\"], \"goals\": [\"g\", 7, "
                    "[\"(at b)\", \"(not (wet))\"]],"),
            "no error");
  EXPECT_EQ(message("\"covers\": \"some\","),
            "at covers: expected \"all\" or \"met\" but found 'some'");
  EXPECT_EQ(message("\"facts\": [\"at b\"],"), "at facts[0]: 'at b' is not a fact");
  EXPECT_EQ(message("\"goals\": [[\"(not wet)\", \"(not (a) (b))\"]],"),
            "at goals[0][1]: '(not (a) (b))' is not a fact");
  EXPECT_THAT(message("", "[1, 2]"), HasSubstr("there are 2 values of 's', but 1 costs"));
}

}  // namespace
}  // namespace carl::testing
