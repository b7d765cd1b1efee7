// Reads the variables and commands of all modules; modules that rename others are written out.
#ifndef CARL_PRISM_MODULES_H
#define CARL_PRISM_MODULES_H

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "prism/description.h"

namespace carl::prism {

/// The actions of a model, numbered in the order in which they are named.
class ActionNames {
 public:
  explicit ActionNames(std::vector<std::string>& names) : names_(names) {}
  std::uint32_t number(std::string_view name);
  /// no_action if it is not known.
  std::uint32_t find(std::string_view name) const;

 private:
  std::vector<std::string>& names_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

class ModuleReader {
 public:
  /// `scope` learns the variables.
  ModuleReader(const ModelSyntax& syntax, ModelScope& scope, ActionNames& actions,
               Description& out);

  /// Throw InputError. Variables first, since commands may speak of those of any module.
  void read_variables();
  void read_commands();

 private:
  /// A module with what it is called after renaming.
  struct Instance {
    const ModuleSyntax* module;  // the one that is written out
    RenamedScope::Names names;
    std::unique_ptr<RenamedScope> scope;  // null if nothing is renamed
  };

  Instance instance_of(const ModuleSyntax& module) const;
  const Scope& scope_of(const Instance& instance) const {
    return instance.scope ? static_cast<const Scope&>(*instance.scope) : plain_;
  }
  void read_variable(const VariableDeclaration& variable, const Instance* instance,
                     std::uint32_t module);
  void read_command(const CommandSyntax& command, std::uint32_t module, std::uint32_t number);
  Update read_update(const UpdateSyntax& update, const Command& command);
  Assignment read_assignment(const AssignmentSyntax& assignment, const Command& command);

  const ModelSyntax& syntax_;
  ModelScope& scope_;
  WithoutLabels plain_;
  ActionNames& actions_;
  Description& out_;
  std::vector<Instance> instances_;  // by module
};

}  // namespace carl::prism

#endif
