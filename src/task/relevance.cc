#include "task/relevance.h"

#include <algorithm>

#include "task/effect_index.h"

namespace carl::task {
namespace {

class Relevance {
 public:
  explicit Relevance(const GroundTask& task)
      : task_(task),
        index_(task),
        atoms_(task.atoms.size(), false),
        actions_(task.actions.size(), false),
        contexts_(index_.num_contexts(), false) {}

  void run(Limits& limits) {
    for (const Conjunction& goal : task_.goal)
      mark(goal);
    while (!open_.empty()) {
      limits.check();
      const AtomId atom = open_.back();
      open_.pop_back();
      for (const EffectIndex::Occurrence& occurrence : index_.occurrences(atom)) {
        mark_action(occurrence.action);
        mark_context(index_.leaves(occurrence.action)[occurrence.leaf].context);
      }
    }
  }

  bool atom(AtomId atom) const { return atoms_[atom.index()]; }
  bool action(std::size_t action) const { return actions_[action]; }

 private:
  void mark(AtomId atom) {
    if (atoms_[atom.index()]) return;
    atoms_[atom.index()] = true;
    open_.push_back(atom);
  }
  void mark(const Conjunction& literals) {
    for (const Literal literal : literals)
      mark(literal.atom());
  }

  void mark_action(std::size_t action) {
    if (actions_[action]) return;
    actions_[action] = true;
    for (const Conjunction& precondition : task_.actions[action].precondition)
      mark(precondition);
    for (const std::uint32_t context : index_.cost_contexts(action))
      mark_context(context);
  }

  void mark_context(std::uint32_t context) {
    for (; context != EffectIndex::root && !contexts_[context];
         context = index_.context(context).parent) {
      contexts_[context] = true;
      if (const Formula* condition = index_.context(context).condition)
        for_each_atom(*condition, [&](AtomId atom) { mark(atom); });
    }
  }

  const GroundTask& task_;
  EffectIndex index_;
  std::vector<bool> atoms_, actions_, contexts_;
  std::vector<AtomId> open_;
};

void prune(GroundEffect& effect, const Relevance& relevance) {
  const auto irrelevant = [&](AtomId atom) { return !relevance.atom(atom); };
  std::erase_if(effect.adds, irrelevant);
  std::erase_if(effect.deletes, irrelevant);
  for (ConditionalEffect& conditional : effect.conditionals)
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

void remove_irrelevant(GroundTask& task, Limits& limits) {
  Relevance relevance(task);
  relevance.run(limits);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < task.actions.size(); ++i) {
    if (!relevance.action(i)) continue;
    prune(task.actions[i].effect, relevance);
    if (kept != i) task.actions[kept] = std::move(task.actions[i]);
    ++kept;
  }
  task.actions.resize(kept);
  std::erase_if(task.fluents, [&](AtomId atom) { return !relevance.atom(atom); });
}

}  // namespace carl::task
