#include "cluster/rank_factors.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace carl::cluster {
namespace {

// Of rows of others. One makes most of the difference, and more than two win little.
constexpr int most_layers = 2;
// Where states lead anywhere, others' rows would soon be all there are: no more than a share of the own
// ones, and some.
constexpr double most_others = 0.5;
constexpr double always_allowed = 1000;

std::size_t size_of(IS rows) {
  PetscInt count = 0;
  check(ISGetLocalSize(rows, &count));
  return static_cast<std::size_t>(count);
}

}  // namespace

RankFactors::RankFactors(Mat matrix, std::span<const double> scale, const Ranks& ranks,
                         Monitor* monitor)
    : own_(scale.size()) {
  choose_rows(matrix, ranks);
  order_by(matrix, scale);
  ok_ = factors_.factorize(block(matrix), monitor);
}

void RankFactors::choose_rows(Mat matrix, const Ranks& ranks) {
  PetscInt begin = 0;
  PetscInt end = 0;
  check(MatGetOwnershipRange(matrix, &begin, &end));
  check(ISCreateStride(PETSC_COMM_SELF, end - begin, begin, 1, rows_.put()));
  const double most = (1 + most_others) * static_cast<double>(own_) + always_allowed;
  for (int layer = 0; layer < most_layers && ranks.size() > 1; ++layer) {
    IS more = nullptr;
    check(ISDuplicate(rows_, &more));
    check(MatIncreaseOverlap(matrix, 1, &more, 1));
    IndexSet wider;
    *wider.put() = more;
    if (ranks.any(static_cast<double>(size_of(wider)) > most)) break;
    rows_ = std::move(wider);
  }
  check(ISSort(rows_));
  work_.resize(size_of(rows_));
  const PetscInt* index = nullptr;
  check(ISGetIndices(rows_, &index));
  before_ = static_cast<std::size_t>(std::lower_bound(index, index + work_.size(), begin) - index);
  check(ISRestoreIndices(rows_, &index));
}

void RankFactors::order_by(Mat matrix, std::span<const double> scale) {
  Vector owners;
  check(MatCreateVecs(matrix, owners.put(), nullptr));
  check(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(work_.size()), local_.put()));
  check(VecScatterCreate(owners, rows_, local_, nullptr, scatter_.put()));
  PetscScalar* entries = nullptr;
  check(VecGetArray(owners, &entries));
  std::copy(scale.begin(), scale.end(), entries);
  check(VecRestoreArray(owners, &entries));
  fetch(owners);
  const PetscScalar* value = nullptr;
  check(VecGetArrayRead(local_, &value));
  order_.resize(work_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return value[a] != value[b] ? value[a] < value[b] : a < b;
  });
  check(VecRestoreArrayRead(local_, &value));
}

/// The rows in that order. What leads to states outside is left out: in proportion to values it would
/// be all that a row at the border has, and the block nearly singular.
ssp::SparseRows RankFactors::block(Mat matrix) const {
  Mat* parts = nullptr;
  const IS rows = rows_;
  check(MatCreateSubMatrices(matrix, 1, &rows, &rows, MAT_INITIAL_MATRIX, &parts));
  const PetscInt* first = nullptr;
  const PetscInt* column = nullptr;
  const PetscScalar* value = nullptr;
  PetscInt size = 0;
  PetscBool done = PETSC_FALSE;
  check(MatGetRowIJ(parts[0], 0, PETSC_FALSE, PETSC_FALSE, &size, &first, &column, &done));
  check(MatSeqAIJGetArrayRead(parts[0], &value));
  std::vector<std::uint32_t> place(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i)
    place[order_[i]] = static_cast<std::uint32_t>(i);
  ssp::SparseRows result;
  result.diagonal.assign(order_.size(), 0.0);
  for (const std::uint32_t row : order_) {
    for (PetscInt e = first[row]; e < first[row + 1]; ++e) {
      result.column.push_back(place[static_cast<std::size_t>(column[e])]);
      result.value.push_back(value[e]);
    }
    result.first.push_back(result.column.size());
  }
  check(MatSeqAIJRestoreArrayRead(parts[0], &value));
  check(MatRestoreRowIJ(parts[0], 0, PETSC_FALSE, PETSC_FALSE, &size, &first, &column, &done));
  check(MatDestroySubMatrices(1, &parts));
  return result;
}

void RankFactors::fetch(Vec from) {
  check(VecScatterBegin(scatter_, from, local_, INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(scatter_, from, local_, INSERT_VALUES, SCATTER_FORWARD));
}

void RankFactors::solve_rows(Vec b, Vec x) {
  fetch(b);
  const PetscScalar* from = nullptr;
  check(VecGetArrayRead(local_, &from));
  for (std::size_t i = 0; i < order_.size(); ++i)
    work_[i] = from[order_[i]];
  check(VecRestoreArrayRead(local_, &from));
  factors_.solve_rows(work_);
  PetscScalar* to = nullptr;
  check(VecGetArray(x, &to));
  for (std::size_t i = 0; i < order_.size(); ++i)
    if (is_own(order_[i])) to[order_[i] - before_] = work_[i];
  check(VecRestoreArray(x, &to));
}

/// The same backwards: what comes out belongs to all that it was fetched from.
void RankFactors::solve_columns(Vec b, Vec x) {
  const PetscScalar* from = nullptr;
  check(VecGetArrayRead(b, &from));
  for (std::size_t i = 0; i < order_.size(); ++i)
    work_[i] = is_own(order_[i]) ? from[order_[i] - before_] : 0;
  check(VecRestoreArrayRead(b, &from));
  factors_.solve_columns(work_);
  PetscScalar* to = nullptr;
  check(VecGetArray(local_, &to));
  for (std::size_t i = 0; i < order_.size(); ++i)
    to[order_[i]] = work_[i];
  check(VecRestoreArray(local_, &to));
  check(VecSet(x, 0));
  check(VecScatterBegin(scatter_, local_, x, ADD_VALUES, SCATTER_REVERSE));
  check(VecScatterEnd(scatter_, local_, x, ADD_VALUES, SCATTER_REVERSE));
}

}  // namespace carl::cluster
