#include "task/clean_up.h"

#include <algorithm>

namespace carl::task {
namespace {

class CleanUp {
 public:
  CleanUp(PlainTask& plain, const GroundTask& ground, Limits& limits)
      : plain_(plain), atoms_(ground.atoms), fluents_(ground.fluents), limits_(limits) {}

  std::vector<AtomId> run() {
    for (std::size_t before = SIZE_MAX; before > fluents_.size();) {
      before = fluents_.size();
      remove_constants();
      remove_irrelevant();
    }
    return std::move(fluents_);
  }

 private:
  void keep(const std::vector<bool>& kept) {
    std::erase_if(fluents_, [&](AtomId atom) { return !kept[atom.index()]; });
  }

  template <class Visit>
  void for_each_change(const PlainAction& action, const Visit& visit) const {
    for (const PlainOutcome& outcome : action.outcomes) {
      for (const AtomId atom : outcome.adds)
        visit(atom, true);
      for (const AtomId atom : outcome.deletes)
        visit(atom, false);
    }
  }

  void remove_constants() {
    std::vector<bool> changes(atoms_.size(), false);
    for (const PlainAction& action : plain_.actions)
      for_each_change(action, [&](AtomId atom, bool value) {
        if (atoms_.initially(atom) != value) changes[atom.index()] = true;
      });
    keep(changes);
    const auto simplify = [&](Conjunction& condition) {
      const auto constant = [&](Literal literal) { return !changes[literal.atom().index()]; };
      const bool possible = std::none_of(condition.begin(), condition.end(), [&](Literal literal) {
        return constant(literal) && atoms_.initially(literal.atom()) != literal.positive();
      });
      std::erase_if(condition, constant);
      return possible;
    };
    std::erase_if(plain_.goal, [&](Conjunction& goal) { return !simplify(goal); });
    std::erase_if(plain_.actions,
                  [&](PlainAction& action) { return !simplify(action.precondition); });
    remove_changes_except(changes);
  }

  void remove_irrelevant() {
    std::vector<bool> relevant(atoms_.size(), false);
    for (const Conjunction& goal : plain_.goal)
      for (const Literal literal : goal)
        relevant[literal.atom().index()] = true;
    std::vector<bool> done(plain_.actions.size(), false);
    for (bool changed = true; changed;) {
      limits_.check();
      changed = false;
      for (std::size_t i = 0; i < done.size(); ++i) {
        if (done[i]) continue;
        for_each_change(plain_.actions[i], [&](AtomId atom, bool) {
          if (relevant[atom.index()]) done[i] = true;
        });
        if (!done[i]) continue;
        changed = true;
        for (const Literal literal : plain_.actions[i].precondition)
          relevant[literal.atom().index()] = true;
      }
    }
    keep(relevant);
    remove_changes_except(relevant);
  }

  void remove_changes_except(const std::vector<bool>& kept) {
    const auto dropped = [&](AtomId atom) { return !kept[atom.index()]; };
    std::erase_if(plain_.actions, [&](PlainAction& action) {
      bool changes_nothing = true;
      for (PlainOutcome& outcome : action.outcomes) {
        std::erase_if(outcome.adds, dropped);
        std::erase_if(outcome.deletes, dropped);
        changes_nothing = changes_nothing && outcome.adds.empty() && outcome.deletes.empty();
      }
      return changes_nothing;
    });
  }

  PlainTask& plain_;
  const AtomTable& atoms_;
  std::vector<AtomId> fluents_;
  Limits& limits_;
};

}  // namespace

std::vector<AtomId> clean_up(PlainTask& plain, const GroundTask& ground, Limits& limits) {
  return CleanUp(plain, ground, limits).run();
}

}  // namespace carl::task
