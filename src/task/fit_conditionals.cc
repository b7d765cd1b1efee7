#include "task/fit_conditionals.h"

#include <algorithm>
#include <iterator>

namespace carl::task {
namespace {

/// Removes deletes from conditional effects that never have an effect of their own, since the
/// variable (that the function given says an atom belongs to) is given a value as well.
template <class VariableOf>
class OverruledDeletes {
 public:
  OverruledDeletes(PlainAction& action, const VariableOf& variable_of)
      : action_(action), variable_of_(variable_of), overwritten_(action.conditionals.size()) {}

  void remove() {
    for (std::uint32_t k = 0; k < overwritten_.size(); ++k)
      remove_from(k);
  }

 private:
  using Variables = std::vector<std::uint32_t>;  // sorted

  Variables variables_added(const PlainOutcome& outcome) const {
    Variables result;
    for (const AtomId atom : outcome.adds)
      result.push_back(variable_of_(atom));
    std::sort(result.begin(), result.end());
    return result;
  }

  /// What gets a value whenever the conditional effect happens.
  void find_overwritten(std::uint32_t k) {
    const std::uint32_t parent = action_.conditionals[k].parent;
    const bool is_root = parent == ConditionalEffect::none;
    bool first = true;
    Variables shared;
    for (const PlainOutcome& outcome :
         is_root ? action_.outcomes : action_.conditionals[parent].outcomes) {
      if (!std::binary_search(outcome.conditionals.begin(), outcome.conditionals.end(), k))
        continue;
      const Variables added = variables_added(outcome);
      Variables both;
      std::set_intersection(shared.begin(), shared.end(), added.begin(), added.end(),
                            std::back_inserter(both));
      shared = first ? added : both;
      first = false;
    }
    if (!is_root) {
      shared.insert(shared.end(), overwritten_[parent].begin(), overwritten_[parent].end());
      std::sort(shared.begin(), shared.end());
    }
    overwritten_[k] = std::move(shared);
  }

  void remove_from(std::uint32_t k) {
    find_overwritten(k);
    for (PlainOutcome& outcome : action_.conditionals[k].outcomes) {
      const Variables own = variables_added(outcome);
      std::erase_if(outcome.deletes, [&](AtomId atom) {
        const std::uint32_t variable = variable_of_(atom);
        return std::binary_search(own.begin(), own.end(), variable) ||
               std::binary_search(overwritten_[k].begin(), overwritten_[k].end(), variable);
      });
    }
  }

  PlainAction& action_;
  const VariableOf& variable_of_;
  std::vector<Variables> overwritten_;  // by conditional effect
};

bool is_known(AtomId atom, const PlainAction& action, std::uint32_t conditional) {
  const auto says = [&](const Conjunction& condition) {
    return std::binary_search(condition.begin(), condition.end(), Literal(atom, true));
  };
  for (std::uint32_t k = conditional; k != ConditionalEffect::none;
       k = action.conditionals[k].parent) {
    const auto& condition = action.conditionals[k].condition;
    if (std::all_of(condition.begin(), condition.end(), says)) return true;
  }
  return says(action.precondition);
}

/// Lets conditional effects ask whether an atom is true before they delete it; `is_value` says for
/// which atoms that matters.
template <class IsValue>
void ask_before_deleting(PlainAction& action, NumberTable& numbers, const IsValue& is_value) {
  const auto num_old = static_cast<std::uint32_t>(action.conditionals.size());
  for (std::uint32_t k = 0; k < num_old; ++k)
    for (std::size_t i = 0; i < action.conditionals[k].outcomes.size(); ++i) {
      std::vector<AtomId> kept;
      for (const AtomId atom : std::vector(action.conditionals[k].outcomes[i].deletes)) {
        if (!is_value(atom) || is_known(atom, action, k)) {
          kept.push_back(atom);
          continue;
        }
        const auto number = static_cast<std::uint32_t>(action.conditionals.size());
        action.conditionals.push_back(
            {k, {{Literal(atom, true)}}, {{numbers.intern(1), {}, {atom}, {}}}});
        action.conditionals[k].outcomes[i].conditionals.push_back(number);
      }
      action.conditionals[k].outcomes[i].deletes = std::move(kept);
    }
}

}  // namespace

void remove_overruled_deletes(PlainAction& action) {
  const auto itself = [](AtomId atom) { return static_cast<std::uint32_t>(atom.index()); };
  OverruledDeletes(action, itself).remove();
  remove_empty_conditionals(action);
}

void fit_conditionals(PlainTask& plain, const std::vector<std::vector<AtomId>>& variables,
                      std::size_t num_atoms) {
  std::vector<std::uint32_t> variables_of_atoms(num_atoms, 0);
  for (std::uint32_t v = 0; v < variables.size(); ++v)
    for (const AtomId atom : variables[v])
      variables_of_atoms[atom.index()] = v;
  const auto variable_of = [&](AtomId atom) { return variables_of_atoms[atom.index()]; };
  const auto is_value = [&](AtomId atom) { return variables[variable_of(atom)].size() > 1; };
  for (PlainAction& action : plain.actions) {
    if (action.conditionals.empty()) continue;
    OverruledDeletes(action, variable_of).remove();
    ask_before_deleting(action, plain.numbers, is_value);
    remove_empty_conditionals(action);
  }
}

}  // namespace carl::task
