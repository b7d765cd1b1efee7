// Values of the states of other ranks: a PETSc scatter between the owners of states and those whose
// outcomes lead to them.
#ifndef CARL_CLUSTER_GHOSTS_H
#define CARL_CLUSTER_GHOSTS_H

#include <vector>

#include "cluster/petsc.h"
#include "cluster/rows.h"

namespace carl::cluster {

class Ghosts {
 public:
  Ghosts(const Rows& rows, const Ranks& ranks);

  /// `value` has an entry per slot of the rows: those of ghosts become what their owners have.
  void fetch(std::vector<double>& value) const;
  /// The other way round: owners add what others have put in the slots of ghosts.
  void add_to_owners(std::vector<double>& value) const;

 private:
  std::size_t own_;
  std::size_t ghosts_;
  Vector owners_;  // without memory of their own
  Vector local_;
  Scatter scatter_;
};

}  // namespace carl::cluster

#endif
