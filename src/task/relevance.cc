#include "task/relevance.h"

#include <algorithm>

#include "task/effect_index.h"

namespace carl::task {

RelevantAtoms::RelevantAtoms(const MutexGroups& groups, std::size_t num_atoms)
    : groups_(groups), atoms_(num_atoms, false), done_groups_(groups.groups().size(), false) {}

void RelevantAtoms::add(AtomId atom) {
  if (atoms_[atom.index()]) return;
  atoms_[atom.index()] = true;
  open_.push_back(atom);
}

void RelevantAtoms::add(const Conjunction& literals) {
  for (const Literal literal : literals)
    add(literal.atom());
}

AtomId RelevantAtoms::next() {
  const AtomId atom = open_.back();
  open_.pop_back();
  for (const std::uint32_t group : groups_.groups_of(atom)) {
    if (done_groups_[group]) continue;
    done_groups_[group] = true;
    for (const AtomId member : groups_.groups()[group].atoms)
      add(member);
  }
  return atom;
}

namespace {

class Relevance {
 public:
  Relevance(const GroundTask& task, const MutexGroups& groups)
      : task_(task),
        index_(task),
        atoms_(groups, task.atoms.size()),
        actions_(task.actions.size(), false),
        contexts_(index_.num_contexts(), false) {}

  void run(Monitor& monitor) {
    for (const Conjunction& goal : task_.goal)
      atoms_.add(goal);
    while (!atoms_.all_done()) {
      monitor.check();
      for (const EffectIndex::Occurrence& occurrence : index_.occurrences(atoms_.next())) {
        mark_action(occurrence.action);
        mark_context(index_.leaves(occurrence.action)[occurrence.leaf].context);
      }
    }
  }

  bool atom(AtomId atom) const { return atoms_.contains(atom); }
  bool action(std::size_t action) const { return actions_[action]; }

 private:
  void mark_action(std::size_t action) {
    if (actions_[action]) return;
    actions_[action] = true;
    // What holds before the start is known, and no reason for it to matter.
    if (task_.draws_initial_state(action)) return;
    for (const Conjunction& precondition : task_.actions[action].precondition)
      atoms_.add(precondition);
    for (const std::uint32_t context : index_.cost_contexts(action))
      mark_context(context);
  }

  void mark_context(std::uint32_t context) {
    for (; context != EffectIndex::root && !contexts_[context];
         context = index_.context(context).parent) {
      contexts_[context] = true;
      if (const Formula* condition = index_.context(context).condition)
        for_each_atom(*condition, [&](AtomId atom) { atoms_.add(atom); });
    }
  }

  const GroundTask& task_;
  EffectIndex index_;
  RelevantAtoms atoms_;
  std::vector<bool> actions_, contexts_;
};

void prune(GroundEffect& effect, const Relevance& relevance) {
  const auto irrelevant = [&](AtomId atom) { return !relevance.atom(atom); };
  std::erase_if(effect.adds, irrelevant);
  std::erase_if(effect.deletes, irrelevant);
  for (GroundConditional& conditional : effect.conditionals)
    prune(conditional.effect, relevance);
  std::erase_if(effect.conditionals, [](const auto& c) { return c.effect.empty(); });
  for (Choice& choice : effect.choices) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < choice.branches.size(); ++i) {
      prune(choice.branches[i], relevance);
      if (choice.branches[i].empty()) continue;
      if (kept != i) choice.branches[kept] = std::move(choice.branches[i]);
      choice.probabilities[kept++] = choice.probabilities[i];
    }
    choice.branches.resize(kept);
    choice.probabilities.resize(kept);
  }
  std::erase_if(effect.choices, [](const Choice& choice) { return choice.branches.empty(); });
}

}  // namespace

void remove_irrelevant(GroundTask& task, const MutexGroups& groups, Monitor& monitor) {
  Relevance relevance(task, groups);
  relevance.run(monitor);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < task.actions.size(); ++i) {
    if (!relevance.action(i)) continue;
    prune(task.actions[i].effect, relevance);
    if (task.draws_initial_state(i))
      for (Conjunction& known : task.actions[i].precondition)
        std::erase_if(known, [&](Literal l) { return !relevance.atom(l.atom()); });
    if (kept != i) task.actions[kept] = std::move(task.actions[i]);
    ++kept;
  }
  task.actions.resize(kept);
  std::erase_if(task.fluents, [&](AtomId atom) { return !relevance.atom(atom); });
}

}  // namespace carl::task
