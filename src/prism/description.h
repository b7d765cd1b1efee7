// A checked model: every name resolved, every expression typed, modules that rename others written
// out, and modules put together into what can happen jointly. What the model (src/model) is compiled
// from.
#ifndef CARL_PRISM_DESCRIPTION_H
#define CARL_PRISM_DESCRIPTION_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "prism/model_scope.h"
#include "prism/syntax_tree.h"
#include "prism/typed_expression.h"

namespace carl::prism {

struct Assignment {
  std::uint32_t variable = 0;
  TypedExpression value;
};

struct Update {
  Position position;
  TypedExpression probability;
  std::vector<Assignment> assignments;
};

/// The action of commands that have none.
inline constexpr std::uint32_t no_action = static_cast<std::uint32_t>(-1);

struct Command {
  Position position;
  std::uint32_t action = no_action;  // of Description::actions
  std::uint32_t module = 0;
  std::uint32_t number = 0;  // in its module, from 1
  TypedExpression guard;
  std::vector<Update> updates;
};

struct RewardItem {
  Position position;
  bool of_transitions = false;
  std::uint32_t action = no_action;
  TypedExpression guard;
  TypedExpression value;
};

struct Rewards {
  std::string name;
  std::vector<RewardItem> items;
};

struct Label {
  std::string name;
  TypedExpression condition;
};

/// Commands of which one each happens at the same time: one list for each module that takes part.
struct Synchronisation {
  std::uint32_t action = no_action;               // that people see; none if it is hidden
  std::vector<std::vector<std::uint32_t>> parts;  // commands
};

struct Description {
  bool is_dtmc = false;
  std::vector<Variable> variables;
  std::vector<std::string> modules;
  std::vector<std::string> actions;
  std::vector<Command> commands;
  std::vector<Synchronisation> synchronisations;
  std::vector<Label> labels;
  std::vector<Rewards> rewards;
  std::optional<TypedExpression> initial;  // init ... endinit
  std::vector<std::string> notes;

  /// What the names of the model mean, for expressions that come later; it needs `syntax`, whose
  /// positions are in `source`.
  std::shared_ptr<const Source> source;
  std::shared_ptr<const ModelSyntax> syntax;
  std::shared_ptr<const ModelScope> scope;
};

}  // namespace carl::prism

#endif
