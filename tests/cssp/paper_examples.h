// The small CSSPs of the paper, for every algorithm.
#ifndef CARL_TESTS_CSSP_PAPER_EXAMPLES_H
#define CARL_TESTS_CSSP_PAPER_EXAMPLES_H

#include <memory>
#include <string>

#include "carl/solution.h"
#include "model/explicit_model.h"

namespace carl::testing {

/// λ* = 0: run and taxi, one half each, at cost 1.
inline std::shared_ptr<Model> getting_to_work() {
  ExplicitBuilder builder({{"time", "price", "effort"}, {{1, 15}, {2, 10}}, {}});
  builder.add_action("s0", "walk", {1, 0, 1}, {{0.5, "s1"}, {0.5, "s2"}});
  builder.add_action("s0", "run", {1, 0, 20}, {{1.0, "g"}});
  builder.add_action("s0", "taxi", {1, 30, 0}, {{1.0, "g"}});
  builder.add_action("s1", "train", {1, 20, 0}, {{1.0, "g"}});
  builder.add_action("s2", "walk", {3, 0, 6}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s0"));
}

/// λ* = [0.2 0.2]: a2, then a4 with probability 1/4 and a5 with 3/4, at cost 4.
inline std::shared_ptr<Model> interesting_for_coordinate_search() {
  ExplicitBuilder builder({{"c0", "c1", "c2"}, {{1, 15}, {2, 15}}, {}});
  builder.add_action("s0", "a0", {1, 40, 40}, {{1.0, "g"}});
  builder.add_action("s0", "a1", {5, 5, 5}, {{1.0, "s1"}});
  builder.add_action("s0", "a2", {3, 10, 0}, {{1.0, "s1"}});
  builder.add_action("s0", "a3", {1, 0, 20}, {{1.0, "s1"}});
  builder.add_action("s1", "a4", {1, 20, 0}, {{1.0, "g"}});
  builder.add_action("s1", "a5", {1, 0, 20}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s0"));
}

/// a0, at cost 10; coordinate search stays at λ = 0, where L = 1.
inline std::shared_ptr<Model> pathological_for_coordinate_search() {
  ExplicitBuilder builder({{"c0", "c1", "c2"}, {{1, 1}, {2, 1}}, {}});
  builder.add_action("s0", "a0", {10, 1, 1}, {{1.0, "g"}});
  builder.add_action("s0", "a1", {1, 11, 0}, {{1.0, "g"}});
  builder.add_action("s0", "a2", {1, 0, 11}, {{1.0, "g"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s0"));
}

/// With values that are ε-consistent, but not strongly so, it seems to have one optimal policy; both
/// are needed to meet the bounds.
inline std::shared_ptr<Model> needs_strong_consistency() {
  ExplicitBuilder builder({{"time", "fuel", "toll"}, {{1, 2}, {2, 1}}, {}});
  builder.add_action("s0", "a0'", {4, 4, 0}, {{1, "g"}});
  builder.add_action("s0", "a0", {1, 0, 0}, {{1, "s1"}});
  builder.add_action("s1", "a1'", {1, 0, 0}, {{1, "s2"}});
  builder.add_action("s1", "a1", {1, 0, 0}, {{1, "s3"}});
  builder.add_action("s2", "a2", {5, 0, 0}, {{1, "g"}});
  builder.add_action("s3", "a3", {2, 0, 2}, {{1, "g"}});
  builder.add_goal(builder.state("g"));
  return builder.build(builder.state("s0"));
}

/// The probability of an action in a state.
inline double probability(const Cssp& cssp, const Solution& solution, const std::string& state,
                          const std::string& action) {
  for (const Policy::Entry entry : solution.policy)
    if (cssp.state_name(entry.state) == state)
      for (const auto& choice : entry.choices)
        if (cssp.action_name(choice.action) == action) return choice.probability;
  return 0;
}

}  // namespace carl::testing

#endif
