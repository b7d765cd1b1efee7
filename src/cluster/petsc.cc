#include "cluster/petsc.h"

#include <cstdio>
#include <cstdlib>

namespace carl::cluster {

/// The other ranks may be in the middle of what this one cannot go on with, so that nothing but the end
/// of all is left.
void check(PetscErrorCode error) {
  if (error == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(error, &text, nullptr);
  std::fprintf(stderr, "carl-mpi: internal error: PETSc: %s\n",
               text != nullptr ? text : "unknown error");
  MPI_Abort(MPI_COMM_WORLD, error == PETSC_ERR_MEM ? 3 : 1);
  std::_Exit(1);
}

}  // namespace carl::cluster
