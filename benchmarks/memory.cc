// What a large explicit model takes: resident memory after it is built, what a graph of all its
// states adds, and the peak while it is solved. The model has 10^6 states with eight actions each
// of two outcomes, one of them in every fourth action a self-loop, and few different costs.
//
//   build/release/bench_memory [STATES]

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "carl/explicit_builder.h"
#include "carl/solve.h"
#include "graph/search_graph.h"
#include "util/random.h"

namespace {

constexpr std::size_t actions_per_state = 8;
constexpr std::size_t steps_forward = 100;
constexpr std::size_t steps_back = 50;

/// The entry of this name in /proc/self/status, in MB.
double status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(name + ":", 0) == 0) return std::stod(line.substr(name.size() + 1)) / 1024;
  return 0;
}

double resident() {
  malloc_trim(0);
  return status("VmRSS");
}

void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// Every action leads forward, and otherwise nowhere or a few states back.
std::shared_ptr<carl::Model> build(std::size_t num_states) {
  const std::size_t goal = num_states - 1;
  std::vector<std::uint64_t> first_pair{0};
  std::vector<std::uint64_t> first_outcome{0};
  std::vector<double> probabilities;
  std::vector<std::uint32_t> successors;
  std::vector<double> costs;
  carl::SplitMix64 random(1);
  for (std::size_t s = 0; s < num_states; ++s) {
    for (std::size_t a = 0; s != goal && a < actions_per_state; ++a) {
      const std::size_t forward = std::min(goal, s + 1 + random.below(steps_forward));
      const std::size_t back = a % 4 == 0 ? s : s - std::min(s, 1 + random.below(steps_back));
      successors.push_back(static_cast<std::uint32_t>(forward));
      successors.push_back(static_cast<std::uint32_t>(back));
      probabilities.insert(probabilities.end(), {0.75, 0.25});
      costs.insert(costs.end(), {static_cast<double>(1 + random.below(8)),
                                 static_cast<double>(random.below(3))});
      first_outcome.push_back(successors.size());
    }
    first_pair.push_back(first_outcome.size() - 1);
  }
  carl::ExplicitBuilder builder({{"time", "fuel"}, {{1, 1e9}}, {}});
  builder.add_states(num_states);
  builder.add_goal(carl::StateId(goal));
  builder.add_transitions({first_pair, first_outcome, probabilities, successors, costs});
  return builder.build(carl::StateId(0));
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t num_states = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const double before = resident();
  carl::Cssp cssp(build(num_states));
  const double model = resident() - before;
  carl::Monitor monitor;
  double graph = 0;
  {
    carl::graph::SearchGraph whole(cssp);
    whole.expand_all(monitor);
    graph = resident() - before - model;
    fmt::print("states {}, pairs {}\n", whole.num_states(), whole.num_generated_actions());
  }
  fmt::print("model {:.0f} MB, graph {:.0f} MB, both {:.0f} MB\n", model, graph, model + graph);
  forget_peak();
  const carl::Solution solution = carl::solve(cssp, {}, monitor);
  fmt::print("peak of solving {:.0f} MB\n", status("VmHWM") - before);
  fmt::print("{} {}\n", to_string(solution.status), solution.costs ? (*solution.costs)[0] : 0.0);
}
