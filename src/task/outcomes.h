// The random outcomes of an action once all its conditions are decided: nested choices multiplied
// out, outcomes that do the same merged, probabilities exact.
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
};

/// All conditions of `effect` that matter must be decided by `knowledge`. Changes that are known to
/// change nothing are left out. Nothing if there are more than `max_outcomes`.
std::optional<std::vector<AtomOutcome>> multiply_out(const GroundEffect& effect,
                                                     const Knowledge& knowledge,
                                                     const NumberTable& numbers,
                                                     std::size_t max_outcomes);

/// Adds the expected increase of each cost, times `weight`.
void add_expected_costs(const GroundEffect& effect, const Knowledge& knowledge,
                        const NumberTable& numbers, const Rational& weight,
                        std::vector<Rational>& costs);

}  // namespace carl::task

#endif
