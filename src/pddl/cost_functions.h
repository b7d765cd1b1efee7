// Tells costs from static numbers. A function is a cost if some effect changes it, or if the
// metric, a constraint or the give-up penalty mentions it and :init gives it no value. Costs start
// at 0, grow by static amounts, and are never read; PPDDL's reward, which falls from 0, is a cost
// with its sign turned.
#ifndef CARL_PDDL_COST_FUNCTIONS_H
#define CARL_PDDL_COST_FUNCTIONS_H

#include <optional>
#include <vector>

#include "pddl/function_uses.h"
#include "pddl/init.h"

namespace carl::pddl {

class CostFunctions {
 public:
  /// Checks all uses; `maximised` is the function that the metric maximises, if any.
  CostFunctions(const FunctionUses& uses, const InitialValues& values,
                std::optional<FunctionId> maximised, Vocabulary& vocabulary);

  /// Whether a function that the metric or a bound mentions is a cost there; if so it is one from
  /// now on.
  bool mention(FunctionId function);
  /// Whether effects decrease it (as PPDDL's reward).
  bool is_decreased(FunctionId function) const { return role(function).decreased; }
  bool is_changed(FunctionId function) const {
    return role(function).increased || role(function).decreased;
  }
  bool is_static_number(FunctionId function) const {
    return !is_changed(function) && (role(function).has_value || role(function).is_amount);
  }

 private:
  struct Role {
    bool increased = false;
    bool decreased = false;
    bool is_amount = false;  // or a probability, or compared
    bool has_value = false;  // other than 0
  };

  Role role(FunctionId function) const;
  void check_change(const FunctionUses::Change& change, std::optional<FunctionId> maximised);
  /// Costs cannot be what these functions are used for.
  void require_static(const std::vector<FunctionUse>& uses, const char* what, const char* hint);
  const std::string& name(FunctionId function) const;

  Vocabulary& vocabulary_;
  std::vector<Role> roles_;
};

}  // namespace carl::pddl

#endif
