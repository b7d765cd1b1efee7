// Expressions whose names are resolved and whose types are checked. Formulas are written out,
// constants replaced by their values, and what does not depend on the state is computed.
//
// What a name means is for a Scope to say: that of a model knows its constants, variables, formulas
// and labels; that of a renamed module renames first; one of a file of properties adds constants of
// its own and asks the model's for the rest.
#ifndef CARL_PRISM_TYPED_EXPRESSION_H
#define CARL_PRISM_TYPED_EXPRESSION_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "prism/expression.h"

namespace carl::prism {

struct TypedExpression {
  /// literal, variable, label, or an operation on operands. Never name or call.
  Operation operation = Operation::literal;
  Type type = Type::boolean;
  Position position;
  Value value;              // of a literal
  std::uint32_t index = 0;  // of a variable, or of a label: as the scope numbers them
  std::vector<TypedExpression> operands;

  bool is_constant() const { return operation == Operation::literal; }
};

class Scope;

/// What a name stands for.
struct Meaning {
  enum class Kind { nothing, constant, variable, formula, atom };

  Kind kind = Kind::nothing;
  Value value = {};           // of a constant
  Type type = Type::boolean;  // of a variable
  std::uint32_t index = 0;    // of a variable, or of an atom: a label that is no expression
  const Expression* formula = nullptr;
  const Scope* scope = nullptr;  // in which the formula is read
};

class Scope {
 public:
  virtual ~Scope() = default;
  virtual Meaning meaning(std::string_view name) const = 0;
  /// Of "name" in quotes: a formula, an atom or nothing. `names` are for suggestions.
  virtual Meaning label(std::string_view /*name*/) const { return {}; }
  /// What a function is called here: renaming a module may exchange min and max.
  virtual std::string_view function(std::string_view name) const { return name; }
  /// Everything that meaning() and label() know, for suggestions.
  virtual std::vector<std::string_view> names() const = 0;
  virtual std::vector<std::string_view> labels() const { return {}; }
  /// What to say of labels where there can be none; empty if there can.
  virtual std::string_view why_no_labels() const { return {}; }
};

/// Throws InputError.
TypedExpression resolve(const Expression& expression, const Scope& scope);
/// Likewise, and it must have this type; an integer does for a real number. `what` is what it is,
/// for messages: "the guard".
TypedExpression resolve(const Expression& expression, const Scope& scope, Type type,
                        std::string_view what);
/// The value of an expression that must not depend on the state.
Value constant_value(const Expression& expression, const Scope& scope, Type type,
                     std::string_view what);

}  // namespace carl::prism

#endif
