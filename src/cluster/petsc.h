// PETSc in the terms of this library: handles that are freed, errors that are looked at.
#ifndef CARL_CLUSTER_PETSC_H
#define CARL_CLUSTER_PETSC_H

#include <petscksp.h>

#include <cstdint>
#include <utility>

namespace carl::cluster {

/// Its indices have 32 bits, or 64 if it was built so.
inline constexpr auto most_of_petsc = static_cast<std::uint64_t>(PETSC_MAX_INT);

/// Ends all ranks, with a message, if PETSc has failed.
void check(PetscErrorCode error);

/// Owns a PETSc object. Freeing is collective, as making it was.
template <class Object, PetscErrorCode (*destroy)(Object*)>
class Handle {
 public:
  Handle() = default;
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  operator Object() const { return object_; }
  /// For functions that make one.
  Object* put() {
    reset();
    return &object_;
  }
  void reset() {
    if (object_ != nullptr) destroy(&object_);
    object_ = nullptr;
  }

 private:
  Object object_ = nullptr;
};

using Vector = Handle<Vec, VecDestroy>;
using Matrix = Handle<Mat, MatDestroy>;
using Scatter = Handle<VecScatter, VecScatterDestroy>;
using IndexSet = Handle<IS, ISDestroy>;
using LinearSolver = Handle<KSP, KSPDestroy>;

}  // namespace carl::cluster

#endif
