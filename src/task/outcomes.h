// The random outcomes of an action once all its conditions are decided: nested choices multiplied
// out, outcomes that do the same merged, probabilities exact. Costs are expected ones for planning,
// where outcomes are merged whatever they cost; executions need what each outcome costs.
#ifndef CARL_TASK_OUTCOMES_H
#define CARL_TASK_OUTCOMES_H

#include <optional>
#include <vector>

#include "task/ground_task.h"
#include "task/knowledge.h"
#include "util/rational.h"

namespace carl::task {

/// `adds` and `deletes` are sorted and disjoint.
struct AtomOutcome {
  Rational probability;
  std::vector<AtomId> adds;
  std::vector<AtomId> deletes;
  std::vector<Rational> costs;  // only if they are asked for
};

/// All conditions of `effect` that matter must be decided by `knowledge`. Changes that are known to
/// change nothing are left out. Nothing if there are more than `max_outcomes`.
std::optional<std::vector<AtomOutcome>> multiply_out(const GroundEffect& effect,
                                                     const Knowledge& knowledge,
                                                     const NumberTable& numbers,
                                                     std::size_t max_outcomes);

/// The same with costs, which begin as `initial_costs`: outcomes that differ in cost stay apart.
std::optional<std::vector<AtomOutcome>> multiply_out_costs(
    const GroundEffect& effect, const Knowledge& knowledge, const NumberTable& numbers,
    const std::vector<Rational>& initial_costs, std::size_t max_outcomes);

/// True if a random choice decides about costs.
bool has_random_costs(const GroundEffect& effect, const Knowledge& knowledge);

/// Adds the expected increase of each cost, times `weight`.
void add_expected_costs(const GroundEffect& effect, const Knowledge& knowledge,
                        const NumberTable& numbers, const Rational& weight,
                        std::vector<Rational>& costs);

}  // namespace carl::task

#endif
