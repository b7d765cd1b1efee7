// Topological value iteration (Dai & Goldsmith, 2007): expand everything, then back up one strongly
// connected component after the other, those nearest the goals first, each until its residual is at
// most ε. States on no cycle take a single backup. All states become ε-consistent, so strong
// ε-consistency comes for free, and so does the start from the values of another λ.

#include <algorithm>

#include "ssp/ssp_algorithm.h"
#include "util/strongly_connected.h"

namespace carl::ssp {
namespace {

class ValueIteration final : public SspAlgorithm {
 public:
  explicit ValueIteration(ScalarisedSsp& ssp) : ssp_(ssp), graph_(ssp.graph()) {}

  bool solve(const Consistency& consistency, Limits& limits) override {
    if (first_.empty()) {
      if (!ssp_.expand_all(limits, observer())) return false;
      ssp_.mark_hopeless();
      find_components();
    }
    for (std::size_t c = 0; c + 1 < first_.size(); ++c) {
      const auto component = std::span(states_).subspan(first_[c], first_[c + 1] - first_[c]);
      bool forward = true;
      for (double residual = infinity; residual > consistency.epsilon; forward = !forward) {
        residual = 0;
        for (std::size_t i = 0; i < component.size(); ++i) {
          if (limits.reached()) return false;
          // To and fro: news travels far in one of the two directions, whichever way it has to go.
          const StateId s = component[forward ? i : component.size() - 1 - i];
          residual = std::max(residual, ssp_.assign(s, ssp_.best_pair(s)));
        }
        if (component.size() == 1) break;
        observe();
      }
    }
    return true;
  }

  void weights_changed() override {}
  std::size_t num_components() const override { return first_.empty() ? 0 : first_.size() - 1; }

 private:
  /// Sorts the expanded states that have hope by component; within one, those met last come first.
  void find_components() {
    const auto outcomes_of = [&](std::size_t s) {
      return graph_.successors(graph_.pairs(StateId(s)));
    };
    const Components components = strongly_connected_components(
        graph_.num_states(), [&](std::size_t s) { return outcomes_of(s).size(); },
        [&](std::size_t s, std::size_t i) { return outcomes_of(s)[i].index(); });
    const ComponentMembers members(components);
    first_.assign(1, 0);
    for (std::size_t c = 0; c < members.num_components(); ++c) {
      const auto nodes = members[c];
      for (std::size_t i = nodes.size(); i-- > 0;)
        if (const StateId s(nodes[i]); graph_.is_expanded(s) && ssp_.value(s) != infinity)
          states_.push_back(s);
      if (states_.size() > first_.back()) first_.push_back(states_.size());
    }
  }

  ScalarisedSsp& ssp_;
  const SearchGraph& graph_;
  std::vector<std::size_t> first_;  // of each component's states, with a sentinel
  std::vector<StateId> states_;
};

}  // namespace

std::unique_ptr<SspAlgorithm> make_value_iteration(ScalarisedSsp& ssp) {
  return std::make_unique<ValueIteration>(ssp);
}

}  // namespace carl::ssp
