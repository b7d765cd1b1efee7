#include <algorithm>
#include <cstdlib>

#include "carl/cluster.h"
#include "cluster/petsc.h"
#include "cluster/ranks.h"

namespace carl::cluster {

Session::Session() {
  MPI_Init(nullptr, nullptr);
  check(PetscInitializeNoArguments());
  check(PetscPopSignalHandler());  // signals are the program's business
  check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
}

Session::~Session() {
  PetscFinalize();
  MPI_Finalize();
}

int Session::rank() const {
  return Ranks(MPI_COMM_WORLD).rank();
}

int Session::size() const {
  return Ranks(MPI_COMM_WORLD).size();
}

Session::Meeting Session::meet(int status) {
  const Ranks ranks(MPI_COMM_WORLD);
  const std::vector<std::uint64_t> all = ranks.gather_to_all(static_cast<std::uint64_t>(status));
  const auto failed = std::find_if(all.begin(), all.end(), [](std::uint64_t s) { return s != 0; });
  if (failed == all.end()) return {};
  return {static_cast<int>(*failed), failed - all.begin() == ranks.rank()};
}

void Session::abort(int status) {
  int begun = 0;
  int ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (begun != 0 && ended == 0) MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

}  // namespace carl::cluster
