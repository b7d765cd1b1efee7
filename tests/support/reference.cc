#include "support/reference.h"

#include <stdexcept>

namespace carl::testing {

using pddl::Condition;
using pddl::Effect;

namespace {

std::string ground_name(const std::string& head, const std::vector<std::size_t>& objects,
                        const pddl::SyntaxTree& tree) {
  std::string result = "(" + head;
  for (const std::size_t object : objects)
    result += " " + tree.objects[object].name;
  return result + ")";
}

std::string ground_name(const std::string& head, const std::vector<pddl::ObjectId>& objects,
                        const pddl::SyntaxTree& tree) {
  std::vector<std::size_t> numbers;
  numbers.reserve(objects.size());
  for (const pddl::ObjectId object : objects)
    numbers.push_back(object.index());
  return ground_name(head, numbers, tree);
}

/// What is both added and deleted is true.
AtomSet changed(AtomSet state, const AtomSet& adds, const AtomSet& deletes) {
  for (const std::string& atom : deletes)
    state.erase(atom);
  state.insert(adds.begin(), adds.end());
  return state;
}

}  // namespace

Reference::Reference(const pddl::SyntaxTree& tree) : tree_(tree) {
  for (const pddl::FunctionValue& value : tree.values)
    values_[ground_name(tree.functions[value.function.index()].name, value.arguments, tree)] =
        value.value;
  for (std::size_t i = 0; i < tree.actions.size(); ++i) {
    const pddl::ActionSchema& schema = tree.actions[i];
    Slots slots(schema.num_slots, SIZE_MAX);
    for_each_binding(schema.parameters, 0, slots, [&] {
      const std::vector<std::size_t> arguments(
          slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(schema.parameters.size()));
      actions_.push_back({ground_name(schema.name, arguments, tree), i, arguments});
      return true;
    });
  }
}

bool Reference::is_subtype(std::size_t type, std::size_t ancestor) const {
  if (type == ancestor) return true;
  for (const pddl::TypeId parent : tree_.types[type].parents)
    if (is_subtype(parent.index(), ancestor)) return true;
  return false;
}

bool Reference::has_type(std::size_t object, const std::vector<pddl::TypeId>& types) const {
  for (const pddl::TypeId own : tree_.objects[object].types)
    for (const pddl::TypeId wanted : types)
      if (is_subtype(own.index(), wanted.index())) return true;
  return false;
}

template <class Visit>
void Reference::for_each_binding(const std::vector<pddl::Parameter>& variables, std::size_t first,
                                 Slots& slots, const Visit& visit, std::size_t done) const {
  if (done == variables.size()) {
    visit();
    return;
  }
  for (std::size_t object = 0; object < tree_.objects.size(); ++object) {
    if (!has_type(object, variables[done].types)) continue;
    slots[first + done] = object;
    for_each_binding(variables, first, slots, visit, done + 1);
  }
}

std::string Reference::name(const std::string& head, const std::vector<pddl::Term>& terms,
                            const Slots& slots) const {
  std::vector<std::size_t> objects;
  objects.reserve(terms.size());
  for (const pddl::Term& term : terms)
    objects.push_back(term.is_variable() ? slots[term.slot] : term.object.index());
  return ground_name(head, objects, tree_);
}

std::map<AtomSet, Rational> Reference::initial_states() const {
  AtomSet listed;
  for (const pddl::GroundAtom& atom : tree_.init)
    listed.insert(
        ground_name(tree_.predicates[atom.predicate.index()].name, atom.arguments, tree_));
  if (!tree_.initial_draw) return {{listed, 1}};
  std::map<AtomSet, Rational> states;
  Slots slots;
  for (const Result& result : results(*tree_.initial_draw, listed, slots))
    states[changed(listed, result.adds, result.deletes)] += result.probability;
  return states;
}

bool Reference::is_goal(const AtomSet& state) const {
  Slots slots(tree_.goal_slots, SIZE_MAX);
  return holds(tree_.goal, state, slots);
}

bool Reference::is_applicable(const GroundAction& action, const AtomSet& state) const {
  const pddl::ActionSchema& schema = tree_.actions[action.schema];
  Slots slots = action.arguments;
  slots.resize(schema.num_slots, SIZE_MAX);
  return holds(schema.precondition, state, slots);
}

bool Reference::holds(const Condition& condition, const AtomSet& state, Slots& slots) const {
  switch (condition.kind) {
    case Condition::Kind::conjunction:
      for (const Condition& child : condition.children)
        if (!holds(child, state, slots)) return false;
      return true;
    case Condition::Kind::disjunction:
      for (const Condition& child : condition.children)
        if (holds(child, state, slots)) return true;
      return false;
    case Condition::Kind::negation:
      return !holds(condition.children[0], state, slots);
    case Condition::Kind::atom:
      return state.count(name(tree_.predicates[condition.predicate.index()].name, condition.terms,
                              slots)) > 0;
    case Condition::Kind::equality:
      return name("", {condition.terms[0]}, slots) == name("", {condition.terms[1]}, slots);
    case Condition::Kind::comparison:
      return comparison_holds(condition, slots);
    case Condition::Kind::exists:
    case Condition::Kind::forall:
      break;
  }
  bool any = false;
  bool all = true;
  for_each_binding(condition.quantifier.variables, condition.quantifier.first_slot, slots, [&] {
    const bool here = holds(condition.children[0], state, slots);
    any = any || here;
    all = all && here;
  });
  return condition.kind == Condition::Kind::exists ? any : all;
}

bool Reference::comparison_holds(const Condition& condition, const Slots& slots) const {
  using Relation = Condition::Relation;
  const int sign = cmp(amount(condition.sides[0], slots), amount(condition.sides[1], slots));
  return (sign < 0 &&
          (condition.relation == Relation::less || condition.relation == Relation::at_most)) ||
         (sign > 0 &&
          (condition.relation == Relation::greater || condition.relation == Relation::at_least)) ||
         (sign == 0 && condition.relation != Relation::less &&
          condition.relation != Relation::greater);
}

namespace {

template <class Result>
std::vector<Result> both(const std::vector<Result>& left, const std::vector<Result>& right) {
  std::vector<Result> product;
  for (const Result& a : left) {
    for (const Result& b : right) {
      Result result = a;
      result.probability *= b.probability;
      result.adds.insert(b.adds.begin(), b.adds.end());
      result.deletes.insert(b.deletes.begin(), b.deletes.end());
      for (const auto& [function, increase] : b.increases)
        result.increases[function] += increase;
      product.push_back(std::move(result));
    }
  }
  return product;
}

}  // namespace

std::vector<Reference::Result> Reference::results(const Effect& effect, const AtomSet& state,
                                                  Slots& slots) const {
  std::vector<Result> all{{1, {}, {}, {}}};
  switch (effect.kind) {
    case Effect::Kind::add:
      all[0].adds.insert(
          name(tree_.predicates[effect.predicate.index()].name, effect.terms, slots));
      break;
    case Effect::Kind::remove:
      all[0].deletes.insert(
          name(tree_.predicates[effect.predicate.index()].name, effect.terms, slots));
      break;
    case Effect::Kind::increase:
      all[0].increases[name(tree_.functions[effect.function.index()].name, effect.terms, slots)] +=
          amount(effect.amount, slots);
      break;
    case Effect::Kind::conjunction:
      for (const Effect& child : effect.children)
        all = both(all, results(child, state, slots));
      break;
    case Effect::Kind::when:
      if (holds(effect.condition, state, slots)) return results(effect.children[0], state, slots);
      break;
    case Effect::Kind::forall:
      for_each_binding(effect.quantifier.variables, effect.quantifier.first_slot, slots,
                       [&] { all = both(all, results(effect.children[0], state, slots)); });
      break;
    case Effect::Kind::probabilistic: {
      Rational rest = 1;
      all.clear();
      for (std::size_t i = 0; i < effect.children.size(); ++i) {
        const Rational probability = amount(effect.probabilities[i], slots);
        rest -= probability;
        if (probability == 0) continue;
        for (Result& result : results(effect.children[i], state, slots)) {
          result.probability *= probability;
          all.push_back(std::move(result));
        }
      }
      if (rest > 0) all.push_back({rest, {}, {}, {}});
      break;
    }
  }
  return all;
}

Rational Reference::amount(const pddl::Amount& amount, const Slots& slots) const {
  using Kind = pddl::Amount::Kind;
  if (amount.kind == Kind::number) return amount.number;
  if (amount.kind == Kind::function)
    return values_.at(name(tree_.functions[amount.function.index()].name, amount.terms, slots));
  Rational result = this->amount(amount.operands[0], slots);
  if (amount.operands.size() == 1 && amount.kind == Kind::difference) return -result;
  for (std::size_t i = 1; i < amount.operands.size(); ++i) {
    const Rational operand = this->amount(amount.operands[i], slots);
    if (amount.kind == Kind::sum) result += operand;
    if (amount.kind == Kind::difference) result -= operand;
    if (amount.kind == Kind::product) result *= operand;
    if (amount.kind == Kind::quotient) result /= operand;
  }
  return result;
}

Reference::Transition Reference::apply(const GroundAction& action, const AtomSet& state) const {
  const pddl::ActionSchema& schema = tree_.actions[action.schema];
  Slots slots = action.arguments;
  slots.resize(schema.num_slots, SIZE_MAX);
  Transition transition;
  std::map<std::string, Rational> increases;
  for (const Result& result : results(schema.effect, state, slots)) {
    const AtomSet successor = changed(state, result.adds, result.deletes);
    transition.successors[successor] += result.probability;
    transition.outcomes[{successor, costs(result.increases)}] += result.probability;
    for (const auto& [function, increase] : result.increases)
      increases[function] += result.probability * increase;
  }
  transition.cost = costs(increases);
  return transition;
}

std::vector<Rational> Reference::costs(const std::map<std::string, Rational>& increases) const {
  std::vector<Rational> costs(tree_.costs.size());
  for (std::size_t i = 0; i < tree_.costs.size(); ++i) {
    if (tree_.costs[i].unit_cost) costs[i] += 1;
    for (const pddl::CostExpression::Summand& summand : tree_.costs[i].summands) {
      const auto found = increases.find(
          ground_name(tree_.functions[summand.function.index()].name, summand.arguments, tree_));
      if (found != increases.end()) costs[i] += summand.coefficient * found->second;
    }
  }
  return costs;
}

}  // namespace carl::testing
