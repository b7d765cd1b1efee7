// Problems whose policies take 10^5 steps: sweeps over their states settle at that pace, so they
// need exact policy iteration, lower bounds that cope with free actions, and an outer search that
// does not ask the same question again and again.

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "carl/io.h"
#include "carl/solve.h"
#include "model/explicit_model.h"
#include "support/source_path.h"

namespace carl {
namespace {

/// A server with power modes and a queue. Every step has phases (decide, switch, arrive, serve),
/// most of which cost nothing, and the shift ends once in `steps`; at most `losses` requests may be
/// lost.
class Queue {
 public:
  Queue(int length, double steps, double losses) : length_(length), end_(1 / steps) {
    builder_.set_bounds({{1, losses}});
    for (const std::string& mode : modes())
      add_mode(mode);
    builder_.add_goal(builder_.state("end"));
  }

  std::shared_ptr<Model> model() { return builder_.build(builder_.state(at("decide on", 0))); }

 private:
  static std::vector<std::string> modes() { return {"off", "idle", "on"}; }
  static double power(const std::string& mode) {
    return mode == "on" ? 2.5 : mode == "idle" ? 0.5 : 0.0;
  }
  static std::string at(const std::string& what, int q) { return what + " " + std::to_string(q); }

  void add(const std::string& state, const std::string& name, std::array<double, 2> cost,
           const std::vector<std::pair<double, std::string>>& outcomes) {
    for (const auto& [probability, successor] : outcomes)
      if (probability > 0) builder_.add_outcome(probability, builder_.state(successor));
    builder_.add_action(builder_.state(state), name, cost);
  }

  void add_mode(const std::string& m) {
    for (int q = 0; q <= length_; ++q) {
      for (const std::string& g : modes()) {
        add(at("decide " + m, q), "to " + g, {0, 0}, {{1.0, at("switch " + m + " " + g, q)}});
        const double works = g == m ? 1.0 : m == "off" ? 0.002 : 0.5;
        add(at("switch " + m + " " + g, q), "wait", {0, 0},
            {{works, at("arrive " + g, q)}, {1 - works, at("arrive " + m, q)}});
      }
      add(at("arrive " + m, q), "tick", {0, 0},
          {{0.05, q < length_ ? at("serve " + m, q + 1) : "lose " + m},
           {0.95, at("serve " + m, q)}});
      const double served = m == "on" && q > 0 ? 0.9 : 0.0;
      add(at("serve " + m, q), "run", {power(m), 0},
          {{end_, "end"},
           {served * (1 - end_), at("decide " + m, q - 1)},
           {(1 - served) * (1 - end_), at("decide " + m, q)}});
    }
    add("lose " + m, "drop", {0, 1}, {{1.0, at("serve " + m, length_)}});
  }

  int length_;
  double end_;
  ExplicitBuilder builder_{CostModel{{"energy", "lost"}, {}, {}}};
};

struct Case {
  int length;
  double steps;
  double losses;
  double optimum;
};

/// And the default.
std::vector<std::string> every_inner() {
  std::vector<std::string> names = inner_names();
  names.emplace_back();
  return names;
}

TEST(SlowMixing, QueuesTakeSomeTenQueries) {
  for (const Case& c : {Case{3, 6000, 1000, 2.4995834028}, Case{3, 6000, 50, 3130.72398245},
                        Case{3, 6000, 5, 3768.84693}, Case{20, 60000, 1, 36610.904154}})
    for (const std::string& inner : every_inner()) {
      SCOPED_TRACE(std::to_string(c.length) + ", at most " + std::to_string(c.losses) + " lost, " +
                   inner);
      Cssp cssp(Queue(c.length, c.steps, c.losses).model());
      Monitor monitor;
      SolveOptions options;
      if (!inner.empty()) options.carl.inner = inner_named(inner);
      options.gap = 1e-6;
      const Solution solution = solve(cssp, options, monitor);
      ASSERT_EQ(to_string(solution.status), "optimal") << solution.note;
      EXPECT_NEAR((*solution.costs)[0], c.optimum, 1e-6 * c.optimum);
      EXPECT_LE(*solution.lower_bound, c.optimum * (1 + 1e-9));
      EXPECT_LE(solution.statistics.scalarised_ssps, 20);
      EXPECT_LE(solution.statistics.backups, 2'000'000);
    }
}

TEST(SlowMixing, ALongQueue) {
  for (const char* algorithm : {"carl", "lp"}) {
    SCOPED_TRACE(algorithm);
    Cssp cssp(Queue(100, 100000, 20).model());
    Monitor monitor;
    SolveOptions options;
    options.algorithm = algorithm_named(algorithm);
    options.gap = 1e-6;
    const Solution solution = solve(cssp, options, monitor);
    ASSERT_EQ(to_string(solution.status), "optimal") << solution.note;
    EXPECT_NEAR((*solution.costs)[0], 50614.0282, 1e-6 * 50614);
    EXPECT_LE(solution.statistics.scalarised_ssps, 20);
    EXPECT_LE(solution.statistics.backups, 2'000'000);
  }
}

TEST(SlowMixing, WithoutBoundsToo) {
  for (const std::string& algorithm : inner_names()) {
    SCOPED_TRACE(algorithm);
    Cssp cssp(Queue(3, 6000, 5).model(),
              {.bounds = {{"lost", std::numeric_limits<double>::infinity()}}, .give_up = {}});
    Monitor monitor;
    SolveOptions options;
    options.algorithm = algorithm_named(algorithm);
    options.gap = 1e-9;
    const Solution solution = solve(cssp, options, monitor);
    ASSERT_EQ(to_string(solution.status), "optimal") << solution.note;
    EXPECT_NEAR((*solution.costs)[0], 2.4995834028, 1e-9);
    EXPECT_LE(solution.statistics.backups, 2'000'000);
  }
}

/// Rounding errors tell tied actions apart: choices changed for ever, and the vectors with them
/// that coordinate search wants settled.
TEST(SlowMixing, TiedActionsDoNotKeepCoordinateSearchBusy) {
  for (const std::string& inner : inner_names()) {
    SCOPED_TRACE(inner);
    ExplicitBuilder builder({{"time", "fuel", "risk"}, {}, {}});
    builder.set_bounds({{1, 2.0}, {2, 3.333366666666667}});
    builder.add_action("s0", "a0", {1, 1, 2}, {{0.5, "s1"}, {0.5, "goal"}});
    builder.add_action("s0", "a1", {3, 1, 1}, {{0.5, "s1"}, {0.5, "goal"}});
    builder.add_action("s1", "a0", {3, 2, 1}, {{0.5, "goal"}, {0.5, "s1"}});
    builder.add_action("s1", "a1", {3, 1, 3}, {{0.5, "s0"}, {0.5, "goal"}});
    builder.add_goal(builder.state("goal"));
    Cssp cssp(builder.build(builder.state("s0")));
    Monitor monitor;
    SolveOptions options;
    options.carl.outer = OuterAlgorithm::coordinate;
    options.carl.inner = inner_named(inner);
    options.search.heuristic = HeuristicKind::zero;
    const Solution solution = solve(cssp, options, monitor);
    ASSERT_EQ(to_string(solution.status), "optimal") << solution.note;
    EXPECT_NEAR((*solution.costs)[0], 5.99993, 1e-3);
  }
}

/// Values that only ever fell, a little at a time, kept CG-iLAO* busy for ever, deaf to limits; by
/// default the outer search asked for ever larger multipliers.
TEST(SlowMixing, AnInfeasibleProblemBehindLoopsThatAreHardlyEverLeft) {
  for (const std::string& inner : every_inner()) {
    SCOPED_TRACE(inner);
    Monitor monitor;
    Cssp cssp(load_model({tests::source_path("tests/cssp/data/infeasible-behind-near-loops.json")},
                         monitor));
    SolveOptions options;
    if (!inner.empty()) options.carl.inner = inner_named(inner);
    const Solution solution = solve(cssp, options, monitor);
    ASSERT_EQ(to_string(solution.status), "infeasible") << solution.note;
    EXPECT_GT(solution.infeasibility->least, 4.68);
    EXPECT_LT(solution.infeasibility->least, 95.46);
    EXPECT_LE(solution.statistics.backups, 1'000'000);
  }
}

/// The bound is met by one part in 1e8, after a billion steps. Where doubles cannot tell, the note
/// says what could not be done.
TEST(SlowMixing, TroubleOfCoordinateSearchHasAReason) {
  ExplicitBuilder builder({{"c0", "c1"}, {}, {}});
  builder.set_bounds({{1, 119791489.24310671}});
  builder.add_action("s0", "a0", {1e8, 119791488.10073245}, {{1.0, "s6"}});
  builder.add_action("s6", "a0", {1e8, 0.0002},
                     {{9.062541272686021e-05, "goal"}, {0.9999093745872731, "s6"}});
  builder.add_action("s6", "a1", {1e8, 0}, {{1e-05, "s7"}, {0.99999, "s6"}});
  builder.add_action("s7", "a0", {1e8, 0},
                     {{0.6570982255114022, "goal"}, {0.34290177448859793, "s4"}});
  builder.add_action("s4", "a0", {1e8, 0}, {{1e-06, "goal"}, {0.999999, "s4"}});
  builder.add_goal(builder.state("goal"));
  Cssp cssp(builder.build(builder.state("s0")));
  Monitor monitor;
  SolveOptions options;
  options.carl.outer = OuterAlgorithm::coordinate;
  const Solution solution = solve(cssp, options, monitor);
  ASSERT_EQ(to_string(solution.status), "optimal") << solution.note;
  EXPECT_EQ(solution.note.find("numerical trouble: "), 0u);
  EXPECT_EQ(solution.note.find("numerical trouble: ;"), std::string::npos) << solution.note;
}

}  // namespace
}  // namespace carl
