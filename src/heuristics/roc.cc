// Regrouped operator counting (ROC): what is needed of a fact in the end must be there in the
// beginning or be produced. Outcome counts are p·Y, so they are substituted and need no rows.
//
// F. Trevizan, S. Thiébaux and P. Haslum, "Occupation measure heuristics for probabilistic
// planning", ICAPS 2017.

#include "heuristics/conditional_counts.h"
#include "heuristics/operator_counting.h"

namespace carl::heuristics {
namespace {

constexpr std::uint32_t unknown = UINT32_MAX;

/// `first_row` is that of each variable's facts.
void add_conditional_action(const task::Action& action, std::uint32_t j,
                            const std::vector<std::uint32_t>& first_row, OperatorCountingLp& lp) {
  const ConditionalCounts counts(action, j, lp);
  for (const auto& [variable, changes] : counts.changes())
    for (const VariableChange& change : changes) {
      const std::uint32_t before = counts.value_before(change.part.conditional, variable);
      if (before == change.value) continue;
      const std::uint32_t row = first_row[variable.index()];
      const std::uint32_t column = counts.column(change.part.conditional);
      lp.add(column, row + change.value, change.probability);
      if (before != unknown && change.alone) lp.add(column, row + before, -change.probability);
    }
}

}  // namespace

OperatorCountingLp roc_lp(const task::Task& task, const OperatorCountingRules& rules) {
  OperatorCountingLp lp;
  const std::uint32_t first_goal = add_common_part(task, rules, lp);
  std::vector<std::uint32_t> first_row;  // of each variable's facts
  for (std::size_t v = 0; v < task.variables.size(); ++v) {
    first_row.push_back(static_cast<std::uint32_t>(lp.rows.size()));
    for (std::size_t d = 0; d < task.variables[v].values.size(); ++d)
      lp.add_row({0, false, static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(d), -1});
  }
  for (std::uint32_t j = 0; j < lp.action_of.size(); ++j) {
    const task::Action& action = task.actions[lp.action_of[j]];
    if (!action.conditionals.empty()) {
      add_conditional_action(action, j, first_row, lp);
      continue;
    }
    for (const task::Outcome& outcome : action.outcomes)
      for (const task::Fact& f : outcome.effects) {
        const std::uint32_t before = task::fixed_value(action.precondition, f.variable);
        if (before == f.value) continue;
        const std::uint32_t row = first_row[f.variable.index()];
        lp.add(j, row + f.value, outcome.probability);
        if (before != unknown) lp.add(j, row + before, -outcome.probability);
      }
  }
  for (std::uint32_t k = 0; k < task.goal.size(); ++k)
    for (const task::Fact& f : task.goal[k])
      lp.add(first_goal + k, first_row[f.variable.index()] + f.value, -1.0);
  return lp;
}

}  // namespace carl::heuristics
