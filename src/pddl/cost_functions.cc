#include "pddl/cost_functions.h"

#include <fmt/format.h>

namespace carl::pddl {

CostFunctions::CostFunctions(const FunctionUses& uses, const InitialValues& values,
                             std::optional<FunctionId> maximised, Vocabulary& vocabulary)
    : vocabulary_(vocabulary), roles_(vocabulary.tree().functions.size()) {
  for (const FunctionUses::Change& change : uses.changes)
    check_change(change, maximised);
  require_static(uses.amounts, "be an amount",
                 "amounts are numbers and static functions, which no effect changes");
  require_static(uses.probabilities, "be a probability",
                 "probabilities are numbers and static functions, which no effect changes");
  require_static(uses.compared, "be part of a condition",
                 "costs only add up and are not part of the state: bound what is expected in "
                 "(:constraints (<= (expected (f)) number)), or model the quantity by facts");
  for (const InitialValues::Entry& entry : values.entries()) {
    const FunctionId function = entry.value.function;
    if (entry.value.value == 0) continue;
    if (is_changed(function))
      vocabulary.fail(entry.position, fmt::format("the cost '{}' must begin at 0", name(function)),
                      "costs count from the initial state on: leave the value out, or write 0");
    roles_[function.index()].has_value = true;
  }
}

void CostFunctions::require_static(const std::vector<FunctionUse>& uses, const char* what,
                                   const char* hint) {
  for (const FunctionUse& use : uses) {
    if (is_changed(use.function))
      vocabulary_.fail(use.position,
                       fmt::format("the cost '{}' cannot {}", name(use.function), what), hint);
    roles_[use.function.index()].is_amount = true;
  }
}

void CostFunctions::check_change(const FunctionUses::Change& change,
                                 std::optional<FunctionId> maximised) {
  Role& known = roles_[change.function.index()];
  const bool is_maximised = maximised == change.function;
  if (change.decrease && !is_maximised && name(change.function) != "reward")
    vocabulary_.fail(change.position,
                     fmt::format("the cost '{}' is decreased", name(change.function)),
                     "costs only ever grow; only (reward), or what the metric maximises, may be "
                     "decreased");
  if (!change.decrease && is_maximised)
    vocabulary_.fail(
        change.position,
        fmt::format("'{}' is maximised, so it may not be increased", name(change.function)),
        "only costs can be planned for: rewards that are lost, by 'decrease'");
  (change.decrease ? known.decreased : known.increased) = true;
  if (known.increased && known.decreased)
    vocabulary_.fail(change.position,
                     fmt::format("'{}' is both increased and decreased", name(change.function)));
  vocabulary_.mark_cost(change.function);
  if (change.decrease) vocabulary_.mark_reward(change.function);
}

bool CostFunctions::mention(FunctionId function) {
  if (is_static_number(function)) return false;
  vocabulary_.mark_cost(function);
  return true;
}

CostFunctions::Role CostFunctions::role(FunctionId function) const {
  // A bound may be the first to mention (reward), which needs no declaration.
  return function.index() < roles_.size() ? roles_[function.index()] : Role{};
}

const std::string& CostFunctions::name(FunctionId function) const {
  return vocabulary_.tree().functions[function.index()].name;
}

}  // namespace carl::pddl
