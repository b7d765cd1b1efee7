#include "cluster/ghosts.h"

namespace carl::cluster {

Ghosts::Ghosts(const Rows& rows, const Ranks& ranks)
    : own_(rows.size()), ghosts_(rows.ghosts().size()) {
  const auto count = static_cast<PetscInt>(ghosts_);
  check(VecCreateMPIWithArray(ranks.communicator(), 1, static_cast<PetscInt>(own_), PETSC_DECIDE,
                              nullptr, owners_.put()));
  check(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, count, nullptr, local_.put()));
  const std::vector<PetscInt> from(rows.ghosts().begin(), rows.ghosts().end());
  IndexSet source;
  IndexSet place;
  check(ISCreateGeneral(ranks.communicator(), count, from.data(), PETSC_COPY_VALUES, source.put()));
  check(ISCreateStride(PETSC_COMM_SELF, count, 0, 1, place.put()));
  check(VecScatterCreate(owners_, source, local_, place, scatter_.put()));
}

void Ghosts::fetch(std::vector<double>& value) const {
  check(VecPlaceArray(owners_, value.data()));
  check(VecPlaceArray(local_, value.data() + own_));
  check(VecScatterBegin(scatter_, owners_, local_, INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(scatter_, owners_, local_, INSERT_VALUES, SCATTER_FORWARD));
  check(VecResetArray(owners_));
  check(VecResetArray(local_));
}

void Ghosts::add_to_owners(std::vector<double>& value) const {
  check(VecPlaceArray(owners_, value.data()));
  check(VecPlaceArray(local_, value.data() + own_));
  check(VecScatterBegin(scatter_, local_, owners_, ADD_VALUES, SCATTER_REVERSE));
  check(VecScatterEnd(scatter_, local_, owners_, ADD_VALUES, SCATTER_REVERSE));
  check(VecResetArray(owners_));
  check(VecResetArray(local_));
}

}  // namespace carl::cluster
