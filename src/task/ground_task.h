// The ground task over atoms: preconditions in disjunctive normal form, effects as trees of
// conditions and random choices. Only atoms that can both become true and become false occur.
#ifndef CARL_TASK_GROUND_TASK_H
#define CARL_TASK_GROUND_TASK_H

#include <cstdint>
#include <string>
#include <vector>

#include "carl/monitor.h"
#include "pddl/read.h"
#include "pddl/syntax_tree.h"
#include "task/atom_table.h"
#include "task/exploration.h"
#include "task/formula.h"
#include "task/number_table.h"

namespace carl::task {

inline constexpr std::size_t max_disjuncts = 4096;

struct GroundConditional;
struct Choice;

struct Increase {
  std::uint32_t cost = 0;
  NumberId amount;
};

/// Everything in it happens together.
struct GroundEffect {
  std::vector<AtomId> adds;
  std::vector<AtomId> deletes;
  std::vector<Increase> increases;
  std::vector<GroundConditional> conditionals;
  std::vector<Choice> choices;

  bool empty() const {
    return adds.empty() && deletes.empty() && increases.empty() && conditionals.empty() &&
           choices.empty();
  }
};

struct GroundConditional {
  Formula condition;  // not a constant
  GroundEffect effect;
};

/// One branch happens, or nothing with the probability that is left.
struct Choice {
  std::vector<NumberId> probabilities;  // above zero
  std::vector<GroundEffect> branches;
};

struct GroundAction {
  std::uint32_t schema = 0;
  Arguments arguments;
  std::vector<Conjunction> precondition;  // a disjunction of them
  GroundEffect effect;
};

struct GroundTask {
  const pddl::SyntaxTree* tree = nullptr;
  AtomTable atoms;
  NumberTable numbers;
  std::vector<GroundAction> actions;
  std::vector<Conjunction> goal;
  /// Sorted. All atoms that occur above; after remove_irrelevant() those on which the goal or the
  /// costs of getting there can depend.
  std::vector<AtomId> fluents;

  /// See pddl::ActionSchema.
  bool draws_initial_state(std::size_t action) const {
    return tree->actions[actions[action].schema].draws_initial_state;
  }
  std::string atom_name(AtomId atom) const;
  std::string action_name(const GroundAction& action) const;
};

/// True if some atom may be added or deleted.
bool changes_atoms(const GroundEffect& effect);

/// Builds the actions that exploration found. Throws InputError where an amount has no value.
GroundTask ground(Exploration exploration, const std::vector<pddl::SourceText>& sources,
                  Monitor& monitor);

}  // namespace carl::task

#endif
