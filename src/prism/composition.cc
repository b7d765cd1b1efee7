// A process is a list of synchronisations and the set of actions it knows. Operators make a new
// list from those of their operands: sharing an action joins every synchronisation of it on the one
// side with every one on the other. One that is known to one side only, but shared, happens never.
#include "prism/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "carl/suggestion.h"

namespace carl::prism {
namespace {

// Renaming actions to the same name multiplies.
constexpr std::size_t most_synchronisations = 100'000;

struct Process {
  std::vector<Synchronisation> synchronisations;
  std::set<std::uint32_t> actions;
};

class Composer {
 public:
  Composer(ActionNames& actions, const Description& model)
      : actions_(actions), model_(model), used_(model.modules.size(), false) {}

  Process all_modules() {
    Process result;
    for (std::uint32_t m = 0; m < model_.modules.size(); ++m)
      result = m == 0 ? module(m) : in_parallel(std::move(result), module(m));
    return result;
  }

  Process process(const SystemSyntax& system) {
    switch (system.kind) {
      case SystemSyntax::Kind::module:
        return named_module(system.module);
      case SystemSyntax::Kind::full:
      case SystemSyntax::Kind::interleaved: {
        Process result = process(system.operands.front());
        for (std::size_t i = 1; i < system.operands.size(); ++i) {
          Process next = process(system.operands[i]);
          result = system.kind == SystemSyntax::Kind::full
                       ? in_parallel(std::move(result), std::move(next))
                       : joined(std::move(result), std::move(next), {});
        }
        return result;
      }
      case SystemSyntax::Kind::shared: {
        Process left = process(system.operands[0]);
        Process right = process(system.operands[1]);
        return joined(std::move(left), std::move(right), numbers(system.actions));
      }
      case SystemSyntax::Kind::hiding:
        return hidden(process(system.operands[0]), numbers(system.actions));
      default:
        return renamed(process(system.operands[0]), system.renaming);
    }
  }

  void check_all_used(const SystemSyntax& system) const {
    for (std::size_t m = 0; m < used_.size(); ++m)
      if (!used_[m])
        throw error_at(system.position,
                       fmt::format("the system leaves out module {}", quoted(model_.modules[m])),
                       "every module takes part once");
  }

 private:
  Process module(std::uint32_t number) const {
    Process result;
    // In the order of the text: an action where its first command is, the others one by one.
    std::map<std::uint32_t, std::size_t> places;
    for (std::uint32_t c = 0; c < model_.commands.size(); ++c) {
      const Command& command = model_.commands[c];
      if (command.module != number) continue;
      if (command.action == no_action) {
        result.synchronisations.push_back({no_action, {{c}}});
        continue;
      }
      const auto [place, is_new] = places.emplace(command.action, result.synchronisations.size());
      if (is_new) result.synchronisations.push_back({command.action, {{}}});
      result.synchronisations[place->second].parts[0].push_back(c);
      result.actions.insert(command.action);
    }
    return result;
  }

  Process named_module(const Name& name) {
    const auto found = std::find(model_.modules.begin(), model_.modules.end(), name.text);
    if (found == model_.modules.end()) {
      const std::vector<std::string_view> names(model_.modules.begin(), model_.modules.end());
      throw error_at(name.position, fmt::format("there is no module named {}", quoted(name.text)),
                     did_you_mean(name.text, names));
    }
    const auto number = static_cast<std::uint32_t>(found - model_.modules.begin());
    if (used_[number])
      throw error_at(name.position, fmt::format("module {} takes part twice", quoted(name.text)),
                     "write a copy with other variables: module B = A [x=y] endmodule");
    used_[number] = true;
    return module(number);
  }

  std::set<std::uint32_t> numbers(const std::vector<Name>& names) {
    std::set<std::uint32_t> result;
    for (const Name& name : names)
      result.insert(actions_.number(name.text));
    return result;
  }

  static Process in_parallel(Process left, Process right) {
    std::set<std::uint32_t> shared;
    std::set_intersection(left.actions.begin(), left.actions.end(), right.actions.begin(),
                          right.actions.end(), std::inserter(shared, shared.end()));
    return joined(std::move(left), std::move(right), shared);
  }

  static Process joined(Process left, Process right, const std::set<std::uint32_t>& shared) {
    Process result;
    for (const Synchronisation& one : left.synchronisations) {
      if (!shared.contains(one.action)) {
        result.synchronisations.push_back(one);
        continue;
      }
      for (const Synchronisation& other : right.synchronisations) {
        if (other.action != one.action) continue;
        Synchronisation both = one;
        both.parts.insert(both.parts.end(), other.parts.begin(), other.parts.end());
        result.synchronisations.push_back(std::move(both));
        if (result.synchronisations.size() > most_synchronisations)
          throw InputError("the system has too many ways to synchronise",
                           "actions that were given the same name are combined with one another");
      }
    }
    for (Synchronisation& other : right.synchronisations)
      if (!shared.contains(other.action)) result.synchronisations.push_back(std::move(other));
    result.actions = std::move(left.actions);
    result.actions.merge(right.actions);
    return result;
  }

  static Process hidden(Process process, const std::set<std::uint32_t>& actions) {
    for (Synchronisation& synchronisation : process.synchronisations)
      if (actions.contains(synchronisation.action)) synchronisation.action = no_action;
    for (const std::uint32_t action : actions)
      process.actions.erase(action);
    return process;
  }

  Process renamed(Process process, const std::vector<std::pair<Name, Name>>& names) {
    std::map<std::uint32_t, std::uint32_t> renaming;
    for (const auto& [from, to] : names)
      if (!renaming.emplace(actions_.number(from.text), actions_.number(to.text)).second)
        throw error_at(from.position,
                       fmt::format("the action {} is renamed twice", quoted(from.text)));
    const auto new_name = [&](std::uint32_t action) {
      const auto found = renaming.find(action);
      return found == renaming.end() ? action : found->second;
    };
    for (Synchronisation& synchronisation : process.synchronisations)
      synchronisation.action = new_name(synchronisation.action);
    std::set<std::uint32_t> actions;
    for (const std::uint32_t action : process.actions)
      actions.insert(new_name(action));
    process.actions = std::move(actions);
    return process;
  }

  ActionNames& actions_;
  const Description& model_;
  std::vector<bool> used_;
};

}  // namespace

void compose(const ModelSyntax& syntax, ActionNames& actions, Description& out) {
  Composer composer(actions, out);
  if (!syntax.system) {
    out.synchronisations = composer.all_modules().synchronisations;
    return;
  }
  Process process = composer.process(*syntax.system);
  composer.check_all_used(*syntax.system);
  out.synchronisations = std::move(process.synchronisations);
}

}  // namespace carl::prism
