#include "task/initial_draw.h"

#include <algorithm>
#include <set>
#include <utility>

namespace carl::task {
namespace {

using pddl::Condition;
using pddl::Effect;

using Atom = std::pair<pddl::PredicateId, std::vector<pddl::ObjectId>>;

Atom atom_of(const Effect& change) {
  Atom atom{change.predicate, {}};
  for (const pddl::Term& term : change.terms)
    atom.second.push_back(term.object);
  return atom;
}

std::vector<pddl::Term> terms_of(const Atom& atom) {
  std::vector<pddl::Term> terms;
  for (const pddl::ObjectId object : atom.second)
    terms.push_back(pddl::Term::constant(object));
  return terms;
}

Condition condition_on(const Atom& atom, pddl::Position position) {
  Condition condition;
  condition.kind = Condition::Kind::atom;
  condition.position = position;
  condition.predicate = atom.first;
  condition.terms = terms_of(atom);
  return condition;
}

Effect removal_of(const Atom& atom, pddl::Position position) {
  Effect effect;
  effect.kind = Effect::Kind::remove;
  effect.position = position;
  effect.predicate = atom.first;
  effect.terms = terms_of(atom);
  return effect;
}

/// What becomes true if every choice takes its first branch.
void collect_first_adds(const Effect& effect, std::set<Atom>& atoms) {
  if (effect.kind == Effect::Kind::add) atoms.insert(atom_of(effect));
  for (const Effect& child : effect.children) {
    collect_first_adds(child, atoms);
    if (effect.kind == Effect::Kind::probabilistic) return;
  }
}

void collect_removals(const Effect& effect, std::set<Atom>& atoms) {
  if (effect.kind == Effect::Kind::remove) atoms.insert(atom_of(effect));
  for (const Effect& child : effect.children)
    collect_removals(child, atoms);
}

/// Adds to `condition` that it is no longer before the start.
void require_start(Condition& condition, const Atom& before) {
  Condition started;
  started.kind = Condition::Kind::negation;
  started.position = condition.position;
  started.children.push_back(condition_on(before, condition.position));
  Condition both;
  both.position = condition.position;
  both.children = {std::move(started), std::move(condition)};
  condition = std::move(both);
}

}  // namespace

pddl::SyntaxTree with_draw_as_action(const pddl::SyntaxTree& tree) {
  pddl::SyntaxTree result = tree;
  const Effect& draw = *tree.initial_draw;
  const Atom before(pddl::PredicateId(tree.predicates.size()), {});
  result.predicates.push_back({before_the_start, {}});

  std::set<Atom> certain;
  for (const pddl::GroundAtom& fact : tree.init)
    certain.emplace(fact.predicate, fact.arguments);
  std::set<Atom> chosen;
  collect_first_adds(draw, chosen);
  std::set<Atom> known;  // true before the start, and perhaps not after it
  collect_removals(draw, known);
  std::erase_if(known, [&](const Atom& atom) { return certain.count(atom) == 0; });
  std::erase_if(chosen, [&](const Atom& atom) { return certain.count(atom) > 0; });

  pddl::ActionSchema action;
  action.name = "draw the initial state";
  action.draws_initial_state = true;
  action.position = action.precondition.position = action.effect.position = draw.position;
  action.precondition.children.push_back(condition_on(before, draw.position));
  action.effect.children = {removal_of(before, draw.position), draw};
  // First, so that exploration draws before it looks at anything else.
  std::vector<pddl::GroundAtom> init{{before.first, before.second}};
  for (const Atom& atom : chosen) {
    init.push_back({atom.first, atom.second});
    action.effect.children.push_back(removal_of(atom, draw.position));  // unless it is drawn
  }
  known.insert(chosen.begin(), chosen.end());
  for (const Atom& atom : known)
    action.precondition.children.push_back(condition_on(atom, draw.position));
  result.init.insert(result.init.begin(), init.begin(), init.end());

  for (pddl::ActionSchema& other : result.actions)
    require_start(other.precondition, before);
  require_start(result.goal, before);
  result.actions.push_back(std::move(action));
  result.initial_draw.reset();
  return result;
}

}  // namespace carl::task
