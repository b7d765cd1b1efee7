// What all ranks do together for an oracle: one scalarised SSP after the other, by policy iteration.
// Every function is collective and leaves the same numbers on every rank; states, values and policies
// stay with the owners of the states.
//
// With the policy fixed, its costs-to-go are the solution of linear equations (policy_matrix.h).
// Improvement is local: sweeps of V ← min(V, Q) from these costs-to-go on, with ghosts as they were
// when the sweep began. Values stay above those of the policy that takes the minima, so that it
// is proper because its predecessor is and no loop is free. Where no pair is better by more than
// rounding errors the policy is optimal.
//
// R. A. Howard, "Dynamic Programming and Markov Processes", MIT Press, 1960.
#ifndef CARL_CLUSTER_ENGINE_H
#define CARL_CLUSTER_ENGINE_H

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/policy.h"
#include "cluster/ghosts.h"
#include "cluster/lower_bound.h"
#include "cluster/policy_matrix.h"
#include "cluster/prepared_rows.h"
#include "cluster/region.h"
#include "cluster/watch.h"
#include "oracle/oracle.h"

namespace carl::cluster {

/// How much the engine of all ranks has done.
struct EngineWork {
  SolverWork equations;
  std::uint64_t answers = 0;
  std::uint64_t improvements = 0;  // policies
  std::uint64_t sweeps = 0;
  std::uint64_t q_values = 0;         // pairs looked at
  std::uint64_t redistributions = 0;  // of rows, after the first
};

class Engine {
 public:
  /// The rows are ready. `gap` is what the outer search aims at.
  Engine(PreparedRows prepared, double gap, const Homes& homes, const Ranks& ranks, Watch& watch);

  oracle::Answer ask(std::span<const double> weights);
  double bound_nearby(std::span<const double> weights, double negligible_loss);
  bool tighten();
  /// Exact costs of the mixture's policy; none if it is not proper. The policy itself is on the first
  /// rank alone.
  /// Goes on when a limit is reached: it is what there is to show then.
  oracle::EvaluatedPolicy mix(std::span<const double> mixture);
  /// On the first rank; empty if it cannot have it.
  Policy policy(oracle::PolicyHandle handle);
  /// See oracle/policy_keeper.h.
  void save(oracle::PolicyHandle handle, const std::string& path) const;
  oracle::PolicyHandle restore(const std::string& path);
  /// The policy of the last mixture, to a file in parts. Throws InputError.
  void write_mixed(const std::string& path) const;
  PolicySize mixed_size() const;

  std::size_t num_policies() const { return policies_.size(); }
  const std::vector<double>& costs(oracle::PolicyHandle policy) const {
    return policies_[policy].costs;
  }
  EngineWork work() const;
  const Rows& rows() const { return rows_; }
  const Ranks& ranks() const { return ranks_; }
  Watch& watch() { return watch_; }

 private:
  /// Values of a policy, by slot, and what the initial state has of them.
  struct Evaluation {
    std::vector<std::vector<double>> values;  // by cost
    std::vector<double> costs;
    double steps = 0;     // about as many as it takes
    bool proved = false;  // that the costs are exact
  };
  struct KnownPolicy {
    std::vector<double> costs;
    std::vector<std::uint32_t> pairs;
  };

  void reorder(const std::vector<double>& value);
  std::vector<std::uint32_t> first_policy(const std::vector<double>& distance) const;
  std::optional<Evaluation> evaluate(const RankPolicy& policy, const Evaluation& start,
                                     AtLimit at_limit);
  bool is_above_half(const PolicyMatrix& matrix, const std::vector<double>& b,
                     const std::vector<double>& x, const std::vector<double>& reached) const;
  double error_at_start(PolicyMatrix& matrix, std::vector<double> error,
                        const std::vector<double>& reached) const;
  void clear_zeros(const std::vector<std::vector<double>>& costs,
                   const std::vector<double>& reached, Evaluation& evaluation) const;
  bool is_accurate(PolicyMatrix& matrix, const std::vector<double>& reached,
                   const std::vector<double>& steps, const std::vector<std::vector<double>>& costs,
                   const Evaluation& evaluation) const;
  bool solve(std::span<const double> weights);
  /// How many changes of the policy there were on all ranks, and how much of its value the largest has
  /// won for a state.
  struct Improvement {
    std::uint64_t changes = 0;
    double largest = 0;
  };
  double improve_state(std::size_t s, const std::vector<double>& row_cost,
                       std::vector<double>& value);
  Improvement improve(const std::vector<double>& row_cost, std::vector<double>& value);
  bool evaluate_scalar(const std::vector<double>& row_cost, std::vector<double>& value);
  std::vector<double> weighted_values(std::span<const double> weights) const;
  std::vector<double> row_costs(std::span<const double> weights) const;
  std::vector<double> expected_costs(const RankPolicy& policy, std::size_t cost) const;
  oracle::PolicyHandle remember(bool& is_new);
  double at_start(const std::vector<double>& value) const;
  std::vector<double> reached_by(const RankPolicy& policy) const;
  std::vector<double> start_state() const;
  double steps_lost(const std::vector<double>& departures, const RankPolicy& policy,
                    const std::vector<double>& reached);
  std::optional<std::vector<double>> costs_by(const std::vector<double>& departures,
                                              const RankPolicy& policy);
  std::optional<std::vector<double>> visits(const RankPolicy& policy);
  RankPolicy mixed(std::span<const double> mixture, std::vector<double>& departures, bool& solved);
  Homes::Entries entries(const RankPolicy& policy, const std::vector<double>& departures) const;

  const Homes& homes_;
  const Ranks& ranks_;
  Watch& watch_;
  Rows rows_;
  GlobalId initial_;
  std::optional<Ghosts> ghosts_;       // of the rows
  std::optional<GraphSearch> search_;  // on them
  double negligible_loss_;
  double tolerance_;  // of improvements, relative to values

  std::vector<std::uint32_t> pairs_;  // the policy at hand
  Evaluation evaluation_;             // of it
  std::vector<double> scale_;         // by slot: about the values of its kind, for preconditioners
  std::vector<KnownPolicy> policies_;
  RankPolicy mixed_;  // the last one
  std::vector<double> mixed_departures_;
  std::vector<double> last_weights_;
  double last_bound_ = 0;
  EngineWork work_;
};

}  // namespace carl::cluster

#endif
