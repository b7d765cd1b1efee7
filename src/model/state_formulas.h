// What formulas about states mean in a model: which names they may use, and in which states they
// hold. A model with a language of its own is one of these itself; for all others there are labels.
#ifndef CARL_MODEL_STATE_FORMULAS_H
#define CARL_MODEL_STATE_FORMULAS_H

#include <functional>
#include <memory>

#include "carl/model.h"
#include "prism/typed_expression.h"

namespace carl {

class StateFormulas {
 public:
  virtual ~StateFormulas() = default;

  /// What names and labels mean.
  virtual const prism::Scope& scope() const = 0;
  /// Of a boolean expression that was resolved in that scope, or in one that asks it. The predicate
  /// may be asked for states that the model knows, for as long as the model and this live.
  virtual std::function<bool(StateId)> predicate(const prism::TypedExpression& formula) = 0;
};

/// The labels of any model. Beside its own there are "init" and "deadlock", as PRISM has them, and
/// "goal" if the model has no labels of its own.
std::shared_ptr<StateFormulas> make_label_formulas(std::shared_ptr<Model> model);

/// Those of a model, whatever it is.
std::shared_ptr<StateFormulas> state_formulas_of(const std::shared_ptr<Model>& model);

}  // namespace carl

#endif
