// The ground atoms seen so far, densely numbered, with what relaxed exploration knows about them:
// whether the atom, and whether its negation, can be true in some state.
#ifndef CARL_TASK_ATOM_TABLE_H
#define CARL_TASK_ATOM_TABLE_H

#include <optional>
#include <string>
#include <vector>

#include "pddl/syntax_tree.h"
#include "task/formula.h"
#include "task/tuple_table.h"

namespace carl::task {

class AtomTable {
 public:
  /// A new atom is false in the initial state; see set_initially().
  AtomId intern(pddl::PredicateId predicate, Tuple arguments);
  std::optional<AtomId> find(pddl::PredicateId predicate, Tuple arguments) const;

  std::size_t size() const { return atoms_.size(); }
  pddl::PredicateId predicate(AtomId atom) const {
    return pddl::PredicateId(atoms_[atom.index()][0]);
  }
  Tuple arguments(AtomId atom) const { return atoms_[atom.index()].subspan(1); }

  /// The atom is true in the initial state.
  void set_initially(AtomId atom);
  bool initially(AtomId atom) const { return initially_[atom.index()]; }
  /// Can the literal hold in some state, as far as is known?
  bool reached(Literal literal) const { return reached_[literal.code()]; }
  /// Returns false if that was known already.
  bool reach(Literal literal);

 private:
  TupleTable atoms_;  // predicate, arguments
  std::vector<bool> initially_;
  std::vector<bool> reached_;  // by Literal::code()
};

/// "(at truck1 depot)"
std::string ground_name(const std::string& head, Tuple arguments, const pddl::SyntaxTree& tree);

}  // namespace carl::task

#endif
