#include "cluster/rank_factors.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace carl::cluster {
namespace {

using Side = Borders::Side;

// Of rows of others. One makes most of the difference, and more than two win little.
constexpr int most_layers = 2;
// Where states lead anywhere, others' rows would soon be all there are.
constexpr double most_others = 0.5;
constexpr double always_allowed = 1000;

std::size_t size_of(IS rows) {
  PetscInt count = 0;
  check(ISGetLocalSize(rows, &count));
  return static_cast<std::size_t>(count);
}

std::vector<std::int64_t> numbers_of(IS rows) {
  const PetscInt* index = nullptr;
  check(ISGetIndices(rows, &index));
  std::vector<std::int64_t> result(index, index + size_of(rows));
  check(ISRestoreIndices(rows, &index));
  return result;
}

double entries_of(Mat matrix, MatInfoType which) {
  MatInfo info;
  check(MatGetInfo(matrix, which, &info));
  return info.nz_used;
}

/// Of all ranks; 1 at least.
double longest_row(Mat matrix, const Ranks& ranks) {
  PetscInt begin = 0;
  PetscInt end = 0;
  check(MatGetOwnershipRange(matrix, &begin, &end));
  PetscInt longest = 1;
  for (PetscInt row = begin; row < end; ++row) {
    PetscInt size = 0;
    check(MatGetRow(matrix, row, &size, nullptr, nullptr));
    longest = std::max(longest, size);
    check(MatRestoreRow(matrix, row, &size, nullptr, nullptr));
  }
  return ranks.max(static_cast<double>(longest));
}

/// Collective. How many there may be: a share of the own ones and some, and so few that all entries can
/// be numbered, whatever rows these are.
double rows_of_others(Mat matrix, double own, const Ranks& ranks, double most_entries) {
  const double most = most_others * own + always_allowed;
  if (entries_of(matrix, MAT_GLOBAL_SUM) <= most_entries) return most;
  const double left = most_entries - entries_of(matrix, MAT_LOCAL);
  return std::min(most, left / longest_row(matrix, ranks));
}

/// Collective. With those that these rows lead to, ascending; of them only from `least` on.
IndexSet with_successors(Mat matrix, IS rows, PetscInt least) {
  IS wider = nullptr;
  check(ISDuplicate(rows, &wider));
  check(MatIncreaseOverlap(matrix, 1, &wider, 1));
  IndexSet all;
  *all.put() = wider;
  check(ISSort(all));
  const PetscInt* index = nullptr;
  check(ISGetIndices(all, &index));
  const PetscInt* end = index + size_of(all);
  const PetscInt* begin = std::lower_bound(index, end, least);
  IndexSet result;
  check(ISCreateGeneral(PETSC_COMM_SELF, static_cast<PetscInt>(end - begin), begin,
                        PETSC_COPY_VALUES, result.put()));
  check(ISRestoreIndices(all, &index));
  return result;
}

}  // namespace

RankFactors::RankFactors(Mat matrix, std::span<const double> scale, const Ranks& ranks,
                         Monitor* monitor, std::uint64_t most_entries)
    : own_(scale.size()) {
  choose_rows(matrix, ranks, static_cast<double>(most_entries));
  find_borders(matrix, ranks);
  order_by(matrix, scale);
  read(matrix);
  ok_ = factors_.factorize(block(), monitor);
}

void RankFactors::choose_rows(Mat matrix, const Ranks& ranks, double most_entries) {
  PetscInt begin = 0;
  PetscInt end = 0;
  check(MatGetOwnershipRange(matrix, &begin, &end));
  check(ISCreateStride(PETSC_COMM_SELF, end - begin, begin, 1, rows_.put()));
  const auto own = static_cast<double>(own_);
  const double most = own + rows_of_others(matrix, own, ranks, most_entries);
  for (int layer = 0; layer < most_layers && ranks.size() > 1; ++layer) {
    IndexSet wider = with_successors(matrix, rows_, begin);
    if (ranks.any(static_cast<double>(size_of(wider)) > most)) break;
    rows_ = std::move(wider);
  }
  columns_ = with_successors(matrix, rows_, 0);
}

void RankFactors::find_borders(Mat matrix, const Ranks& ranks) {
  const std::vector<std::int64_t> columns = numbers_of(columns_);
  const PetscInt* first = nullptr;
  check(MatGetOwnershipRanges(matrix, &first));
  borders_.emplace(columns, std::vector<std::int64_t>(first, first + ranks.size() + 1), ranks);
  std::uint32_t column = 0;
  for (const std::int64_t row : numbers_of(rows_)) {  // both ascending
    while (columns[column] != row)
      ++column;
    column_of_row_.push_back(column);
  }
  value_.resize(columns.size());
  rest_.resize(column_of_row_.size());
  work_.resize(column_of_row_.size());
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

/// The rows with all that they lead to.
void RankFactors::read(Mat matrix) {
  Mat* parts = nullptr;
  const IS rows = rows_;
  const IS columns = columns_;
  check(MatCreateSubMatrices(matrix, 1, &rows, &columns, MAT_INITIAL_MATRIX, &parts));
  const PetscInt* first = nullptr;
  const PetscInt* column = nullptr;
  const PetscScalar* value = nullptr;
  PetscInt size = 0;
  PetscBool done = PETSC_FALSE;
  check(MatGetRowIJ(parts[0], 0, PETSC_FALSE, PETSC_FALSE, &size, &first, &column, &done));
  check(MatSeqAIJGetArrayRead(parts[0], &value));
  first_.assign(first, first + size + 1);
  column_.assign(column, column + first[size]);
  entry_.assign(value, value + first[size]);
  check(MatSeqAIJRestoreArrayRead(parts[0], &value));
  check(MatRestoreRowIJ(parts[0], 0, PETSC_FALSE, PETSC_FALSE, &size, &first, &column, &done));
  check(MatDestroySubMatrices(1, &parts));
  for (std::size_t row = 0; row < rest_.size(); ++row) {
    const auto all = std::span(column_).subspan(first_[row], first_[row + 1] - first_[row]);
    if (std::any_of(all.begin(), all.end(),
                    [&](std::uint32_t c) { return c < borders_->num_below(); }))
      leads_below_.push_back(static_cast<std::uint32_t>(row));
  }
}

/// The rows in that order. What leads to states outside is left out: what is below is known when these
/// rows are solved, and what is further above matters little. (Added to the diagonal, as other entries
/// that are dropped, it takes more sweeps.)
ssp::SparseRows RankFactors::block() const {
  constexpr std::uint32_t outside = ~std::uint32_t{0};
  std::vector<std::uint32_t> place(value_.size(), outside);
  for (std::size_t i = 0; i < order_.size(); ++i)
    place[column_of_row_[order_[i]]] = static_cast<std::uint32_t>(i);
  ssp::SparseRows result;
  result.diagonal.assign(order_.size(), 0.0);
  for (const std::uint32_t row : order_) {
    for (std::size_t e = first_[row]; e < first_[row + 1]; ++e) {
      if (place[column_[e]] == outside) continue;
      result.column.push_back(place[column_[e]]);
      result.value.push_back(entry_[e]);
    }
    result.first.push_back(result.column.size());
  }
  return result;
}

void RankFactors::fetch(Vec from) {
  check(VecScatterBegin(scatter_, from, local_, INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(scatter_, from, local_, INSERT_VALUES, SCATTER_FORWARD));
}

/// Rows that lead to ranks below, or all of them.
template <class Function>
void RankFactors::for_each_row(bool all, Function function) const {
  if (!all) return void(std::for_each(leads_below_.begin(), leads_below_.end(), function));
  for (std::size_t row = 0; row < rest_.size(); ++row)
    function(row);
}

/// In the first sweep nothing but the ranks below has values yet.
void RankFactors::subtract_product(bool is_first) {
  for_each_row(!is_first, [&](std::size_t row) {
    double sum = 0;
    for (std::size_t e = first_[row]; e < first_[row + 1]; ++e)
      sum += entry_[e] * value_[column_[e]];
    rest_[row] -= sum;
  });
}

/// What comes to others adds up anew.
void RankFactors::subtract_transposed_product(bool is_first) {
  std::fill(value_.begin(), value_.begin() + own_begin(), 0.0);
  std::fill(value_.begin() + own_begin() + static_cast<std::ptrdiff_t>(own_), value_.end(), 0.0);
  for_each_row(!is_first, [&](std::size_t row) {
    for (std::size_t e = first_[row]; e < first_[row + 1]; ++e)
      value_[column_[e]] -= entry_[e] * rest_[row];
  });
}

void RankFactors::solve_rows(Vec b, int sweeps, Vec x) {
  fetch(b);
  std::fill(value_.begin(), value_.end(), 0.0);
  const PetscScalar* from = nullptr;
  check(VecGetArrayRead(local_, &from));
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    borders_->receive_values(Side::below, sweep, value_);
    if (sweep > 0) borders_->receive_values(Side::above, sweep - 1, value_);
    std::copy_n(from, rest_.size(), rest_.begin());
    subtract_product(sweep == 0);
    for (std::size_t i = 0; i < order_.size(); ++i)
      work_[i] = rest_[order_[i]];
    factors_.solve_rows(work_);
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (order_[i] < own_) own()[order_[i]] += work_[i];
    borders_->send_values(Side::above, sweep, value_);
    if (sweep + 1 < sweeps) borders_->send_values(Side::below, sweep, value_);
  }
  check(VecRestoreArrayRead(local_, &from));
  PetscScalar* to = nullptr;
  check(VecGetArray(x, &to));
  std::copy(own().begin(), own().end(), to);
  check(VecRestoreArray(x, &to));
  borders_->finish();
}

/// The same backwards, step by step: who has received there sends here, and what comes out belongs to all
/// that it was fetched from.
void RankFactors::solve_columns(Vec b, int sweeps, Vec x) {
  const PetscScalar* from = nullptr;
  check(VecGetArrayRead(b, &from));
  std::copy_n(from, own_, own().begin());
  check(VecRestoreArrayRead(b, &from));
  check(VecSet(local_, 0));
  PetscScalar* to = nullptr;
  check(VecGetArray(local_, &to));
  for (int sweep = sweeps; sweep-- > 0;) {
    borders_->receive_sums(Side::above, sweep, value_);
    if (sweep + 1 < sweeps) borders_->receive_sums(Side::below, sweep + 1, value_);
    for (std::size_t i = 0; i < order_.size(); ++i)
      work_[i] = order_[i] < own_ ? own()[order_[i]] : 0;
    factors_.solve_columns(work_);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      rest_[order_[i]] = work_[i];
      to[order_[i]] += work_[i];
    }
    subtract_transposed_product(sweep == 0);
    borders_->send_sums(Side::below, sweep, value_);
    if (sweep > 0) borders_->send_sums(Side::above, sweep, value_);
  }
  check(VecRestoreArray(local_, &to));
  check(VecSet(x, 0));
  check(VecScatterBegin(scatter_, local_, x, ADD_VALUES, SCATTER_REVERSE));
  check(VecScatterEnd(scatter_, local_, x, ADD_VALUES, SCATTER_REVERSE));
  borders_->finish();
}

}  // namespace carl::cluster
