// Conditional effects in linear programs over expected action counts. For each conditional effect k
// of an action a there is N_k, the expected number of uses of a in states in which the conditions
// of k, and of those that it is within, hold. So
//
//     Σ_k N_k ≤ Y_a,    or N of what they are within,
//
// over effects whose conditions exclude each other. The program may choose N within these limits
// where a state would decide: a relaxation. What k does to a variable it does N_k times, with the
// probability of its outcome. Only where nothing else can happen to the variable at the same time
// is it known that its old value is gone.
#ifndef CARL_HEURISTICS_CONDITIONAL_COUNTS_H
#define CARL_HEURISTICS_CONDITIONAL_COUNTS_H

#include <cstdint>
#include <map>
#include <vector>

#include "heuristics/operator_counting.h"
#include "task/changes.h"

namespace carl::heuristics {

/// A part of an action's effect that gives a variable a value.
struct VariableChange {
  task::Part part;
  std::uint32_t value = 0;
  double probability = 1;  // if the conditions hold
  bool alone = true;       // no other part changes the variable at the same time
};

class ConditionalCounts {
 public:
  /// Adds the columns N and their rows; `uses` is the column of Y_a. `action` must live longer.
  ConditionalCounts(const task::Action& action, std::uint32_t uses, OperatorCountingLp& lp);

  /// Y_a if `conditional` is `none`.
  std::uint32_t column(std::uint32_t conditional) const {
    return conditional == task::ConditionalEffect::none ? uses_ : columns_[conditional];
  }
  /// The value that a variable has before, or UINT32_MAX if that is not known.
  std::uint32_t value_before(std::uint32_t conditional, task::VariableId variable) const;
  /// Effects whose conditions exclude each other; each effect is in one of these lists.
  const std::vector<std::vector<std::uint32_t>>& exclusive() const { return exclusive_; }
  const std::map<task::VariableId, std::vector<VariableChange>>& changes() const {
    return changes_;
  }

 private:
  void find_exclusive();
  void find_changes();

  const task::Action& action_;
  std::vector<task::Circumstances> when_;
  std::uint32_t uses_;
  std::vector<std::uint32_t> columns_;
  std::vector<std::vector<std::uint32_t>> exclusive_;
  std::map<task::VariableId, std::vector<VariableChange>> changes_;
};

}  // namespace carl::heuristics

#endif
