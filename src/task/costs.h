// Turns the "increase" effects of ground actions into amounts of the problem's costs, exactly:
// works out the static numbers and applies the linear combinations by which costs are defined.
#ifndef CARL_TASK_COSTS_H
#define CARL_TASK_COSTS_H

#include <string>
#include <utility>
#include <vector>

#include "pddl/read.h"
#include "pddl/syntax_tree.h"
#include "task/join.h"
#include "task/static_numbers.h"
#include "task/tuple_table.h"
#include "util/rational.h"

namespace carl::task {

class CostCalculator {
 public:
  /// All must outlive it.
  CostCalculator(const pddl::SyntaxTree& tree, const StaticNumbers& numbers,
                 const std::vector<pddl::SourceText>& sources);

  /// Calls `add(cost, amount)` for each cost that this effect raises. Throws InputError, naming
  /// `user`, if the amount has no value or is negative.
  template <class Add>
  void increase(const pddl::Effect& effect, const Bindings& bindings, StaticNumbers::User user,
                const Add& add) const {
    const Rational amount = checked_amount(effect, bindings, user);
    if (amount == 0) return;
    for (const Share& share : shares_of(effect, bindings))
      add(share.cost, Rational(amount * share.coefficient));
  }

 private:
  struct Share {
    std::uint32_t cost = 0;
    Rational coefficient;
  };

  Rational checked_amount(const pddl::Effect& effect, const Bindings& bindings,
                          StaticNumbers::User user) const;
  const std::vector<Share>& shares_of(const pddl::Effect& effect, const Bindings& bindings) const;

  const std::vector<pddl::SourceText>& sources_;
  const StaticNumbers& numbers_;
  TupleTable cost_terms_;
  std::vector<std::vector<Share>> shares_;  // by cost term
  std::vector<Share> no_share_;
};

}  // namespace carl::task

#endif
