#include "task/knowledge.h"

#include <algorithm>

namespace carl::task {

Knowledge::Knowledge(const MutexGroups& groups, std::size_t num_atoms)
    : groups_(groups),
      assumed_(num_atoms, Truth::unknown),
      true_in_group_(groups.groups().size()) {}

Truth Knowledge::value(AtomId atom) const {
  if (const Truth assumed = assumed_[atom.index()]; assumed != Truth::unknown) return assumed;
  return is_excluded(atom) ? Truth::no : Truth::unknown;
}

bool Knowledge::is_excluded(AtomId atom) const {
  const auto groups = groups_.groups_of(atom);
  return std::any_of(groups.begin(), groups.end(), [&](std::uint32_t group) {
    return true_in_group_[group].valid() && true_in_group_[group] != atom;
  });
}

bool Knowledge::assume(Literal literal) {
  const AtomId atom = literal.atom();
  if (const Truth known = value(atom); known != Truth::unknown)
    return (known == Truth::yes) == literal.positive();
  assumed_[atom.index()] = literal.positive() ? Truth::yes : Truth::no;
  literals_.push_back(literal);
  if (!literal.positive()) return draw_conclusions(atom);
  for (const std::uint32_t group : groups_.groups_of(atom))
    true_in_group_[group] = atom;
  return true;
}

bool Knowledge::assume(const Conjunction& literals) {
  return std::all_of(literals.begin(), literals.end(),
                     [&](Literal literal) { return assume(literal); });
}

bool Knowledge::draw_conclusions(AtomId made_false) {
  for (const std::uint32_t number : groups_.groups_of(made_false)) {
    const MutexGroup& group = groups_.groups()[number];
    if (!group.exactly_one || true_in_group_[number].valid()) continue;
    AtomId left;
    std::size_t count = 0;
    for (const AtomId atom : group.atoms) {
      if (value(atom) == Truth::no) continue;
      left = atom;
      if (++count > 1) break;
    }
    if (count == 0 || (count == 1 && !assume(Literal(left, true)))) return false;
  }
  return true;
}

Conjunction Knowledge::core(std::size_t from) const {
  Conjunction result;
  for (std::size_t i = from; i < literals_.size(); ++i)
    if (const Literal literal = literals_[i]; literal.positive() || !is_excluded(literal.atom()))
      result.push_back(literal);
  std::sort(result.begin(), result.end());
  return result;
}

void Knowledge::undo(std::size_t mark) {
  for (; literals_.size() > mark; literals_.pop_back()) {
    const Literal literal = literals_.back();
    assumed_[literal.atom().index()] = Truth::unknown;
    if (literal.positive())
      for (const std::uint32_t group : groups_.groups_of(literal.atom()))
        true_in_group_[group] = AtomId();
  }
}

}  // namespace carl::task
