#include "task/atom_table.h"

#include <absl/container/inlined_vector.h>

namespace carl::task {
namespace {

using Key = absl::InlinedVector<std::uint32_t, 16>;

Key key_of(pddl::PredicateId predicate, Tuple arguments) {
  Key key{static_cast<std::uint32_t>(predicate.index())};
  key.insert(key.end(), arguments.begin(), arguments.end());
  return key;
}

}  // namespace

AtomId AtomTable::intern(pddl::PredicateId predicate, Tuple arguments) {
  const AtomId atom(atoms_.intern(key_of(predicate, arguments)));
  if (atom.index() == initially_.size()) {
    initially_.push_back(false);
    reached_.push_back(false);
    reached_.push_back(true);
  }
  return atom;
}

std::optional<AtomId> AtomTable::find(pddl::PredicateId predicate, Tuple arguments) const {
  const auto number = atoms_.find(key_of(predicate, arguments));
  return number ? std::optional(AtomId(*number)) : std::nullopt;
}

void AtomTable::set_initially(AtomId atom) {
  initially_[atom.index()] = true;
  reached_[Literal(atom, true).code()] = true;
  reached_[Literal(atom, false).code()] = false;
}

bool AtomTable::reach(Literal literal) {
  if (reached_[literal.code()]) return false;
  reached_[literal.code()] = true;
  return true;
}

std::string ground_name(const std::string& head, Tuple arguments, const pddl::SyntaxTree& tree) {
  std::string name = "(" + head;
  for (const std::uint32_t argument : arguments)
    name += " " + tree.objects[argument].name;
  return name + ")";
}

}  // namespace carl::task
