// An oracle that remembers what it was asked, in a folder, and need not be asked again. Whoever
// searches for multipliers does the same for the same answers; so a search that is resumed is given
// the answers that there have been, comes to where it was, and goes on with new ones. Nobody has to
// write down what a search has in mind.
//
// If the search asks something else than it did (another gap was asked for, say), what it has been
// given so far is true all the same, and the rest is dropped.
//
// Policies are written to files as they are found and read only if somebody needs them: the last
// one, with which the search below goes on, and those of the mixture in the end.
#ifndef CARL_ORACLE_CHECKPOINTED_ORACLE_H
#define CARL_ORACLE_CHECKPOINTED_ORACLE_H

#include <optional>
#include <string>
#include <vector>

#include "carl/checkpoint.h"
#include "carl/cssp.h"
#include "oracle/oracle.h"
#include "oracle/policy_keeper.h"

namespace carl::oracle {

class CheckpointedOracle final : public Oracle {
 public:
  /// Both are the same oracle, of this problem, which nobody has asked anything. Throws InputError
  /// if the folder cannot be used, is in use, or is about another problem; LimitReached.
  CheckpointedOracle(Oracle& oracle, PolicyKeeper& keeper, const Cssp& cssp,
                     const CheckpointOptions& options);

  Answer ask(std::span<const double> weights) override;
  double bound_nearby(std::span<const double> weights, double negligible_loss,
                      double target) override;
  void tolerate(double loss, Wanted wanted) override { oracle_.tolerate(loss, wanted); }
  bool tighten() override;
  std::size_t num_policies() const override { return num_known_; }
  const std::vector<double>& costs(PolicyHandle policy) const override {
    return checkpoint_.policies[policy].costs;
  }
  Policy policy(PolicyHandle policy) const override;
  bool is_allowed(PolicyHandle policy) const override;
  EvaluatedPolicy mix(std::span<const double> mixture) const override;
  std::size_t work() const override { return oracle_.work(); }
  Monitor& monitor() override { return oracle_.monitor(); }

  /// How many answers were not searched for.
  std::size_t num_resumed() const { return num_resumed_; }
  /// Why the last answers are not in the folder; empty if they are.
  const std::string& trouble() const { return trouble_; }

 private:
  using Call = Checkpoint::Call;

  void expect_sound(std::size_t num_costs) const;
  const Call* recorded(const Call& asked);
  void forget_the_rest();
  void catch_up();
  PolicyHandle own_handle(PolicyHandle handle, bool& is_new);
  PolicyHandle fetch(PolicyHandle policy) const;
  void record(const Call& call);
  void write();

  Oracle& oracle_;
  PolicyKeeper& keeper_;
  std::string directory_;
  CheckpointLock lock_;
  Checkpoint checkpoint_;
  std::size_t next_ = 0;       // of the calls: the one that is expected
  std::size_t num_known_ = 0;  // policies that whoever asks knows of
  std::size_t num_resumed_ = 0;
  std::string trouble_;
  /// By policy: which one of the oracle it is, if it is one yet.
  mutable std::vector<std::optional<PolicyHandle>> handles_;
  std::size_t num_saved_ = 0;  // the first of them have files
  // What the oracle has been spared.
  std::size_t num_tightened_ = 0;
  std::optional<PolicyHandle> last_policy_;
  std::vector<double> last_weights_;
};

}  // namespace carl::oracle

#endif
