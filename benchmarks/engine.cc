// What the inner engine spends on one of each: an expansion, a backup, an evaluation of a
// heuristic. Meant to be run under callgrind, which counts instructions in measured_section() alone
// and so is undisturbed by a noisy machine; benchmarks/instructions does that.
//
//   bench_engine INSTANCE OPERATION     does the operation some thousand times, prints how often

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/error.h"
#include "heuristics/dijkstra.h"
#include "heuristics/make_heuristic.h"
#include "instance.h"
#include "ssp/scalarised_ssp.h"

/// The part that counts. External and never inlined, so that callgrind finds it by its name.
extern "C" __attribute__((noinline)) std::size_t measured_section(
    const std::function<std::size_t()>& work) {
  return work();
}

namespace {

constexpr std::size_t num_states = 5000;

std::shared_ptr<carl::Model> load(const std::string& name) {
  const std::vector<std::pair<std::string, std::pair<std::string, carl::benchmarks::Parameters>>>
      instances{
          {"ttw", {"ctw", {{"n", "4"}, {"d", "8"}, {"c", "1"}, {"variant", "free"}}}},
          {"exbw", {"exbw", {{"id", "1"}}}},
          {"sar", {"sar", {{"n", "4"}, {"d", "3"}, {"r", "0.75"}}}},
          {"elevators", {"elevators", {{"e", "2"}, {"w", "1"}, {"h", "1"}}}},
          {"parc", {"parc", {}}},
      };
  for (const auto& [key, instance] : instances)
    if (key == name) return carl::benchmarks::load(instance.first, instance.second);
  throw carl::InputError("there is no instance named '" + name + "'");
}

/// States as a breadth-first search finds them.
std::vector<carl::StateId> first_states(carl::graph::SearchGraph& graph) {
  std::vector<carl::StateId> states;
  for (std::size_t s = 0; s < graph.num_states() && states.size() < num_states; ++s)
    if (const carl::StateId state(s); !graph.is_goal(state)) {
      graph.expand(state);
      states.push_back(state);
    }
  return states;
}

std::size_t run(carl::Cssp& cssp, const std::string& operation) {
  carl::graph::SearchGraph graph(cssp);
  if (operation == "expansion") return measured_section([&] { return first_states(graph).size(); });
  const std::vector<carl::StateId> states = first_states(graph);
  std::vector<double> weights(cssp.num_costs(), 0.1);
  weights[0] = 1;
  if (operation == "backup") {
    carl::heuristics::ZeroHeuristic zero;
    carl::ssp::ScalarisedSsp ssp(graph, zero, weights);
    return measured_section([&] {
      for (int round = 0; round < 10; ++round)
        for (std::size_t i = states.size(); i-- > 0;)
          ssp.assign(states[i], ssp.best_pair(states[i]));
      return 10 * states.size();
    });
  }
  carl::Monitor monitor;
  const auto heuristic = carl::heuristics::make_heuristic(graph, carl::heuristic_named(operation),
                                                          carl::HeuristicMode::lambda, monitor);
  heuristic->set_weights(weights);
  std::vector<double> value(cssp.num_costs());
  heuristic->evaluate(states[0], value);  // the first LP is solved from nothing
  return measured_section([&] {
    for (const carl::StateId s : states)
      heuristic->evaluate(s, value);
    return states.size();
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr,
                 "usage: bench_engine ttw|exbw|sar|elevators|parc "
                 "expansion|backup|pdb|landmarks|lmcut|roc|pom|hmax\n");
    return 2;
  }
  try {
    carl::Cssp cssp(load(argv[1]));
    std::printf("%zu\n", run(cssp, argv[2]));
    return 0;
  } catch (const carl::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
