// The values of static functions and arithmetic over them, exactly: what amounts of costs,
// probabilities and comparisons in conditions are made of. They are known as soon as the variables
// are bound.
#ifndef CARL_TASK_STATIC_NUMBERS_H
#define CARL_TASK_STATIC_NUMBERS_H

#include <absl/functional/function_ref.h>

#include <optional>
#include <string>
#include <vector>

#include "pddl/read.h"
#include "pddl/syntax_tree.h"
#include "task/tuple_table.h"
#include "util/rational.h"

namespace carl::task {

/// The object bound to each slot.
using Bindings = std::vector<std::uint32_t>;

class StaticNumbers {
 public:
  /// Both must outlive it.
  StaticNumbers(const pddl::SyntaxTree& tree, const std::vector<pddl::SourceText>& sources);

  /// What needs a number, for messages: not too long.
  using User = absl::FunctionRef<std::string()>;

  /// All variables must be bound. Throws InputError if a function has no value or a divisor is
  /// zero.
  Rational value(const pddl::Amount& amount, const Bindings& bindings, User user) const;
  /// Nothing where value() would throw or some variable is not bound.
  std::optional<Rational> find(const pddl::Amount& amount, const Bindings& bindings) const;
  /// The same for a comparison.
  bool holds(pddl::Condition::Relation relation, const std::vector<pddl::Amount>& sides,
             const Bindings& bindings, User user) const;
  std::optional<bool> holds_if_known(pddl::Condition::Relation relation,
                                     const std::vector<pddl::Amount>& sides,
                                     const Bindings& bindings) const;

 private:
  std::optional<Rational> find_function(const pddl::Amount& amount, const Bindings& bindings) const;
  [[noreturn]] void complain(const pddl::Amount& amount, const Bindings& bindings,
                             const std::string& user) const;

  const pddl::SyntaxTree& tree_;
  const std::vector<pddl::SourceText>& sources_;
  TupleTable terms_;
  std::vector<Rational> values_;  // by term
};

}  // namespace carl::task

#endif
