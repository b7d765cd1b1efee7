// Topological value iteration (Dai & Goldsmith, 2007): expand everything, then back up one strongly
// connected component after the other, those nearest the goals first, each until its residual is at
// most ε. States on no cycle take a single backup. All states become ε-consistent, so strong
// ε-consistency comes for free, and so does the start from the values of another λ.
//
// Within a component the states of least value come first: mostly they are what the others lead to.
// Where scalar values suffice, each sweep over all actions is followed by many over the greedy ones
// alone (modified policy iteration, Puterman & Shin, 1978), which cost next to nothing.

#include <algorithm>
#include <cmath>

#include "ssp/ssp_algorithm.h"
#include "util/strongly_connected.h"

namespace carl::ssp {
namespace {

// The policy that all begins with is evaluated to this accuracy: it is a bad one anyway.
constexpr double first_residual = 1e-2;
constexpr int max_first_sweeps = 200;
// Later ones until their residual is so much below that of the last sweep over all actions.
constexpr double worthwhile = 0.005;
constexpr int max_policy_sweeps = 100;
// From the wrong values modified policy iteration could go on for ever. Value iteration cannot: it
// takes over after so many rounds.
constexpr std::size_t max_modified_rounds = 1000;

/// The equations V(s) = c + Σ p V(s') of the greedy choices in a component, written down in the
/// order of its states so that sweeps run through memory from one end to the other.
class GreedyEquations {
 public:
  /// Sweeps until nothing changes by more than `residual`, or so many times.
  void solve(ScalarisedSsp& ssp, std::span<const StateId> component, double residual,
             int max_sweeps) {
    write_down(ssp, component);
    double change = 2 * residual;
    for (int i = 0; i < max_sweeps && change > residual; ++i) {
      change = sweep();
      ssp.count_backups(component.size());
    }
    for (std::size_t i = 0; i < component.size(); ++i)
      ssp.assign_value(component[i], value_[i]);
  }

 private:
  struct Term {
    double probability;
    std::uint32_t position;
  };

  void write_down(const ScalarisedSsp& ssp, std::span<const StateId> component) {
    const SearchGraph& graph = ssp.graph();
    position_.resize(graph.num_states(), outside);
    value_.resize(component.size());
    constant_.resize(component.size());
    last_term_.resize(component.size());
    terms_.clear();
    for (std::size_t i = 0; i < component.size(); ++i)
      position_[component[i].index()] = static_cast<std::uint32_t>(i);
    for (std::size_t i = 0; i < component.size(); ++i) {
      const PairId p = ssp.choice(component[i]);
      const auto successors = graph.successors(p);
      const auto probabilities = graph.probabilities(p);
      value_[i] = ssp.value(component[i]);
      constant_[i] = ssp.cost(p);
      for (std::size_t k = 0; k < successors.size(); ++k) {
        const std::uint32_t position = position_[successors[k].index()];
        if (position == outside)  // its value is final
          constant_[i] += probabilities[k] * ssp.value(successors[k]);
        else
          terms_.push_back({probabilities[k], position});
      }
      last_term_[i] = terms_.size();
    }
    for (const StateId s : component)
      position_[s.index()] = outside;
  }

  double sweep() {
    double largest = 0;
    const Term* term = terms_.data();
    for (std::size_t i = 0; i < value_.size(); ++i) {
      double value = constant_[i];
      for (const Term* const end = terms_.data() + last_term_[i]; term != end; ++term)
        value += term->probability * value_[term->position];
      largest = std::max(largest, std::abs(value - value_[i]));
      value_[i] = value;
    }
    return largest;
  }

  static constexpr std::uint32_t outside = ~std::uint32_t{0};
  std::vector<std::uint32_t> position_;  // state -> its place in the component at hand
  std::vector<double> value_;
  std::vector<double> constant_;
  std::vector<Term> terms_;
  std::vector<std::size_t> last_term_;  // one past each equation's last
};

class ValueIteration final : public SspAlgorithm {
 public:
  explicit ValueIteration(ScalarisedSsp& ssp) : ssp_(ssp), graph_(ssp.graph()) {}

  bool solve(const Consistency& consistency, Limits& limits) override {
    if (first_.empty()) {
      if (!ssp_.expand_all(limits, observer())) return false;
      const ProperRegion hopeful = ssp_.hopeful_region();
      ssp_.mark_hopeless(hopeful);
      find_components(hopeful);
      if (ssp_.has_scalar_residual() && !graph_.cssp().can_give_up()) start_from(hopeful.choice);
    }
    for (std::size_t c = 0; c < num_components(); ++c)
      if (!solve_component(component(c), consistency.epsilon, limits)) return false;
    return true;
  }

  void weights_changed() override {}
  std::size_t num_components() const override { return first_.empty() ? 0 : first_.size() - 1; }

 private:
  /// Sorts the expanded states that have hope by component; within one, by the distance to a goal.
  void find_components(const ProperRegion& hopeful) {
    const auto outcomes_of = [&](std::size_t s) {
      return graph_.successors(graph_.pairs(StateId(s)));
    };
    const Components components = strongly_connected_components(
        graph_.num_states(), [&](std::size_t s) { return outcomes_of(s).size(); },
        [&](std::size_t s, std::size_t i) { return outcomes_of(s)[i].index(); });
    const auto component_of = [&](StateId s) { return components.of[s.index()]; };
    for (const StateId s : hopeful.order)
      if (graph_.is_expanded(s)) states_.push_back(s);
    std::stable_sort(states_.begin(), states_.end(),
                     [&](StateId a, StateId b) { return component_of(a) < component_of(b); });
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (i == 0 || component_of(states_[i]) != component_of(states_[i - 1])) first_.push_back(i);
    first_.push_back(states_.size());
  }

  /// From zero, values rise by no more than the cost of a step in each sweep. Those of a proper
  /// policy, even a bad one, come down much faster.
  void start_from(const std::vector<PairId>& proper_policy) {
    for (const StateId s : states_)
      ssp_.set_choice(s, proper_policy[s.index()]);
    for (std::size_t c = 0; c < num_components(); ++c)
      equations_.solve(ssp_, component(c), first_residual, max_first_sweeps);
  }

  bool solve_component(std::span<StateId> component, double epsilon, Limits& limits) {
    for (std::size_t round = 0;; ++round) {
      if (component.size() > 1 && round % 2 == 0) sort_by_value(component);
      // To and fro: where another λ turns a policy round, the order of the values is the wrong one.
      const double residual = sweep(component, round % 2 == 0, limits);
      if (limits.reached()) return false;
      if (residual <= epsilon || component.size() == 1) return true;
      observe();
      if (ssp_.has_scalar_residual() && round < max_modified_rounds)
        equations_.solve(ssp_, component, worthwhile * residual, max_policy_sweeps);
    }
  }

  void sort_by_value(std::span<StateId> component) const {
    std::stable_sort(component.begin(), component.end(),
                     [&](StateId a, StateId b) { return ssp_.value(a) < ssp_.value(b); });
  }

  /// Backs up every state. Returns the residual.
  double sweep(std::span<const StateId> component, bool forward, Limits& limits) {
    double residual = 0;
    for (std::size_t i = 0; i < component.size() && !limits.reached(); ++i)
      residual = std::max(residual, back_up(component[forward ? i : component.size() - 1 - i]));
    return residual;
  }

  double back_up(StateId s) {
    if (ssp_.has_scalar_residual()) return ssp_.assign_best_value(s);
    return ssp_.assign(s, ssp_.best_pair(s));
  }

  std::span<StateId> component(std::size_t c) {
    return std::span(states_).subspan(first_[c], first_[c + 1] - first_[c]);
  }

  ScalarisedSsp& ssp_;
  const SearchGraph& graph_;
  std::vector<std::size_t> first_;  // of each component's states, with a sentinel
  std::vector<StateId> states_;
  GreedyEquations equations_;
};

}  // namespace

std::unique_ptr<SspAlgorithm> make_value_iteration(ScalarisedSsp& ssp) {
  return std::make_unique<ValueIteration>(ssp);
}

}  // namespace carl::ssp
