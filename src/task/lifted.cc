#include "task/lifted.h"

#include <algorithm>

namespace carl::task {
namespace {

using pddl::Condition;
using pddl::Effect;

void mark_fluents(const Effect& effect, std::vector<bool>& is_static) {
  if (effect.kind == Effect::Kind::add || effect.kind == Effect::Kind::remove)
    is_static[effect.predicate.index()] = false;
  for (const Effect& child : effect.children)
    mark_fluents(child, is_static);
}

class Lifter {
 public:
  explicit Lifter(const pddl::SyntaxTree& tree) {
    task_.tree = &tree;
    task_.is_static.assign(tree.predicates.size(), true);
    for (const pddl::ActionSchema& schema : tree.actions)
      mark_fluents(schema.effect, task_.is_static);
  }

  LiftedTask lift() {
    for (const pddl::ActionSchema& schema : task_.tree->actions)
      task_.actions.push_back(lift_action(schema));
    task_.goal = lift_condition(task_.tree->goal, false);
    return std::move(task_);
  }

 private:
  LiftedAction lift_action(const pddl::ActionSchema& schema) {
    LiftedAction action;
    action.schema = &schema;
    action.precondition = lift_condition(schema.precondition, false);
    action.effect = lift_effect(schema.effect);
    action.body = typed_body(schema.parameters, 0);
    const std::size_t num_types = action.body.present.size();
    gather(action.precondition, false, true, action.body);
    for (std::size_t i = num_types; i < action.body.present.size(); ++i)
      if (!task_.is_static[action.body.present[i].relation]) action.fluent_atoms.push_back(i);
    return action;
  }

  LiftedCondition lift_condition(const Condition& source, bool negated) {
    using Kind = LiftedCondition::Kind;
    LiftedCondition result;
    switch (source.kind) {
      case Condition::Kind::negation:
        return lift_condition(source.children[0], !negated);
      case Condition::Kind::atom:
      case Condition::Kind::equality:
        result.kind = source.kind == Condition::Kind::atom ? Kind::atom : Kind::comparison;
        result.negated = negated;
        result.predicate = source.predicate;
        result.terms = source.terms;
        return result;
      case Condition::Kind::comparison:
        result.kind = Kind::number_test;
        result.negated = negated;
        result.source = &source;
        return result;
      case Condition::Kind::conjunction:
      case Condition::Kind::disjunction: {
        const bool all = (source.kind == Condition::Kind::conjunction) != negated;
        result.kind = all ? Kind::conjunction : Kind::disjunction;
        break;
      }
      case Condition::Kind::exists:
      case Condition::Kind::forall: {
        const bool some = (source.kind == Condition::Kind::exists) != negated;
        result.kind = some ? Kind::exists : Kind::forall;
        break;
      }
    }
    for (const Condition& child : source.children)
      result.children.push_back(lift_condition(child, negated));
    if (result.kind == Kind::exists || result.kind == Kind::forall) {
      result.range = typed_body(source.quantifier.variables, source.quantifier.first_slot);
      gather(result.children[0], result.kind == Kind::forall, false, result.range);
    }
    return result;
  }

  LiftedEffect lift_effect(const Effect& source) {
    LiftedEffect result;
    result.kind = source.kind;
    result.source = &source;
    for (const Effect& child : source.children)
      result.children.push_back(lift_effect(child));
    if (source.kind == Effect::Kind::when)
      result.condition = lift_condition(source.condition, false);
    if (source.kind == Effect::Kind::forall) {
      result.range = typed_body(source.quantifier.variables, source.quantifier.first_slot);
      if (result.children[0].kind == Effect::Kind::when)
        gather(result.children[0].condition, false, false, result.range);
    }
    return result;
  }

  JoinBody typed_body(const std::vector<pddl::Parameter>& variables, std::size_t first_slot) {
    JoinBody body;
    body.first_slot = first_slot;
    body.num_slots = variables.size();
    for (std::size_t i = 0; i < variables.size(); ++i)
      body.present.push_back(
          {type_relation(variables[i].types), {pddl::Term::variable(first_slot + i)}});
    return body;
  }

  std::uint32_t type_relation(std::vector<pddl::TypeId> types) {
    std::sort(types.begin(), types.end());
    auto& sets = task_.type_sets;
    const auto found = std::find(sets.begin(), sets.end(), types);
    const auto index = static_cast<std::size_t>(found - sets.begin());
    if (found == sets.end()) sets.push_back(std::move(types));
    return static_cast<std::uint32_t>(task_.tree->predicates.size() + index);
  }

  /// Adds to `body` what must be true for `condition` (for its negation, if `negated`) to be true
  /// and can be looked up: static literals, comparisons, and, if asked for, positive fluent atoms.
  void gather(const LiftedCondition& condition, bool negated, bool with_fluents, JoinBody& body) {
    using Kind = LiftedCondition::Kind;
    const bool positive = condition.negated == negated;
    if (condition.kind == (negated ? Kind::disjunction : Kind::conjunction)) {
      for (const LiftedCondition& child : condition.children)
        gather(child, negated, with_fluents, body);
    } else if (condition.kind == Kind::comparison) {
      body.comparisons.push_back({condition.terms[0], condition.terms[1], positive});
    } else if (condition.kind == Kind::number_test) {
      body.numbers.push_back({condition.source, !positive});
    } else if (condition.kind == Kind::atom) {
      const std::size_t predicate = condition.predicate.index();
      const JoinAtom atom{static_cast<std::uint32_t>(predicate), condition.terms};
      if (task_.is_static[predicate])
        (positive ? body.present : body.absent).push_back(atom);
      else if (positive && with_fluents)
        body.present.push_back(atom);
    }
  }

  LiftedTask task_;
};

}  // namespace

LiftedTask lift(const pddl::SyntaxTree& tree) {
  return Lifter(tree).lift();
}

}  // namespace carl::task
