// An action has one cost, so conditions on which its costs depend are compiled away by case
// distinction: as long as one of them is open, assume one of its atoms true, then false. Evaluation
// is three-valued, so a case ends as soon as all of them are decided; atoms settled by the
// precondition or by mutex groups are never split on. A chain of conditions over one group (where
// is the truck?) therefore gives as many cases as the group has atoms, not two to that power.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "task/fit_conditionals.h"
#include "task/knowledge.h"
#include "task/outcomes.h"
#include "task/plain_task.h"
#include "util/shown.h"

namespace carl::task {
namespace {

class Splitter {
 public:
  Splitter(const GroundTask& task, const MutexGroups& groups,
           const std::vector<pddl::SourceText>& sources, Monitor& monitor)
      : task_(task), sources_(sources), monitor_(monitor), knowledge_(groups, task.atoms.size()) {}

  PlainTask run() {
    for (const Conjunction& goal : task_.goal) {
      if (knowledge_.assume(goal)) result_.goal.push_back(knowledge_.core());
      knowledge_.undo(0);
    }
    for (action_ = 0; action_ < task_.actions.size(); ++action_) {
      num_cases_ = 0;
      for (const Conjunction& precondition : task_.actions[action_].precondition) {
        if (knowledge_.assume(precondition)) split();
        knowledge_.undo(0);
      }
    }
    return std::move(result_);
  }

 private:
  /// An atom that was assumed to be true, and then is assumed to be false.
  struct Assumption {
    AtomId atom;
    bool value = true;
    std::size_t mark = 0;  // of what was known before
  };

  /// One case after the other. (Not by recursion: there may be thousands of assumptions.)
  void split() {
    std::vector<Assumption> assumptions;
    bool is_possible = true;
    while (true) {
      monitor_.check();
      const Formula* open = is_possible ? open_condition(task_.actions[action_].effect) : nullptr;
      if (open != nullptr) {
        // As many cases are left for later.
        if (assumptions.size() == max_variants) throw too_many_variants();
        assumptions.push_back({open_atom(*open), true, knowledge_.mark()});
      } else {
        if (is_possible) end_case();
        if (!turn_round(assumptions)) return;
      }
      is_possible = knowledge_.assume(Literal(assumptions.back().atom, assumptions.back().value));
    }
  }

  void end_case() {
    if (++num_cases_ > max_variants) throw too_many_variants();
    add_variant();
  }

  /// Forgets what is known from the last assumption that was not false yet; it is false from now on.
  /// False if there is none.
  bool turn_round(std::vector<Assumption>& assumptions) {
    while (!assumptions.empty()) {
      knowledge_.undo(assumptions.back().mark);
      if (std::exchange(assumptions.back().value, false)) return true;
      assumptions.pop_back();
    }
    return false;
  }

  Truth truth(const Formula& formula) const {
    return evaluate(formula, [&](AtomId atom) { return knowledge_.value(atom); });
  }

  /// A condition of costs that is neither known to hold nor known not to hold, if its effect can
  /// happen.
  const Formula* open_condition(const GroundEffect& effect) const {
    for (const GroundConditional& conditional : effect.conditionals) {
      if (!has_costs(conditional.effect)) continue;
      const Truth holds = truth(conditional.condition);
      if (holds == Truth::unknown) return &conditional.condition;
      if (holds == Truth::no) continue;
      if (const Formula* open = open_condition(conditional.effect)) return open;
    }
    for (const Choice& choice : effect.choices)
      for (const GroundEffect& branch : choice.branches)
        if (const Formula* open = open_condition(branch)) return open;
    return nullptr;
  }

  AtomId open_atom(const Formula& formula) const {
    const Formula* open = &formula;
    while (open->kind != Formula::Kind::literal)
      open = &*std::find_if(open->children.begin(), open->children.end(),
                            [&](const Formula& part) { return truth(part) == Truth::unknown; });
    return open->literal.atom();
  }

  void add_variant() {
    const GroundAction& action = task_.actions[action_];
    AtomEffect effect = multiply_out(action.effect, knowledge_, task_.numbers);
    if (effect.excess == AtomEffect::Excess::outcomes) throw too_many("outcomes", max_outcomes);
    if (effect.excess == AtomEffect::Excess::alternatives)
      throw too_many("alternatives in the condition of an effect", max_disjuncts);
    const AtomOutcome& first = effect.outcomes.front();
    if (effect.outcomes.size() == 1 && first.adds.empty() && first.deletes.empty() &&
        first.conditionals.empty())
      return;
    PlainAction variant;
    variant.action = action_;
    variant.cost = cost_vector(action.effect);
    variant.precondition = knowledge_.core();
    if (has_random_costs(action.effect, knowledge_))
      add_cost_shares(action.effect, effect.outcomes, variant);
    variant.outcomes = plain(std::move(effect.outcomes));
    for (AtomConditional& conditional : effect.conditionals)
      variant.conditionals.push_back({conditional.parent, std::move(conditional.condition),
                                      plain(std::move(conditional.outcomes))});
    join_conditionals(variant);
    remove_overruled_deletes(variant);
    result_.actions.push_back(std::move(variant));
  }

  std::vector<PlainOutcome> plain(std::vector<AtomOutcome> outcomes) {
    std::vector<PlainOutcome> result;
    for (AtomOutcome& outcome : outcomes)
      result.push_back({result_.numbers.intern(outcome.probability), std::move(outcome.adds),
                        std::move(outcome.deletes), std::move(outcome.conditionals)});
    return result;
  }

  /// Every action of the plan costs these.
  std::vector<Rational> unit_costs() const {
    const auto& expressions = task_.tree->costs;
    std::vector<Rational> costs(expressions.size());
    if (draws_initial_state()) return costs;
    for (std::size_t i = 0; i < expressions.size(); ++i)
      if (expressions[i].unit_cost) costs[i] = 1;
    return costs;
  }

  std::uint32_t cost_vector(const GroundEffect& effect) {
    std::vector<Rational> costs = unit_costs();
    add_expected_costs(effect, knowledge_, task_.numbers, 1, costs);
    return intern(costs, cost_vectors_, result_.cost_vectors);
  }

  bool draws_initial_state() const { return task_.draws_initial_state(action_); }

  using VectorIndex = std::map<std::vector<NumberId>, std::uint32_t>;

  std::uint32_t intern(const std::vector<Rational>& costs, VectorIndex& index,
                       std::vector<std::vector<NumberId>>& vectors) {
    std::vector<NumberId> exact;
    exact.reserve(costs.size());
    for (const Rational& cost : costs)
      exact.push_back(result_.numbers.intern(cost));
    const auto [entry, is_new] =
        index.try_emplace(exact, static_cast<std::uint32_t>(vectors.size()));
    if (is_new) vectors.push_back(std::move(exact));
    return entry->second;
  }

  /// How `outcomes`, which are merged whatever they cost, fall apart by cost.
  void add_cost_shares(const GroundEffect& effect, const std::vector<AtomOutcome>& outcomes,
                       PlainAction& variant) {
    const AtomEffect apart = multiply_out_costs(effect, knowledge_, task_.numbers, unit_costs());
    if (apart.excess != AtomEffect::Excess::none) {
      variant.too_many_cost_shares = true;
      return;
    }
    // Conditional effects have the same numbers both times.
    const auto what = [](const AtomOutcome& outcome) {
      return std::tuple(outcome.adds, outcome.deletes, outcome.conditionals);
    };
    std::map<decltype(what(outcomes.front())), std::uint32_t> place;
    for (std::uint32_t i = 0; i < outcomes.size(); ++i)
      place.emplace(what(outcomes[i]), i);
    for (const AtomOutcome& part : apart.outcomes)
      variant.cost_shares.push_back(
          {place.at(what(part)),
           intern(part.costs, outcome_cost_vectors_, result_.outcome_cost_vectors),
           result_.numbers.intern(part.probability)});
    std::stable_sort(variant.cost_shares.begin(), variant.cost_shares.end(),
                     [](const auto& a, const auto& b) { return a.outcome < b.outcome; });
    const std::uint32_t first = variant.cost_shares.front().cost;
    if (std::all_of(variant.cost_shares.begin(), variant.cost_shares.end(),
                    [&](const PlainCostShare& share) { return share.cost == first; }))
      variant.cost_shares.clear();
  }

  InputError too_many_variants() const {
    return too_many("variants that differ in cost", max_variants);
  }

  InputError too_many(const char* what, std::size_t most) const {
    const GroundAction& action = task_.actions[action_];
    return pddl::error_at(sources_, task_.tree->actions[action.schema].position,
                          fmt::format("{} has more than {} {} once its effects are written out",
                                      shown(task_.action_name(action)), most, what),
                          draws_initial_state() ? "there are too many initial states"
                                                : "split it into several actions");
  }

  const GroundTask& task_;
  const std::vector<pddl::SourceText>& sources_;
  Monitor& monitor_;
  Knowledge knowledge_;
  PlainTask result_;
  VectorIndex cost_vectors_;
  VectorIndex outcome_cost_vectors_;
  std::uint32_t action_ = 0;
  std::size_t num_cases_ = 0;  // of this action
};

}  // namespace

PlainTask split_conditions(const GroundTask& task, const MutexGroups& groups,
                           const std::vector<pddl::SourceText>& sources, Monitor& monitor) {
  return Splitter(task, groups, sources, monitor).run();
}

}  // namespace carl::task
