#include "heuristics/dijkstra.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "util/parallel.h"

namespace carl::heuristics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Edges of the determinisation by their head: who can get here, by which action.
struct BackwardEdges {
  struct Edge {
    StateId from;
    ActionId action;
  };

  BackwardEdges(Cssp& cssp, Monitor& monitor) {
    std::vector<std::pair<StateId, Edge>> edges;
    std::vector<bool> seen;
    std::vector<StateId> queue;
    const auto visit = [&](StateId s) {
      seen.resize(std::max(seen.size(), s.index() + 1), false);
      if (seen[s.index()]) return;
      seen[s.index()] = true;
      queue.push_back(s);
    };
    visit(cssp.initial_state());
    Expansion expansion;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      monitor.check();
      const StateId s = queue[next];
      if (cssp.is_goal(s)) {
        goals.push_back(s);
        continue;
      }
      cssp.expand(s, expansion);
      for (std::size_t i = 0; i < expansion.num_actions(); ++i)
        for (const StateId t : expansion.successors(i)) {
          visit(t);
          if (t != s) edges.push_back({t, {s, expansion.action(i)}});
        }
      for (std::size_t i = 0; i < expansion.num_actions(); ++i)
        if (expansion.action(i) != Cssp::give_up_action) learn_cost(cssp, expansion.action(i));
      if (cssp.can_give_up()) giving_up.push_back(s);
    }
    num_states = std::max(seen.size(), cssp.num_states());  // some may be out of reach
    first.assign(num_states + 1, 0);
    for (const auto& [to, edge] : edges)
      ++first[to.index() + 1];
    for (std::size_t s = 0; s < num_states; ++s)
      first[s + 1] += first[s];
    by_head.resize(edges.size());
    std::vector<std::size_t> position(first.begin(), first.end() - 1);
    for (const auto& [to, edge] : edges)
      by_head[position[to.index()]++] = edge;
  }

  /// A model is for one thread, so what others need of it is copied.
  void learn_cost(const Cssp& cssp, ActionId action) {
    const auto from = cssp.cost(action);
    cost.resize(std::max(cost.size(), (action.index() + 1) * from.size()));
    std::copy(from.begin(), from.end(),
              cost.begin() + static_cast<std::ptrdiff_t>(action.index() * from.size()));
  }

  std::span<const Edge> into(StateId s) const {
    return std::span(by_head).subspan(first[s.index()], first[s.index() + 1] - first[s.index()]);
  }

  std::size_t num_states = 0;
  std::vector<StateId> goals;
  std::vector<StateId> giving_up;  // where that is possible
  std::vector<std::size_t> first;
  std::vector<Edge> by_head;
  std::vector<double> cost;  // by action, then by cost
};

}  // namespace

DijkstraIdealPoint::DijkstraIdealPoint(Cssp& cssp, Monitor& monitor, std::size_t threads) {
  const BackwardEdges edges(cssp, monitor);
  const std::size_t n = cssp.num_costs();
  distance_.assign(edges.num_states * n, infinity);
  const auto run = [&](std::size_t c) {
    std::vector<std::pair<double, StateId>> queue;
    const auto relax = [&](StateId s, double distance) {
      double& known = distance_[s.index() * n + c];
      if (distance >= known) return;
      known = distance;
      queue.emplace_back(distance, s);
      std::push_heap(queue.begin(), queue.end(), std::greater<>());
    };
    for (const StateId goal : edges.goals)
      relax(goal, 0);
    for (const StateId s : edges.giving_up)
      relax(s, (*cssp.give_up_penalty())[c]);
    while (!queue.empty()) {
      std::pop_heap(queue.begin(), queue.end(), std::greater<>());
      const auto [distance, s] = queue.back();
      queue.pop_back();
      if (distance > distance_[s.index() * n + c]) continue;
      monitor.check();
      for (const auto& [from, action] : edges.into(s))
        relax(from, distance + edges.cost[action.index() * n + c]);
    }
  };
  do_blocks(
      num_threads(threads), n, [] {}, [] { return false; },
      [&](std::size_t c, std::size_t /*thread*/) { run(c); });
}

bool DijkstraIdealPoint::evaluate(StateId state, std::span<double> out) {
  ++evaluations_;
  const std::size_t n = out.size();
  std::copy_n(distance_.begin() + static_cast<std::ptrdiff_t>(state.index() * n), n, out.begin());
  // Giving up is an action of the problem, so its price is part of the distances already.
  return out[0] != infinity;
}

bool ZeroHeuristic::evaluate(StateId /*state*/, std::span<double> out) {
  ++evaluations_;
  std::fill(out.begin(), out.end(), 0.0);
  return true;
}

}  // namespace carl::heuristics
