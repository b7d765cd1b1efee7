// The second pass of grounding. Exploration has settled which literals vary, so conditions are
// simplified while they are built, and effects that cannot happen or change nothing are never
// stored.
#include <fmt/format.h>

#include <algorithm>

#include "pddl/numbers.h"
#include "task/costs.h"
#include "task/ground_task.h"
#include "util/shown.h"

namespace carl::task {

std::string GroundTask::atom_name(AtomId atom) const {
  return ground_name(tree->predicates[atoms.predicate(atom).index()].name, atoms.arguments(atom),
                     *tree);
}

std::string GroundTask::action_name(const GroundAction& action) const {
  return ground_name(tree->actions[action.schema].name, action.arguments, *tree);
}

bool changes_atoms(const GroundEffect& effect) {
  if (!effect.adds.empty() || !effect.deletes.empty()) return true;
  for (const GroundConditional& conditional : effect.conditionals)
    if (changes_atoms(conditional.effect)) return true;
  for (const Choice& choice : effect.choices)
    if (std::any_of(choice.branches.begin(), choice.branches.end(), changes_atoms)) return true;
  return false;
}

namespace {

class Grounder {
 public:
  Grounder(Exploration& exploration, const std::vector<pddl::SourceText>& sources, Monitor& monitor)
      : exploration_(exploration),
        tree_(*exploration.task->tree),
        sources_(sources),
        monitor_(monitor),
        costs_(tree_, *exploration.numbers, sources) {}

  GroundTask run() {
    task_.tree = &tree_;
    ground_goal();
    for (const ActionInstance& instance : exploration_.actions) {
      monitor_.check();
      ground_action(instance);
    }
    for (std::size_t i = 0; i < exploration_.atoms.size(); ++i)
      if (exploration_.atoms.reached(Literal(AtomId(i), true)) &&
          exploration_.atoms.reached(Literal(AtomId(i), false)))
        task_.fluents.emplace_back(i);
    task_.atoms = std::move(exploration_.atoms);
    return std::move(task_);
  }

 private:
  void ground_goal() {
    bindings_.assign(tree_.goal_slots, unbound);
    task_.goal = normal_form(exploration_.task->goal, tree_.goal.position, "the goal");
  }

  void ground_action(const ActionInstance& instance) {
    const LiftedAction& lifted = exploration_.task->actions[instance.schema];
    bindings_.assign(lifted.schema->num_slots, unbound);
    std::copy(instance.arguments.begin(), instance.arguments.end(), bindings_.begin());
    name_ = ground_name(lifted.schema->name, instance.arguments, tree_);
    GroundAction action{instance.schema, instance.arguments, {}, {}};
    ground_effect(lifted.effect, action.effect);
    if (!changes_atoms(action.effect)) return;
    action.precondition = normal_form(lifted.precondition, lifted.schema->position,
                                      "the precondition of " + shown(name_));
    if (!action.precondition.empty()) task_.actions.push_back(std::move(action));
  }

  std::vector<Conjunction> normal_form(const LiftedCondition& condition, pddl::Position position,
                                       const std::string& what) {
    auto terms = disjunctive_normal_form(ground(condition), max_disjuncts);
    if (!terms)
      throw pddl::error_at(sources_, position,
                           fmt::format("{} has more than {} alternatives once it is written out",
                                       what, max_disjuncts),
                           "split it with the help of further actions and predicates");
    return std::move(*terms);
  }

  Formula ground(const LiftedCondition& condition) {
    return ground_condition(condition, Fold::settled, exploration_, bindings_, monitor_);
  }

  void ground_effect(const LiftedEffect& effect, GroundEffect& out) {
    using Kind = pddl::Effect::Kind;
    switch (effect.kind) {
      case Kind::conjunction:
        for (const LiftedEffect& child : effect.children)
          ground_effect(child, out);
        break;
      case Kind::forall:
        foralls_.push_back(&effect.source->quantifier);
        Join(effect.range, exploration_.tables, bindings_, monitor_).run([&] {
          ground_effect(effect.children[0], out);
        });
        foralls_.pop_back();
        break;
      case Kind::when:
        ground_when(effect, out);
        break;
      case Kind::probabilistic:
        ground_choice(effect, out);
        break;
      case Kind::add:
      case Kind::remove:
        ground_change(effect, out);
        break;
      case Kind::increase:
        costs_.increase(
            *effect.source, bindings_, [&] { return where(); },
            [&](std::uint32_t cost, const Rational& amount) {
              out.increases.push_back({cost, task_.numbers.intern(amount)});
            });
        break;
    }
  }

  void ground_when(const LiftedEffect& effect, GroundEffect& out) {
    Formula condition = ground(effect.condition);
    if (condition.is_false()) return;
    if (condition.is_true()) {
      ground_effect(effect.children[0], out);
      return;
    }
    GroundEffect inner;
    ground_effect(effect.children[0], inner);
    if (!inner.empty()) out.conditionals.push_back({std::move(condition), std::move(inner)});
  }

  void ground_choice(const LiftedEffect& effect, GroundEffect& out) {
    const std::vector<Rational> probabilities = probabilities_of(*effect.source);
    Choice choice;
    for (std::size_t i = 0; i < effect.children.size(); ++i) {
      if (probabilities[i] == 0) continue;
      if (probabilities[i] == 1) {
        ground_effect(effect.children[i], out);
        return;
      }
      GroundEffect branch;
      ground_effect(effect.children[i], branch);
      if (branch.empty()) continue;
      choice.probabilities.push_back(task_.numbers.intern(probabilities[i]));
      choice.branches.push_back(std::move(branch));
    }
    if (!choice.branches.empty()) out.choices.push_back(std::move(choice));
  }

  std::vector<Rational> probabilities_of(const pddl::Effect& choice) {
    std::vector<Rational> values;
    values.reserve(choice.probabilities.size());
    Rational sum;
    for (const pddl::Amount& probability : choice.probabilities) {
      values.push_back(
          exploration_.numbers->value(probability, bindings_, [&] { return where(); }));
      sum += values.back();
      if (const auto wrong = pddl::wrong_probability(values.back(), sum))
        throw pddl::error_at(sources_, probability.position,
                             fmt::format("{} in {}", *wrong, where()));
    }
    return values;
  }

  /// The action that is being grounded and what its quantified variables stand for, for errors.
  std::string where() const {
    std::string objects;
    for (const pddl::Quantifier* forall : foralls_)
      for (std::size_t i = 0; i < forall->variables.size(); ++i)
        objects +=
            fmt::format("{} {} = {}", objects.empty() ? " with" : ",", forall->variables[i].name,
                        tree_.objects[bindings_[forall->first_slot + i]].name);
    return shown(name_) + shown(objects);
  }

  void ground_change(const LiftedEffect& effect, GroundEffect& out) {
    const auto atom = exploration_.atoms.find(effect.source->predicate,
                                              arguments_of(effect.source->terms, bindings_));
    if (!atom) return;
    const bool add = effect.kind == pddl::Effect::Kind::add;
    // Adding what is always true and deleting what is never true changes nothing.
    if (exploration_.atoms.reached(Literal(*atom, !add)))
      (add ? out.adds : out.deletes).push_back(*atom);
  }

  Exploration& exploration_;
  const pddl::SyntaxTree& tree_;
  const std::vector<pddl::SourceText>& sources_;
  Monitor& monitor_;
  CostCalculator costs_;
  GroundTask task_;
  Bindings bindings_;
  std::string name_;                              // of the action being grounded, for errors
  std::vector<const pddl::Quantifier*> foralls_;  // around the effect being grounded
};

}  // namespace

GroundTask ground(Exploration exploration, const std::vector<pddl::SourceText>& sources,
                  Monitor& monitor) {
  return Grounder(exploration, sources, monitor).run();
}

}  // namespace carl::task
