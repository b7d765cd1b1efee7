#include "cssp/dead_end.h"

#include <algorithm>
#include <memory>

#include "graph/predecessors.h"
#include "graph/search_graph.h"
#include "heuristics/make_heuristic.h"

namespace carl::cssp {
namespace {

// An explanation is not worth more memory than this takes (150 to 400 bytes a state).
constexpr std::size_t most_states = 2'000'000;

class DeadEndSearch {
 public:
  DeadEndSearch(Cssp& cssp, Monitor& monitor) : cssp_(cssp), monitor_(monitor), graph_(cssp) {
    if (!heuristics::has_task(cssp)) return;
    relaxation_ =
        heuristics::make_heuristic(graph_, HeuristicKind::hmax, HeuristicMode::lambda, monitor);
    relaxation_->set_weights(std::vector<double>(cssp.num_costs(), 1.0));
  }

  std::optional<DeadEnd> run() {
    expand();
    if (monitor_.reached()) return std::nullopt;
    find_hopeful_states();
    if (!hopeful_[graph_.initial_state().index()]) return dead_end(graph_.initial_state());
    const StateId found = follow_useful_actions();
    if (!found.valid()) return std::nullopt;
    return dead_end(found);
  }

 private:
  /// Breadth first; a state that the relaxation knows to be a dead end is not looked at further.
  void expand() {
    std::vector<double> ignored(cssp_.num_costs());
    std::vector<bool> reached(graph_.num_states(), false);
    std::vector<StateId> queue{graph_.initial_state()};
    reached[queue[0].index()] = true;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      if (monitor_.reached() || queue.size() > most_states) return;
      const StateId s = queue[next];
      if (graph_.is_goal(s)) continue;
      if (relaxation_ && !relaxation_->evaluate(s, ignored)) {
        known_dead_.push_back(s);
        continue;
      }
      graph_.expand(s);
      reached.resize(graph_.num_states(), false);
      graph_.for_each_successor(s, [&](StateId t) {
        if (reached[t.index()]) return;
        reached[t.index()] = true;
        queue.push_back(t);
      });
    }
  }

  /// Those with a path to a goal, or to a state that has not been looked at.
  void find_hopeful_states() {
    std::vector<bool> known_dead(graph_.num_states(), false);
    for (const StateId s : known_dead_)
      known_dead[s.index()] = true;
    hopeful_.assign(graph_.num_states(), false);
    std::vector<StateId> queue;
    for (std::size_t i = 0; i < graph_.num_states(); ++i) {
      const StateId s(i);
      if (known_dead[i] || (graph_.is_expanded(s) && !graph_.is_goal(s))) continue;
      hopeful_[i] = true;
      queue.push_back(s);
    }
    const graph::Predecessors predecessors(graph_);
    const auto has_hope = [&](graph::PairId p) {
      const StateId s = graph_.state(p);
      if (hopeful_[s.index()]) return;
      hopeful_[s.index()] = true;
      queue.push_back(s);
    };
    predecessors.for_each_ending(has_hope);
    for (std::size_t next = 0; next < queue.size(); ++next)
      predecessors.for_each(queue[next], has_hope);
  }

  bool may_help(graph::PairId p) const {
    const auto successors = graph_.successors(p);
    return graph_.ends(p) || std::any_of(successors.begin(), successors.end(),
                                         [&](StateId t) { return hopeful_[t.index()]; });
  }

  /// The dead end that is reached first. There is one if all states were expanded: otherwise
  /// choosing among these actions at random would be a proper policy.
  StateId follow_useful_actions() {
    came_from_.assign(graph_.num_states(), {});
    std::vector<bool> reached(graph_.num_states(), false);
    std::vector<StateId> queue{graph_.initial_state()};
    reached[queue[0].index()] = true;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const graph::PairId p : graph_.pairs(queue[next])) {
        if (!may_help(p)) continue;
        const auto successors = graph_.successors(p);
        for (std::size_t k = 0; k < successors.size(); ++k) {
          const StateId t = successors[k];
          if (reached[t.index()]) continue;
          reached[t.index()] = true;
          came_from_[t.index()] = {p, k};
          if (!hopeful_[t.index()]) return t;
          queue.push_back(t);
        }
      }
    }
    return {};
  }

  DeadEnd dead_end(StateId state) {
    DeadEnd result;
    result.state = state;
    for (StateId s = state; s != graph_.initial_state();) {
      const auto [pair, outcome] = came_from_[s.index()];
      // The graph knows the probability given that the state is left.
      result.steps.push_back({graph_.state(pair), graph_.action(pair),
                              graph_.probabilities(pair)[outcome] / graph_.repeats(pair)});
      s = graph_.state(pair);
    }
    std::reverse(result.steps.begin(), result.steps.end());
    if (auto reason = cssp_.model().unreachable_goal(state)) result.reason = std::move(*reason);
    if (!graph_.is_expanded(state)) graph_.expand(state);
    result.has_actions = !graph_.pairs(state).empty();
    return result;
  }

  struct Arrival {
    graph::PairId pair;
    std::size_t outcome = 0;
  };

  Cssp& cssp_;
  Monitor& monitor_;
  graph::SearchGraph graph_;
  std::unique_ptr<heuristics::Heuristic> relaxation_;
  std::vector<StateId> known_dead_;
  std::vector<bool> hopeful_;
  std::vector<Arrival> came_from_;  // by state
};

}  // namespace

std::optional<DeadEnd> find_dead_end(const Cssp& problem, Monitor& monitor) {
  // What bounds of zero forbid is no reason: there is no proper policy with all actions.
  Cssp cssp = problem.with_zero_bounds_only({});
  try {
    const StateId start = cssp.initial_state();
    if (auto reason = cssp.model().unreachable_goal(start))
      return DeadEnd{{}, start, true, std::move(*reason)};
    return DeadEndSearch(cssp, monitor).run();
  } catch (const LimitReached&) {
    return std::nullopt;
  }
}

}  // namespace carl::cssp
