#include "ssp/topological_iteration.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "graph/components.h"
#include "util/strongly_connected.h"

namespace carl::ssp {
namespace {

// The policy that all begins with is evaluated to this accuracy: it is a bad one anyway.
constexpr double first_residual = 1e-2;
constexpr int max_first_sweeps = 200;
constexpr double first_factor = 1e-4;  // by Krylov methods: of the residual before
// If those have failed so many times in a row, they are not tried again.
constexpr std::uint8_t most_failures = 3;
// Later ones until their residual is so much below that of the last sweep over all actions.
constexpr double worthwhile = 0.005;
constexpr int max_policy_sweeps = 100;
// From the wrong values modified policy iteration could go on for ever. Value iteration cannot: it
// takes over after so many rounds.
constexpr std::size_t max_modified_rounds = 1000;
// Where there are only sweeps over all actions, their pace is judged after so many.
constexpr int rounds_per_judgement = 50;
constexpr double rounding = 1e-14;

// A round is slow if sweeps would have to go on for so many times to do what is asked for. Several
// such rounds in a row make a component slow: in a wide one, news has to travel first. Above the
// largest size the fill-in of factorizations takes more memory than there is.
constexpr double many_sweeps = 1000;
constexpr std::size_t small_component = 2'000;
constexpr std::size_t medium_component = 100'000;
constexpr std::size_t largest_component = 500'000;
constexpr std::uint8_t slow_rounds_of_small = 1;
constexpr std::uint8_t slow_rounds_of_medium = 8;
constexpr std::uint8_t slow_rounds_of_large = 30;

// Policy iteration: sweeps between evaluations, and evaluations that brought no progress before it
// ends, since then only rounding errors are left to improve upon.
constexpr int improving_sweeps = 4;
constexpr int most_fruitless_evaluations = 3;
// Improvements count if they exceed rounding errors of the value and of the step.
constexpr double rounding_of_value = 1e-15;
constexpr double rounding_of_step = 1e-13;
// Vectors may take some rounds to settle among tied actions.
constexpr int most_tied_rounds = 20;

/// Sweeps needed for a change of `target` if the last `sweeps` have brought it from `before` to
/// `now`.
double sweeps_needed(double before, double now, int sweeps, double target) {
  if (now <= target) return 0;
  if (!(now < before)) return std::numeric_limits<double>::infinity();
  return std::log(target / now) / std::log(now / before) * sweeps;
}

}  // namespace

// --- the greedy equations ------------------------------------------------------------------------

double GreedyEquations::solve(ScalarisedSsp& ssp, std::span<const StateId> component,
                              double residual, int max_sweeps, Monitor& monitor) {
  write_down(ssp, component);
  double half_way = 0;
  double change = 2 * residual;
  for (int i = 0; i < max_sweeps && change > residual && !monitor.reached(); ++i) {
    change = sweep();
    if (i == max_sweeps / 2) half_way = change;
    ssp.count_backups(component.size());
  }
  for (std::size_t i = 0; i < component.size(); ++i)
    ssp.assign_value(component[i], value_[i]);
  return sweeps_needed(half_way, change, max_sweeps / 2, residual);
}

void GreedyEquations::write_down(const ScalarisedSsp& ssp, std::span<const StateId> component) {
  const SearchGraph& graph = ssp.graph();
  position_.resize(graph.num_states(), outside);
  value_.resize(component.size());
  constant_.resize(component.size());
  last_term_.resize(component.size());
  leaves_.assign(component.size(), false);
  total_.resize(component.size());
  terms_.clear();
  for (std::size_t i = 0; i < component.size(); ++i)
    position_[component[i].index()] = static_cast<std::uint32_t>(i);
  for (std::size_t i = 0; i < component.size(); ++i) {
    const PairId p = ssp.choice(component[i]);
    const auto successors = graph.successors(p);
    const auto probabilities = graph.probabilities(p);
    value_[i] = ssp.value(component[i]);
    leaves_[i] = graph.ends(p);
    total_[i] =
        graph.ends(p) ? 1.0L : std::accumulate(probabilities.begin(), probabilities.end(), 0.0L);
    constant_[i] = ssp.cost(p);
    for (std::size_t k = 0; k < successors.size(); ++k) {
      const std::uint32_t position = position_[successors[k].index()];
      if (position == outside) {  // its value is final
        constant_[i] += probabilities[k] * ssp.value(successors[k]);
        leaves_[i] = true;
      } else {
        terms_.push_back({probabilities[k], position});
      }
    }
    last_term_[i] = terms_.size();
  }
  for (const StateId s : component)
    position_[s.index()] = outside;
}

double GreedyEquations::sweep() {
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

/// Those from which the choices can lead out of the component. If it is all of them, the equations
/// have one solution.
std::vector<bool> GreedyEquations::leaving_positions() const {
  std::vector<std::uint32_t> first(value_.size() + 1, 0);
  for (const Term& term : terms_)
    ++first[term.position + 1];
  for (std::size_t i = 0; i < value_.size(); ++i)
    first[i + 1] += first[i];
  std::vector<std::uint32_t> source(terms_.size());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  std::size_t term = 0;
  for (std::uint32_t i = 0; i < value_.size(); ++i)
    for (; term < last_term_[i]; ++term)
      source[next[terms_[term].position]++] = i;
  std::vector<bool> reached = leaves_;
  std::vector<std::uint32_t> queue;
  for (std::uint32_t i = 0; i < value_.size(); ++i)
    if (reached[i]) queue.push_back(i);
  for (std::size_t q = 0; q < queue.size(); ++q)
    for (std::uint32_t e = first[queue[q]]; e < first[queue[q] + 1]; ++e)
      if (!reached[source[e]]) {
        reached[source[e]] = true;
        queue.push_back(source[e]);
      }
  return reached;
}

namespace {

/// What comes out of a system that is as good as singular is noise, of both signs.
bool are_costs(const std::vector<double>& values) {
  constexpr double most = 1e100;
  constexpr double noise = 1e-6;
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  return *largest <= most && *least >= -noise * std::max(1.0, *largest);
}

}  // namespace

bool GreedyEquations::solve_exactly(ScalarisedSsp& ssp, std::span<const StateId> component,
                                    bool vectors, Monitor& monitor) {
  write_down(ssp, component);
  const std::vector<bool> leaving = leaving_positions();
  if (std::find(leaving.begin(), leaving.end(), false) != leaving.end()) return false;
  Matrix matrix;
  std::size_t term = 0;
  for (std::size_t i = 0; i < component.size(); ++i) {
    matrix.column.push_back(static_cast<int>(i));
    matrix.value.push_back(1.0);
    matrix.diagonal.push_back(total_[i]);
    for (; term < last_term_[i]; ++term) {
      matrix.column.push_back(static_cast<int>(terms_[term].position));
      matrix.value.push_back(-terms_[term].probability);
    }
    matrix.first.push_back(static_cast<int>(matrix.column.size()));
  }
  Factorization factorization(matrix, {.monitor = &monitor});
  if (!factorization.ok()) return false;
  ssp.count_backups(component.size());
  if (vectors) {
    solve_vectors(ssp, component, factorization);
  } else {
    const std::vector<double> x = factorization.solve_rows(constant_);
    if (!are_costs(x)) return false;
    for (std::size_t i = 0; i < component.size(); ++i)
      ssp.assign_value(component[i], x[i]);
  }
  return true;
}

void GreedyEquations::solve_vectors(ScalarisedSsp& ssp, std::span<const StateId> component,
                                    Factorization& factorization) {
  const SearchGraph& graph = ssp.graph();
  const std::size_t width = graph.num_costs();
  std::vector<double> right(component.size());
  std::vector<double> vectors(component.size() * width);
  for (std::size_t i = 0; i < component.size(); ++i)
    position_[component[i].index()] = static_cast<std::uint32_t>(i);
  for (std::size_t c = 0; c < width; ++c) {
    for (std::size_t i = 0; i < component.size(); ++i) {
      const PairId p = ssp.choice(component[i]);
      const auto successors = graph.successors(p);
      right[i] = graph.cost(p)[c];
      for (std::size_t k = 0; k < successors.size(); ++k)
        if (position_[successors[k].index()] == outside)
          right[i] += graph.probabilities(p)[k] * ssp.vector(successors[k])[c];
    }
    const std::vector<double> x = factorization.solve_rows(right);
    for (std::size_t i = 0; i < component.size(); ++i)
      vectors[i * width + c] = x[i];
  }
  for (std::size_t i = 0; i < component.size(); ++i) {
    position_[component[i].index()] = outside;
    ssp.set_vector(component[i], std::span(vectors).subspan(i * width, width));
  }
}

void GreedyEquations::make_proper(ScalarisedSsp& ssp, std::span<const StateId> component) {
  write_down(ssp, component);
  std::vector<bool> leaving = leaving_positions();
  const SearchGraph& graph = ssp.graph();
  for (std::size_t i = 0; i < component.size(); ++i)
    position_[component[i].index()] = static_cast<std::uint32_t>(i);
  const auto leads_out = [&](PairId p) {
    const auto successors = graph.successors(p);
    return ssp.q(p) != infinity &&
           (graph.ends(p) || std::any_of(successors.begin(), successors.end(), [&](StateId t) {
              const std::uint32_t position = position_[t.index()];
              return position == outside || leaving[position];
            }));
  };
  // Those near the way out come first in a component, mostly, so that a few passes do.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < component.size(); ++i) {
      if (leaving[i]) continue;
      for (const PairId p : graph.pairs(component[i]))
        if (leads_out(p)) {
          ssp.set_choice(component[i], p);
          leaving[i] = changed = true;
          break;
        }
    }
  }
  for (const StateId s : component)
    position_[s.index()] = outside;
}

// --- component after component -------------------------------------------------------------------

void TopologicalIteration::start(Monitor& monitor) {
  const graph::ProperRegion hopeful = ssp_.hopeful_region(monitor);
  ssp_.mark_hopeless(hopeful);
  find_components(hopeful.order);
  // From below, values rise by no more than the cost of a step in each sweep. Those of a proper
  // policy, even a bad one, come down much faster; but not those of giving up everywhere.
  if (values_ == Values::scalars && !ssp_.graph().cssp().can_give_up() && !monitor.reached())
    start_from(hopeful.choice, monitor);
}

void TopologicalIteration::resume(Monitor& monitor) {
  const graph::ProperRegion hopeful = ssp_.hopeful_region(monitor);
  ssp_.mark_hopeless(hopeful);
  find_components(hopeful.order);
}

/// Within a component states stay in the order given until values tell a better one.
void TopologicalIteration::find_components(const std::vector<StateId>& order) {
  const SearchGraph& graph = ssp_.graph();
  const Components components = graph::strongly_connected_components(graph);
  const auto component_of = [&](StateId s) { return components.of[s.index()]; };
  std::copy_if(order.begin(), order.end(), std::back_inserter(states_),
               [&](StateId s) { return graph.is_expanded(s); });
  std::stable_sort(states_.begin(), states_.end(),
                   [&](StateId a, StateId b) { return component_of(a) < component_of(b); });
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (i == 0 || component_of(states_[i]) != component_of(states_[i - 1])) first_.push_back(i);
  first_.push_back(states_.size());
  slow_rounds_.assign(num_components(), 0);
  failures_.assign(num_components(), 0);
}

void TopologicalIteration::start_from(const std::vector<PairId>& proper_policy, Monitor& monitor) {
  for (const StateId s : states_)
    ssp_.set_choice(s, proper_policy[s.index()]);
  for (std::size_t c = 0; c < num_components() && !monitor.reached(); ++c) {
    if (is_for_krylov(c)) {
      choose_in_order(component(c));
      if (krylov_.evaluate(component(c), first_factor, monitor)) continue;
    }
    equations_.solve(ssp_, component(c), first_residual, max_first_sweeps, monitor);
  }
}

/// Each state chooses what would cost least if outcomes that come later in the order were to lead back to
/// it. That is proper, since all choices may lead on to what came before; a far better policy to begin
/// with than just any, and costs like its values.
void TopologicalIteration::choose_in_order(std::span<const StateId> component) {
  const SearchGraph& graph = ssp_.graph();
  std::vector<bool> is_later(graph.num_states(), false);
  for (const StateId s : component)
    is_later[s.index()] = true;
  for (const StateId s : component) {
    Candidate best;
    for (const PairId p : graph.pairs(s)) {
      double sum = ssp_.cost(p);
      double on = graph.ends(p) ? 1 : 0;
      const auto successors = graph.successors(p);
      for (std::size_t k = 0; k < successors.size(); ++k) {
        if (is_later[successors[k].index()]) continue;
        sum += graph.probabilities(p)[k] * ssp_.value(successors[k]);
        on += graph.probabilities(p)[k];
      }
      if (on > 0 && sum / on < best.q) best = {p, sum / on};
    }
    if (best.pair.valid()) {
      ssp_.set_choice(s, best.pair);
      ssp_.assign_value(s, best.q);
    }
    is_later[s.index()] = false;
  }
}

bool TopologicalIteration::solve(const Consistency& consistency, Monitor& monitor) {
  accepted_loss_ = 0;
  for (std::size_t c = 0; c < num_components(); ++c) {
    const std::size_t size = component(c).size();
    const bool by_policies =
        size > 1 && (is_slow(c) || (consistency.exact && size <= small_component));
    if (!(by_policies ? iterate_policies(c, monitor) : solve_component(c, consistency, monitor)))
      return false;
  }
  return true;
}

bool TopologicalIteration::is_slow(std::size_t c) const {
  const std::size_t size = first_[c + 1] - first_[c];
  if (size <= small_component) return slow_rounds_[c] >= slow_rounds_of_small;
  if (size <= medium_component) return slow_rounds_[c] >= slow_rounds_of_medium;
  return slow_rounds_[c] >= slow_rounds_of_large && size <= largest_component;
}

void TopologicalIteration::judge_pace(std::size_t c, double sweeps_needed) {
  if (sweeps_needed <= many_sweeps)
    slow_rounds_[c] = 0;
  else if (slow_rounds_[c] < slow_rounds_of_large)
    ++slow_rounds_[c];
}

bool TopologicalIteration::is_for_krylov(std::size_t c) const {
  return values_ == Values::scalars && first_[c + 1] - first_[c] >= least_for_krylov_ &&
         failures_[c] < most_failures;
}

bool TopologicalIteration::solve_by_krylov(std::size_t c, const Consistency& consistency,
                                           Monitor& monitor) {
  const bool solved = krylov_.solve(component(c), consistency, monitor);
  if (solved)
    accepted_loss_ = std::max(
        accepted_loss_, krylov_.is_for_policy_alone() ? infinity : consistency.tolerable_loss);
  if (!monitor.reached()) failures_[c] = solved ? 0 : static_cast<std::uint8_t>(failures_[c] + 1);
  return solved;
}

bool TopologicalIteration::solve_component(std::size_t c, const Consistency& consistency,
                                           Monitor& monitor) {
  const double epsilon = consistency.epsilon;
  const std::span<StateId> states = component(c);
  if (is_for_krylov(c) && solve_by_krylov(c, consistency, monitor)) return true;
  double before = 0;
  for (std::size_t round = 0;; ++round) {
    if (states.size() > 1 && round % 2 == 0) sort_by_value(states);
    // To and fro: where another λ turns a policy round, the order of the values is the wrong one.
    const double residual = sweep(states, round % 2 == 0, monitor);
    if (monitor.reached()) return false;
    if (residual <= epsilon || states.size() == 1) return true;
    report_search(ssp_, monitor);
    if (values_ == Values::scalars && round < max_modified_rounds) {
      judge_pace(c,
                 equations_.solve(ssp_, states, worthwhile * residual, max_policy_sweeps, monitor));
    } else if (round % rounds_per_judgement == rounds_per_judgement - 1) {
      judge_pace(c, sweeps_needed(before, residual, rounds_per_judgement, epsilon));
      before = residual;
    }
    if (is_slow(c)) return iterate_policies(c, monitor);
  }
}

/// Howard's policy iteration. Starts from a proper policy and only takes true improvements, so that
/// all policies are proper; where rounding errors make one improper, it is mended.
bool TopologicalIteration::iterate_policies(std::size_t c, Monitor& monitor) {
  const std::span<StateId> states = component(c);
  sort_by_value(states);
  sweep(states, true, monitor);
  long double last = infinity;
  int sweeps = improving_sweeps;
  for (int fruitless = 0; fruitless < most_fruitless_evaluations;) {
    if (monitor.reached()) return false;
    if (!equations_.solve_exactly(ssp_, states, false, monitor)) {
      if (monitor.reached()) return false;
      equations_.make_proper(ssp_, states);
      if (!equations_.solve_exactly(ssp_, states, false, monitor)) {
        ssp_.note_beyond_doubles();
        break;
      }
    }
    if (!improve(states)) break;
    long double sum = 0;
    for (const StateId s : states)
      sum += ssp_.value(s);
    if (!(sum < last)) ++fruitless;
    last = std::min(last, sum);
    for (int i = 0; i < sweeps; ++i)
      sweep_values(states, i % 2 == 0, monitor);
    ++sweeps;
    report_search(ssp_, monitor);
  }
  if (monitor.reached()) return false;
  return values_ == Values::scalars || settle_vectors(states, monitor);
}

/// The best action of every state by the exact values of the policy. Differences of values lose no
/// digits where all of them are large.
bool TopologicalIteration::improve(std::span<const StateId> component) {
  bool improved = false;
  for (const StateId s : component) {
    const double value = ssp_.value(s);
    double best = 0;
    for (const PairId p : ssp_.graph().pairs(s)) {
      if (p == ssp_.choice(s)) continue;
      const auto [gain, size] = ssp_.advantage(p);
      if (gain > best + rounding_of_value * value + rounding_of_step * size) {
        best = gain;
        ssp_.set_choice(s, p);
        improved = true;
      }
    }
  }
  return improved;
}

/// Among tied actions the first cost decides, then the next.
bool TopologicalIteration::settle_vectors(std::span<const StateId> component, Monitor& monitor) {
  for (int round = 0; round < most_tied_rounds; ++round) {
    if (!equations_.solve_exactly(ssp_, component, true, monitor)) return !monitor.reached();
    bool changed = false;
    for (const StateId s : component) {
      const Candidate best = ssp_.best_pair(s);
      changed |= best.pair != ssp_.choice(s);
      ssp_.set_choice(s, best.pair);
    }
    if (monitor.reached()) return false;
    if (!changed) return true;
  }
  return true;
}

void TopologicalIteration::sort_by_value(std::span<StateId> component) const {
  std::stable_sort(component.begin(), component.end(),
                   [&](StateId a, StateId b) { return ssp_.value(a) < ssp_.value(b); });
}

/// Backs up scalar values alone.
void TopologicalIteration::sweep_values(std::span<const StateId> component, bool forward,
                                        Monitor& monitor) {
  for (std::size_t i = 0; i < component.size() && !monitor.reached(); ++i)
    ssp_.assign_best_value(component[forward ? i : component.size() - 1 - i]);
}

/// Backs up every state. Returns the residual.
double TopologicalIteration::sweep(std::span<const StateId> component, bool forward,
                                   Monitor& monitor) {
  double residual = 0;
  for (std::size_t i = 0; i < component.size() && !monitor.reached(); ++i) {
    const StateId s = component[forward ? i : component.size() - 1 - i];
    const double change =
        values_ == Values::scalars ? ssp_.assign_best_value(s) : ssp_.assign(s, ssp_.best_pair(s));
    // Where λ is huge, so are values, and their last digits never come to rest.
    if (change > rounding * std::abs(ssp_.value(s))) residual = std::max(residual, change);
  }
  return residual;
}

}  // namespace carl::ssp
