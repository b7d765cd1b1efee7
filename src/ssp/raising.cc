#include "ssp/raising.h"

#include <algorithm>
#include <limits>

#include "graph/zero_cost_loops.h"

namespace carl::ssp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_sweeps = 10'000;
// If so many sweeps win no more than this share, it is enough.
constexpr std::size_t sweeps_between_looks = 16;
constexpr double hardly_anything = 1e-14;

class Raising {
 public:
  Raising(const SearchGraph& graph, std::span<const double> weights, std::vector<double>& value,
          Monitor& monitor)
      : graph_(graph),
        weights_(weights),
        value_(value),
        loops_(graph, weights, monitor),
        is_inside_(graph.num_pairs(), false) {
    for (std::size_t s = 0; s < value.size(); ++s)
      if (is_first_of_loop(StateId(s)))
        for (const PairId p : loops_[loops_.loop_of(StateId(s))].pairs)
          is_inside_[p.index()] = true;
  }

  /// Most successors were found after their parents.
  void sweep() {
    for (std::size_t s = value_.size(); s-- > 0;) {
      const StateId state(s);
      if (loops_.loop_of(state) != graph::CollapsedLoops::none && !is_first_of_loop(state))
        continue;
      double least = infinity;
      loops_.for_each_same(state, [&](StateId t) { least = std::min(least, least_q(t)); });
      if (least == infinity) continue;
      loops_.for_each_same(state, [&](StateId t) {
        if (least > value_[t.index()]) value_[t.index()] = least;
      });
    }
  }

 private:
  bool is_first_of_loop(StateId s) const {
    const std::uint32_t loop = loops_.loop_of(s);
    return loop != graph::CollapsedLoops::none && loops_[loop].states.front() == s;
  }

  double least_q(StateId s) const {
    if (graph_.is_goal(s) || !graph_.is_expanded(s)) return value_[s.index()];
    double least = infinity;
    for (const PairId p : graph_.pairs(s))
      if (!is_inside_[p.index()])
        least = std::min(least, q_value(graph_, p, weighted_cost(graph_.cost(p), weights_),
                                        [&](StateId t) { return value_[t.index()]; }));
    return least;
  }

  const SearchGraph& graph_;
  std::span<const double> weights_;
  std::vector<double>& value_;
  graph::CollapsedLoops loops_;
  std::vector<bool> is_inside_;  // per pair: of a loop
};

}  // namespace

void raise_values(const SearchGraph& graph, std::span<const double> weights, double target,
                  std::vector<double>& value, Monitor& monitor) {
  Raising raising(graph, weights, value, monitor);
  const double& start = value[graph.initial_state().index()];
  double before = start;
  for (std::size_t i = 1; i <= most_sweeps && start < target; ++i) {
    raising.sweep();
    if (monitor.reached_now()) return;
    if (i % sweeps_between_looks != 0) continue;
    if (start <= before * (1 + hardly_anything)) return;
    before = start;
  }
}

}  // namespace carl::ssp
