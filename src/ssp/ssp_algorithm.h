// The interface of the algorithms that solve scalarised SSPs. An algorithm works on the values and
// greedy choices of a ScalarisedSsp and may keep knowledge of its own from one solve to the next.
#ifndef CARL_SSP_SSP_ALGORITHM_H
#define CARL_SSP_SSP_ALGORITHM_H

#include <cstdint>
#include <memory>

#include "carl/monitor.h"
#include "carl/options.h"
#include "ssp/consistency.h"
#include "ssp/scalarised_ssp.h"

namespace carl::ssp {

class SspAlgorithm {
 public:
  virtual ~SspAlgorithm() = default;

  /// Makes the values consistent and the greedy policy closed and proper (see postcondition.h; not
  /// proper if going round costs nothing). False if a limit ended it first. If the initial state
  /// turns out to have no proper policy its value is infinite.
  bool solve(const Consistency& consistency, Monitor& monitor);
  /// The scalarisation has changed since the last solve.
  virtual void weights_changed() = 0;
  /// Strongly connected components that were solved one by one, if that is what it does.
  virtual std::size_t num_components() const { return 0; }
  /// The loss that was tolerable, if the last solve may have made use of that; infinite if its values are
  /// good for a policy, and for no bound.
  virtual double accepted_loss() const { return 0; }

 protected:
  explicit SspAlgorithm(ScalarisedSsp& ssp) : ssp_(ssp) {}

  /// As solve(), but the policy may be improper, by circles that cost less than ε, and values need
  /// not be exact.
  virtual bool search(const Consistency& consistency, Monitor& monitor) = 0;
  /// Gives all expanded states the values that are optimal if fringe states keep theirs; in
  /// components that are too large for that, values with a residual far below ε. False if a limit
  /// ended it.
  bool settle_exactly(Monitor& monitor);
  virtual bool settle(double epsilon, Monitor& monitor);

  /// Restores V(s) ≤ Q(s,a), up to a small part of ε, wherever values come from: what starts from
  /// admissible values alone can then go on. False if a limit ended it.
  bool make_admissible(const Consistency& consistency, Monitor& monitor);

  /// Whether backups have gone on for so long that settling everything at once would have taken
  /// less: values that settle over very many steps, or around cycles that are expensive to leave.
  bool values_creep() const;
  void forget_creeping() { settled_at_ = ssp_.num_backups(); }

  /// To be called now and then: tells who watches how far the search is.
  void report(Monitor& monitor) const { report_search(ssp_, monitor); }

  ScalarisedSsp& ssp_;

 private:
  bool solve_as_asked(const Consistency& consistency, Monitor& monitor);

  double epsilon_ = 0;          // of the solve at hand
  int times_settled_ = 0;       // in it
  std::size_t settled_at_ = 0;  // backups done when all states were solved last
};

std::unique_ptr<SspAlgorithm> make_cg_ilao(ScalarisedSsp& ssp);
std::unique_ptr<SspAlgorithm> make_incremental_cg_ilao(ScalarisedSsp& ssp);
std::unique_ptr<SspAlgorithm> make_ilao(ScalarisedSsp& ssp);
std::unique_ptr<SspAlgorithm> make_lrtdp(ScalarisedSsp& ssp, std::uint64_t seed);
std::unique_ptr<SspAlgorithm> make_value_iteration(ScalarisedSsp& ssp);

/// `seed` is for algorithms that sample.
std::unique_ptr<SspAlgorithm> make_ssp_algorithm(InnerAlgorithm algorithm, ScalarisedSsp& ssp,
                                                 std::uint64_t seed = 0);

}  // namespace carl::ssp

#endif
