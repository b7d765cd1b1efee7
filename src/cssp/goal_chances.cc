#include "cssp/goal_chances.h"

#include <algorithm>
#include <vector>

#include "carl/error.h"
#include "carl/explicit_builder.h"
#include "cssp/occupation_lp.h"
#include "graph/predecessors.h"
#include "graph/proper_region.h"
#include "graph/search_graph.h"
#include "graph/zero_cost_loops.h"
#include "ssp/policy_iteration.h"

namespace carl::cssp {
namespace {

using graph::PairId;
using graph::SearchGraph;

void expand_all(SearchGraph& graph, Monitor& monitor) {
  if (!graph.expand_all(monitor)) throw LimitReached(monitor.kind());
}

std::vector<bool> can_reach_goal(const SearchGraph& graph, Monitor& monitor) {
  const graph::Predecessors predecessors(graph);
  std::vector<bool> reaches(graph.num_states(), false);
  std::vector<StateId> queue;
  const auto reach = [&](StateId s) {
    if (reaches[s.index()]) return;
    reaches[s.index()] = true;
    queue.push_back(s);
  };
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (graph.is_goal(StateId(s))) reach(StateId(s));
  for (std::size_t next = 0; next < queue.size(); ++next) {
    monitor.check();
    predecessors.for_each(queue[next], [&](PairId p) { reach(graph.state(p)); });
  }
  return reaches;
}

/// The graph has no actions that only loop, so it is the model that is asked for their numbers.
GoalChances without_the_uncertain(SearchGraph& graph, Monitor& monitor) {
  GoalChances chances;
  for (const bool reaches : can_reach_goal(graph, monitor))
    chances.failure.push_back(reaches ? 0 : 1);
  Expansion expansion;
  for (const StateId s : graph.expanded_states()) {
    monitor.check();
    graph.cssp().expand_with_forbidden(s, expansion);
    for (std::size_t i = 0; i < expansion.num_actions(); ++i)
      chances.num_actions = std::max(chances.num_actions, expansion.action(i).index() + 1);
  }
  return chances;
}

/// The states about which the graph alone does not decide, those of an end component as one.
class Uncertain {
 public:
  Uncertain(const SearchGraph& graph, const GoalChances& chances, const graph::ProperRegion& region,
            Monitor& monitor)
      : graph_(graph),
        chances_(chances),
        region_(region),
        loops_(graph, std::vector<double>(graph.num_costs(), 0.0), monitor),
        number_(graph.num_states(), none) {
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (is_uncertain(StateId(s))) number(StateId(s));
  }

  bool empty() const { return count_ == 0; }

  void solve(GoalChances& chances, Monitor& monitor) {
    Cssp cssp(build());
    SearchGraph quotient(cssp);
    expand_all(quotient, monitor);
    const graph::ProperRegion region = graph::proper_region(quotient, monitor);
    const ssp::OptimalValues values =
        ssp::policy_iteration(quotient, region, std::vector<double>{1.0}, monitor);
    if (!values.complete) throw LimitReached(monitor.kind());
    for (std::size_t s = 0; s < graph_.num_states(); ++s)
      if (number_[s] != none) chances.failure[s] = std::clamp(values.value[number_[s]], 0.0, 1.0);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  bool is_uncertain(StateId s) const { return !chances_.is_lost(s) && !region_.contains(s); }

  void number(StateId s) {
    if (number_[s.index()] != none) return;
    loops_.for_each_same(s, [&](StateId same) { number_[same.index()] = count_; });
    ++count_;
  }

  StateId goal() const { return StateId(count_); }
  StateId lost() const { return StateId(count_ + 1); }
  StateId start() const { return StateId(count_ + 2); }
  StateId target(StateId s) const {
    if (number_[s.index()] != none) return StateId(number_[s.index()]);
    return chances_.is_lost(s) ? lost() : goal();
  }

  bool stays(PairId p) const {
    const auto successors = graph_.successors(p);
    const StateId here = target(graph_.state(p));
    return std::all_of(successors.begin(), successors.end(),
                       [&](StateId t) { return target(t) == here; });
  }

  /// From its start all of them can be reached.
  std::shared_ptr<Model> build() const {
    ExplicitBuilder builder(CostModel{{"failure"}, {}, {}});
    builder.add_states(count_ + 3);
    builder.add_goal(goal());
    for (std::size_t s = 0; s < graph_.num_states(); ++s) {
      if (number_[s] == none) continue;
      for (const PairId p : graph_.pairs(StateId(s))) {
        if (stays(p)) continue;
        for (std::size_t k = 0; k < graph_.successors(p).size(); ++k)
          builder.add_outcome(graph_.probabilities(p)[k], target(graph_.successors(p)[k]), {});
        builder.add_action(StateId(number_[s]), std::vector<double>{0});
      }
    }
    builder.add_outcome(1, goal());
    builder.add_action(lost(), std::vector<double>{1});
    for (std::uint32_t c = 0; c < count_; ++c)
      builder.add_outcome(1.0 / count_, StateId(c));
    builder.add_action(start(), std::vector<double>{0});
    return builder.build(start());
  }

  const SearchGraph& graph_;
  const GoalChances& chances_;
  const graph::ProperRegion& region_;
  graph::CollapsedLoops loops_;
  std::vector<std::uint32_t> number_;  // by state
  std::uint32_t count_ = 0;
};

}  // namespace

GoalChances lost_states(Cssp& cssp, std::size_t threads, Monitor& monitor) {
  SearchGraph graph(cssp, threads);
  expand_all(graph, monitor);
  return without_the_uncertain(graph, monitor);
}

GoalChances goal_chances(Cssp& cssp, std::size_t threads, Monitor& monitor) {
  SearchGraph graph(cssp, threads);
  expand_all(graph, monitor);
  GoalChances chances = without_the_uncertain(graph, monitor);
  const graph::ProperRegion region = graph::proper_region(graph, monitor);
  monitor.check();
  const GoalChances certain = chances;
  Uncertain uncertain(graph, certain, region, monitor);
  monitor.check();
  if (!uncertain.empty()) uncertain.solve(chances, monitor);
  return chances;
}

std::optional<double> least_expectation(Cssp& cssp, std::size_t cost, Monitor& monitor) {
  SearchGraph graph(cssp);
  expand_all(graph, monitor);
  const graph::ProperRegion region = graph::proper_region(graph, monitor);
  monitor.check();
  if (!region.contains(graph.initial_state())) return std::nullopt;
  std::vector<double> weights(cssp.num_costs(), 0.0);
  weights[cost] = 1;
  const ssp::OptimalValues unconstrained = ssp::policy_iteration(graph, region, weights, monitor);
  if (!unconstrained.complete) throw LimitReached(monitor.kind());
  OccupationLp lp(graph, region, OccupationLp::Kind::optimise, nullptr, cost);
  lp.start_from(unconstrained.choice);
  const lp::Status status = lp.solve(monitor);
  monitor.check();
  if (status != lp::Status::optimal) return std::nullopt;
  return std::clamp(lp.objective(), 0.0, 1.0);
}

}  // namespace carl::cssp
