// iLAO*: back up the envelope of the greedy policy in post-order,
// expanding its fringe, until the policy is closed, stays the same and its residual is at most ε.
// Starts from admissible values; they are made so by sweeps over the expanded states, as Hong &
// Williams (2023) do after a change of λ. An inconsistent heuristic asks for it, too: expanding a
// state may lower its value, and those of predecessors off the greedy policy are then too high for
// a proof.
//
// E. A. Hansen and S. Zilberstein, "LAO*: A heuristic search algorithm that finds solutions with
// loops", Artificial Intelligence 129, 2001. The sweeps: S. Hong and B. C. Williams, "An anytime
// algorithm for constrained stochastic shortest path problems with deterministic policies",
// Artificial Intelligence 316, 2023.

#include <algorithm>
#include <cmath>

#include "ssp/greedy_envelope.h"
#include "ssp/hopeless_watch.h"
#include "ssp/ssp_algorithm.h"

namespace carl::ssp {
namespace {

// Rounds without a fringe after which the policy may be going round in circles.
constexpr std::size_t rounds_before_escape = 8;

// A policy that still changes after so many rounds with a residual below ε changes between ties
// that rounding errors tell apart.
constexpr std::size_t most_tied_rounds = 10;
// What rounding may do to a residual, relative to the value.
constexpr double tolerance_of_value = 1e-14;

class Ilao final : public SspAlgorithm {
 public:
  explicit Ilao(ScalarisedSsp& ssp) : SspAlgorithm(ssp), envelope_(ssp) {}

  void weights_changed() override {}  // every search starts by restoring admissible values

 protected:
  bool search(const Consistency& consistency, Monitor& monitor) override {
    if (!make_admissible(consistency, monitor)) return false;
    known_ties_.clear();
    HopelessWatch hopeless(ssp_);
    std::size_t calm_rounds = 0;
    bool settled = false;
    bool policy_changed = false;
    std::size_t closed_rounds = 0;
    while (ssp_.value(ssp_.initial_state()) != infinity) {
      find_envelope(consistency);
      if (settled && envelope_.fringe().empty() && !new_ties_ &&
          (!policy_changed || envelope_is_consistent(consistency.epsilon)))
        return true;
      for (const StateId s : envelope_.fringe()) {
        if (monitor.reached()) return false;
        if (!ssp_.bring_up_to_date(s)) ssp_.expand(s);
      }
      policy_changed = false;
      double residual = 0;
      for (const StateId s : envelope_.states()) {
        if (monitor.reached()) return false;
        if (!ssp_.graph().is_expanded(s)) continue;
        const Candidate best = ssp_.best_pair(s);
        policy_changed |= best.pair != ssp_.choice(s);
        residual = std::max(residual, ssp_.assign(s, best));
      }
      calm_rounds = residual <= consistency.epsilon ? calm_rounds + 1 : 0;
      settled = calm_rounds > 0 &&
                (consistency.strong || !policy_changed || calm_rounds > most_tied_rounds);
      closed_rounds = envelope_.fringe().empty() ? closed_rounds + 1 : 0;
      if (!settled && closed_rounds % rounds_before_escape == rounds_before_escape - 1)
        ssp_.escape_traps();
      if (hopeless.look(monitor)) settled = false;
      if (!settled && values_creep()) {
        if (!settle_exactly(monitor)) return false;
      }
      report(monitor);
    }
    return true;
  }

 private:
  /// A policy that has changed in the last round may lead to states that no round has backed up.
  bool envelope_is_consistent(double epsilon) const {
    return std::all_of(envelope_.states().begin(), envelope_.states().end(), [&](StateId s) {
      if (!ssp_.graph().is_expanded(s)) return true;
      const double value = ssp_.value(s);
      return std::abs(ssp_.best_pair(s).q - value) <= epsilon + tolerance_of_value * value;
    });
  }

  void find_envelope(const Consistency& consistency) {
    new_ties_ = false;
    if (!consistency.strong) return envelope_.traverse();
    known_ties_.resize(ssp_.graph().num_pairs(), false);
    envelope_.traverse([&](StateId s, std::vector<PairId>& pairs) {
      const double limit = ssp_.best_pair(s).q + consistency.epsilon;
      for (const PairId p : ssp_.graph().pairs(s)) {
        if (ssp_.q(p) > limit) continue;
        pairs.push_back(p);
        new_ties_ |= !known_ties_[p.index()];
        known_ties_[p.index()] = true;
      }
    });
  }

  GreedyEnvelope envelope_;
  std::vector<bool> known_ties_;  // per pair; strong ε-consistency only
  bool new_ties_ = false;
};

}  // namespace

std::unique_ptr<SspAlgorithm> make_ilao(ScalarisedSsp& ssp) {
  return std::make_unique<Ilao>(ssp);
}

}  // namespace carl::ssp
