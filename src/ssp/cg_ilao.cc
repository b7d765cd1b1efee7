// CG-iLAO* (Schmalz & Trevizan, 2024; algorithm 1 of the paper): iLAO* on a partial SSP that grows
// in actions as well as in states. Of an expanded state only the active pairs take part in backups.
// An inactive pair (s,a) must be looked at only when it may have become better than V(s):
//
//  - V(s) went up. Looking at all inactive pairs each time would be a full backup, so every state
//    remembers a lower bound on the Q-values of its inactive pairs, their floor; as long as V(s)
//    stays below it, none of them can matter.
//  - The value of a successor went down. Then all pairs that lead to it are suspects, collected in
//    Γ and fixed before the next round: if Q(s,a) < V(s), a is activated and V(s) lowered, which
//    makes suspects of the predecessors of s in turn.
//
// In the same way a backup of s is due only if the value of a successor by an active pair has
// changed since the last one; most of an envelope is settled while its fringe is still growing.
//
// So V(s) ≤ Q(s,a) holds for all pairs of all expanded states whenever Γ is empty, wherever the
// values came from. That is what permits warm starts: after a change of λ all pairs are suspects
// (not only those of states whose value changed, since costs change too), and it permits jumping to
// the exact values of a policy that has stayed the same while its values creep. If policies change
// but values creep all the same (around cycles that are dear to leave), all that is expanded is
// solved at once by topological iteration, as LAO* does after every expansion.

#include <algorithm>

#include "ssp/greedy_envelope.h"
#include "ssp/hopeless_watch.h"
#include "ssp/policy_evaluation.h"
#include "ssp/predecessors.h"
#include "ssp/ssp_algorithm.h"
#include "ssp/topological_iteration.h"

namespace carl::ssp {
namespace {

// Suspects are fixed if they are better by more than this share of ε, or of the value (rounding).
// Without a tolerance a cycle of pairs can lower its values for ever, in ever smaller steps.
constexpr double tolerance_of_epsilon = 1e-3;
constexpr double tolerance_of_value = 1e-14;
// Rounds without a change of policy before its values are computed exactly.
constexpr std::size_t first_patience = 3;
// Backups per expanded state before all states are solved at once: more than that takes.
constexpr std::size_t backups_before_settling = 30;

// A policy that still changes after so many rounds with a residual below ε changes between ties
// that rounding errors tell apart.
constexpr std::size_t most_tied_rounds = 10;

class CgIlao final : public SspAlgorithm {
 public:
  explicit CgIlao(ScalarisedSsp& ssp)
      : ssp_(ssp), graph_(ssp.graph()), envelope_(ssp), predecessors_(graph_) {}

  bool solve(const Consistency& consistency, Limits& limits) override {
    consistency_ = consistency;
    known_ties_.clear();
    HopelessWatch hopeless(ssp_);
    std::size_t patience = first_patience;
    std::size_t unchanged_rounds = 0;
    std::size_t calm_rounds = 0;
    bool settled = false;
    settled_at_ = ssp_.num_backups();
    if (weights_changed_) suspect_everything();
    fix_suspects();
    while (ssp_.value(ssp_.initial_state()) != infinity) {
      find_envelope();
      if (settled && envelope_.fringe().empty() && !new_ties_) return true;
      residual_ = 0;
      policy_changed_ = false;
      if (!expand_fringe(limits) || !back_up_envelope(limits)) return false;
      fix_suspects();
      calm_rounds = residual_ <= consistency.epsilon ? calm_rounds + 1 : 0;
      settled = calm_rounds > 0 &&
                (consistency.strong || !policy_changed_ || calm_rounds > most_tied_rounds);
      unchanged_rounds = policy_changed_ || !envelope_.fringe().empty() ? 0 : unchanged_rounds + 1;
      if (!settled && unchanged_rounds >= patience) {
        const bool proper = jump_to_policy_values();
        fix_suspects();
        unchanged_rounds = 0;
        if (proper) patience *= 2;
      }
      if (!settled && values_creep() && !settle_all(limits)) return false;
      if (hopeless.look()) {
        std::fill(due_.begin(), due_.end(), 1);
        settled = false;
      }
      observe();
    }
    return true;
  }

  void weights_changed() override { weights_changed_ = true; }

 private:
  // --- the envelope -----------------------------------------------------------------------------

  void find_envelope() {
    new_ties_ = false;
    if (!consistency_.strong) return envelope_.traverse();
    known_ties_.resize(graph_.num_pairs(), false);
    envelope_.traverse([&](StateId s, std::vector<PairId>& pairs) {
      const double limit = best_active_pair(s).q + consistency_.epsilon;
      for (const PairId p : graph_.pairs(s)) {
        if (!active_[p.index()] || ssp_.q(p) > limit) continue;
        pairs.push_back(p);
        new_ties_ |= !known_ties_[p.index()];
        known_ties_[p.index()] = true;
      }
    });
  }

  /// A state that has just been expanded has no active pair: its first backup looks at all of them.
  bool expand_fringe(Limits& limits) {
    // Before any of them: what is expanded and not backed up has no choice yet.
    if (graph_.num_expanded() >= consistency_.max_expanded) return false;
    for (const StateId s : envelope_.fringe()) {
      if (limits.reached()) return false;
      const double old = ssp_.value(s);
      if (ssp_.bring_up_to_date(s))
        value_changed(s, old);  // it may not be worth expanding any more
      else
        ssp_.expand(s);
    }
    active_.resize(graph_.num_pairs(), 0);
    suspected_.resize(graph_.num_pairs(), 0);
    floor_.resize(graph_.num_states(), 0.0);
    due_.resize(graph_.num_states(), 1);
    predecessors_.update();
    return true;
  }

  // --- Bellman backups --------------------------------------------------------------------------

  bool back_up_envelope(Limits& limits) {
    for (const StateId s : envelope_.states()) {
      if (!due_[s.index()] || !graph_.is_expanded(s)) continue;
      if (limits.reached()) return false;
      due_[s.index()] = 0;
      Candidate best = best_active_pair(s);
      if (best.q + slack(best.q) >= floor_[s.index()]) look_at_inactive_pairs(s, best);
      assign(s, best);
    }
    return true;
  }

  Candidate best_active_pair(StateId s) const {
    Candidate best;
    for (const PairId p : graph_.pairs(s))
      if (active_[p.index()]) ssp_.take_better({p, ssp_.q(p)}, best);
    return best;
  }

  void look_at_inactive_pairs(StateId s, Candidate& best) {
    candidates_.clear();
    for (const PairId p : graph_.pairs(s))
      if (!active_[p.index()]) {
        candidates_.push_back({p, ssp_.q(p)});
        ssp_.take_better(candidates_.back(), best);
      }
    const double limit = best.q + slack(best.q);
    double floor = infinity;
    for (const Candidate& candidate : candidates_) {
      if (candidate.q <= limit)
        active_[candidate.pair.index()] = 1;
      else
        floor = std::min(floor, candidate.q);
    }
    floor_[s.index()] = floor;
  }

  /// How much worse than the best a pair may be and still count as tied.
  double slack(double q) const {
    return consistency_.strong ? consistency_.epsilon : ScalarisedSsp::tie * std::max(1.0, q);
  }

  void assign(StateId s, const Candidate& best) {
    const double old = ssp_.value(s);
    policy_changed_ |= best.pair != ssp_.choice(s);
    const double change = ssp_.assign(s, best);
    residual_ = std::max(residual_, change);
    if (change > 0) value_changed(s, old);
  }

  /// All that depends on the value of s is due, and suspect if the value fell.
  void value_changed(StateId s, double old) {
    const bool fell = ssp_.value(s) < old;
    predecessors_.for_each(s, [&](PairId p) {
      if (active_[p.index()]) due_[graph_.state(p).index()] = 1;
      if (fell) suspect(p);
    });
  }

  // --- Γ ----------------------------------------------------------------------------------------

  void suspect(PairId p) {
    if (suspected_[p.index()]) return;
    suspected_[p.index()] = 1;
    suspects_.push_back(p);
  }

  /// After a change of λ or of all values. Pairs met later tend to be nearer to the goal, so they
  /// come first.
  void suspect_everything() {
    std::fill(active_.begin(), active_.end(), 0);
    std::fill(floor_.begin(), floor_.end(), infinity);
    std::fill(due_.begin(), due_.end(), 1);
    for (std::size_t s = 0; s < graph_.num_states(); ++s)
      if (graph_.is_expanded(StateId(s)) && ssp_.choice(StateId(s)).valid())
        active_[ssp_.choice(StateId(s)).index()] = 1;
    for (std::size_t p = graph_.num_pairs(); p-- > 0;)
      suspect(PairId(p));
    weights_changed_ = false;
  }

  void fix_suspects() {
    while (!suspects_.empty()) {
      suspects_.swap(being_fixed_);
      for (const PairId p : being_fixed_) {
        suspected_[p.index()] = 0;
        fix(p);
      }
      being_fixed_.clear();
    }
  }

  void fix(PairId p) {
    const StateId s = graph_.state(p);
    const double value = ssp_.value(s);
    const double q = ssp_.q(p);
    const double tolerance =
        std::max(tolerance_of_epsilon * consistency_.epsilon, tolerance_of_value * value);
    if (q < value - tolerance) {
      active_[p.index()] = 1;
      assign(s, {p, q});
    } else if (!active_[p.index()]) {
      if (q <= value + slack(value))
        active_[p.index()] = 1;
      else
        floor_[s.index()] = std::min(floor_[s.index()], q);
    }
  }

  // --- slow convergence -------------------------------------------------------------------------

  /// False if the policy has no values, because it goes round in circles.
  bool jump_to_policy_values() {
    if (!ssp_.greedy_policy_is_closed()) return true;
    const Policy policy = ssp_.greedy_policy();
    const Evaluation evaluation = evaluate(graph_, policy);
    if (!evaluation.proper) {
      if (ssp_.escape_traps()) std::fill(due_.begin(), due_.end(), 1);
      return false;
    }
    const std::size_t stride = graph_.num_costs();
    for (std::size_t i = 0; i < policy.size(); ++i) {
      const StateId s = policy.state(i);
      const double old = ssp_.value(s);
      ssp_.set_vector(s, std::span(evaluation.values).subspan(i * stride, stride));
      value_changed(s, old);
    }
    return true;
  }

  bool values_creep() const {
    return ssp_.num_backups() - settled_at_ > backups_before_settling * graph_.num_expanded();
  }

  bool settle_all(Limits& limits) {
    TopologicalIteration iteration(ssp_, TopologicalIteration::Values::scalars);
    iteration.start();
    if (!iteration.solve(consistency_.epsilon, limits, observer())) return false;
    suspect_everything();
    if (!ssp_.has_scalar_residual()) jump_to_policy_values();
    fix_suspects();
    settled_at_ = ssp_.num_backups();
    return true;
  }

  ScalarisedSsp& ssp_;
  const SearchGraph& graph_;
  GreedyEnvelope envelope_;
  Predecessors predecessors_;
  Consistency consistency_;
  std::vector<std::uint8_t> active_;     // per pair
  std::vector<std::uint8_t> suspected_;  // per pair: is it in Γ?
  std::vector<double> floor_;            // per state: no inactive pair has a Q below this
  std::vector<std::uint8_t> due_;        // per state: would a backup change anything?
  std::vector<PairId> suspects_;         // Γ
  std::vector<PairId> being_fixed_;
  std::vector<Candidate> candidates_;
  std::vector<bool> known_ties_;  // per pair; strong ε-consistency only
  std::size_t settled_at_ = 0;    // backups done when all states were solved last
  double residual_ = 0;
  bool policy_changed_ = false;
  bool new_ties_ = false;
  bool weights_changed_ = false;
};

}  // namespace

std::unique_ptr<SspAlgorithm> make_cg_ilao(ScalarisedSsp& ssp) {
  return std::make_unique<CgIlao>(ssp);
}

}  // namespace carl::ssp
