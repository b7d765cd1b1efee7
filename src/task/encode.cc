#include "task/encode.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "task/fit_conditionals.h"

namespace carl::task {
namespace {

class Encoder {
 public:
  Encoder(const GroundTask& ground, PlainTask plain,
          const std::vector<std::vector<AtomId>>& variables)
      : ground_(ground),
        plain_(std::move(plain)),
        facts_(variables),
        place_(ground.atoms.size()),
        has_none_(variables.size(), true),
        shadows_(variables.size()) {}

  Task run() {
    place_atoms();
    find_none_values();
    add_variables();
    for (const Conjunction& goal : plain_.goal)
      if (auto facts = encode_condition(goal)) task_.goal.push_back(std::move(*facts));
    encode_preconditions();
    add_shadow_variables();
    for (std::uint32_t i = 0; i < plain_.actions.size(); ++i)
      encode_outcomes(plain_.actions[i], i);
    add_costs();
    return std::move(task_);
  }

 private:
  struct Shadow {
    std::uint32_t value = 0;  // of the atom in its own variable
    VariableId variable;
  };

  void place_atoms() {
    for (std::size_t v = 0; v < facts_.size(); ++v)
      for (std::uint32_t value = 0; value < facts_[v].size(); ++value)
        place_[facts_[v][value].index()] = {VariableId(v), value};
  }

  std::uint32_t none_of(std::size_t variable) const {
    return static_cast<std::uint32_t>(facts_[variable].size());
  }
  std::uint32_t initial_value(std::size_t variable) const {
    const auto& atoms = facts_[variable];
    const auto found = std::find_if(atoms.begin(), atoms.end(),
                                    [&](AtomId atom) { return ground_.atoms.initially(atom); });
    return static_cast<std::uint32_t>(found - atoms.begin());
  }

  /// "None of those" is a value only where it can come about. Actions that need it elsewhere are
  /// dropped, which may remove further reasons for it.
  void find_none_values() {
    for (bool changed = true; changed;) {
      std::vector<bool> reached(facts_.size(), false);
      for (std::size_t v = 0; v < facts_.size(); ++v)
        reached[v] = initial_value(v) == none_of(v);
      for (const PlainAction& action : plain_.actions) {
        find_none_values(action.outcomes, reached);
        for (const PlainConditional& conditional : action.conditionals)
          find_none_values(conditional.outcomes, reached);
      }
      has_none_ = std::move(reached);
      changed = remove_impossible();
    }
  }

  void find_none_values(const std::vector<PlainOutcome>& outcomes,
                        std::vector<bool>& reached) const {
    for (const PlainOutcome& outcome : outcomes)
      for (const Fact& fact : main_effects(outcome))
        if (fact.value == none_of(fact.variable.index())) reached[fact.variable.index()] = true;
  }

  bool remove_impossible() {
    const auto impossible = [&](const Conjunction& condition) { return !values_left(condition); };
    std::size_t removed = std::erase_if(
        plain_.actions, [&](const PlainAction& action) { return impossible(action.precondition); });
    for (PlainAction& action : plain_.actions) {
      const std::size_t before = removed;
      for (PlainConditional& conditional : action.conditionals)
        removed += std::erase_if(conditional.condition, impossible);
      if (removed > before) remove_empty_conditionals(action);
    }
    return removed > 0;
  }
  void add_variables() {
    for (std::size_t v = 0; v < facts_.size(); ++v) {
      Variable variable;
      for (const AtomId atom : facts_[v])
        variable.values.push_back(ground_.atom_name(atom));
      if (has_none_[v]) variable.values.emplace_back();
      task_.variables.push_back(std::move(variable));
      task_.initial.push_back(initial_value(v));
    }
  }

  /// A variable that a condition mentions, with what it says.
  struct Restriction {
    std::optional<std::uint32_t> value;
    std::vector<AtomId> excluded;
  };

  std::map<std::size_t, Restriction> restrictions(const Conjunction& condition) const {
    std::map<std::size_t, Restriction> result;
    for (const Literal literal : condition) {
      const Fact fact = place_[literal.atom().index()];
      Restriction& restriction = result[fact.variable.index()];
      if (literal.positive())
        restriction.value = fact.value;
      else
        restriction.excluded.push_back(literal.atom());
    }
    for (auto& [v, restriction] : result)
      if (!restriction.value && num_values(v) - restriction.excluded.size() == 1)
        restriction.value = remaining_value(v, restriction);
    return result;
  }

  std::size_t num_values(std::size_t variable) const {
    return facts_[variable].size() + (has_none_[variable] ? 1 : 0);
  }

  std::uint32_t remaining_value(std::size_t variable, const Restriction& restriction) const {
    std::uint32_t value = 0;
    while (value < facts_[variable].size() &&
           std::binary_search(restriction.excluded.begin(), restriction.excluded.end(),
                              facts_[variable][value]))
      ++value;
    return value;
  }

  /// False if the condition leaves some variable without a value.
  bool values_left(const Conjunction& condition) const {
    const auto all = restrictions(condition);
    return std::all_of(all.begin(), all.end(), [&](const auto& entry) {
      return entry.second.value || entry.second.excluded.size() < num_values(entry.first);
    });
  }

  std::optional<std::vector<Fact>> encode_condition(const Conjunction& condition) {
    if (!values_left(condition)) return std::nullopt;
    std::vector<Fact> facts;
    for (const auto& [v, restriction] : restrictions(condition)) {
      if (restriction.value) {
        facts.push_back({VariableId(v), *restriction.value});
      } else {
        for (const AtomId atom : restriction.excluded)
          facts.push_back({shadow_of(atom), 1});
      }
    }
    std::sort(facts.begin(), facts.end());
    return facts;
  }

  VariableId shadow_of(AtomId atom) {
    const Fact fact = place_[atom.index()];
    std::vector<Shadow>& shadows = shadows_[fact.variable.index()];
    for (const Shadow& shadow : shadows)
      if (shadow.value == fact.value) return shadow.variable;
    const VariableId variable(facts_.size() + shadowed_.size());
    shadowed_.push_back(atom);
    shadows.push_back({fact.value, variable});
    return variable;
  }

  void add_shadow_variables() {
    for (const AtomId atom : shadowed_) {
      task_.variables.push_back({{ground_.atom_name(atom), ""}, true});
      task_.initial.push_back(ground_.atoms.initially(atom) ? 0 : 1);
    }
  }

  void encode_preconditions() {
    std::uint32_t last = UINT32_MAX;
    for (const PlainAction& plain : plain_.actions) {
      if (plain.action != last) {
        last = plain.action;
        task_.labels.push_back(ground_.action_name(ground_.actions[plain.action]));
      }
      if (ground_.draws_initial_state(plain.action))
        task_.initial_draw = static_cast<std::uint32_t>(task_.actions.size());
      Action action;
      action.label = static_cast<std::uint32_t>(task_.labels.size() - 1);
      action.cost = plain.cost;
      action.precondition = *encode_condition(plain.precondition);
      for (const PlainConditional& conditional : plain.conditionals) {
        action.conditionals.push_back({conditional.parent, {}, {}});
        for (const Conjunction& term : conditional.condition)
          action.conditionals.back().condition.push_back(*encode_condition(term));
      }
      task_.actions.push_back(std::move(action));
    }
  }

  /// The effects on the variables proper, without shadows; sorted.
  std::vector<Fact> main_effects(const PlainOutcome& outcome) const {
    std::vector<Fact> effects;
    for (const AtomId atom : outcome.adds)
      effects.push_back(place_[atom.index()]);
    for (const AtomId atom : outcome.deletes) {
      const VariableId variable = place_[atom.index()].variable;
      effects.push_back({variable, none_of(variable.index())});
    }
    // "None of those" is the highest value: an add to the same variable comes first and wins.
    std::sort(effects.begin(), effects.end());
    const auto same = [](const Fact& a, const Fact& b) { return a.variable == b.variable; };
    effects.erase(std::unique(effects.begin(), effects.end(), same), effects.end());
    return effects;
  }

  void encode_outcomes(const PlainAction& plain, std::uint32_t number) {
    Action& action = task_.actions[number];
    const std::vector<std::uint32_t> place =
        encode_outcomes(plain.outcomes, action.precondition, action.outcomes);
    for (std::uint32_t k = 0; k < plain.conditionals.size(); ++k)
      encode_outcomes(plain.conditionals[k].outcomes, known_facts(action, k),
                      action.conditionals[k].outcomes);
    add_cost_shares(plain, place, number);
  }

  /// Returns where each outcome has gone. `known` is what holds if they can happen.
  std::vector<std::uint32_t> encode_outcomes(const std::vector<PlainOutcome>& plain,
                                             const std::vector<Fact>& known,
                                             std::vector<Outcome>& outcomes) {
    for (const PlainOutcome& source : plain) {
      Outcome outcome;
      outcome.exact_probability = source.probability;
      outcome.effects = main_effects(source);
      outcome.conditionals = source.conditionals;
      add_shadow_effects(known, outcome.effects);
      outcomes.push_back(std::move(outcome));
    }
    std::vector<std::uint32_t> place = merge_equal_outcomes(outcomes);
    for (Outcome& outcome : outcomes)
      outcome.probability = to_double(plain_.numbers[outcome.exact_probability]);
    return place;
  }

  /// The precondition and all conditions on the way that have no alternatives; sorted.
  static std::vector<Fact> known_facts(const Action& action, std::uint32_t conditional) {
    std::vector<Fact> facts = action.precondition;
    for (std::uint32_t k = conditional; k != ConditionalEffect::none;
         k = action.conditionals[k].parent)
      if (const auto& condition = action.conditionals[k].condition; condition.size() == 1)
        facts.insert(facts.end(), condition.front().begin(), condition.front().end());
    std::sort(facts.begin(), facts.end());
    return facts;
  }

  /// `place` is where the outcomes of the plain action have gone.
  void add_cost_shares(const PlainAction& plain, const std::vector<std::uint32_t>& place,
                       std::uint32_t action) {
    if (plain.too_many_cost_shares) task_.too_many_cost_shares.push_back(action);
    std::map<std::pair<std::uint32_t, std::uint32_t>, Rational> shares;  // by outcome and cost
    for (const PlainCostShare& share : plain.cost_shares)
      shares[{place[share.outcome], share.cost}] += plain_.numbers[share.probability];
    for (const auto& [key, probability] : shares)
      task_.cost_shares.push_back({action, key.first, key.second,
                                   plain_.numbers.intern(probability), to_double(probability)});
  }

  void add_shadow_effects(const std::vector<Fact>& known, std::vector<Fact>& effects) const {
    const std::size_t num_main = effects.size();
    for (std::size_t i = 0; i < num_main; ++i) {
      const Fact effect = effects[i];
      const auto before = std::find_if(known.begin(), known.end(), [&](const Fact& fact) {
        return fact.variable == effect.variable;
      });
      for (const Shadow& shadow : shadows_[effect.variable.index()]) {
        const Fact change{shadow.variable, effect.value == shadow.value ? 0U : 1U};
        const bool was_false =
            (before != known.end() && before->value != shadow.value) ||
            std::binary_search(known.begin(), known.end(), Fact{shadow.variable, 1});
        if (change.value == 0 || !was_false) effects.push_back(change);
      }
    }
    if (effects.size() > num_main) std::sort(effects.begin(), effects.end());
  }

  /// Different atoms deleted may leave the same value. Returns where each outcome has gone.
  std::vector<std::uint32_t> merge_equal_outcomes(std::vector<Outcome>& outcomes) {
    std::vector<std::size_t> order(outcomes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto what = [&](std::size_t i) {
      return std::tie(outcomes[i].effects, outcomes[i].conditionals);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return what(a) < what(b); });
    std::vector<std::size_t> same_as(outcomes.size());
    std::iota(same_as.begin(), same_as.end(), std::size_t{0});
    std::size_t first = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
      Outcome& kept = outcomes[order[first]];
      const Outcome& outcome = outcomes[order[i]];
      if (what(order[first]) != what(order[i])) {
        first = i;
        continue;
      }
      kept.exact_probability = plain_.numbers.intern(plain_.numbers[kept.exact_probability] +
                                                     plain_.numbers[outcome.exact_probability]);
      same_as[order[i]] = order[first];
    }
    std::vector<std::uint32_t> place(outcomes.size());
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      place[i] = same_as[i] == i ? kept : place[same_as[i]];  // that one comes earlier
      if (same_as[i] == i) std::swap(outcomes[kept++], outcomes[i]);
    }
    outcomes.resize(kept);
    return place;
  }

  void add_costs() {
    const pddl::SyntaxTree& tree = *ground_.tree;
    for (const pddl::CostExpression& cost : tree.costs)
      task_.costs.costs.push_back(cost.name);
    add_rewards();
    for (const pddl::CostBound& bound : tree.bounds)
      task_.costs.bounds.push_back({bound.cost, to_double(bound.upper)});
    for (const pddl::RunGuarantee& guarantee : tree.guarantees)
      task_.costs.guarantees.push_back({guarantee.kind, tree.costs[guarantee.cost].name,
                                        to_double(guarantee.limit), to_double(guarantee.upper)});
    task_.costs.goal_probability = tree.goal_probability;
    if (tree.give_up) {
      task_.costs.give_up.emplace();
      for (const Rational& penalty : *tree.give_up)
        task_.costs.give_up->push_back(to_double(penalty));
    }
    task_.exact_cost_vectors = std::move(plain_.cost_vectors);
    task_.cost_vectors = rounded(task_.exact_cost_vectors);
    task_.exact_outcome_cost_vectors = std::move(plain_.outcome_cost_vectors);
    task_.outcome_cost_vectors = rounded(task_.exact_outcome_cost_vectors);
    task_.numbers = plain_.numbers.numbers();
    task_.notes = tree.notes;
    task_.warnings = tree.warnings;
  }

  /// A combination has none: rewards can be neither minimised nor bounded from above.
  void add_rewards() {
    const pddl::SyntaxTree& tree = *ground_.tree;
    for (std::size_t i = 0; i < tree.costs.size(); ++i) {
      if (tree.costs[i].unit_cost) continue;
      if (!tree.functions[tree.costs[i].summands.front().function.index()].is_reward) continue;
      task_.costs.rewards.resize(tree.costs.size(), false);
      task_.costs.rewards[i] = true;
    }
  }

  std::vector<std::vector<double>> rounded(
      const std::vector<std::vector<NumberId>>& vectors) const {
    std::vector<std::vector<double>> result;
    for (const std::vector<NumberId>& exact : vectors) {
      std::vector<double>& costs = result.emplace_back();
      for (const NumberId number : exact)
        costs.push_back(to_double(plain_.numbers[number]));
    }
    return result;
  }

  const GroundTask& ground_;
  PlainTask plain_;
  const std::vector<std::vector<AtomId>>& facts_;  // of each variable
  std::vector<Fact> place_;                        // of each atom
  std::vector<bool> has_none_;                     // by variable
  std::vector<std::vector<Shadow>> shadows_;       // by variable
  std::vector<AtomId> shadowed_;
  Task task_;
};

}  // namespace

Task encode(const GroundTask& ground, PlainTask plain,
            const std::vector<std::vector<AtomId>>& variables) {
  fit_conditionals(plain, variables, ground.atoms.size());
  return Encoder(ground, std::move(plain), variables).run();
}

}  // namespace carl::task
