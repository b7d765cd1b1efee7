// Removes what cannot matter: going backwards from the goal, an action matters if it can change an
// atom that matters, and then so do the atoms of its precondition, of the conditions of those
// changes, and of the conditions of its costs. What is left is a projection that keeps every action
// that matters, its cost and its effect on all atoms that matter; the actions removed only cost.
//
// An atom matters along with its mutex groups: a state still says where a thing is when it cannot
// be of use any more.
//
// This is done before actions are split on the conditions of their costs and conditions are written
// out, so that neither happens to a condition that does not matter.
#ifndef CARL_TASK_RELEVANCE_H
#define CARL_TASK_RELEVANCE_H

#include <vector>

#include "carl/monitor.h"
#include "task/ground_task.h"
#include "task/mutex_groups.h"

namespace carl::task {

/// The atoms that matter, found one by one; each brings its groups along.
class RelevantAtoms {
 public:
  RelevantAtoms(const MutexGroups& groups, std::size_t num_atoms);

  bool contains(AtomId atom) const { return atoms_[atom.index()]; }
  void add(AtomId atom);
  void add(const Conjunction& literals);
  /// Takes one of the atoms whose consequences have not been looked at; there must be one.
  AtomId next();
  bool all_done() const { return open_.empty(); }

 private:
  const MutexGroups& groups_;
  std::vector<bool> atoms_;
  std::vector<bool> done_groups_;
  std::vector<AtomId> open_;
};

void remove_irrelevant(GroundTask& task, const MutexGroups& groups, Monitor& monitor);

}  // namespace carl::task

#endif
