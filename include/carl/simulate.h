// Executions of a policy, sampled: what the expected costs do not tell, such as how often a single
// run exceeds a budget that is kept on average. A run pays what its outcomes cost, where they
// differ (Model::outcome_costs()), not what its actions cost in expectation.
#ifndef CARL_SIMULATE_H
#define CARL_SIMULATE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "carl/check.h"
#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/policy.h"
#include "carl/policy_file.h"

namespace carl {

struct SimulateOptions {
  std::size_t runs = 10'000;
  std::uint64_t seed = 1;
  /// Results do not depend on it. 0: one for each processor.
  std::size_t threads = 0;
  /// A run is cut off after so many steps.
  std::size_t max_steps = 1'000'000;
};

/// A cost, or the number of steps, over all runs.
struct Sample {
  double exact = 0;  // expectation, computed
  double mean = 0;
  double half_width = 0;  // of the 95% confidence interval around the mean
  double deviation = 0;   // standard
  double least = 0;
  double median = 0;
  double percentile_95 = 0;
  double percentile_99 = 0;
  double greatest = 0;
  /// How far, relatively, the median and the percentiles may be off: 0 unless more than some
  /// hundred thousand different values have occurred.
  double quantile_error = 0;
};

/// Values that have occurred, ascending, and how often; rounded as Sample::quantile_error says, but
/// never across the bound of a cost.
using Distribution = std::vector<std::pair<double, std::size_t>>;

struct Simulation {
  std::size_t runs = 0;      // finished; fewer than asked for only if a limit was reached
  std::size_t cut_off = 0;   // of them, by max_steps
  std::size_t given_up = 0;  // of them
  Sample steps;
  std::vector<Sample> costs;  // one per cost
  /// How many runs stay within each bound, in the order of Cssp::bounds(), and within all of them.
  std::vector<std::size_t> within;
  std::size_t within_all = 0;
  std::vector<Distribution> distributions;  // one per cost
  /// The costs of the first runs, num_costs per run: as many as are remembered one by one.
  std::vector<double> totals;
};

/// One step of one run.
struct TraceStep {
  StateId state;
  ActionId action;
  double action_probability = 1;   // of choosing it
  double outcome_probability = 1;  // of what came of it
  StateId successor;
  std::vector<double> costs;  // so far, this step included
};

class Simulator {
 public:
  /// Walk the policy; throw LimitReached.
  Simulator(Cssp& cssp, const Policy& policy, Monitor& monitor);
  Simulator(Cssp& cssp, const PolicyFile& policy, Monitor& monitor);
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  /// What keeps the policy from being executed; if there is anything, do not call the rest.
  const std::vector<Finding>& findings() const;
  /// Run i is the same whatever the number of runs and threads.
  Simulation run(const SimulateOptions& options, Monitor& monitor) const;
  /// One of these runs, step by step; shorter than max_steps unless it was cut off.
  std::vector<TraceStep> trace(std::size_t run, const SimulateOptions& options) const;
  /// The same without keeping the steps; ends early when `visit` returns false.
  void trace(std::size_t run, const SimulateOptions& options,
             const std::function<bool(const TraceStep&)>& visit) const;

  /// So many runs are remembered one by one; memory does not grow with the number of others.
  static constexpr std::size_t remembered_runs = std::size_t{1} << 17;

 private:
  class Executor;
  std::unique_ptr<Executor> executor_;
};

}  // namespace carl

#endif
