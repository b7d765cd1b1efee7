#include "prism/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carl/suggestion.h"

namespace carl::prism {
namespace {

// Integers without bounds have 32 bits, as they have in PRISM.
constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();

/// " of module 'm'" where a module is the copy of another: positions are those of the original.
std::string in_module(const std::string& module, bool is_copy) {
  return is_copy ? fmt::format(" of module {}", quoted(module)) : std::string();
}

}  // namespace

std::uint32_t ActionNames::number(std::string_view name) {
  const auto [entry, is_new] =
      numbers_.emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.emplace_back(name);
  return entry->second;
}

std::uint32_t ActionNames::find(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? no_action : found->second;
}

ModuleReader::ModuleReader(const ModelSyntax& syntax, ModelScope& scope, ActionNames& actions,
                           Description& out)
    : syntax_(syntax), scope_(scope), plain_(scope), actions_(actions), out_(out) {}

ModuleReader::Instance ModuleReader::instance_of(const ModuleSyntax& module) const {
  if (!module.renaming) return {&module, {}, nullptr};
  const Name& base = module.renaming->base;
  const auto found =
      std::find_if(syntax_.modules.begin(), syntax_.modules.end(),
                   [&](const ModuleSyntax& other) { return other.name.text == base.text; });
  const auto place = static_cast<std::size_t>(found - syntax_.modules.begin());
  if (found == syntax_.modules.end() || &*found == &module) {
    std::vector<std::string_view> names;
    for (const ModuleSyntax& other : syntax_.modules)
      if (&other != &module) names.push_back(other.name.text);
    throw error_at(base.position, fmt::format("there is no module named {}", quoted(base.text)),
                   did_you_mean(base.text, names));
  }
  // One that is written out may come later; one that is renamed itself must have been read.
  if (found->renaming && place >= instances_.size())
    throw error_at(base.position,
                   fmt::format("module {} is a renaming itself and comes later", quoted(base.text)),
                   "put it before this one");
  RenamedScope::Names own;
  for (const auto& [from, to] : module.renaming->names)
    if (!own.emplace(from.text, to.text).second)
      throw error_at(from.position, fmt::format("{} is renamed twice", quoted(from.text)));
  Instance instance;
  instance.module = &*found;
  if (found->renaming) {
    // A name of the original is first what the base calls it, and then what we call that.
    instance.module = instances_[place].module;
    for (const auto& [from, to] : instances_[place].names) {
      const auto again = own.find(to);
      instance.names.emplace(from, again == own.end() ? to : again->second);
    }
  }
  instance.names.merge(own);
  for (const VariableDeclaration& variable : instance.module->variables) {
    const std::string& name = variable.name.text;
    const auto renamed = instance.names.find(name);
    if (renamed == instance.names.end() || renamed->second == name)
      throw error_at(
          module.name.position,
          fmt::format("module {} must rename the variable {} of module {}",
                      quoted(module.name.text), quoted(name), quoted(instance.module->name.text)),
          fmt::format("add {}=... to the list of new names", name));
  }
  instance.scope = std::make_unique<RenamedScope>(plain_, instance.names);
  return instance;
}

void ModuleReader::read_variables() {
  for (const VariableDeclaration& variable : syntax_.globals)
    read_variable(variable, nullptr, Variable::global);
  std::map<std::string_view, Position> declared;
  for (const ModuleSyntax& module : syntax_.modules) {
    const auto [entry, is_new] = declared.emplace(module.name.text, module.name.position);
    if (!is_new)
      throw error_at(module.name.position,
                     fmt::format("there are two modules named {}", quoted(module.name.text)),
                     fmt::format("the other one is in {}", place_of(entry->second)));
    const auto number = static_cast<std::uint32_t>(out_.modules.size());
    out_.modules.push_back(module.name.text);
    instances_.push_back(instance_of(module));
    for (const VariableDeclaration& variable : instances_.back().module->variables)
      read_variable(variable, &instances_.back(), number);
  }
}

void ModuleReader::read_variable(const VariableDeclaration& declaration, const Instance* instance,
                                 std::uint32_t module) {
  const Scope& scope = instance != nullptr ? scope_of(*instance) : plain_;
  Variable variable;
  variable.name = declaration.name.text;
  variable.position = declaration.name.position;
  if (instance != nullptr && instance->scope)
    variable.name = instance->scope->renamed(declaration.name.text);
  variable.module = module;
  const std::string shown = quoted(variable.name);
  if (declaration.kind != VariableDeclaration::Kind::boolean) {
    variable.type = Type::integer;
    variable.low = lowest;
    variable.high = highest;
  }
  if (declaration.kind == VariableDeclaration::Kind::range) {
    const auto bound = [&](const Expression& expression, const char* which) {
      return constant_value(expression, scope, Type::integer,
                            fmt::format("the {} value of {}", which, shown))
          .integer;
    };
    variable.low = bound(declaration.low, "lowest");
    variable.high = bound(declaration.high, "highest");
    if (variable.low > variable.high)
      throw error_at(declaration.low.position, fmt::format("the range of {} is empty: {}..{}",
                                                           shown, variable.low, variable.high));
    if (variable.low < lowest || variable.high > highest)
      throw error_at(
          declaration.low.position,
          fmt::format("the range of {} is too large: {}..{}", shown, variable.low, variable.high),
          "the values of variables have 32 bits");
  }
  variable.initial = declaration.kind == VariableDeclaration::Kind::range ? variable.low : 0;
  if (declaration.initial && syntax_.initial)
    throw error_at(declaration.initial->position,
                   "initial values are given both here and by 'init ... endinit'",
                   "use one of the two");
  if (declaration.initial) {
    variable.initial = constant_value(*declaration.initial, scope, variable.type,
                                      fmt::format("the initial value of {}", shown))
                           .integer;
    if (variable.initial < variable.low || variable.initial > variable.high)
      throw error_at(declaration.initial->position,
                     fmt::format("the initial value of {} is {}, outside of {}..{}", shown,
                                 variable.initial, variable.low, variable.high));
  }
  scope_.add_variable({variable.name, variable.position}, variable.type,
                      static_cast<std::uint32_t>(out_.variables.size()));
  out_.variables.push_back(std::move(variable));
}

void ModuleReader::read_commands() {
  for (std::uint32_t m = 0; m < instances_.size(); ++m) {
    std::uint32_t number = 0;
    for (const CommandSyntax& command : instances_[m].module->commands)
      read_command(command, m, ++number);
  }
}

void ModuleReader::read_command(const CommandSyntax& syntax, std::uint32_t module,
                                std::uint32_t number) {
  const Instance& instance = instances_[module];
  Command command;
  command.position = syntax.position;
  command.module = module;
  command.number = number;
  if (syntax.action) {
    const std::string& name = syntax.action->text;
    command.action =
        actions_.number(instance.scope ? instance.scope->renamed(name) : std::string_view(name));
  }
  command.guard = resolve(
      syntax.guard, scope_of(instance), Type::boolean,
      fmt::format("the guard{}", in_module(out_.modules[module], instance.scope != nullptr)));
  for (const UpdateSyntax& update : syntax.updates)
    command.updates.push_back(read_update(update, command));
  out_.commands.push_back(std::move(command));
}

Update ModuleReader::read_update(const UpdateSyntax& syntax, const Command& command) {
  Update update;
  update.position = syntax.position;
  update.probability.type = Type::real;
  update.probability.value = Value::of(1.0);
  update.probability.position = syntax.position;
  if (syntax.probability)
    update.probability = resolve(*syntax.probability, scope_of(instances_[command.module]),
                                 Type::real, "the probability");
  for (const AssignmentSyntax& assignment : syntax.assignments) {
    update.assignments.push_back(read_assignment(assignment, command));
    const std::uint32_t variable = update.assignments.back().variable;
    const auto same = std::count_if(update.assignments.begin(), update.assignments.end(),
                                    [&](const Assignment& a) { return a.variable == variable; });
    if (same > 1)
      throw error_at(
          assignment.variable.position,
          fmt::format("the update gives {} two values", quoted(out_.variables[variable].name)));
  }
  return update;
}

Assignment ModuleReader::read_assignment(const AssignmentSyntax& syntax, const Command& command) {
  const Instance& instance = instances_[command.module];
  const Position& position = syntax.variable.position;
  std::string_view name = syntax.variable.text;
  if (instance.scope) name = instance.scope->renamed(name);
  const Meaning meaning = scope_.meaning(name);
  if (meaning.kind != Meaning::Kind::variable) {
    std::vector<std::string_view> names;
    for (const Variable& variable : out_.variables)
      names.push_back(variable.name);
    throw error_at(position, fmt::format("there is no variable named {}", quoted(name)),
                   did_you_mean(name, names));
  }
  const Variable& variable = out_.variables[meaning.index];
  const std::string& module = out_.modules[command.module];
  if (variable.module != command.module && variable.module != Variable::global)
    throw error_at(position,
                   fmt::format("module {} changes {}, which belongs to module {}", quoted(module),
                               quoted(name), quoted(out_.modules[variable.module])),
                   "a module changes its own variables and global ones");
  if (variable.module == Variable::global && command.action != no_action)
    throw error_at(
        position,
        fmt::format("a command with an action changes the global variable {}", quoted(name)),
        "others may take part in the action: only commands without one, '[]', change "
        "global variables");
  return {meaning.index, resolve(syntax.value, scope_of(instance), variable.type,
                                 fmt::format("the new value of {}", quoted(name)))};
}

}  // namespace carl::prism
