#include "task/clean_up.h"

#include <algorithm>

#include "task/relevance.h"

namespace carl::task {
namespace {

class CleanUp {
 public:
  CleanUp(PlainTask& plain, const GroundTask& ground, const MutexGroups& groups, Monitor& monitor)
      : plain_(plain),
        ground_(ground),
        atoms_(ground.atoms),
        groups_(groups),
        fluents_(ground.fluents),
        monitor_(monitor) {}

  std::vector<AtomId> run() {
    for (std::size_t before = SIZE_MAX; before > fluents_.size();) {
      monitor_.check();
      before = fluents_.size();
      remove_constants();
      remove_irrelevant();
    }
    return std::move(fluents_);
  }

 private:
  /// Forgets all other atoms, where they change.
  template <class Predicate>
  void keep(const Predicate& kept) {
    const auto dropped = [&](AtomId atom) { return !kept(atom); };
    std::erase_if(fluents_, dropped);
    const auto forget = [&](std::vector<PlainOutcome>& outcomes) {
      for (PlainOutcome& outcome : outcomes) {
        std::erase_if(outcome.adds, dropped);
        std::erase_if(outcome.deletes, dropped);
      }
    };
    for (PlainAction& action : plain_.actions) {
      forget(action.outcomes);
      for (PlainConditional& conditional : action.conditionals)
        forget(conditional.outcomes);
      remove_empty_conditionals(action);
      if (ground_.draws_initial_state(action.action))
        std::erase_if(action.precondition,
                      [&](Literal literal) { return dropped(literal.atom()); });
    }
    std::erase_if(plain_.actions, [](const PlainAction& action) {
      return std::all_of(action.outcomes.begin(), action.outcomes.end(), [](const auto& outcome) {
        return outcome.adds.empty() && outcome.deletes.empty() && outcome.conditionals.empty();
      });
    });
  }

  /// Calls visit(atom, value, conditional) for each change, with the conditional effect that it is
  /// in, or `none`.
  template <class Visit>
  static void for_each_change(const PlainAction& action, const Visit& visit) {
    const auto visit_all = [&](const std::vector<PlainOutcome>& outcomes, std::uint32_t k) {
      for (const PlainOutcome& outcome : outcomes) {
        for (const AtomId atom : outcome.adds)
          visit(atom, true, k);
        for (const AtomId atom : outcome.deletes)
          visit(atom, false, k);
      }
    };
    visit_all(action.outcomes, ConditionalEffect::none);
    for (std::uint32_t k = 0; k < action.conditionals.size(); ++k)
      visit_all(action.conditionals[k].outcomes, k);
  }

  void remove_constants() {
    std::vector<bool> changes(atoms_.size(), false);
    for (const PlainAction& action : plain_.actions)
      for_each_change(action, [&](AtomId atom, bool value, std::uint32_t) {
        if (atoms_.initially(atom) != value) changes[atom.index()] = true;
      });
    const auto constant = [&](Literal literal) { return !changes[literal.atom().index()]; };
    const auto impossible = [&](const Conjunction& condition) {
      return std::any_of(condition.begin(), condition.end(), [&](Literal literal) {
        return constant(literal) && atoms_.initially(literal.atom()) != literal.positive();
      });
    };
    std::erase_if(plain_.goal, impossible);
    std::erase_if(plain_.actions,
                  [&](const PlainAction& action) { return impossible(action.precondition); });
    for (Conjunction& goal : plain_.goal)
      std::erase_if(goal, constant);
    for (PlainAction& action : plain_.actions) {
      std::erase_if(action.precondition, constant);
      for (PlainConditional& conditional : action.conditionals) {
        std::erase_if(conditional.condition, impossible);
        for (Conjunction& term : conditional.condition)
          std::erase_if(term, constant);
      }
    }
    keep([&](AtomId atom) { return changes[atom.index()]; });
  }

  /// Backwards from the goal; see relevance.h.
  void remove_irrelevant() {
    const std::vector<std::vector<Changer>> changers = index_changes();
    std::vector<bool> seen(plain_.actions.size(), false);
    RelevantAtoms relevant(groups_, atoms_.size());
    for (const Conjunction& goal : plain_.goal)
      relevant.add(goal);
    while (!relevant.all_done()) {
      monitor_.check();
      for (const Changer& changer : changers[relevant.next().index()]) {
        const PlainAction& action = plain_.actions[changer.action];
        if (!seen[changer.action] && !ground_.draws_initial_state(action.action))
          relevant.add(action.precondition);
        seen[changer.action] = true;
        for (std::uint32_t k = changer.conditional; k != ConditionalEffect::none;
             k = action.conditionals[k].parent)
          for (const Conjunction& term : action.conditionals[k].condition)
            relevant.add(term);
      }
    }
    keep([&](AtomId atom) { return relevant.contains(atom); });
  }

  /// An action that changes an atom, if need be in a conditional effect.
  struct Changer {
    std::uint32_t action = 0;
    std::uint32_t conditional = ConditionalEffect::none;
    friend bool operator==(const Changer&, const Changer&) = default;
  };

  /// By atom.
  std::vector<std::vector<Changer>> index_changes() const {
    std::vector<std::vector<Changer>> changers(atoms_.size());
    for (std::uint32_t i = 0; i < plain_.actions.size(); ++i)
      for_each_change(plain_.actions[i], [&](AtomId atom, bool, std::uint32_t conditional) {
        auto& list = changers[atom.index()];
        const Changer changer{i, conditional};
        if (list.empty() || list.back() != changer) list.push_back(changer);
      });
    return changers;
  }

  PlainTask& plain_;
  const GroundTask& ground_;
  const AtomTable& atoms_;
  const MutexGroups& groups_;
  std::vector<AtomId> fluents_;
  Monitor& monitor_;
};

}  // namespace

std::vector<AtomId> clean_up(PlainTask& plain, const GroundTask& ground, const MutexGroups& groups,
                             Monitor& monitor) {
  return CleanUp(plain, ground, groups, monitor).run();
}

}  // namespace carl::task
