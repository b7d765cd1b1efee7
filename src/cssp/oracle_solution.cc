#include "cssp/oracle_solution.h"

#include <fmt/format.h>

#include <utility>

#include "cssp/feasibility.h"
#include "cssp/lower_line.h"
#include "cssp/mixture_of_cuts.h"
#include "cssp/outer_search.h"
#include "cssp/repair.h"
#include "cssp/search_effort.h"
#include "cssp/solution_policy.h"
#include "cssp/solve_record.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

void set_policy_of(const Incumbent& incumbent, const Lagrangian& lagrangian,
                   const SolveOptions& options, Solution& solution) {
  if (!incumbent.costs) return;
  const std::vector<double> mixture = pruned(lagrangian, incumbent.mixture);
  oracle::EvaluatedPolicy found = lagrangian.oracle().mix(per_policy(lagrangian, mixture));
  if (!found.proper || !meets_bounds(lagrangian.cssp(), found.costs)) {
    solution.note = "the policy misses a bound by more than rounding explains";
    return;
  }
  solution.costs = std::move(found.costs);
  solution.policy = std::move(found.policy);
  solution.mixture = components_of(lagrangian, mixture, options.mixture_policies);
  if (!mixture_adds_up(solution)) solution.mixture.clear();
}

void finish(End end, const Incumbent& incumbent, Lagrangian& lagrangian,
            const SolveOptions& options, Solution& solution) {
  solution.note = incumbent.note;
  if (end == End::no_proper_policy) {
    solution.status = Status::no_proper_policy;
    return;
  }
  if (end == End::infeasible) {
    solution.status = Status::infeasible;
    solution.infeasibility = incumbent.infeasibility;
    return;
  }
  set_policy_of(incumbent, lagrangian, options, solution);
  set_lower_bound(lagrangian.cssp(), lagrangian.lower_lines(), solution);
  if (solution.gap() && *solution.gap() <= options.gap) {
    solution.status = Status::optimal;
  } else if (end == End::limit) {
    end_by_limit(lagrangian.monitor(), solution);
  } else {
    solution.status = Status::limit;
    solution.note = fmt::format("numerical trouble: {}", solution.note);
  }
}

}  // namespace

void tell_of(const oracle::CheckpointedOracle& record, Solution& solution) {
  const auto add = [&](const std::string& note) {
    solution.note += (solution.note.empty() ? "" : "; ") + note;
  };
  if (record.num_resumed() > 0)
    add(fmt::format("{} of the answers were in the checkpoint", record.num_resumed()));
  if (!record.trouble().empty())
    add(fmt::format("the last answers are not in the checkpoint: {}", record.trouble()));
}

Solution solve_by_oracle(Lagrangian& lagrangian, const SolveOptions& options) {
  const Timer timer;
  Solution solution;
  solution.algorithm = to_string(Algorithm::carl);
  solution.outer = to_string(OuterAlgorithm::bundle);
  lagrangian.monitor().report([](Progress& progress) { progress.phase = "λ search"; });
  const std::unique_ptr<OuterSearch> search = make_bundle_search(lagrangian, options, {});
  const End end = search->run();
  MultiplierSearch effort;
  effort.seconds = timer.seconds();
  effort.scalarised_ssps = lagrangian.num_queries();
  effort.q_values = lagrangian.oracle().work();
  solution.statistics.seconds.search = effort.seconds;
  solution.statistics.seconds.scalarised_ssps = effort.seconds;
  {
    const PhaseTimer extracting(solution.statistics.seconds.extract);
    finish(end, search->incumbent(), lagrangian, options, solution);
  }
  solution.trace = search->trace();
  for (const Cut& cut : lagrangian.cuts())
    solution.cuts.push_back(cut.costs);
  solution.statistics.scalarised_ssps = effort.scalarised_ssps;
  solution.statistics.q_values = effort.q_values;
  count_multipliers(lagrangian.cssp(), solution, effort);
  solution.statistics.multiplier_search = effort;
  if (end == End::infeasible && options.explain) solution.repair = find_repair(lagrangian);
  return solution;
}

}  // namespace carl::cssp
