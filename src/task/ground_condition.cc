// Grounding one condition under bindings of its outer variables. Quantifiers run over the bindings
// that their static part allows, so "exists" over a sparse static relation stays small.
#include "task/exploration.h"

namespace carl::task {
namespace {

class ConditionGrounder {
 public:
  ConditionGrounder(Fold fold, Exploration& exploration, Bindings& bindings, Monitor& monitor)
      : fold_(fold), exploration_(exploration), bindings_(bindings), monitor_(monitor) {}

  Formula ground(const LiftedCondition& condition) {
    using Kind = LiftedCondition::Kind;
    switch (condition.kind) {
      case Kind::atom:
        return ground_atom(condition);
      case Kind::comparison: {
        const Arguments sides = arguments_of(condition.terms, bindings_);
        return Formula::constant((sides[0] == sides[1]) != condition.negated);
      }
      case Kind::number_test:
        return Formula::constant(number_test_holds(*condition.source) != condition.negated);
      case Kind::conjunction:
      case Kind::disjunction:
        return ground_children(condition);
      case Kind::exists:
      case Kind::forall:
        break;
    }
    return ground_quantifier(condition);
  }

 private:
  /// Whoever looks for what is missing also asks about bindings that other conditions exclude;
  /// numbers without a value are no error there.
  bool number_test_holds(const pddl::Condition& test) const {
    const StaticNumbers& numbers = *exploration_.numbers;
    if (fold_ == Fold::unreached || fold_ == Fold::open)
      return numbers.holds_if_known(test.relation, test.sides, bindings_).value_or(false);
    return numbers.holds(test.relation, test.sides, bindings_,
                         [] { return std::string("a condition"); });
  }

  Formula ground_children(const LiftedCondition& condition) {
    FormulaBuilder builder(condition.kind == LiftedCondition::Kind::conjunction
                               ? Formula::Kind::conjunction
                               : Formula::Kind::disjunction);
    for (const LiftedCondition& child : condition.children) {
      if (builder.decided()) break;
      builder.add(ground(child));
    }
    return builder.build();
  }

  Formula ground_quantifier(const LiftedCondition& condition) {
    FormulaBuilder builder(condition.kind == LiftedCondition::Kind::forall
                               ? Formula::Kind::conjunction
                               : Formula::Kind::disjunction);
    Join(condition.range, exploration_.tables, bindings_, monitor_).run([&] {
      if (!builder.decided()) builder.add(ground(condition.children[0]));
    });
    return builder.build();
  }

  Formula ground_atom(const LiftedCondition& condition) {
    const Arguments arguments = arguments_of(condition.terms, bindings_);
    AtomTable& atoms = exploration_.atoms;
    const std::size_t predicate = condition.predicate.index();
    if (exploration_.task->is_static[predicate]) {
      const bool holds = exploration_.tables.relations[predicate].contains(arguments);
      const bool is_named = fold_ == Fold::unreached || (fold_ == Fold::open && !condition.negated);
      if (is_named && holds == condition.negated)
        return Formula::of(
            Literal(atoms.intern(condition.predicate, arguments), !condition.negated));
      return Formula::constant(holds != condition.negated);
    }
    if (fold_ != Fold::settled) {
      const Literal literal(atoms.intern(condition.predicate, arguments), !condition.negated);
      const bool holds = fold_ != Fold::open && atoms.reached(literal);
      return holds ? Formula::constant(true) : Formula::of(literal);
    }
    const auto atom = atoms.find(condition.predicate, arguments);
    if (!atom) return Formula::constant(condition.negated);
    const Literal literal(*atom, !condition.negated);
    if (!atoms.reached(literal)) return Formula::constant(false);
    return atoms.reached(!literal) ? Formula::of(literal) : Formula::constant(true);
  }

  Fold fold_;
  Exploration& exploration_;
  Bindings& bindings_;
  Monitor& monitor_;
};

}  // namespace

Formula ground_condition(const LiftedCondition& condition, Fold fold, Exploration& exploration,
                         Bindings& bindings, Monitor& monitor) {
  return ConditionGrounder(fold, exploration, bindings, monitor).ground(condition);
}

}  // namespace carl::task
