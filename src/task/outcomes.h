// The effect of an action once its precondition is known: nested choices multiplied out, outcomes
// that do the same merged, probabilities exact. Conditions that are decided disappear; the effects
// of the others are kept apart, and so are choices that do nothing but under such conditions, since
// multiplying them out would count what most states never see.
//
// Costs are expected ones for planning, where outcomes are merged whatever they cost; executions
// need what each outcome costs.
#ifndef CARL_TASK_OUTCOMES_H
#define CARL_TASK_OUTCOMES_H

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
  std::vector<std::uint32_t> conditionals;  // sorted; of the AtomEffect
  std::vector<Rational> costs;              // only if they are asked for
};

struct AtomConditional {
  std::uint32_t parent = 0;            // or ConditionalEffect::none
  std::vector<Conjunction> condition;  // without what is known anyway
  std::vector<AtomOutcome> outcomes;
};

struct AtomEffect {
  std::vector<AtomOutcome> outcomes;
  std::vector<AtomConditional> conditionals;  // parents before their children

  /// Of what there would be too much; then the rest means nothing.
  enum class Excess { none, outcomes, alternatives };
  Excess excess = Excess::none;
};

/// The conditions of costs must be decided by `knowledge`, which is left as it is. Changes that are
/// known to change nothing are left out.
AtomEffect multiply_out(const GroundEffect& effect, Knowledge& knowledge,
                        const NumberTable& numbers);

/// The same with costs, which begin as `initial_costs`: outcomes that differ in cost stay apart.
AtomEffect multiply_out_costs(const GroundEffect& effect, Knowledge& knowledge,
                              const NumberTable& numbers,
                              const std::vector<Rational>& initial_costs);

/// True if something in the effect may increase a cost.
bool has_costs(const GroundEffect& effect);

/// True if a random choice decides about costs.
bool has_random_costs(const GroundEffect& effect, const Knowledge& knowledge);

/// Adds the expected increase of each cost, times `weight`.
void add_expected_costs(const GroundEffect& effect, const Knowledge& knowledge,
                        const NumberTable& numbers, const Rational& weight,
                        std::vector<Rational>& costs);

}  // namespace carl::task

#endif
