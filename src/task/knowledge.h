// What is known of a state when some literals are assumed: the literals themselves, that the other
// atoms of a true atom's mutex groups are false, and that the last atom left of a group with
// exactly one true atom is true. Assumptions can be taken back, last one first.
#ifndef CARL_TASK_KNOWLEDGE_H
#define CARL_TASK_KNOWLEDGE_H

#include <vector>

#include "task/formula.h"
#include "task/mutex_groups.h"

namespace carl::task {

class Knowledge {
 public:
  Knowledge(const MutexGroups& groups, std::size_t num_atoms);

  Truth value(AtomId atom) const;
  /// False if the literal contradicts what is known; what was assumed for it must then be taken
  /// back.
  bool assume(Literal literal);
  bool assume(const Conjunction& literals);

  /// Everything assumed, and what follows from groups with exactly one true atom.
  const std::vector<Literal>& literals() const { return literals_; }
  /// True if a mutex group says that the atom is false.
  bool is_excluded(AtomId atom) const;
  bool in_group(AtomId atom) const { return !groups_.groups_of(atom).empty(); }
  /// What is left of literals(), from a mark on, without those that mutex groups imply.
  Conjunction core(std::size_t from = 0) const;

  std::size_t mark() const { return literals_.size(); }
  void undo(std::size_t mark);

 private:
  bool draw_conclusions(AtomId made_false);

  const MutexGroups& groups_;
  std::vector<Truth> assumed_;         // by atom
  std::vector<AtomId> true_in_group_;  // by group; invalid: none known
  std::vector<Literal> literals_;
};

}  // namespace carl::task

#endif
