// The scalarised SSP of a CSSP (definition 1 of the paper): the search graph with costs
// [1 λ]·C(a), and a value per state. Values are vectors, one entry per cost, so that solving for
// one λ evaluates the policy for every cost; what algorithms compare is the projection
// V_λ(s) = [1 λ]·V(s), kept beside them. Graph and vectors survive a change of λ.
//
// Backups compute scalars for all actions and the vector of the best one alone.
#ifndef CARL_SSP_SCALARISED_SSP_H
#define CARL_SSP_SCALARISED_SSP_H

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "graph/proper_region.h"
#include "heuristics/heuristic.h"
#include "ssp/graph_names.h"
#include "ssp/policy.h"

namespace carl::ssp {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// A pair and its Q-value.
struct Candidate {
  PairId pair;
  double q = infinity;
};

class ScalarisedSsp {
 public:
  /// Relative difference below which two Q-values are tied. Far below any ε: at ε itself policies
  /// can cycle, or be improper.
  static constexpr double tie = 1e-12;

  /// States of the graph may be expanded already.
  ScalarisedSsp(SearchGraph& graph, heuristics::Heuristic& heuristic,
                std::span<const double> weights);

  /// [1 λ]: one weight per cost. Vectors of expanded states stay, their projections change. If the
  /// heuristic depends on λ, fringe states keep what remains a lower bound of their old value.
  void set_weights(std::span<const double> weights);
  std::span<const double> weights() const { return weights_; }

  SearchGraph& graph() { return graph_; }
  const SearchGraph& graph() const { return graph_; }
  StateId initial_state() const { return graph_.initial_state(); }

  /// Generates the actions of a fringe state and evaluates the heuristic on new states. A state
  /// that the heuristic knows to be a dead end only gets the action of giving up.
  void expand(StateId state);
  /// Expands everything reachable; false if a limit ended it.
  bool expand_all(Monitor& monitor);
  /// To be called when somebody else has discovered states of the graph.
  void learn_states();
  /// Neither expanded nor a goal, and not known to be hopeless.
  bool is_fringe(StateId s) const {
    return !graph_.is_expanded(s) && !graph_.is_goal(s) && value(s) != infinity;
  }

  /// Evaluates a fringe state again if its value is of an older λ or another heuristic: to be done
  /// before it is expanded, since most fringe states are not worth it. Returns whether the value
  /// has changed.
  bool bring_up_to_date(StateId s);
  /// The same for all outcomes of a pair: to be done before a value is lowered to its Q, which may
  /// be that low only because estimates are of another λ.
  bool bring_up_to_date(PairId p);
  /// Another heuristic from now on.
  void change_heuristic(heuristics::Heuristic& heuristic);

  /// To be called when other pairs of the graph are masked than before. Values stay, as those of
  /// another λ do; who had no hope may have some now.
  void pairs_changed();

  double value(StateId s) const { return scalar_[s.index()]; }
  const std::vector<double>& values() const { return scalar_; }
  std::span<const double> vector(StateId s) const {
    return std::span(vector_).subspan(s.index() * stride_, stride_);
  }
  /// Of all states, one after the other.
  const std::vector<double>& vectors() const { return vector_; }
  double cost(PairId p) const { return row_cost_[graph_.cost_row(p)]; }
  /// Counted as work of the search, as all that follows is; q_value() does without.
  double q(PairId p) {
    ++num_q_values_;
    return q_value(graph_, p, cost(p), [&](StateId s) { return value(s); });
  }

  /// V(s) - Q(s,a), and the sizes of what it is the sum of. Taken from differences of values, which
  /// lose no digits where all of them are large.
  struct Advantage {
    double gain;
    double size;
  };
  Advantage advantage(PairId p) {
    ++num_q_values_;
    const double own = value(graph_.state(p));
    long double sum = cost(p);
    long double size = sum;
    const auto successors = graph_.successors(p);
    const auto probabilities = graph_.probabilities(p);
    for (std::size_t k = 0; k < successors.size(); ++k) {
      const long double part = static_cast<long double>(probabilities[k]) *
                               (static_cast<long double>(value(successors[k])) - own);
      sum += part;
      size += part < 0 ? -part : part;
    }
    if (graph_.ends(p)) {
      sum -= own;
      size += own;
    }
    return {static_cast<double>(-sum), static_cast<double>(size)};
  }

  /// Takes `candidate` into `best` if it is better: a smaller Q, or tied and smaller in the first
  /// cost that tells them apart. Offered in order, ties go to the first.
  void take_better(const Candidate& candidate, Candidate& best) {
    const double tolerance = candidate.q == infinity ? 0.0 : tie * candidate.q;
    if (candidate.q < best.q - tolerance || (best.q == infinity && candidate.q != infinity) ||
        !best.pair.valid())
      best = candidate;
    else if (stride_ > 1 && candidate.q <= best.q + tolerance && candidate.q != infinity &&
             wins_tie(candidate.pair, best.pair))
      best = candidate;
  }
  /// The best of all pairs of a state.
  Candidate best_pair(StateId s) {
    Candidate best;
    for (const PairId p : graph_.pairs(s))
      take_better({p, q(p)}, best);
    return best;
  }

  /// The residual is the largest change of the value and any component, as in the paper, so that
  /// values of all costs converge; or that of the scalar value, which is all that matters to
  /// whoever evaluates policies exactly. Among tied policies components change long after scalars
  /// have settled.
  void use_scalar_residual(bool on = true) { scalar_residual_ = on; }
  bool has_scalar_residual() const { return scalar_residual_; }

  /// V(s) ← Q(s,a) as vectors, and a becomes the greedy choice. Returns the residual.
  double assign(StateId s, const Candidate& best);
  /// What assign() would return.
  double residual(StateId s, const Candidate& best);
  /// V(s) ← a vector computed elsewhere.
  void set_vector(StateId s, std::span<const double> vector);

  /// The same for the scalar value alone, several times cheaper. Vectors lag behind then, and all
  /// that a change of λ takes from them is their direction: V_λ'(s) = V_λ(s) + (λ' - λ)·V(s). Ties
  /// go to the choice made before.
  double assign_best_value(StateId s);
  void assign_value(StateId s, double value) {
    let_vectors_lag();
    scalar_[s.index()] = value;
  }
  /// What assign_value() does, in two steps: the first once, the second by several threads at a time,
  /// each for states of its own.
  void let_vectors_lag() { vectors_lag_ = true; }
  void store_value(StateId s, double value) { scalar_[s.index()] = value; }
  void set_choice(StateId s, PairId p) { choice_[s.index()] = p; }

  PairId choice(StateId s) const { return choice_[s.index()]; }
  /// The envelope of the greedy choices. Closed if greedy_policy_is_closed().
  Policy greedy_policy() const {
    return deterministic_envelope(graph_, graph_.initial_state(), choice_);
  }
  /// False if the greedy choices lead to a fringe state or nowhere.
  bool greedy_policy_is_closed() const;
  /// Where the equations of a policy cannot be solved in doubles nothing is promised of values;
  /// whoever evaluates the policy finds that out.
  void note_beyond_doubles() { beyond_doubles_ = true; }
  bool is_beyond_doubles() const { return beyond_doubles_; }
  /// Whether an infinite value of the initial state says that no policy reaches the goal for certain.
  /// Otherwise policies do that are too expensive for doubles.
  bool goal_is_out_of_reach(Monitor& monitor) const;

  /// One sweep of V(s) ← min(V(s), Q(s,a)) where the difference exceeds the tolerance. False if a
  /// limit ended it.
  bool lower_to_best(double tolerance, bool& changed, Monitor& monitor);

  /// Where greedy choices lead round in circles, values rise by no more than a step's cost per
  /// backup, however costly the way out is. This raises them at once: to leave a set of states that
  /// greedy choices never leave, some pair with an outcome outside must be used, so the cheapest of
  /// those is a lower bound for all of them. Keeps admissible values admissible. Returns whether
  /// anything changed.
  bool escape_traps();

  /// Gives the value ∞ to expanded states from which no policy reaches, with certainty, a goal or a
  /// fringe state. Their values would rise for ever. Returns whether there were new ones.
  bool mark_hopeless(Monitor& monitor);
  /// The same in two steps.
  graph::ProperRegion hopeful_region(Monitor& monitor) const;
  bool mark_hopeless(const graph::ProperRegion& hopeful);

  const heuristics::Heuristic& heuristic() const { return *heuristic_; }
  void count_backups(std::size_t n) { num_backups_ += n; }
  void count_q_values(std::size_t n) { num_q_values_ += n; }
  std::size_t num_backups() const { return num_backups_; }
  std::size_t num_q_values() const { return num_q_values_; }
  double heuristic_seconds() const { return heuristic_seconds_; }
  /// About how many instructions have gone into this search, by what has been counted: not a matter
  /// of clocks, so that what depends on it can be repeated.
  std::size_t work() const;

 private:
  void take_over_expanded_states();
  bool expand_blindly(Monitor& monitor);
  void evaluate_all();
  void learn_costs();
  void evaluate(StateId s);
  void evaluate(std::span<const StateId> states);
  void learn_estimate(StateId s, bool is_hopeful);
  void evaluate_if_new(StateId s);
  bool is_to_be_evaluated(StateId s);
  bool bring_up_to_date(std::span<const StateId> states);
  void evaluate_successors(StateId state);
  double project(StateId s) const;
  bool wins_tie(PairId candidate, PairId best);
  template <class Inside>
  bool raise_if_trap(const Policy& policy, std::span<const std::uint32_t> members, Inside inside);

  SearchGraph& graph_;
  heuristics::Heuristic* heuristic_;
  std::size_t stride_;
  std::vector<double> weights_;
  std::vector<double> vector_;     // stride_ per state
  std::vector<double> scalar_;     // per state
  std::vector<bool> evaluated_;    // per state: has anything led to it?
  std::vector<bool> outdated_;     // per state: is its estimate of another λ or heuristic?
  std::vector<bool> dead_end_;     // per state, as far as the heuristic knows
  std::vector<PairId> choice_;     // per state
  std::vector<double> row_cost_;   // per cost row of the graph
  std::vector<StateId> at_hand_;   // of which the heuristic is asked
  std::vector<double> estimates_;  // of these, stride_ each
  std::vector<std::uint8_t> is_hopeful_;
  std::vector<double> old_values_;
  std::vector<double> q_vector_;        // scratch
  std::vector<double> other_q_vector_;  // scratch
  bool scalar_residual_ = false;
  bool vectors_lag_ = false;
  bool beyond_doubles_ = false;
  std::size_t num_backups_ = 0;
  std::size_t num_q_values_ = 0;
  std::size_t work_of_other_heuristics_ = 0;
  double heuristic_seconds_ = 0;
};

/// Tells who watches how far a search is.
void report_search(const ScalarisedSsp& ssp, Monitor& monitor);

}  // namespace carl::ssp

#endif
