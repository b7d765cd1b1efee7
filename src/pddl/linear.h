// Linear combinations of ground costs, as metrics and bounds are made of: (+ (* 2 (time)) (price)).
// They are evaluated as they are read, with the variables of an enclosing forall bound to objects.
#ifndef CARL_PDDL_LINEAR_H
#define CARL_PDDL_LINEAR_H

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "pddl/cost_functions.h"
#include "pddl/init.h"
#include "pddl/numbers.h"

namespace carl::pddl {

/// One ground instance of a cost function. An invalid function stands for the number of actions.
struct GroundCost {
  FunctionId function;
  std::vector<ObjectId> arguments;

  friend bool operator<(const GroundCost& a, const GroundCost& b) {
    return std::tie(a.function, a.arguments) < std::tie(b.function, b.arguments);
  }
};

struct Linear {
  Rational constant;
  std::map<GroundCost, Rational> coefficients;  // none is 0
};

/// The variables that are in force, each with the object that it stands for.
struct Binding {
  Scope scope;
  std::vector<ObjectId> objects;  // by slot
};

class LinearReader {
 public:
  LinearReader(CostFunctions& costs, const InitialValues& values, Vocabulary& vocabulary)
      : costs_(costs), values_(values), vocabulary_(vocabulary) {}

  Linear read(Form form, const Binding& binding);
  /// An expression without costs.
  Rational read_constant(Form form, const Binding& binding);
  /// The cost that (f object …) or a bare f stands for.
  GroundCost read_cost(Form form, const Binding& binding);

 private:
  Linear read_arithmetic(Form form, Amount::Kind kind, const Binding& binding);
  Linear read_function(Form form, const Binding& binding);
  GroundCost read_ground(Form form, const Binding& binding);
  bool is_step_count(Form form) const;

  CostFunctions& costs_;
  const InitialValues& values_;
  Vocabulary& vocabulary_;
};

/// The text of `form` with the variables replaced by the objects they stand for.
std::string to_string(Form form, const Binding& binding, const SyntaxTree& tree);

}  // namespace carl::pddl

#endif
