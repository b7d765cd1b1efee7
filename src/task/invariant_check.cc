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
                                   Monitor& monitor, std::size_t max_work)
    : task_(task),
      effects_(effects),
      monitor_(monitor),
      max_work_(max_work),
      adders_(task.tree->predicates.size()) {
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
  members_.clear();
  for (const InvariantPart& part : candidate.parts())
    for (const std::uint32_t action : adders_[part.predicate])
      if (!given_up()) check_action(candidate, action, result);
  result.complete = !given_up();
  return result;
}

void InvariantChecker::check_action(const InvariantCandidate& candidate, std::uint32_t action,
                                    Result& result) {
  const std::vector<Add> adds = adds_by_instance(candidate, action);
  for (std::size_t begin = 0, end = 0; begin < adds.size(); begin = end) {
    const Instance instance{&candidate, adds[begin].key};
    while (end < adds.size() && adds[end].key == instance.key)
      ++end;
    if (result.unsafe.find(instance.key)) continue;
    if (!are_safe(std::span(adds).subspan(begin, end - begin), instance, action, result))
      result.unsafe.intern(instance.key);
  }
}

std::vector<InvariantChecker::Add> InvariantChecker::adds_by_instance(
    const InvariantCandidate& candidate, std::uint32_t action) {
  std::vector<Add> adds;
  Arguments key;
  for (const EffectLeaf& leaf : effects_.leaves(action))
    if (leaf.add && candidate.instance_of(leaf.atom, task_.atoms, key)) adds.push_back({key, leaf});
  work_ += effects_.leaves(action).size();
  if (adds.size() > 1)
    std::sort(adds.begin(), adds.end(), [](const Add& a, const Add& b) {
      return a.key != b.key ? a.key < b.key : a.leaf < b.leaf;
    });
  return adds;
}

bool InvariantChecker::are_safe(std::span<const Add> adds, const Instance& instance,
                                std::uint32_t action, Result& result) {
  for (const Conjunction& precondition : task_.actions[action].precondition) {
    for (std::size_t i = 0; i < adds.size(); ++i) {
      monitor_.check();
      const EffectLeaf& add = adds[i].leaf;
      set(here_, precondition, add.context);
      if (is_void(add, instance, action, here_)) continue;
      if (!is_balanced(add, instance, action)) {
        if (result.refinements.empty()) refine(instance, action, result);
        return false;
      }
      for (std::size_t k = i + 1; k < adds.size(); ++k) {
        ++work_;
        if (given_up()) return false;
        if (adds[k].leaf.atom == add.atom) continue;
        set(other_, precondition, adds[k].leaf.context);
        if (!is_void(adds[k].leaf, instance, action, other_) && can_meet(instance)) return false;
      }
    }
  }
  return true;
}

bool InvariantChecker::is_void(const EffectLeaf& add, const Instance& instance,
                               std::uint32_t action, const Situation& situation) const {
  AtomId held;
  const std::size_t members = known_members(instance, situation, held);
  return members > 1 || (members == 1 && held == add.atom && !is_deleted(action, add.atom));
}

bool InvariantChecker::is_balanced(const EffectLeaf& add, const Instance& instance,
                                   std::uint32_t action) {
  AtomId held;
  if (known_members(instance, here_, held) == 0) return deletes_all_others(add, instance, action);
  return is_deleted_in(here_, action, held);
}

bool InvariantChecker::is_deleted_in(const Situation& situation, std::uint32_t action,
                                     AtomId atom) const {
  const auto leaves = effects_.leaves(action, atom);
  return std::any_of(leaves.begin(), leaves.end(), [&](const EffectLeaf& leaf) {
    return !leaf.add && implied(leaf.context, situation);
  });
}

bool InvariantChecker::deletes_all_others(const EffectLeaf& add, const Instance& instance,
                                          std::uint32_t action) {
  const auto leaves = effects_.leaves(action);
  const bool deletes_any = std::any_of(leaves.begin(), leaves.end(), [&](const EffectLeaf& leaf) {
    return !leaf.add && leaf.context != EffectIndex::root && is_member(leaf.atom, instance);
  });
  work_ += leaves.size();
  if (!deletes_any) return false;
  const std::size_t num_known = here_.known.size();
  for (const AtomId atom : members(instance)) {
    ++work_;
    if (atom == add.atom || truth_of(atom, here_.known) == Truth::no) continue;
    here_.known.emplace_back(atom, true);
    const bool deleted = is_deleted_in(here_, action, atom);
    here_.known.resize(num_known, Literal(atom, true));
    if (!deleted) return false;
  }
  return true;
}

const std::vector<AtomId>& InvariantChecker::members(const Instance& instance) {
  if (members_.empty()) {
    instances_ = TupleTable();
    Arguments key;
    for (const AtomId atom : task_.fluents) {
      if (!instance.candidate->instance_of(atom, task_.atoms, key)) continue;
      const std::uint32_t number = instances_.intern(key);
      if (number == members_.size()) members_.emplace_back();
      members_[number].push_back(atom);
    }
    work_ += task_.fluents.size();
  }
  return members_[*instances_.find(instance.key)];
}

bool InvariantChecker::can_meet(const Instance& instance) const {
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
  if (known_members(instance, here_, mine) == 0) return true;
  return known_members(instance, other_, others) == 0 || mine == others;
}

bool InvariantChecker::is_member(AtomId atom, const Instance& instance) const {
  Arguments key;
  return instance.candidate->instance_of(atom, task_.atoms, key) && key == instance.key;
}

std::size_t InvariantChecker::known_members(const Instance& instance, const Situation& situation,
                                            AtomId& member) const {
  std::size_t count = 0;
  for (const Literal literal : situation.known) {
    if (!literal.positive() || (count > 0 && literal.atom() == member)) continue;
    if (!is_member(literal.atom(), instance)) continue;
    member = literal.atom();
    ++count;
  }
  return count;
}

bool InvariantChecker::is_deleted(std::uint32_t action, AtomId atom) const {
  const auto leaves = effects_.leaves(action, atom);
  return std::any_of(leaves.begin(), leaves.end(),
                     [](const EffectLeaf& leaf) { return !leaf.add; });
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

void InvariantChecker::refine(const Instance& instance, std::uint32_t action,
                              Result& result) const {
  for (const Literal literal : here_.known) {
    const AtomId atom = literal.atom();
    const auto predicate = static_cast<std::uint32_t>(task_.atoms.predicate(atom).index());
    if (!literal.positive() || instance.candidate->covers(predicate)) continue;
    const auto leaves = effects_.leaves(action, atom);
    const bool deleted = std::any_of(leaves.begin(), leaves.end(), [&](const EffectLeaf& leaf) {
      return !leaf.add && implied(leaf.context, here_);
    });
    if (!deleted) continue;
    for (InvariantCandidate& refined :
         instance.candidate->with_part_for(atom, instance.key, task_.atoms))
      result.refinements.push_back(std::move(refined));
  }
}

bool InvariantChecker::never_empties(const std::vector<AtomId>& group) {
  const auto in_group = [&](AtomId atom) {
    return std::binary_search(group.begin(), group.end(), atom);
  };
  for (const AtomId atom : group) {
    for (const EffectIndex::Occurrence& occurrence : effects_.occurrences(atom)) {
      monitor_.check();
      work_ += effects_.leaves(occurrence.action).size();
      if (given_up()) return false;
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
                     [&](const GroundConditional& conditional) {
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
