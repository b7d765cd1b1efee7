// The oracle of a parallel run. The outer search asks it on the first rank; what it asks is told to
// all ranks, which answer together.
#ifndef CARL_CLUSTER_CLUSTER_ORACLE_H
#define CARL_CLUSTER_CLUSTER_ORACLE_H

#include <span>
#include <string>
#include <vector>

#include "cluster/engine.h"
#include "oracle/oracle.h"
#include "oracle/policy_keeper.h"

namespace carl::cluster {

/// On the first rank. While it lives the other ranks serve().
class ClusterOracle final : public oracle::Oracle, public oracle::PolicyKeeper {
 public:
  explicit ClusterOracle(Engine& engine) : engine_(engine) {}
  /// Lets the others go.
  ~ClusterOracle() override;
  ClusterOracle(const ClusterOracle&) = delete;
  ClusterOracle& operator=(const ClusterOracle&) = delete;

  oracle::Answer ask(std::span<const double> weights) override;
  double bound_nearby(std::span<const double> weights, double negligible_loss,
                      double target) override;
  bool tighten() override;
  std::size_t num_policies() const override { return engine_.num_policies(); }
  const std::vector<double>& costs(oracle::PolicyHandle policy) const override {
    return engine_.costs(policy);
  }
  Policy policy(oracle::PolicyHandle policy) const override;
  /// Bounds of zero do not change while it lives.
  bool is_allowed(oracle::PolicyHandle /*policy*/) const override { return true; }
  oracle::EvaluatedPolicy mix(std::span<const double> mixture) const override;
  void save(oracle::PolicyHandle policy, const std::string& path) override;
  oracle::PolicyHandle restore(const std::string& path) override;
  std::size_t work() const override { return engine_.work().q_values; }
  Monitor& monitor() override { return engine_.watch().monitor(); }

 private:
  Engine& engine_;
};

/// On all other ranks: does what the first is asked to do until its oracle is gone.
void serve(Engine& engine);

}  // namespace carl::cluster

#endif
