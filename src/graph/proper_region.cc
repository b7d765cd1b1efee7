#include "graph/proper_region.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "graph/predecessors.h"

namespace carl::graph {

bool ProperRegion::allows(const SearchGraph& graph, PairId p) const {
  const auto successors = graph.successors(p);
  return std::all_of(successors.begin(), successors.end(), [&](StateId t) { return contains(t); });
}

namespace {

/// Pairs that may still be used. Forbidding those into a state may leave another one without any,
/// and so on: following that at once spares a round for each.
class AllowedPairs {
 public:
  AllowedPairs(const SearchGraph& graph, const Predecessors& predecessors,
               const std::vector<bool>& targets)
      : graph_(graph),
        predecessors_(predecessors),
        targets_(targets),
        allowed_(graph.num_pairs(), true) {
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      left_.push_back(static_cast<std::uint32_t>(graph.pairs(StateId(s)).size()));
  }

  bool operator[](PairId p) const { return allowed_[p.index()]; }

  /// States that have no pairs left, and are no targets, are taken out of `member`.
  void forbid_entering(StateId state, std::vector<bool>& member) {
    queue_.assign(1, state);
    while (!queue_.empty()) {
      const StateId t = queue_.back();
      queue_.pop_back();
      predecessors_.for_each(t, [&](PairId p) {
        if (!allowed_[p.index()]) return;
        allowed_[p.index()] = false;
        const StateId s = graph_.state(p);
        if (--left_[s.index()] > 0 || !member[s.index()] || targets_[s.index()]) return;
        member[s.index()] = false;
        queue_.push_back(s);
      });
    }
  }

 private:
  const SearchGraph& graph_;
  const Predecessors& predecessors_;
  const std::vector<bool>& targets_;
  std::vector<bool> allowed_;
  std::vector<std::uint32_t> left_;  // per state
  std::vector<StateId> queue_;
};

}  // namespace

ProperRegion proper_region(const SearchGraph& graph, const std::vector<bool>& targets,
                           Monitor& monitor) {
  const Predecessors predecessors(graph);
  ProperRegion hopeful;
  hopeful.member.assign(graph.num_states(), true);
  AllowedPairs allowed(graph, predecessors, targets);
  while (true) {
    std::vector<bool> reaches(graph.num_states(), false);
    std::vector<StateId>& queue = hopeful.order;
    queue.clear();
    hopeful.choice.assign(graph.num_states(), PairId());
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (targets[s]) {
        reaches[s] = true;
        queue.emplace_back(s);
      }
    const auto arrive_by = [&](PairId p) {
      const StateId s = graph.state(p);
      if (!allowed[p] || reaches[s.index()]) return;
      reaches[s.index()] = true;
      hopeful.choice[s.index()] = p;
      queue.push_back(s);
    };
    predecessors.for_each_ending(arrive_by);
    for (std::size_t next = 0; next < queue.size(); ++next)
      predecessors.for_each(queue[next], arrive_by);
    if (reaches == hopeful.member) return hopeful;
    std::swap(hopeful.member, reaches);
    // Loops that lose their way out one after the other take a round each.
    if (monitor.reached_now()) return hopeful;
    for (std::size_t s = 0; s < graph.num_states(); ++s)
      if (reaches[s] && !hopeful.member[s]) allowed.forbid_entering(StateId(s), hopeful.member);
  }
}

ProperRegion proper_region(const SearchGraph& graph, Monitor& monitor) {
  std::vector<bool> goals(graph.num_states());
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    goals[s] = graph.is_goal(StateId(s));
  return proper_region(graph, goals, monitor);
}

}  // namespace carl::graph
