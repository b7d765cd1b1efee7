// CG-iLAO*, as it is in algorithm 1 of J. Schmalz and F. Trevizan, "Solving Constrained Stochastic
// Shortest Path Problems with Scalarisation", ECAI 2025; first in J. Schmalz and F. Trevizan,
// "Efficient Constraint Generation for Stochastic Shortest Path Problems", AAAI 2024. This is the
// plain form, to be read beside the paper and compared with; incremental_cg_ilao.cc is the fast
// one.
//
// iLAO* computes the Q-values of all actions in every backup, though most actions of a state are
// never of use. CG-iLAO* works on a partial SSP Ŝ, which grows in actions as well as in states. In
// the LP whose constraints are V(s) ≤ Q(s,a) that is constraint generation: an action is added
// when its constraint is violated. Γ holds the pairs whose constraint may be: all of s when V(s)
// has gone up, all that lead to s when V(s) has gone down.
//
// What the paper leaves open or takes for granted:
//  - V and Ŝ stay from one scalarisation to the next. The paper then puts into Γ what belongs to
//    states whose value has changed; costs change too, so here it is every pair.
//  - λ-heuristics are of one λ. Fringe states are evaluated anew when they are met, and before a
//    value is lowered because of them: most of them are never looked at again.
//  - Violations far below ε are left alone: around a cycle they could shrink for ever.
//  - Γ is empty after each round: what fixing a violation adds to Γ is fixed in turn.
//  - Dead ends, free actions and values that settle very slowly do not exist in theory. They are
//    treated as in iLAO*, in help_along().
// Strong ε-consistency is that of the paper's section on finding an optimal value function.

#include <algorithm>
#include <cmath>

#include "graph/predecessors.h"
#include "ssp/greedy_envelope.h"
#include "ssp/hopeless_watch.h"
#include "ssp/ssp_algorithm.h"

namespace carl::ssp {
namespace {

// Violations up to this share of ε, or of the value (rounding), are left alone.
constexpr double tolerance_of_epsilon = 1e-3;
constexpr double tolerance_of_value = 1e-14;

// Rounds without a fringe after which the policy may be going round in circles.
constexpr std::size_t rounds_before_escape = 8;

// A policy that still changes after so many rounds with a residual below ε changes between ties
// that rounding errors tell apart.
constexpr std::size_t most_tied_rounds = 10;

class CgIlao final : public SspAlgorithm {
 public:
  explicit CgIlao(ScalarisedSsp& ssp)
      : SspAlgorithm(ssp), graph_(ssp.graph()), envelope_(ssp), predecessors_(graph_) {
    ssp.graph().index_states();
  }

  void weights_changed() override {}  // every search begins with all pairs in Γ

 protected:
  bool search(const Consistency& consistency, Monitor& monitor) override {
    consistency_ = consistency;
    calm_rounds_ = closed_rounds_ = 0;
    HopelessWatch hopeless(ssp_);
    // Ŝ ← partial SSP containing only s0, V ← value function initialised by h; or what is left of
    // the last search.
    check_everything();
    if (!fix_violations(monitor)) return false;
    while (ssp_.value(ssp_.initial_state()) != infinity) {  // repeat
      residual_ = 0;
      policy_changed_ = false;
      // π, π_old ← greedy policy for V, restricted to Ŝ
      // E ← post-order DFS traversal of π from s0
      find_envelope();
      // Ŝ, E, π ← expand fringes of E
      if (!expand_fringes(monitor)) return false;
      // V, RES, π, Γ ← apply Bellman backups over E, recording increases and decreases in Γ
      if (!back_up_envelope(monitor)) return false;
      // V, RES, Γ, Ŝ ← fix cases of V(s) > Q(s,a) in Γ
      if (!fix_violations(monitor)) return false;
      // until fringes(E) = ∅ and π_old = π and RES ≤ ε
      if (has_converged()) return true;
      if (!help_along(hopeless, monitor)) return false;
      report(monitor);
    }
    return true;  // V says that there is no proper policy
  }

 private:
  /// Greedy choices are kept with the values: a backup makes its minimiser the choice.
  void find_envelope() {
    if (!consistency_.strong) return envelope_.traverse();
    envelope_.traverse([&](StateId s, std::vector<PairId>& pairs) {
      for_tied_pairs(s, [&](PairId p) { pairs.push_back(p); });
    });
  }

  /// tied(s) of the paper's section on strong ε-consistency.
  template <class Visit>
  void for_tied_pairs(StateId s, Visit visit) const {
    const double limit = best_in_partial_ssp(s).q + consistency_.epsilon;
    for (const PairId p : graph_.pairs(s))
      if (in_partial_ssp_[p.index()] && ssp_.q(p) <= limit) visit(p);
  }

  bool expand_fringes(Monitor& monitor) {
    for (const StateId s : envelope_.fringe()) {
      if (monitor.reached()) return false;
      if (ssp_.bring_up_to_date(s)) continue;  // it may not be worth expanding any more
      ssp_.expand(s);
      learn_pairs();
      add_best_pair(s);
    }
    return true;
  }

  void learn_pairs() {
    in_partial_ssp_.resize(graph_.num_pairs(), false);
    in_gamma_.resize(graph_.num_pairs(), false);
    predecessors_.update();
  }

  /// Of a state that is new in Ŝ only the minimiser is added, with all ties for strong
  /// ε-consistency. Q is ∞ if no action is applicable, or all lead into dead ends.
  Candidate add_best_pair(StateId s) {
    const Candidate best = ssp_.best_pair(s);
    if (best.pair.valid()) in_partial_ssp_[best.pair.index()] = true;
    ssp_.set_choice(s, best.pair);
    if (consistency_.strong) check_pairs_of(s);
    return best;
  }

  bool back_up_envelope(Monitor& monitor) {
    for (const StateId s : envelope_.states()) {
      if (monitor.reached()) return false;
      if (!graph_.is_expanded(s)) continue;
      const double old = ssp_.value(s);
      Candidate best = best_in_partial_ssp(s);
      // All that Ŝ has of s leads into dead ends. States on a cycle that once had the value ∞ would
      // keep it, whatever other actions there are, so one is added before.
      if (best.q == infinity) best = add_best_pair(s);
      assign(s, best);
      if (ssp_.value(s) > old) check_pairs_of(s);
    }
    return true;
  }

  Candidate best_in_partial_ssp(StateId s) const {
    Candidate best;
    for (const PairId p : graph_.pairs(s))
      if (in_partial_ssp_[p.index()]) ssp_.take_better({p, ssp_.q(p)}, best);
    return best;
  }

  /// V(s) ← Q(s,a), as vectors.
  void assign(StateId s, const Candidate& best) {
    const double old = ssp_.value(s);
    policy_changed_ |= best.pair != ssp_.choice(s);
    residual_ = std::max(residual_, ssp_.assign(s, best));
    if (ssp_.value(s) < old) predecessors_.for_each(s, [&](PairId p) { check(p); });
  }

  // --- Γ ----------------------------------------------------------------------------------------

  void check(PairId p) {
    if (in_gamma_[p.index()]) return;
    in_gamma_[p.index()] = true;
    gamma_.push_back(p);
  }

  /// Those in Ŝ have just been looked at.
  void check_pairs_of(StateId s) {
    for (const PairId p : graph_.pairs(s))
      if (!in_partial_ssp_[p.index()]) check(p);
  }

  /// Wherever values and choices come from: another λ or ε, a search that a limit ended, or
  /// settle_exactly(). Pairs found later tend to be nearer to the goal, so they come first.
  void check_everything() {
    learn_pairs();
    for (std::size_t s = 0; s < graph_.num_states(); ++s)
      if (graph_.is_expanded(StateId(s)) && ssp_.value(StateId(s)) != infinity)
        keep_choice(StateId(s));
    gamma_.clear();
    std::fill(in_gamma_.begin(), in_gamma_.end(), false);
    graph_.for_each_pair_backwards([&](PairId p) { check(p); });
  }

  /// The greedy choice of an expanded state is in Ŝ. A state has none if a limit ended a search
  /// just after its expansion.
  void keep_choice(StateId s) {
    if (!ssp_.choice(s).valid()) ssp_.assign(s, ssp_.best_pair(s));
    if (ssp_.choice(s).valid()) in_partial_ssp_[ssp_.choice(s).index()] = true;
  }

  bool fix_violations(Monitor& monitor) {
    while (!gamma_.empty()) {
      if (values_creep() && !settle_everything(monitor)) return false;
      being_fixed_.clear();
      being_fixed_.swap(gamma_);
      for (const PairId p : being_fixed_) {
        if (monitor.reached()) return false;
        in_gamma_[p.index()] = false;
        fix(p);
      }
    }
    return true;
  }

  void fix(PairId p) {
    const StateId s = graph_.state(p);
    const double value = ssp_.value(s);
    if (value == infinity) return;  // a dead end
    double q = ssp_.q(p);
    if (q < value - tolerance(value) && ssp_.bring_up_to_date(p)) q = ssp_.q(p);
    if (q < value - tolerance(value)) {
      in_partial_ssp_[p.index()] = true;
      assign(s, {p, q});
    } else if (consistency_.strong && q <= value + consistency_.epsilon) {
      in_partial_ssp_[p.index()] = true;
    }
  }

  double tolerance(double value) const {
    return std::max(tolerance_of_epsilon * consistency_.epsilon, tolerance_of_value * value);
  }

  // --- the end ----------------------------------------------------------------------------------

  bool has_converged() {
    const bool closed = envelope_.fringe().empty();
    const bool calm = residual_ <= consistency_.epsilon;
    closed_rounds_ = closed ? closed_rounds_ + 1 : 0;
    calm_rounds_ = calm ? calm_rounds_ + 1 : 0;
    if (!closed || !calm) return false;
    if (calm_rounds_ > most_tied_rounds) return policy_is_consistent();
    return consistency_.strong ? ties_stay_in_envelope() : !policy_changed_;
  }

  /// A policy that has changed in the last round may lead to states that were not backed up in it.
  bool policy_is_consistent() const {
    if (!ssp_.greedy_policy_is_closed()) return false;
    const Policy policy = ssp_.greedy_policy();
    for (std::size_t i = 0; i < policy.size(); ++i) {
      const StateId s = policy.state(i);
      const double residual = std::abs(ssp_.q(ssp_.choice(s)) - ssp_.value(s));
      if (residual > consistency_.epsilon + tolerance_of_value * ssp_.value(s)) return false;
    }
    return true;
  }

  /// What strong ε-consistency has instead of π_old = π: no new action leads out of E.
  bool ties_stay_in_envelope() const {
    bool stay = true;
    for (const StateId s : envelope_.states())
      for_tied_pairs(s, [&](PairId p) {
        for (const StateId t : graph_.successors(p))
          stay &= envelope_.contains(t) || graph_.is_goal(t) || ssp_.value(t) == infinity;
      });
    return stay;
  }

  /// What theory excludes: circles that are expensive to leave, states without a proper policy,
  /// values that take very many backups to settle. False if a limit ended it.
  bool help_along(HopelessWatch& hopeless, Monitor& monitor) {
    if (closed_rounds_ % rounds_before_escape == rounds_before_escape - 1) ssp_.escape_traps();
    hopeless.look(monitor);
    return !values_creep() || settle_everything(monitor);
  }

  bool settle_everything(Monitor& monitor) {
    if (!settle_exactly(monitor)) return false;
    check_everything();
    return true;
  }

  const SearchGraph& graph_;
  GreedyEnvelope envelope_;  // E
  graph::Predecessors predecessors_;
  Consistency consistency_;
  std::vector<bool> in_partial_ssp_;  // per pair: is it in Ŝ?
  std::vector<PairId> gamma_;         // Γ
  std::vector<bool> in_gamma_;        // per pair
  std::vector<PairId> being_fixed_;
  double residual_ = 0;          // RES
  bool policy_changed_ = false;  // in this round
  std::size_t calm_rounds_ = 0;
  std::size_t closed_rounds_ = 0;
};

}  // namespace

std::unique_ptr<SspAlgorithm> make_cg_ilao(ScalarisedSsp& ssp) {
  return std::make_unique<CgIlao>(ssp);
}

}  // namespace carl::ssp
