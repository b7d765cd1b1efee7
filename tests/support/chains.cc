#include "support/chains.h"

#include <string>

#include "carl/explicit_builder.h"

namespace carl::testing {

std::shared_ptr<Model> chain_that_ends_badly(int n) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  const StateId goal = builder.state("g");
  builder.add_goal(goal);
  for (int i = 0; i < n; ++i) {
    builder.add_outcome(0.5, goal);
    builder.add_outcome(0.5, builder.state("s" + std::to_string(i + 1)));
    builder.add_action(builder.state("s" + std::to_string(i)), "on", {1.0});
  }
  return builder.build(builder.state("s0"));
}

}  // namespace carl::testing
