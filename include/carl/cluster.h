// Solving on many ranks: `mpirun -n 8 carl-mpi solve MODEL`. Every rank calls the same functions with
// the same arguments; only the first has something to show in the end. In a library of its own,
// carl_cluster, for who has MPI and PETSc.
#ifndef CARL_CLUSTER_H
#define CARL_CLUSTER_H

#include <string>

#include "carl/solve.h"

namespace carl::cluster {

/// The parallel run that this process is part of, from its beginning to its end: one object in main().
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  int rank() const;
  int size() const;
  /// The one that writes, and whose exit status counts.
  bool is_first() const { return rank() == 0; }

  /// Before solve() all ranks meet, each with the exit status that it would end with now, 0 if it can
  /// go on. Returns the status of the first rank that cannot, and says whether this is that rank.
  struct Meeting {
    int status = 0;
    bool speaks = false;
  };
  Meeting meet(int status);

  /// Ends all ranks at once: something has failed that the others cannot know of. At any time, if need
  /// be before there is a session.
  [[noreturn]] static void abort(int status);
};

/// carl::solve(), by all ranks together. What is not made for many ranks (options that ask for another
/// algorithm than CARL, problems with loops at no cost) is left to the first, and a note says so. On
/// the other ranks the solution is empty. Throws what carl::solve() throws, on all ranks.
///
/// A model may have been read in shares (LoadShare), each rank its own. Then no rank has all of the
/// policy, and the solution has no states of it: it is written to the file named, if any, in parts (see
/// policy_parts.h).
Solution solve(Cssp& cssp, const SolveOptions& options, Monitor& monitor,
               const std::string& policy = {});

/// Tells who reads the solution that the other ranks had no part in it.
void note_one_rank(Solution& solution);

}  // namespace carl::cluster

#endif
