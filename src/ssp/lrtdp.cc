// Labelled RTDP: simulate the greedy policy from the initial state, backing
// up the states on the way; label a state solved once everything that its greedy policy can reach
// is ε-consistent, and end trials there. Starts from admissible values, like iLAO*.
//
// A label is only as good as the values under it: labels are cleared when ε or λ changes and when
// states turn out to be hopeless, else too low a value would be kept.
//
// B. Bonet and H. Geffner, "Labeled RTDP: Improving the convergence of real-time dynamic
// programming", ICAPS 2003.

#include <algorithm>

#include "graph/zero_cost_loops.h"
#include "ssp/hopeless_watch.h"
#include "ssp/ssp_algorithm.h"
#include "util/random.h"

namespace carl::ssp {
namespace {

class Lrtdp final : public SspAlgorithm {
 public:
  Lrtdp(ScalarisedSsp& ssp, std::uint64_t seed)
      : SspAlgorithm(ssp), graph_(ssp.graph()), random_(seed), ilao_(make_ilao(ssp)) {}

  void weights_changed() override {}  // every search starts by restoring admissible values

 protected:
  bool search(const Consistency& consistency, Monitor& monitor) override {
    if (!make_admissible(consistency, monitor)) return false;
    // All tied policies at once is a matter of envelopes, not of trials.
    if (consistency.strong) return ilao_->solve(consistency, monitor);
    residual_ = consistency.epsilon;
    solved_.clear();
    HopelessWatch hopeless(ssp_);
    while (!is_solved(ssp_.initial_state())) {
      if (!run_trial(monitor)) return false;
      if (hopeless.look(monitor)) solved_.clear();
      if (values_creep()) {
        if (!settle_exactly(monitor)) return false;
        solved_.clear();
      }
      report(monitor);
    }
    return true;
  }

 private:
  bool is_solved(StateId s) {
    solved_.resize(graph_.num_states(), false);
    return solved_[s.index()] || graph_.is_goal(s) || ssp_.value(s) == infinity;
  }

  void back_up(StateId s) {
    if (ssp_.is_fringe(s)) ssp_.expand(s);
    ssp_.assign(s, ssp_.best_pair(s));
  }

  bool run_trial(Monitor& monitor) {
    trial_.clear();
    // A trial that is caught in a trap must end for the trap to be found.
    const std::size_t longest = 1000 + 2 * graph_.num_states();
    for (StateId s = ssp_.initial_state(); s.valid() && !is_solved(s) && trial_.size() < longest;) {
      if (monitor.reached()) return false;
      trial_.push_back(s);
      back_up(s);
      if (ssp_.value(s) == infinity) break;
      s = sample_successor(ssp_.choice(s));
    }
    if (trial_.size() == longest) {
      graph::reject_zero_cost_loops(graph_,
                                    monitor);  // whose values never rise, so that trials never end
      ssp_.escape_traps();
    }
    while (!trial_.empty()) {
      const StateId s = trial_.back();
      trial_.pop_back();
      if (!check_solved(s, monitor)) break;
    }
    return !monitor.reached();
  }

  /// No state if the run ends with this pair.
  StateId sample_successor(PairId p) {
    const auto successors = graph_.successors(p);
    const auto probabilities = graph_.probabilities(p);
    double left = random_.unit();
    for (std::size_t k = 0; k + 1 < successors.size(); ++k) {
      left -= probabilities[k];
      if (left < 0) return successors[k];
    }
    return successors.empty() ? StateId() : successors.back();
  }

  /// Labels s and all that its greedy policy reaches, if the residual is at most ε everywhere
  /// there; otherwise backs all of it up.
  bool check_solved(StateId start, Monitor& monitor) {
    open_.clear();
    closed_.clear();
    seen_.resize(graph_.num_states(), false);
    const auto open = [&](StateId s) {
      if (is_solved(s) || seen_[s.index()]) return;
      seen_[s.index()] = true;
      open_.push_back(s);
    };
    bool consistent = true;
    open(start);
    while (!open_.empty() && !monitor.reached()) {
      const StateId s = open_.back();
      open_.pop_back();
      closed_.push_back(s);
      if (!graph_.is_expanded(s)) {
        consistent = false;
        continue;
      }
      const Candidate best = ssp_.best_pair(s);
      if (best.q == infinity || best.pair != ssp_.choice(s) || ssp_.residual(s, best) > residual_) {
        consistent = false;
        continue;
      }
      for (const StateId t : graph_.successors(best.pair))
        open(t);
    }
    for (const StateId s : closed_)
      seen_[s.index()] = false;
    for (const StateId s : open_)
      seen_[s.index()] = false;
    if (monitor.reached()) return false;
    if (consistent) {
      for (const StateId s : closed_)
        solved_[s.index()] = true;
    } else {
      for (; !closed_.empty(); closed_.pop_back())
        back_up(closed_.back());
    }
    return consistent;
  }

  const SearchGraph& graph_;
  SplitMix64 random_;
  std::unique_ptr<SspAlgorithm> ilao_;
  double residual_ = 0;  // the largest allowed
  std::vector<bool> solved_;
  std::vector<bool> seen_;
  std::vector<StateId> trial_;
  std::vector<StateId> open_;
  std::vector<StateId> closed_;
};

}  // namespace

std::unique_ptr<SspAlgorithm> make_lrtdp(ScalarisedSsp& ssp, std::uint64_t seed) {
  return std::make_unique<Lrtdp>(ssp, seed);
}

}  // namespace carl::ssp
