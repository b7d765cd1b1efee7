// A model as it is written: all its parts with their positions, and nothing checked but the grammar.
// See description.h for what becomes of it.
#ifndef CARL_PRISM_SYNTAX_TREE_H
#define CARL_PRISM_SYNTAX_TREE_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "prism/expression.h"

namespace carl::prism {

struct Name {
  std::string text;
  Position position;
};

struct ConstantDeclaration {
  Type type = Type::integer;
  Name name;
  std::optional<Expression> value;
};

/// A formula or a label.
struct Definition {
  Name name;
  Expression expression;
};

struct VariableDeclaration {
  enum class Kind { boolean, range, unbounded };
  Kind kind = Kind::boolean;
  Name name;
  Expression low;  // of a range
  Expression high;
  std::optional<Expression> initial;
};

struct AssignmentSyntax {
  Name variable;
  Expression value;
};

struct UpdateSyntax {
  Position position;
  std::optional<Expression> probability;
  std::vector<AssignmentSyntax> assignments;
};

struct CommandSyntax {
  Position position;
  std::optional<Name> action;
  Expression guard;
  std::vector<UpdateSyntax> updates;
};

/// module B = A [x=y] endmodule
struct Renaming {
  Name base;
  std::vector<std::pair<Name, Name>> names;
};

struct ModuleSyntax {
  Name name;
  std::vector<VariableDeclaration> variables;
  std::vector<CommandSyntax> commands;
  std::optional<Renaming> renaming;
};

struct RewardSyntax {
  Position position;
  bool of_transitions = false;
  std::optional<Name> action;  // none: of transitions without one
  Expression guard;
  Expression value;
};

struct RewardsSyntax {
  Position position;
  std::optional<Name> name;
  std::vector<RewardSyntax> items;
};

/// How modules are put together: system ... endsystem.
struct SystemSyntax {
  enum class Kind { module, full, interleaved, shared, hiding, renaming };
  Kind kind = Kind::module;
  Position position;
  Name module;
  std::vector<SystemSyntax> operands;
  std::vector<Name> actions;                    // shared by |[a,b]|, or hidden
  std::vector<std::pair<Name, Name>> renaming;  // of actions
};

struct ModelSyntax {
  enum class Kind { mdp, dtmc };
  Kind kind = Kind::mdp;
  std::vector<ConstantDeclaration> constants;
  std::vector<Definition> formulas;
  std::vector<Definition> labels;
  std::vector<VariableDeclaration> globals;
  std::vector<ModuleSyntax> modules;
  std::vector<RewardsSyntax> rewards;
  std::optional<Expression> initial;  // init ... endinit
  std::optional<SystemSyntax> system;
};

}  // namespace carl::prism

#endif
