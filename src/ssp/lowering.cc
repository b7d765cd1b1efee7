#include "ssp/lowering.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "util/rounding.h"

namespace carl::ssp {
namespace {

// Sweeps over a component before it is solved as a stopping problem, and after; fewer where that
// takes next to no time. The first few are made even after a limit.
constexpr int most_settling_sweeps = 20;
constexpr int most_settling_sweeps_of_small = 5;
constexpr std::size_t small_component = 1'000;
constexpr int settling_sweeps_after_a_limit = 3;
constexpr std::size_t factorizations_per_problem = 50;
// Of states, counted once per factorization: some for every state, and enough for small graphs.
constexpr std::size_t factorized_per_state = 50;
constexpr std::size_t least_factorized = 500'000;
// What stopping problems leave to spare, in terms of the largest error that rounding may cause:
// every step of a policy pays for it. Mostly errors are smaller, and sweeps do the rest.
constexpr double margins[] = {0.5, 2};
constexpr long double rounding_of_long_double = 0x1.0p-63L;

}  // namespace

Lowering::Lowering(const SearchGraph& graph, std::span<const double> weights,
                   const Inequalities& inequalities, std::vector<double>& value, Monitor& monitor)
    : graph_(graph),
      inequalities_(inequalities),
      value_(value),
      monitor_(monitor),
      free_components_(components(Pairs::free)),
      factorized_left_(least_factorized + factorized_per_state * graph.num_states()) {
  bool cyclic = false;
  for (std::size_t c = 0; c < free_components_.num_components() && !cyclic; ++c)
    cyclic = free_components_[c].size() > 1;
  if (cyclic) loops_ = graph::CollapsedLoops(graph, weights, monitor);
}

ComponentMembers Lowering::components(Pairs pairs) const {
  std::vector<std::size_t> first{0};
  std::vector<std::uint32_t> successor;
  for (std::uint32_t v = 0; v < value_.size(); ++v) {
    for (const PairId p : graph_.pairs(state(v)))
      if (is_one_of(p, pairs))
        for (const StateId t : graph_.successors(p))
          successor.push_back(static_cast<std::uint32_t>(value_.size() - 1 - t.index()));
    first.push_back(successor.size());
  }
  return ComponentMembers(strongly_connected_components(
      value_.size(), [&](std::size_t v) { return first[v + 1] - first[v]; },
      [&](std::size_t v, std::size_t i) { return successor[first[v] + i]; }));
}

bool Lowering::sweep() {
  bool changed = false;
  for (std::size_t c = 0; c < free_components_.num_components(); ++c) {
    const Nodes nodes = free_components_[c];
    changed |= lower(nodes, Pairs::all);
    if (nodes.size() > 1 && lower(nodes, Pairs::free)) {
      changed = true;
      const bool settled = settle_by_sweeps(nodes, Pairs::free) || compute(nodes, Pairs::free);
      if (!settled) level(nodes);
    }
  }
  return changed;
}

void Lowering::settle_everything() {
  const ComponentMembers components = this->components(Pairs::all);
  for (std::size_t c = 0; c < components.num_components(); ++c) {
    const Nodes nodes = components[c];
    const bool changed = lower(nodes, Pairs::all);
    if (changed && nodes.size() > 1) compute(nodes, Pairs::all);
  }
}

// --- along pairs ---------------------------------------------------------------------------------

/// What V(s) may be at most for a pair; infinite if it is no more than that. In a loop all values
/// are the same, so that it is only the chance to leave that lowering V(s) changes anything for.
double Lowering::limit(PairId p) const {
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

/// V ← min(V, limit) over some pairs of some nodes; returns whether anything changed.
bool Lowering::lower(Nodes nodes, Pairs pairs) {
  bool changed = false;
  for (const std::uint32_t node : nodes) {
    const StateId s = state(node);
    if (const std::uint32_t loop = loops_.loop_of(s); loop != none) {
      if (loops_[loop].states.front() == s) changed |= lower_loop(loops_[loop], pairs);
    } else if (counts(s)) {
      changed |= lower_to(s, least_limit(s, pairs));
    }
  }
  return changed;
}

double Lowering::least_limit(StateId s, Pairs pairs) const {
  double least = infinity;
  for (const PairId p : graph_.pairs(s))
    if (is_one_of(p, pairs)) least = std::min(least, limit(p));
  return least;
}

bool Lowering::lower_to(StateId s, double limit) {
  double& value = value_[s.index()];
  if (!(limit < value) || value == infinity) return false;
  value = limit;
  return true;
}

bool Lowering::lower_loop(const graph::ZeroCostLoop& loop, Pairs pairs) {
  double least = infinity;
  for (const StateId s : loop.states)
    least = std::min({least, value_[s.index()], least_limit(s, pairs)});
  bool changed = false;
  for (const StateId s : loop.states)
    changed |= lower_to(s, least);
  return changed;
}

// --- components ----------------------------------------------------------------------------------

/// Lowers until none of the pairs is violated; false if that could not be done.
bool Lowering::compute(Nodes nodes, Pairs pairs) {
  for (const double margin : margins) {
    if (!can_be_factorized(nodes)) return false;
    solve_as_stopping_problem(nodes, pairs, margin);
    if (settle_by_sweeps(nodes, pairs)) return true;
  }
  return false;
}

bool Lowering::settle_by_sweeps(Nodes nodes, Pairs pairs) {
  const int most =
      nodes.size() <= small_component ? most_settling_sweeps_of_small : most_settling_sweeps;
  for (int i = 0; i < most; ++i) {
    if (!lower(nodes, pairs)) return true;
    if (i >= settling_sweeps_after_a_limit && monitor_.reached()) return false;
  }
  return false;
}

bool Lowering::can_be_factorized(Nodes nodes) const {
  return nodes.size() <= factorized_left_;
}

/// Unknowns are states and whole loops.
void Lowering::solve_as_stopping_problem(Nodes nodes, Pairs pairs, double margin) {
  std::vector<StateId> states;
  for (const std::uint32_t node : nodes)
    states.push_back(state(node));
  if (states.size() >= StoppingProblem::many_nodes)
    std::stable_sort(states.begin(), states.end(),
                     [&](StateId a, StateId b) { return value_[a.index()] < value_[b.index()]; });
  std::vector<StateId> representative;
  std::vector<double> stop;
  unknown_.resize(value_.size(), none);
  for (const StateId s : states) {
    if (!counts(s) || unknown_[s.index()] != none) continue;
    loops_.for_each_same(s, [&](StateId member) {
      unknown_[member.index()] = static_cast<std::uint32_t>(stop.size());
    });
    representative.push_back(s);
    stop.push_back(value_[s.index()]);
  }
  StoppingProblem problem(std::move(stop), graph_.threads());
  for (std::uint32_t i = 0; i < representative.size(); ++i)
    loops_.for_each_same(representative[i], [&](StateId s) { add_ways(s, i, pairs, problem); });
  const std::vector<double> x = problem.solve(margin, factorizations_per_problem, monitor_);
  factorized_left_ -= std::min(factorized_left_, problem.factorizations() * nodes.size());
  for (const std::uint32_t node : nodes) {
    const StateId s = state(node);
    const std::uint32_t i = std::exchange(unknown_[s.index()], none);
    if (i != none) lower_to(s, std::max(0.0, x[i]));
  }
}

/// Those of the pairs of s that can lead elsewhere.
void Lowering::add_ways(StateId s, std::uint32_t own, Pairs pairs, StoppingProblem& problem) {
  for (const PairId p : graph_.pairs(s)) {
    const Inequalities::Slack slack = inequalities_.slack(p);
    if (!is_one_of(p, pairs) || slack.slack == infinity) continue;
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
        outside_value += static_cast<long double>(probabilities[k]) * value_[successors[k].index()];
      } else {
        add_term(probabilities[k], to);
      }
    }
    if (leaving == 0) continue;
    // More than the error, of which half must be left on ways that are not taken, and which may grow.
    problem.add_way({own, inequalities_.cost(p), outside, outside_value, 3 * slack.error}, terms_);
  }
}

void Lowering::add_term(double probability, std::uint32_t to) {
  for (StoppingProblem::Term& term : terms_)
    if (term.node == to) {
      term.probability += probability;
      return;
    }
  terms_.push_back({probability, to});
}

/// The way that always works on free pairs: one value for all, as low as anything that free pairs lead to.
void Lowering::level(Nodes nodes) {
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

}  // namespace carl::ssp
