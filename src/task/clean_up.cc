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
      limits_.check();
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

  /// Backwards from the goal; see relevance.h.
  void remove_irrelevant() {
    const std::vector<std::vector<std::uint32_t>> changers = index_changes();
    std::vector<bool> relevant(atoms_.size(), false);
    std::vector<bool> seen(plain_.actions.size(), false);
    std::vector<AtomId> open;
    const auto mark = [&](const Conjunction& condition) {
      for (const Literal literal : condition) {
        if (relevant[literal.atom().index()]) continue;
        relevant[literal.atom().index()] = true;
        open.push_back(literal.atom());
      }
    };
    for (const Conjunction& goal : plain_.goal)
      mark(goal);
    while (!open.empty()) {
      limits_.check();
      const AtomId atom = open.back();
      open.pop_back();
      for (const std::uint32_t action : changers[atom.index()]) {
        if (!seen[action]) mark(plain_.actions[action].precondition);
        seen[action] = true;
      }
    }
    keep(relevant);
    remove_changes_except(relevant);
  }

  /// The actions that change each atom.
  std::vector<std::vector<std::uint32_t>> index_changes() const {
    std::vector<std::vector<std::uint32_t>> changers(atoms_.size());
    for (std::uint32_t i = 0; i < plain_.actions.size(); ++i)
      for_each_change(plain_.actions[i], [&](AtomId atom, bool) {
        auto& list = changers[atom.index()];
        if (list.empty() || list.back() != i) list.push_back(i);
      });
    return changers;
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
