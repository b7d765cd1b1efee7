#include "ssp/incomplete_lu.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carl::ssp {
namespace {

constexpr std::size_t rows_between_looks = 4096;
// If so little of the diagonal would be left, nothing is taken from it.
constexpr double least_pivot = 1e-3;

}  // namespace

/// One row at a time: as it is, then with what is below the diagonal eliminated, then stored.
class IncompleteLu::Row {
 public:
  Row(std::size_t size, const IncompleteLuOptions& options)
      : drop_(options.drop),
        growth_(std::pow(10.0, 1 / options.entries_per_decade)),
        entry_(size, 0.0),
        is_entry_(size, 0) {}

  void read(const SparseRows& matrix, std::size_t row) {
    row_ = static_cast<std::uint32_t>(row);
    dropped_ = 0;
    diagonal_ = matrix.diagonal[row];
    below_.clear();
    above_.clear();
    for (std::size_t e = matrix.first[row]; e < matrix.first[row + 1]; ++e)
      add(matrix.column[e], matrix.value[e]);
  }

  /// In the order of columns, since each may bring later ones.
  void eliminate(const SparseRows& upper, SparseRows& lower) {
    double least = drop_;
    while (!below_.empty()) {
      const std::uint32_t k = below_.back();
      below_.pop_back();
      const double entry = take(k);
      if (!(std::abs(entry) >= least)) {
        dropped_ += entry;
        continue;
      }
      least *= growth_;
      const double factor = entry * upper.diagonal[k];
      lower.column.push_back(k);
      lower.value.push_back(factor);
      for (std::size_t e = upper.first[k]; e < upper.first[k + 1]; ++e)
        add(upper.column[e], -factor * upper.value[e]);
    }
    lower.first.push_back(lower.column.size());
  }

  /// False if there is no pivot.
  bool store(SparseRows& upper) {
    double least = drop_;
    double others = 0;
    for (const std::uint32_t j : largest_first_if_many()) {
      const double entry = take(j);
      if (!(std::abs(entry) >= least)) {
        dropped_ += entry;
        continue;
      }
      least *= growth_;
      others += std::abs(entry);
      upper.column.push_back(j);
      upper.value.push_back(entry);
    }
    upper.first.push_back(upper.column.size());
    // Never so much that the others outweigh it, if they did not before.
    double pivot = std::max(diagonal_ + dropped_, std::min(diagonal_, others));
    if (!(pivot >= least_pivot * diagonal_)) pivot = diagonal_;
    upper.diagonal.push_back(1 / pivot);
    return pivot > 0 && std::isfinite(1 / pivot);
  }

 private:
  void add(std::uint32_t column, double value) {
    if (column == row_) {
      diagonal_ += value;
      return;
    }
    entry_[column] += value;
    if (is_entry_[column] != 0) return;
    is_entry_[column] = 1;
    if (column > row_) return above_.push_back(column);
    below_.push_back(column);
    for (std::size_t i = below_.size() - 1; i > 0 && below_[i - 1] < column; --i)
      std::swap(below_[i - 1], below_[i]);
  }

  double take(std::uint32_t column) {
    const double entry = entry_[column];
    entry_[column] = 0;
    is_entry_[column] = 0;
    return entry;
  }

  const std::vector<std::uint32_t>& largest_first_if_many() {
    constexpr std::size_t many = 8;
    if (above_.size() > many)
      std::sort(above_.begin(), above_.end(), [&](std::uint32_t a, std::uint32_t b) {
        const double size_a = std::abs(entry_[a]);
        const double size_b = std::abs(entry_[b]);
        return size_a != size_b ? size_a > size_b : a < b;
      });
    return above_;
  }

  double drop_;
  double growth_;
  std::uint32_t row_ = 0;
  double diagonal_ = 0;
  double dropped_ = 0;         // sum of what has been left out of the row
  std::vector<double> entry_;  // by column
  std::vector<std::uint8_t> is_entry_;
  std::vector<std::uint32_t> below_;  // the diagonal: columns, the least last: few
  std::vector<std::uint32_t> above_;
};

bool IncompleteLu::factorize(const SparseRows& matrix, Monitor* monitor) {
  lower_.clear();
  upper_.clear();
  Row row(matrix.size(), options_);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (i % rows_between_looks == 0 && monitor != nullptr && monitor->reached_now()) return false;
    row.read(matrix, i);
    row.eliminate(upper_, lower_);
    if (!row.store(upper_)) return false;
  }
  return true;
}

void IncompleteLu::solve_rows(std::span<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = x[i];
    for (std::size_t e = lower_.first[i]; e < lower_.first[i + 1]; ++e)
      sum -= lower_.value[e] * x[lower_.column[e]];
    x[i] = sum;
  }
  for (std::size_t i = x.size(); i-- > 0;) {
    double sum = x[i];
    for (std::size_t e = upper_.first[i]; e < upper_.first[i + 1]; ++e)
      sum -= upper_.value[e] * x[upper_.column[e]];
    x[i] = sum * upper_.diagonal[i];
  }
}

void IncompleteLu::solve_columns(std::span<double> x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double entry = x[i] *= upper_.diagonal[i];
    if (entry == 0) continue;
    for (std::size_t e = upper_.first[i]; e < upper_.first[i + 1]; ++e)
      x[upper_.column[e]] -= upper_.value[e] * entry;
  }
  for (std::size_t i = x.size(); i-- > 0;) {
    const double entry = x[i];
    if (entry == 0) continue;
    for (std::size_t e = lower_.first[i]; e < lower_.first[i + 1]; ++e)
      x[lower_.column[e]] -= lower_.value[e] * entry;
  }
}

}  // namespace carl::ssp
