// Incremental CG-iLAO*: the algorithm of cg_ilao.cc (J. Schmalz and F. Trevizan, "Efficient
// Constraint Generation for Stochastic Shortest Path Problems", AAAI 2024; algorithm 1 of "Solving
// Constrained Stochastic Shortest Path Problems with Scalarisation", ECAI 2025) without the work
// whose result is known beforehand. While the fringe of an envelope is still growing, most of the
// envelope has settled: nearly all backups would change nothing, and nearly all inactive pairs
// that a rise of V(s) makes suspect are far above it.
//
// As there, of an expanded state only the active pairs take part in backups, and an inactive pair
// (s,a) must be looked at only when it may have become better than V(s):
//
//  - V(s) went up. Looking at all inactive pairs each time, as the paper does, would be a full
//    backup, so every state remembers a lower bound on the Q-values of its inactive pairs, their
//    floor; as long as V(s) stays below it, none of them can matter.
//  - The value of a successor went down. Then all pairs that lead to it are suspects, collected in
//    Γ and fixed before the next round: if Q(s,a) < V(s), a is activated and V(s) lowered, which
//    makes suspects of the predecessors of s in turn.
//
// What else differs from the paper:
//
//  - A backup of s is due only if the value of a successor by an active pair has changed since the
//    last one. Changes far below ε are not passed on until they add up.
//  - Most rounds do not traverse the envelope but follow what has changed: new choices lead to new
//    fringe states, due states are kept in a queue by their order in the envelope. What choices
//    have turned away from stays in it until the next traversal; fringe states are expanded only
//    if the way to them still stands.
//  - The values of a policy that has stayed the same while they creep are computed exactly. If
//    policies change but values creep all the same (around cycles that are expensive to leave, or
//    downwards, by Γ alone), all that is expanded is solved at once by topological iteration, as
//    LAO* does after every expansion; exactly, if it happens again.
//
// V(s) ≤ Q(s,a) holds for all pairs of all expanded states whenever Γ is empty, wherever the values
// came from. That is what permits the jump to exact values, and warm starts: after a change of λ
// all pairs are suspects (not only those of states whose value changed, since costs change too).

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/predecessors.h"
#include "ssp/backup_queue.h"
#include "ssp/greedy_envelope.h"
#include "ssp/hopeless_watch.h"
#include "ssp/policy_evaluation.h"
#include "ssp/ssp_algorithm.h"
#include "ssp/topological_iteration.h"

namespace carl::ssp {
namespace {

// Suspects are fixed if they are better by more than this share of ε, or of the value (rounding).
// Without a tolerance a cycle of pairs can lower its values for ever, in ever smaller steps.
constexpr double tolerance_of_epsilon = 1e-3;
constexpr double tolerance_of_value = 1e-14;
// Backups and states followed, per state of the envelope, from one traversal to the next.
constexpr std::size_t work_per_traversal = 4;
// Rounds without a change of policy before its values are computed exactly.
constexpr std::size_t first_patience = 3;
// Suspects looked at from one look at the limits to the next.
constexpr std::size_t suspects_per_poll = 64;

// A policy that still changes after so many rounds with a residual below ε changes between ties
// that rounding errors tell apart.
constexpr std::size_t most_tied_rounds = 10;

/// How near to the end a search is.
struct Calm {
  std::size_t rounds = 0;            // with a residual of at most ε
  std::size_t unchanged_rounds = 0;  // without a fringe or a change of policy
  std::size_t patience = first_patience;
  bool settled = false;
};

class IncrementalCgIlao final : public SspAlgorithm {
 public:
  explicit IncrementalCgIlao(ScalarisedSsp& ssp)
      : SspAlgorithm(ssp),
        graph_(ssp.graph()),
        envelope_(ssp),
        predecessors_(graph_),
        suspect_all_(graph_.num_expanded() > 0) {
    ssp.graph().index_states();
  }

  void weights_changed() override { suspect_all_ = true; }

 protected:
  bool search(const Consistency& consistency, Monitor& monitor) override {
    const bool solved = run(consistency, monitor);
    // Who goes on later cannot know what was about to be done.
    if (!solved && monitor.reached()) suspect_all_ = true;
    return solved;
  }

 private:
  bool run(const Consistency& consistency, Monitor& monitor) {
    // What was too small a difference to look at may not be one any more.
    if (consistency.epsilon < consistency_.epsilon) suspect_all_ = true;
    consistency_ = consistency;
    known_ties_.clear();
    calm_ = {};
    times_settled_ = 0;
    HopelessWatch hopeless(ssp_);
    if (suspect_all_) suspect_everything();
    if (!fix_suspects(monitor)) return false;
    while (ssp_.value(ssp_.initial_state()) != infinity) {
      find_envelope();
      if (calm_.settled && fringe_.empty() && !new_ties_ && due_states_are_consistent())
        return true;
      do {
        residual_ = 0;
        policy_changed_ = false;
        if (!expand_fringe(monitor) || !back_up_envelope(monitor)) return false;
        if (!fix_suspects(monitor)) return false;
        judge_calm();
        if (!calm_.settled && !speed_up(monitor)) return false;
        if (hopeless.look(monitor)) all_due();
        report(monitor);
      } while (follow_changes());
    }
    return true;
  }

  // --- the envelope -----------------------------------------------------------------------------

  void find_envelope() {
    new_ties_ = false;
    if (consistency_.strong)
      follow_ties();
    else
      envelope_.traverse();
    fringe_.assign(envelope_.fringe().begin(), envelope_.fringe().end());
    work_before_traversal_ = work_per_traversal * envelope_.states().size();
    lost_track_ = false;
    changed_.clear();
    later_.clear();
    queue_.clear();
    queue_due_states();
  }

  void follow_ties() {
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

  /// Rounds look at parts of the envelope. What they have left due elsewhere may have a value or a
  /// choice that is no longer right.
  bool due_states_are_consistent() const {
    return queue_.all_of([&](StateId s) {
      const double value = ssp_.value(s);
      const double allowed = consistency_.epsilon + tolerance_of_value * value;
      return std::abs(ssp_.best_pair(s).q - value) <= allowed &&
             std::abs(ssp_.q(ssp_.choice(s)) - value) <= allowed;
    });
  }

  /// Prepares a round on what has changed. False if the envelope had better be traversed: because
  /// there is nothing more to do, or after some work, since by then much of what has been followed
  /// may have lost its use.
  bool follow_changes() {
    if (consistency_.strong || lost_track_ || calm_.settled || work_before_traversal_ == 0)
      return false;
    envelope_.extend(changed_);
    changed_.clear();
    fringe_.assign(envelope_.fringe().begin(), envelope_.fringe().end());
    for (const StateId s : postponed_)
      if (ssp_.is_fringe(s)) fringe_.push_back(s);
    envelope_.keep_reachable(fringe_);
    queue_due_states();
    spend(envelope_.states().size());
    return !fringe_.empty() || !queue_.empty();
  }

  void spend(std::size_t work) { work_before_traversal_ -= std::min(work, work_before_traversal_); }

  /// A state that has just been expanded has no active pair: its first backup looks at all of them.
  bool expand_fringe(Monitor& monitor) {
    // Before any of them: what is expanded and not backed up has no choice yet.
    if (ssp_.work() >= consistency_.max_work) return false;
    rank_at_hand_ = std::numeric_limits<std::int32_t>::min();
    postponed_.clear();
    for (const StateId s : fringe_) {
      if (monitor.reached()) return false;
      if (ssp_.bring_up_to_date(s)) {
        tell_predecessors(s);
        postponed_.push_back(s);  // it may not be worth expanding any more
      } else {
        ssp_.expand(s);
        queue_.add(envelope_.rank(s), s);
      }
    }
    learn_graph();
    return true;
  }

  void learn_graph() {
    active_.resize(graph_.num_pairs(), 0);
    suspected_.resize(graph_.num_pairs(), 0);
    floor_.resize(graph_.num_states(), 0.0);
    due_.resize(graph_.num_states(), 1);
    told_.insert(told_.end(), ssp_.values().begin() + static_cast<std::ptrdiff_t>(told_.size()),
                 ssp_.values().end());
    predecessors_.update();
  }

  // --- Bellman backups --------------------------------------------------------------------------

  bool back_up_envelope(Monitor& monitor) {
    queue_.sort();
    while (!queue_.empty()) {
      if (monitor.reached()) return false;
      const auto [rank, s] = queue_.take();
      rank_at_hand_ = rank;
      due_[s.index()] = 0;
      Candidate best = best_active_pair(s);
      if (best.q + slack(best.q) >= floor_[s.index()]) look_at_inactive_pairs(s, best);
      assign(s, best);
      spend(1);
    }
    for (const StateId s : later_)
      queue_.add(envelope_.rank(s), s);
    later_.clear();
    rank_at_hand_ = std::numeric_limits<std::int32_t>::min();
    return true;
  }

  /// What has just joined the envelope.
  void queue_due_states() {
    for (const StateId s : envelope_.states())
      if (graph_.is_expanded(s) && due_[s.index()]) queue_.add(envelope_.rank(s), s);
  }

  /// States that come earlier in the order are backed up in the next round.
  void make_due(StateId s) {
    if (due_[s.index()]) return;
    due_[s.index()] = 1;
    if (!envelope_.contains(s)) return;
    if (envelope_.rank(s) > rank_at_hand_)
      queue_.add_late(envelope_.rank(s), s);
    else
      later_.push_back(s);
  }

  void all_due() {
    std::fill(due_.begin(), due_.end(), 1);
    told_ = ssp_.values();
    lost_track_ = true;
    calm_.settled = false;
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
    return consistency_.strong ? consistency_.epsilon : ScalarisedSsp::tie * q;
  }

  void assign(StateId s, const Candidate& best) {
    if (best.pair != ssp_.choice(s)) {
      policy_changed_ = true;
      changed_.push_back(s);
    }
    const double change = ssp_.assign(s, best);
    residual_ = std::max(residual_, change);
    if (change > 0 && !may_be_kept_back(s)) tell_predecessors(s);
  }

  /// Is what predecessors know of the value precise enough? Small changes add up to news in the
  /// end.
  bool may_be_kept_back(StateId s) const {
    return ssp_.has_scalar_residual() && std::abs(ssp_.value(s) - told_[s.index()]) <= tolerance();
  }

  /// All that depends on the value of s is due, and suspect if the value fell.
  void tell_predecessors(StateId s) {
    const bool fell = ssp_.value(s) < told_[s.index()];
    told_[s.index()] = ssp_.value(s);
    predecessors_.for_each(s, [&](PairId p) {
      if (active_[p.index()]) make_due(graph_.state(p));
      if (fell) suspect(p);
    });
  }

  // --- Γ ----------------------------------------------------------------------------------------

  void suspect(PairId p) {
    if (suspected_[p.index()]) return;
    suspected_[p.index()] = 1;
    suspects_.push_back(p);
  }

  /// After a change of λ or of all values. Pairs found later tend to be nearer to the goal, so they
  /// come first.
  void suspect_everything() {
    learn_graph();
    std::fill(active_.begin(), active_.end(), 0);
    std::fill(floor_.begin(), floor_.end(), infinity);
    for (std::size_t s = 0; s < graph_.num_states(); ++s)
      if (graph_.is_expanded(StateId(s)) && ssp_.value(StateId(s)) != infinity)
        activate_choice(StateId(s));
    all_due();
    graph_.for_each_pair_backwards([&](PairId p) { suspect(p); });
    suspect_all_ = false;
  }

  /// A state has none if a limit ended a search just after its expansion.
  void activate_choice(StateId s) {
    if (!ssp_.choice(s).valid()) ssp_.assign(s, ssp_.best_pair(s));
    if (ssp_.choice(s).valid()) active_[ssp_.choice(s).index()] = 1;
  }

  /// False if a limit ended it.
  bool fix_suspects(Monitor& monitor) {
    while (!suspects_.empty()) {
      if (values_creep()) return settle_all(monitor);
      suspects_.swap(being_fixed_);
      for (std::size_t i = 0; i < being_fixed_.size(); ++i) {
        if (i % suspects_per_poll == 0 && monitor.reached()) {
          suspects_.insert(suspects_.end(), being_fixed_.begin() + static_cast<std::ptrdiff_t>(i),
                           being_fixed_.end());
          being_fixed_.clear();
          return false;
        }
        suspected_[being_fixed_[i].index()] = 0;
        fix(being_fixed_[i]);
      }
      being_fixed_.clear();
    }
    return true;
  }

  double tolerance() const { return tolerance_of_epsilon * consistency_.epsilon; }

  void fix(PairId p) {
    const StateId s = graph_.state(p);
    const double value = ssp_.value(s);
    const double q = ssp_.q(p);
    if (q < value - std::max(tolerance(), tolerance_of_value * value)) {
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

  void judge_calm() {
    calm_.rounds = residual_ <= consistency_.epsilon ? calm_.rounds + 1 : 0;
    calm_.settled = calm_.rounds > 0 &&
                    (consistency_.strong || !policy_changed_ || calm_.rounds > most_tied_rounds);
    calm_.unchanged_rounds = policy_changed_ || !fringe_.empty() ? 0 : calm_.unchanged_rounds + 1;
  }

  /// False if a limit ended it.
  bool speed_up(Monitor& monitor) {
    if (calm_.unchanged_rounds >= calm_.patience) {
      if (jump_to_policy_values(monitor)) calm_.patience *= 2;
      if (!fix_suspects(monitor)) return false;
      calm_.unchanged_rounds = 0;
    }
    return !values_creep() || settle_all(monitor);
  }

  /// False if the policy has no values, because it goes round in circles.
  bool jump_to_policy_values(Monitor& monitor) {
    if (!ssp_.greedy_policy_is_closed()) return true;
    const Policy policy = ssp_.greedy_policy();
    const Evaluation evaluation = evaluate(graph_, policy, {.monitor = &monitor});
    if (!evaluation.proper) {
      if (ssp_.escape_traps()) all_due();
      return false;
    }
    const std::size_t stride = graph_.num_costs();
    for (std::size_t i = 0; i < policy.size(); ++i) {
      const StateId s = policy.state(i);
      ssp_.set_vector(s, std::span(evaluation.values).subspan(i * stride, stride));
      tell_predecessors(s);
    }
    return true;
  }

  bool settle_all(Monitor& monitor) {
    if (++times_settled_ > 1) {
      if (!settle_exactly(monitor)) return false;
    } else {
      TopologicalIteration iteration(ssp_, TopologicalIteration::Values::scalars);
      iteration.start(monitor);
      if (!iteration.solve({.epsilon = consistency_.epsilon}, monitor)) return false;
    }
    suspect_everything();
    if (!ssp_.has_scalar_residual()) jump_to_policy_values(monitor);
    forget_creeping();
    return fix_suspects(monitor);
  }

  const SearchGraph& graph_;
  GreedyEnvelope envelope_;
  graph::Predecessors predecessors_;
  Consistency consistency_;
  std::vector<std::uint8_t> active_;     // per pair
  std::vector<std::uint8_t> suspected_;  // per pair: is it in Γ?
  std::vector<double> floor_;            // per state: no inactive pair has a Q below this
  std::vector<std::uint8_t> due_;        // per state: would a backup change anything?
  std::vector<double> told_;             // per state: the value that predecessors know
  std::vector<StateId> fringe_;
  std::vector<StateId> postponed_;  // fringe states that turned out to be worse
  std::vector<StateId> changed_;    // states with a new choice since the last look
  BackupQueue queue_;               // due states of the envelope: this round's
  std::vector<StateId> later_;      // and the next one's
  std::int32_t rank_at_hand_ = 0;
  std::size_t work_before_traversal_ = 0;
  bool lost_track_ = false;       // of what is due
  std::vector<PairId> suspects_;  // Γ
  std::vector<PairId> being_fixed_;
  std::vector<Candidate> candidates_;
  std::vector<bool> known_ties_;   // per pair; strong ε-consistency only
  std::size_t times_settled_ = 0;  // in this search
  Calm calm_;
  double residual_ = 0;
  bool policy_changed_ = false;
  bool new_ties_ = false;
  bool suspect_all_ = false;
};

}  // namespace

std::unique_ptr<SspAlgorithm> make_incremental_cg_ilao(ScalarisedSsp& ssp) {
  return std::make_unique<IncrementalCgIlao>(ssp);
}

}  // namespace carl::ssp
