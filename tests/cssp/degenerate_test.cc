// Problems with next to nothing in them, explicit and factored, for every algorithm.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carl/solve.h"
#include "cssp/agreement.h"
#include "model/explicit_model.h"
#include "support/load.h"

namespace carl {
namespace {

using Costs = std::optional<std::vector<double>>;

struct Case {
  std::string name;
  std::shared_ptr<Model> model;
  Status status = Status::optimal;
  Costs costs;
  std::vector<std::string> zero_bounds;  // that are to blame
  bool has_bounds = false;               // that need a multiplier
};

std::shared_ptr<Model> explicit_model(
    const std::vector<Bound>& bounds, const Costs& give_up, const std::string& goal,
    const std::vector<std::pair<std::string, std::vector<double>>>& actions) {
  ExplicitBuilder builder({{"time", "fuel"}, bounds, give_up});
  const StateId start = builder.state("s");
  for (const auto& [name, cost] : actions) {
    builder.add_outcome(1.0, name == "stay" ? start : builder.state("g"));
    builder.add_action(start, name, cost);
  }
  builder.add_goal(builder.state(goal));
  return builder.build(start);
}

const std::string predicates = "(define (domain d) (:predicates (p)) (:functions (time) (fuel)) ";
const std::string problem = "(define (problem q) (:domain d) (:init (= (time) 0) (= (fuel) 0)";

std::string metric(const std::string& bounds, const std::string& give_up) {
  std::string text = "(:goal (p)) (:metric minimize (time))";
  if (!bounds.empty()) text += "(:constraints " + bounds + ")";
  if (!give_up.empty()) text += "(:give-up " + give_up + ")";
  return text + ")";
}

std::vector<Case> explicit_cases() {
  const std::vector<Bound> zero{{1, 0}};
  const std::vector<double> penalty{7, 3};
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, std::shared_ptr<Model> model, Status status,
                       Costs costs = {}, std::vector<std::string> blamed = {}) {
    cases.push_back({name, std::move(model), status, std::move(costs), std::move(blamed)});
    cases.back().has_bounds = !Cssp(cases.back().model).constraints().empty();
  };
  const Costs nothing{{0.0, 0.0}};
  add("the initial state is a goal", explicit_model({}, {}, "s", {{"go", {1, 1}}}), Status::optimal,
      nothing);
  add("the initial state is a goal, with a bound", explicit_model({{1, 2}}, {}, "s", {}),
      Status::optimal, nothing);
  add("the initial state is a goal, with a bound of zero",
      explicit_model(zero, {}, "s", {{"go", {1, 1}}}), Status::optimal, nothing);
  add("no actions", explicit_model({}, {}, "g", {}), Status::no_proper_policy);
  add("no actions but giving up", explicit_model({}, penalty, "g", {}), Status::optimal, penalty);
  add("no actions but giving up, and that is too expensive",
      explicit_model({{1, 2}}, penalty, "g", {}), Status::infeasible);
  add("no actions but giving up, and that is forbidden", explicit_model(zero, penalty, "g", {}),
      Status::infeasible, {}, {"fuel"});
  add("no actions and a bound", explicit_model({{1, 2}}, {}, "g", {}), Status::no_proper_policy);
  add("no actions and a bound of zero", explicit_model(zero, {}, "g", {}),
      Status::no_proper_policy);
  add("nowhere to go", explicit_model({}, {}, "g", {{"stay", {1, 1}}}), Status::no_proper_policy);
  add("no bounds", explicit_model({}, {}, "g", {{"go", {2, 1}}, {"run", {1, 5}}}), Status::optimal,
      {{1.0, 5.0}});
  add("a bound of zero that can be met",
      explicit_model(zero, {}, "g", {{"go", {2, 0}}, {"run", {1, 5}}}), Status::optimal,
      {{2.0, 0.0}});
  add("a bound of zero that cannot be met",
      explicit_model(zero, {}, "g", {{"go", {2, 1}}, {"run", {1, 5}}}), Status::infeasible, {},
      {"fuel"});
  add("all bounds zero", explicit_model({{0, 0}, {1, 0}}, {}, "g", {{"go", {2, 1}}}),
      Status::infeasible, {}, {"fuel"});
  add("all bounds zero, one of them out of reach",
      explicit_model({{0, 0}, {1, 0}}, {}, "g", {{"go", {2, 0}}}), Status::infeasible, {},
      {"time"});
  add("all bounds zero, and all free", explicit_model({{0, 0}, {1, 0}}, {}, "g", {{"go", {0, 0}}}),
      Status::optimal, nothing);
  return cases;
}

/// Each algorithm as the options that choose it.
std::vector<std::pair<std::string, SolveOptions>> configurations() {
  std::vector<std::pair<std::string, SolveOptions>> result;
  for (const std::string& algorithm : algorithm_names()) {
    SolveOptions options;
    options.algorithm = algorithm_named(algorithm);
    result.emplace_back(algorithm, options);
    if (algorithm != "carl") continue;
    options.carl.outer = OuterAlgorithm::coordinate;
    result.emplace_back("carl coordinate", options);
    for (const std::string& inner : inner_names()) {
      options.carl.inner = inner_named(inner);
      for (const std::string& outer : outer_names()) {
        options.carl.outer = outer_named(outer);
        result.emplace_back("carl " + outer + " " + inner, options);
      }
    }
  }
  return result;
}

void expect(const Case& expected, const SolveOptions& options) {
  Cssp cssp(expected.model);
  Monitor monitor;
  const Solution solution = solve(cssp, options, monitor);
  ASSERT_EQ(to_string(solution.status), to_string(expected.status)) << solution.note;
  ASSERT_EQ(solution.costs.has_value(), expected.costs.has_value());
  if (expected.costs) {
    EXPECT_EQ(*solution.costs, *expected.costs);
    EXPECT_EQ(solution.lower_bound, expected.costs->front());
    EXPECT_EQ(solution.gap(), 0.0);
    EXPECT_EQ(solution.mixture.size(), 1U);
  }
  if (expected.status != Status::infeasible) return;
  ASSERT_TRUE(solution.infeasibility);
  std::vector<std::string> blamed;
  for (const std::size_t b : solution.infeasibility->zero_bounds)
    blamed.push_back(cssp.cost_names()[cssp.bounds()[b].cost]);
  EXPECT_EQ(blamed, expected.zero_bounds);
  if (blamed.empty()) {
    EXPECT_GT(solution.infeasibility->least, solution.infeasibility->allowed);
  }
}

TEST(Degenerate, ExplicitModels) {
  for (const Case& expected : explicit_cases())
    for (const auto& [name, options] : configurations()) {
      SCOPED_TRACE(expected.name + ", " + name);
      if (options.algorithm == Algorithm::i2_dual) continue;  // for factored problems
      if (expected.has_bounds && inner_algorithm(options.algorithm)) continue;
      expect(expected, options);
    }
}

std::vector<Case> factored_cases() {
  const std::string go = "(:action go :effect (and (p) (increase (time) 2) (increase (fuel) 1)))";
  const std::string free = "(:action free :effect (and (p) (increase (time) 5)))";
  const std::string stay = "(:action stay :effect (increase (time) 1))";
  const auto load = [](const std::string& actions, const std::string& init,
                       const std::string& bounds, const std::string& give_up) {
    return testing::load_text(predicates + actions + ")" + problem + init + ")" +
                              metric(bounds, give_up));
  };
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, std::shared_ptr<Model> model, Status status,
                       Costs costs = {}, std::vector<std::string> blamed = {}) {
    cases.push_back({name, std::move(model), status, std::move(costs), std::move(blamed)});
    cases.back().has_bounds = !Cssp(cases.back().model).constraints().empty();
  };
  const std::string zero = "(<= (expected (fuel)) 0)";
  const Costs nothing{{0.0, 0.0}};
  add("the initial state is a goal", load(go, "(p)", "", ""), Status::optimal, nothing);
  add("the initial state is a goal, with a bound", load(go, "(p)", "(<= (expected (fuel)) 3)", ""),
      Status::optimal, nothing);
  add("the initial state is a goal, with a bound of zero", load(go, "(p)", zero, ""),
      Status::optimal, nothing);
  add("nowhere to go", load(stay, "", "", ""), Status::no_proper_policy);
  add("no bounds", load(go + free, "", "", ""), Status::optimal, {{2.0, 1.0}});
  add("a bound of zero that can be met", load(go + free, "", zero, ""), Status::optimal,
      {{5.0, 0.0}});
  add("a bound of zero that cannot be met", load(go, "", zero, ""), Status::infeasible, {},
      {"fuel"});
  const std::string penalty = "(increase (time) 9) (increase (fuel) 4)";
  add("nothing to do but give up", load(stay, "", "", penalty), Status::optimal, {{9.0, 4.0}});
  add("nothing to do but give up, which is forbidden", load(stay, "", zero, penalty),
      Status::infeasible, {}, {"fuel"});
  return cases;
}

TEST(Degenerate, FactoredModels) {
  for (const Case& expected : factored_cases())
    for (const auto& [name, options] : configurations()) {
      SCOPED_TRACE(expected.name + ", " + name);
      if (expected.has_bounds && inner_algorithm(options.algorithm)) continue;
      expect(expected, options);
    }
}

}  // namespace
}  // namespace carl
