#include "ssp/lower_bound.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "ssp/policy_iteration.h"
#include "util/rounding.h"
#include "util/strongly_connected.h"

namespace carl::ssp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Sweeps remove rounding noise and errors aside within a few rounds; the rest is left to θ.
constexpr int max_sweeps = 20;
// Settling a component of free pairs may need many rounds. So many visits of states are allowed per
// call: some for every state, and enough for small graphs.
constexpr std::size_t settling_visits_per_state = 20;
constexpr std::size_t least_settling_visits = 100'000;

class Repair {
 public:
  Repair(const SearchGraph& graph, std::span<const double> weights, std::vector<double>& value)
      : graph_(graph), value_(value), cost_(graph.num_pairs()) {
    for (std::size_t p = 0; p < cost_.size(); ++p)
      cost_[p] = weighted_cost(graph.cost(PairId(p)), weights);
  }

  /// θ·V(s0), or zero as soon as it is known not to exceed `known`.
  double scaled_start(double known) const {
    const double start = value_[graph_.initial_state().index()];
    const double limit = start / known - 1;
    double excess = 0;  // max viol / c; θ = 1 / (1 + excess)
    for (std::size_t s = 0; s < value_.size(); ++s) {
      excess = std::max(excess, excess_at(s));
      if (excess >= limit) return 0;
    }
    return start / (1 + excess);
  }

  void sweep(const ComponentMembers& components) {
    for (std::size_t c = 0; c < components.num_components(); ++c) {
      const auto nodes = components[c];
      bool changed = lower(nodes);
      while (changed && nodes.size() > 1 && settling_visits_ >= nodes.size()) {
        settling_visits_ -= nodes.size();
        changed = lower(nodes);
      }
    }
  }

  /// The components of the states under free pairs. Node v is the v-th state from the end: where
  /// the free pairs do not say otherwise, a sweep should go from late states to early ones, since
  /// most successors were met after their parents.
  Components free_components() const {
    std::vector<std::size_t> first{0};
    std::vector<std::uint32_t> successor;
    for (std::size_t v = 0; v < value_.size(); ++v) {
      for (const PairId p : graph_.pairs(StateId(mirrored(v))))
        if (cost_[p.index()] == 0)
          for (const StateId t : graph_.successors(p))
            successor.push_back(static_cast<std::uint32_t>(mirrored(t.index())));
      first.push_back(successor.size());
    }
    return strongly_connected_components(
        value_.size(), [&](std::size_t v) { return first[v + 1] - first[v]; },
        [&](std::size_t v, std::size_t i) { return successor[first[v] + i]; });
  }

 private:
  std::size_t mirrored(std::size_t i) const { return value_.size() - 1 - i; }

  /// Q(s,a), infinite when an outcome is hopeless. More precise than the values: where a policy
  /// takes very many steps, violations below a value's last bit add up. It costs little, since this
  /// waits for memory most of the time.
  long double q_value(PairId p) const {
    long double q = cost_[p.index()];
    const auto successors = graph_.successors(p);
    const auto probabilities = graph_.probabilities(p);
    for (std::size_t k = 0; k < successors.size(); ++k)
      q += static_cast<long double>(probabilities[k]) * value_[successors[k].index()];
    return q;
  }

  double excess_at(std::size_t s) const {
    const double value = value_[s];
    if (value == 0 || value == infinity) return 0;
    double excess = 0;
    for (const PairId p : graph_.pairs(StateId(s))) {
      const auto violation = static_cast<double>(value - q_value(p));
      if (!(violation > 0)) continue;
      if (cost_[p.index()] == 0) return infinity;
      excess = std::max(excess, violation / cost_[p.index()]);
    }
    return excess;
  }

  /// V ← min(V, Q) in some states; returns whether anything changed.
  bool lower(std::span<const std::uint32_t> nodes) {
    bool changed = false;
    for (const std::uint32_t node : nodes) {
      double& value = value_[mirrored(node)];
      if (value == 0 || value == infinity) continue;
      long double least = value;
      for (const PairId p : graph_.pairs(StateId(mirrored(node))))
        least = std::min(least, q_value(p));
      if (!(least < value)) continue;
      value = rounded_down(least);  // so that it does not violate Q itself
      changed = true;
    }
    return changed;
  }

  const SearchGraph& graph_;
  std::vector<double>& value_;
  std::vector<double> cost_;  // scalar, per pair
  std::size_t settling_visits_ =
      least_settling_visits + settling_visits_per_state * graph_.num_states();
};

}  // namespace

double sound_lower_bound(const SearchGraph& graph, std::span<const double> weights,
                         std::vector<double>& value, double negligible_loss) {
  const double& start = value[graph.initial_state().index()];
  if (start == infinity) return infinity;
  for (double& v : value)
    v = std::max(0.0, v);  // costs are not negative, so this only improves a sub-solution
  Repair repair(graph, weights, value);
  double bound = repair.scaled_start(0);
  const auto good_enough = [&] { return start <= bound * (1 + negligible_loss); };
  if (good_enough()) return bound;
  const ComponentMembers components(repair.free_components());
  // V(s0) never rises again, so nothing more can be gained once it has come down to the bound.
  for (int i = 0; i < max_sweeps && !good_enough(); ++i) {
    repair.sweep(components);
    bound = std::max(bound, repair.scaled_start(bound));
  }
  return bound;
}

}  // namespace carl::ssp
