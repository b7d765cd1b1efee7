#include "task/invariant_check.h"

#include <algorithm>

namespace carl::task {
namespace {

Truth truth_of(AtomId atom, const std::vector<Literal>& known) {
  for (const Literal literal : known)
    if (literal.atom() == atom) return literal.positive() ? Truth::yes : Truth::no;
  return Truth::unknown;
}

}  // namespace

InvariantChecker::InvariantChecker(const GroundTask& task, const EffectIndex& effects,
                                   Limits& limits)
    : task_(task), effects_(effects), limits_(limits), adders_(task.tree->predicates.size()) {
  for (std::uint32_t action = 0; action < task.actions.size(); ++action) {
    for (const EffectLeaf& leaf : effects.leaves(action)) {
      auto& list = adders_[task.atoms.predicate(leaf.atom).index()];
      if (leaf.add && (list.empty() || list.back() != action)) list.push_back(action);
    }
  }
}

void InvariantChecker::set(Situation& situation, const Conjunction& precondition,
                           std::uint32_t context) const {
  situation.precondition = &precondition;
  situation.context = context;
  situation.known = precondition;
  for (; context != EffectIndex::root; context = effects_.context(context).parent) {
    const Formula* condition = effects_.context(context).condition;
    if (condition == nullptr) continue;
    if (condition->kind == Formula::Kind::literal)
      situation.known.push_back(condition->literal);
    else if (condition->kind == Formula::Kind::conjunction)
      for (const Formula& part : condition->children)
        if (part.kind == Formula::Kind::literal) situation.known.push_back(part.literal);
  }
}

InvariantChecker::Result InvariantChecker::check(const InvariantCandidate& candidate) {
  Result result;
  for (const InvariantPart& part : candidate.parts())
    for (const std::uint32_t action : adders_[part.predicate])
      check_action(candidate, action, result);
  return result;
}

void InvariantChecker::check_action(const InvariantCandidate& candidate, std::uint32_t action,
                                    Result& result) {
  limits_.check();
  Arguments key;
  for (const EffectLeaf& leaf : effects_.leaves(action)) {
    ++work_;
    if (!leaf.add || !candidate.instance_of(leaf.atom, task_.atoms, key)) continue;
    if (result.unsafe.find(key)) continue;
    for (const Conjunction& precondition : task_.actions[action].precondition) {
      set(here_, precondition, leaf.context);
      if (is_safe_add(candidate, action, leaf, key, result)) continue;
      result.unsafe.intern(key);
      break;
    }
  }
}

bool InvariantChecker::is_safe_add(const InvariantCandidate& candidate, std::uint32_t action,
                                   const EffectLeaf& add, const Arguments& key, Result& result) {
  AtomId held;
  const std::size_t members = known_members(candidate, key, here_, held);
  if (members > 1) return true;
  if (members == 1 && held == add.atom && !is_deleted(action, add.atom)) return true;
  const auto leaves = effects_.leaves(action);
  work_ += leaves.size();
  const bool balanced =
      members == 1 && std::any_of(leaves.begin(), leaves.end(), [&](const EffectLeaf& leaf) {
        return !leaf.add && leaf.atom == held && implied(leaf.context, here_);
      });
  if (!balanced) {
    if (result.refinements.empty()) refine(candidate, action, key, result);
    return false;
  }
  return is_alone(candidate, action, add, key);
}

bool InvariantChecker::is_alone(const InvariantCandidate& candidate, std::uint32_t action,
                                const EffectLeaf& add, const Arguments& key) {
  Arguments other_key;
  const auto leaves = effects_.leaves(action);
  work_ += leaves.size();
  for (const EffectLeaf& leaf : leaves) {
    if (!leaf.add || leaf.atom == add.atom) continue;
    if (!candidate.instance_of(leaf.atom, task_.atoms, other_key) || other_key != key) continue;
    set(other_, *here_.precondition, leaf.context);
    AtomId held;
    const bool no_change = known_members(candidate, key, other_, held) == 1 && held == leaf.atom &&
                           !is_deleted(action, leaf.atom);
    if (!no_change && can_meet(candidate, key)) return false;
  }
  return true;
}

/// Can the situations here_ and other_ arise together?
bool InvariantChecker::can_meet(const InvariantCandidate& candidate, const Arguments& key) {
  for (std::uint32_t a = here_.context; a != EffectIndex::root; a = effects_.context(a).parent) {
    const EffectContext& mine = effects_.context(a);
    if (mine.choice == nullptr) continue;
    for (std::uint32_t b = other_.context; b != EffectIndex::root; b = effects_.context(b).parent) {
      const EffectContext& others = effects_.context(b);
      if (others.choice == mine.choice && others.branch != mine.branch) return false;
    }
  }
  for (const Literal literal : other_.known)
    if (std::find(here_.known.begin(), here_.known.end(), !literal) != here_.known.end())
      return false;
  AtomId mine;
  AtomId others;
  if (known_members(candidate, key, here_, mine) == 0) return true;
  return known_members(candidate, key, other_, others) == 0 || mine == others;
}

std::size_t InvariantChecker::known_members(const InvariantCandidate& candidate,
                                            const Arguments& key, const Situation& situation,
                                            AtomId& member) {
  std::size_t count = 0;
  Arguments other_key;
  for (const Literal literal : situation.known) {
    if (!literal.positive() || (count > 0 && literal.atom() == member)) continue;
    if (!candidate.instance_of(literal.atom(), task_.atoms, other_key) || other_key != key)
      continue;
    member = literal.atom();
    ++count;
  }
  return count;
}

bool InvariantChecker::is_deleted(std::uint32_t action, AtomId atom) const {
  const auto leaves = effects_.leaves(action);
  return std::any_of(leaves.begin(), leaves.end(),
                     [&](const EffectLeaf& leaf) { return !leaf.add && leaf.atom == atom; });
}

bool InvariantChecker::is_below(std::uint32_t context, std::uint32_t ancestor) const {
  for (; context != EffectIndex::root; context = effects_.context(context).parent)
    if (context == ancestor) return true;
  return ancestor == EffectIndex::root;
}

bool InvariantChecker::holds(const Formula& condition, const Situation& situation) const {
  for (std::uint32_t c = situation.context; c != EffectIndex::root; c = effects_.context(c).parent)
    if (effects_.context(c).condition == &condition) return true;
  const auto value = [&](AtomId atom) { return truth_of(atom, situation.known); };
  return evaluate(condition, value) == Truth::yes;
}

bool InvariantChecker::implied(std::uint32_t context, const Situation& situation) const {
  for (; !is_below(situation.context, context); context = effects_.context(context).parent) {
    const EffectContext& step = effects_.context(context);
    if (step.choice != nullptr || !holds(*step.condition, situation)) return false;
  }
  return true;
}

void InvariantChecker::refine(const InvariantCandidate& candidate, std::uint32_t action,
                              const Arguments& key, Result& result) const {
  for (const EffectLeaf& leaf : effects_.leaves(action)) {
    if (leaf.add || truth_of(leaf.atom, here_.known) != Truth::yes) continue;
    const auto predicate = static_cast<std::uint32_t>(task_.atoms.predicate(leaf.atom).index());
    if (candidate.covers(predicate) || !implied(leaf.context, here_)) continue;
    for (InvariantCandidate& refined : candidate.with_part_for(leaf.atom, key, task_.atoms))
      result.refinements.push_back(std::move(refined));
  }
}

bool InvariantChecker::never_empties(const std::vector<AtomId>& group) {
  const auto in_group = [&](AtomId atom) {
    return std::binary_search(group.begin(), group.end(), atom);
  };
  for (const AtomId atom : group) {
    for (const EffectIndex::Occurrence& occurrence : effects_.occurrences(atom)) {
      ++work_;
      limits_.check();
      const GroundAction& action = task_.actions[occurrence.action];
      const EffectLeaf& leaf = effects_.leaves(occurrence.action)[occurrence.leaf];
      if (leaf.add) continue;
      for (const Conjunction& precondition : action.precondition) {
        set(here_, precondition, leaf.context);
        const bool no_change =
            std::any_of(here_.known.begin(), here_.known.end(), [&](Literal known) {
              return known.positive() ? known.atom() != atom && in_group(known.atom())
                                      : known.atom() == atom;
            });
        if (!no_change && !surely_adds(action.effect, group, here_)) return false;
      }
    }
  }
  return true;
}

bool InvariantChecker::surely_adds(const GroundEffect& effect, const std::vector<AtomId>& group,
                                   const Situation& situation) const {
  return std::any_of(
             effect.adds.begin(), effect.adds.end(),
             [&](AtomId atom) { return std::binary_search(group.begin(), group.end(), atom); }) ||
         std::any_of(effect.conditionals.begin(), effect.conditionals.end(),
                     [&](const ConditionalEffect& conditional) {
                       return holds(conditional.condition, situation) &&
                              surely_adds(conditional.effect, group, situation);
                     }) ||
         std::any_of(effect.choices.begin(), effect.choices.end(),
                     [&](const Choice& choice) { return surely_adds(choice, group, situation); });
}

bool InvariantChecker::surely_adds(const Choice& choice, const std::vector<AtomId>& group,
                                   const Situation& situation) const {
  // In this situation the choice may have been made already.
  for (std::uint32_t c = situation.context; c != EffectIndex::root; c = effects_.context(c).parent)
    if (effects_.context(c).choice == &choice)
      return surely_adds(choice.branches[effects_.context(c).branch], group, situation);
  Rational total = 0;
  for (std::size_t i = 0; i < choice.branches.size(); ++i) {
    if (!surely_adds(choice.branches[i], group, situation)) return false;
    total += task_.numbers[choice.probabilities[i]];
  }
  return total == 1;
}

}  // namespace carl::task
