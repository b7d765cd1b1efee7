#include "ssp/sub_solution.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "graph/zero_cost_loops.h"
#include "ssp/stopping_problem.h"
#include "util/rounding.h"
#include "util/strongly_connected.h"

namespace carl::ssp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Sweeps over a component of free pairs before it is solved as a stopping problem, and after. The
// first few are made even after a limit.
constexpr int most_settling_sweeps = 20;
constexpr int settling_sweeps_after_a_limit = 3;
// Beyond this a factorization takes longer than a bound is worth.
constexpr std::size_t largest_stopping_problem = 50'000;
constexpr std::size_t factorizations_per_problem = 50;
// Of states, counted once per factorization: some for every state, and enough for small graphs.
constexpr std::size_t factorized_per_state = 50;
constexpr std::size_t least_factorized = 500'000;
// Values are rounded to doubles, which changes an average by less than this (relative).
constexpr double error_of_values = 4 * 0x1.0p-53;
// Relative errors of the sums below: one rounding per term and some more.
constexpr long double rounding_of_long_double = 0x1.0p-63L;
constexpr long double rounding_of_double = 0x1.0p-53L;
constexpr std::size_t further_roundings = 4;
// Far more than the errors of sums over any number of outcomes that a pair can have.
constexpr double much_room = 1 - 1e-9;

using Nodes = std::span<const std::uint32_t>;

/// The values at hand, and the pairs' inequalities.
class Inequalities {
 public:
  Inequalities(const SearchGraph& graph, std::span<const double> weights,
               std::vector<double>& value, bool holds_as_written)
      : graph_(graph),
        value_(value),
        rounding_(holds_as_written ? rounding_of_double : rounding_of_long_double) {
    for (std::size_t row = 0; row < graph.num_cost_rows(); ++row) {
      long double sum = 0;
      const auto cost = graph.cost_of_row(row);
      for (std::size_t i = 0; i < cost.size(); ++i)
        if (weights[i] != 0) sum += static_cast<long double>(weights[i]) * cost[i];
      row_cost_.push_back(sum);
    }
  }

  long double cost(PairId p) const { return row_cost_[graph_.cost_row(p)]; }
  bool is_free(PairId p) const { return cost(p) == 0; }

  /// Q(s,a) - V(s), and how much rounding may have added to it. Taken from differences of values,
  /// which lose no digits where a policy takes very many steps and all values are large; an average
  /// of equal values has no error at all.
  struct Slack {
    long double slack;
    long double error;
    bool is_violated() const { return slack < error; }
  };
  Slack slack(PairId p) const {
    const long double own = value_[graph_.state(p).index()];
    long double sum = cost(p);
    long double size = sum;
    const auto successors = graph_.successors(p);
    const auto probabilities = graph_.probabilities(p);
    for (std::size_t k = 0; k < successors.size(); ++k) {
      const double value = value_[successors[k].index()];
      if (value == infinity) return {infinity, 0};  // no proper policy uses this pair
      const long double part = probabilities[k] * (value - own);
      sum += part;
      size += part < 0 ? -part : part;
    }
    if (graph_.ends(p)) {
      sum -= own;
      size += own;
    }
    return {sum, size * share_lost(p)};
  }

  /// Most pairs have much room, which doubles can tell.
  bool has_much_room(PairId p) const {
    const double q = q_value(graph_, p, static_cast<double>(cost(p)),
                             [&](StateId s) { return value_[s.index()]; });
    return value_[graph_.state(p).index()] <= q * much_room;
  }

  double least_successor(PairId p) const {
    double least = graph_.ends(p) ? 0.0 : infinity;
    for (const StateId t : graph_.successors(p))
      least = std::min(least, value_[t.index()]);
    return least;
  }

  /// max viol / c over the pairs of a state; infinite if a free one is violated.
  long double excess_at(StateId s) const {
    const double value = value_[s.index()];
    if (value == 0 || value == infinity) return 0;
    long double excess = 0;
    for (const PairId p : graph_.pairs(s)) {
      if (has_much_room(p)) continue;
      const auto [slack_left, error] = slack(p);
      if (!(slack_left < error)) continue;
      if (is_free(p)) return infinity;
      excess = std::max(excess, (error - slack_left) / (cost(p) * (1 - share_lost(p))));
    }
    return excess;
  }

 private:
  /// Of a sum over this pair's outcomes and costs, by rounding.
  long double share_lost(PairId p) const {
    const std::size_t outcomes = std::max<std::size_t>(graph_.successors(p).size(), 1);
    const std::size_t terms = outcomes + graph_.num_costs() + further_roundings;
    return rounding_ * static_cast<double>(terms);
  }

  const SearchGraph& graph_;
  const std::vector<double>& value_;
  long double rounding_;
  std::vector<long double> row_cost_;
};

/// Lowers values along pairs, component by component of the free ones. Node v is the v-th state
/// from the end: where the free pairs do not say otherwise, a sweep should go from late states to
/// early ones, since most successors were found after their parents.
class Lowering {
 public:
  Lowering(const SearchGraph& graph, std::span<const double> weights,
           const Inequalities& inequalities, std::vector<double>& value, Monitor& monitor)
      : graph_(graph),
        inequalities_(inequalities),
        value_(value),
        monitor_(monitor),
        components_(free_components()) {
    bool cyclic = false;
    for (std::size_t c = 0; c < components_.num_components() && !cyclic; ++c)
      cyclic = components_[c].size() > 1;
    if (cyclic) loops_ = graph::CollapsedLoops(graph, weights, monitor);
  }

  /// Lowers to Q on all pairs, once, and on free pairs until none is violated.
  /// Returns whether anything changed.
  bool sweep() {
    bool changed = false;
    for (std::size_t c = 0; c < components_.num_components(); ++c) {
      const Nodes nodes = components_[c];
      changed |= lower(nodes, [](PairId) { return true; });
      if (nodes.size() > 1) changed |= settle(nodes);
    }
    return changed;
  }

 private:
  static constexpr std::uint32_t none = graph::CollapsedLoops::none;

  StateId state(std::uint32_t node) const { return StateId(value_.size() - 1 - node); }
  bool counts(StateId s) const { return value_[s.index()] > 0 && value_[s.index()] != infinity; }

  Components free_components() const {
    std::vector<std::size_t> first{0};
    std::vector<std::uint32_t> successor;
    for (std::uint32_t v = 0; v < value_.size(); ++v) {
      for (const PairId p : graph_.pairs(state(v)))
        if (inequalities_.is_free(p))
          for (const StateId t : graph_.successors(p))
            successor.push_back(static_cast<std::uint32_t>(value_.size() - 1 - t.index()));
      first.push_back(successor.size());
    }
    return strongly_connected_components(
        value_.size(), [&](std::size_t v) { return first[v + 1] - first[v]; },
        [&](std::size_t v, std::size_t i) { return successor[first[v] + i]; });
  }

  /// What V(s) may be at most for a pair; infinite if it is no more than that. In a loop all values
  /// are the same, so that it is only the chance to leave that lowering V(s) changes anything for.
  double limit(PairId p) const {
    if (inequalities_.has_much_room(p)) return infinity;
    const Inequalities::Slack slack = inequalities_.slack(p);
    if (!slack.is_violated()) return infinity;
    const StateId s = graph_.state(p);
    const std::uint32_t loop = loops_.loop_of(s);
    long double leaving = graph_.ends(p) ? 1 : 0;
    double least = graph_.ends(p) ? 0.0 : infinity;
    const auto successors = graph_.successors(p);
    const auto probabilities = graph_.probabilities(p);
    for (std::size_t k = 0; k < successors.size(); ++k) {
      if (loop != none && loops_.loop_of(successors[k]) == loop) continue;
      leaving += probabilities[k];
      least = std::min(least, value_[successors[k].index()]);
    }
    if (leaving == 0) return infinity;
    // Twice the error, because it may grow on the way.
    const double value = value_[s.index()];
    const long double limit = value + (slack.slack - 2 * slack.error) / leaving;
    // Less, because the difference may be too small for the sum.
    const double limit_or_less =
        rounded_down(std::max(limit, 0.0L) * (1 - 2 * rounding_of_long_double));
    return std::max(least, std::min(limit_or_less, std::nextafter(value, 0.0)));
  }

  /// V ← min(V, limit) over the chosen pairs of some nodes; returns whether anything changed.
  template <class Chosen>
  bool lower(Nodes nodes, Chosen chosen) {
    bool changed = false;
    for (const std::uint32_t node : nodes) {
      const StateId s = state(node);
      if (const std::uint32_t loop = loops_.loop_of(s); loop != none) {
        if (loops_[loop].states.front() == s) changed |= lower_loop(loops_[loop], chosen);
      } else if (counts(s)) {
        changed |= lower_to(s, least_limit(s, chosen));
      }
    }
    return changed;
  }

  template <class Chosen>
  double least_limit(StateId s, Chosen chosen) const {
    double least = infinity;
    for (const PairId p : graph_.pairs(s))
      if (chosen(p)) least = std::min(least, limit(p));
    return least;
  }

  bool lower_to(StateId s, double limit) {
    double& value = value_[s.index()];
    if (!(limit < value) || value == infinity) return false;
    value = limit;
    return true;
  }

  template <class Chosen>
  bool lower_loop(const graph::ZeroCostLoop& loop, Chosen chosen) {
    double least = infinity;
    for (const StateId s : loop.states)
      least = std::min({least, value_[s.index()], least_limit(s, chosen)});
    bool changed = false;
    for (const StateId s : loop.states)
      changed |= lower_to(s, least);
    return changed;
  }

  // --- components of free pairs -----------------------------------------------------------------

  /// Lowers until no free pair is violated; returns whether anything changed.
  bool settle(Nodes nodes) {
    if (!lower_free(nodes)) return false;
    if (settle_by_sweeps(nodes)) return true;
    if (nodes.size() <= std::min(largest_stopping_problem, factorized_left_)) {
      solve_as_stopping_problem(nodes);
      if (settle_by_sweeps(nodes)) return true;
    }
    level(nodes);
    return true;
  }

  bool lower_free(Nodes nodes) {
    return lower(nodes, [&](PairId p) { return inequalities_.is_free(p); });
  }

  bool settle_by_sweeps(Nodes nodes) {
    for (int i = 0; i < most_settling_sweeps; ++i) {
      if (!lower_free(nodes)) return true;
      if (i >= settling_sweeps_after_a_limit && monitor_.reached()) return false;
    }
    return false;
  }

  /// Unknowns are states and whole loops.
  void solve_as_stopping_problem(Nodes nodes) {
    std::vector<StateId> representative;
    std::vector<double> stop;
    unknown_.resize(value_.size(), none);
    for (const std::uint32_t node : nodes) {
      const StateId s = state(node);
      if (!counts(s) || unknown_[s.index()] != none) continue;
      loops_.for_each_same(s, [&](StateId member) {
        unknown_[member.index()] = static_cast<std::uint32_t>(stop.size());
      });
      representative.push_back(s);
      stop.push_back(value_[s.index()]);
    }
    StoppingProblem problem(std::move(stop));
    largest_error_ = 0;
    for (std::uint32_t i = 0; i < representative.size(); ++i)
      loops_.for_each_same(representative[i], [&](StateId s) { add_ways(s, i, problem); });
    // Twice, because only half of the margin is kept everywhere, and because errors may grow.
    const std::vector<double> x = problem.solve(2 * (error_of_values + 2 * largest_error_),
                                                factorizations_per_problem, monitor_);
    factorized_left_ -= std::min(factorized_left_, problem.factorizations() * nodes.size());
    for (const std::uint32_t node : nodes) {
      const StateId s = state(node);
      const std::uint32_t i = std::exchange(unknown_[s.index()], none);
      if (i != none) lower_to(s, std::max(0.0, x[i]));
    }
  }

  /// The free pairs of s that can lead elsewhere.
  void add_ways(StateId s, std::uint32_t own, StoppingProblem& problem) {
    for (const PairId p : graph_.pairs(s)) {
      const Inequalities::Slack slack = inequalities_.slack(p);
      if (!inequalities_.is_free(p) || slack.slack == infinity) continue;
      terms_.clear();
      long double leaving = graph_.ends(p) ? 1 : 0;
      long double outside = leaving;
      long double outside_value = 0;
      const auto successors = graph_.successors(p);
      const auto probabilities = graph_.probabilities(p);
      for (std::size_t k = 0; k < successors.size(); ++k) {
        const std::uint32_t to = unknown_[successors[k].index()];
        if (to == own) continue;
        leaving += probabilities[k];
        if (to == none) {
          outside += probabilities[k];
          outside_value +=
              static_cast<long double>(probabilities[k]) * value_[successors[k].index()];
        } else {
          add_term(probabilities[k], to);
        }
      }
      if (leaving == 0) continue;
      largest_error_ =
          std::max(largest_error_, static_cast<double>(slack.error / leaving / value_[s.index()]));
      problem.add_way(own, outside, outside_value, terms_);
    }
  }

  void add_term(double probability, std::uint32_t to) {
    for (StoppingProblem::Term& term : terms_)
      if (term.node == to) {
        term.probability += probability;
        return;
      }
    terms_.push_back({probability, to});
  }

  /// The way that always works: one value for all, as low as anything that free pairs lead to.
  void level(Nodes nodes) {
    double least = infinity;
    for (const std::uint32_t node : nodes) {
      const StateId s = state(node);
      if (value_[s.index()] == infinity) continue;
      least = std::min(least, value_[s.index()]);
      for (const PairId p : graph_.pairs(s))
        if (inequalities_.is_free(p) && inequalities_.slack(p).slack != infinity)
          least = std::min(least, inequalities_.least_successor(p));
    }
    for (const std::uint32_t node : nodes)
      lower_to(state(node), least);
  }

  const SearchGraph& graph_;
  const Inequalities& inequalities_;
  std::vector<double>& value_;
  Monitor& monitor_;
  ComponentMembers components_;
  graph::CollapsedLoops loops_;
  std::vector<std::uint32_t> unknown_;  // per state: its number in the stopping problem at hand
  std::vector<StoppingProblem::Term> terms_;
  double largest_error_ = 0;  // of its ways, relative to the value
  std::size_t factorized_left_ = least_factorized + factorized_per_state * graph_.num_states();
};

/// Keeps the best scaling found so far.
class Scaling {
 public:
  Scaling(const SearchGraph& graph, const Inequalities& inequalities,
          const std::vector<double>& value)
      : graph_(graph), inequalities_(inequalities), value_(value) {}

  double start() const { return value_[graph_.initial_state().index()]; }
  bool good_enough(double negligible_loss) const {
    return start() <= best_.bound * (1 + negligible_loss);
  }
  SubSolution take() { return std::move(best_); }

  /// θ for the values as they are, if it gives a better bound.
  void look() {
    const bool first = best_.value.empty();
    const long double limit = start() / best_.bound - 1;
    long double excess = 0;
    for (std::size_t s = 0; s < value_.size() && excess != infinity; ++s) {
      excess = std::max(excess, inequalities_.excess_at(StateId(s)));
      if (!first && excess >= limit) return;
    }
    const long double theta = 1 / (1 + excess);
    best_.value = value_;
    best_.theta = rounded_down(theta * (1 - 2 * rounding_of_long_double));
    best_.bound = static_cast<double>(theta * start());
  }

 private:
  const SearchGraph& graph_;
  const Inequalities& inequalities_;
  const std::vector<double>& value_;
  SubSolution best_;
};

}  // namespace

SubSolution make_sub_solution(const SearchGraph& graph, std::span<const double> weights,
                              std::vector<double> value, Monitor& monitor,
                              const SubSolutionOptions& options) {
  for (double& v : value)
    v = std::max(0.0, v);  // costs are not negative, so this only improves a sub-solution
  if (value[graph.initial_state().index()] == infinity) return {std::move(value), 1.0, infinity};
  const Inequalities inequalities(graph, weights, value, options.holds_as_written);
  Scaling scaling(graph, inequalities, value);
  scaling.look();
  if (scaling.good_enough(options.negligible_loss)) return scaling.take();
  Lowering lowering(graph, weights, inequalities, value, monitor);
  // V(s0) never rises again, so nothing more can be gained once it has come down to the bound.
  for (std::size_t i = 0; i < options.max_sweeps; ++i) {
    if (i > 0 && monitor.reached()) break;
    const bool changed = lowering.sweep();
    scaling.look();
    if (!changed || scaling.good_enough(options.negligible_loss)) break;
  }
  return scaling.take();
}

double sound_lower_bound(const SearchGraph& graph, std::span<const double> weights,
                         std::vector<double> value, Monitor& monitor, double negligible_loss) {
  return make_sub_solution(graph, weights, std::move(value), monitor,
                           {.negligible_loss = negligible_loss})
      .bound;
}

}  // namespace carl::ssp
