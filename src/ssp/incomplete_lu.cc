#include "ssp/incomplete_lu.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

namespace carl::ssp {
namespace {

constexpr std::size_t rows_between_looks = 4096;
// If so little of the diagonal would be left, nothing is taken from it.
constexpr double least_pivot = 1e-3;
// If more than this share of all rows is between, nothing is gained by two ends.
constexpr double most_between = 0.1;

/// Rows of the upper half that are joined to the lower one, counted from its first.
std::vector<std::uint8_t> joined_to_lower_half(const SparseRows& matrix, std::size_t half,
                                               const Threads& threads) {
  std::vector<std::uint8_t> joined(matrix.size() - half, 0);
  threads.for_each(matrix.size(), [&](std::size_t i) {
    for (std::size_t e = matrix.first[i]; e < matrix.first[i + 1]; ++e) {
      const std::size_t j = matrix.column[e];
      if ((i < half) == (j < half)) continue;
      std::atomic_ref(joined[std::max(i, j) - half]).store(1, std::memory_order_relaxed);
    }
  });
  return joined;
}

}  // namespace

/// One row at a time: as it is, then with all that is before the diagonal eliminated, then stored.
class IncompleteLu::Row {
 public:
  explicit Row(const IncompleteLu& factors)
      : factors_(factors),
        drop_(factors.options_.drop),
        growth_(std::pow(10.0, 1 / factors.options_.entries_per_decade)),
        entry_(factors.rank_.size(), 0.0),
        is_entry_(factors.rank_.size(), 0) {}

  void read(const SparseRows& matrix, std::size_t row) {
    row_ = static_cast<std::uint32_t>(row);
    rank_ = factors_.rank_[row];
    dropped_ = 0;
    diagonal_ = matrix.diagonal[row];
    before_.clear();
    after_.clear();
    for (std::size_t e = matrix.first[row]; e < matrix.first[row + 1]; ++e)
      add(matrix.column[e], matrix.value[e]);
  }

  /// In the order of elimination, since each may bring later ones.
  void eliminate(SparseRows& lower) {
    double least = drop_;
    while (!before_.empty()) {
      const std::uint32_t k = before_.back();
      before_.pop_back();
      const double entry = take(k);
      if (!(std::abs(entry) >= least)) {
        dropped_ += entry;
        continue;
      }
      least *= growth_;
      const auto& [upper, place] = upper_row(k);
      const double factor = entry * upper.diagonal[place];
      lower.column.push_back(k);
      lower.value.push_back(factor);
      for (std::size_t e = upper.first[place]; e < upper.first[place + 1]; ++e)
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
  struct UpperRow {
    const SparseRows& upper;
    std::size_t place;
  };
  UpperRow upper_row(std::uint32_t row) const {
    std::size_t place = factors_.rank_[row];
    std::size_t i = low;
    for (; place >= factors_.part_[i].order.size(); ++i)
      place -= factors_.part_[i].order.size();
    return {factors_.part_[i].upper, place};
  }

  void add(std::uint32_t column, double value) {
    if (column == row_) {
      diagonal_ += value;
      return;
    }
    entry_[column] += value;
    if (is_entry_[column] != 0) return;
    is_entry_[column] = 1;
    const std::uint32_t rank = factors_.rank_[column];
    if (rank > rank_) return after_.push_back(column);
    before_.push_back(column);
    for (std::size_t i = before_.size() - 1; i > 0 && factors_.rank_[before_[i - 1]] < rank; --i)
      std::swap(before_[i - 1], before_[i]);
  }

  double take(std::uint32_t column) {
    const double entry = entry_[column];
    entry_[column] = 0;
    is_entry_[column] = 0;
    return entry;
  }

  const std::vector<std::uint32_t>& largest_first_if_many() {
    constexpr std::size_t many = 8;
    if (after_.size() > many)
      std::sort(after_.begin(), after_.end(), [&](std::uint32_t a, std::uint32_t b) {
        const double size_a = std::abs(entry_[a]);
        const double size_b = std::abs(entry_[b]);
        return size_a != size_b ? size_a > size_b : a < b;
      });
    return after_;
  }

  const IncompleteLu& factors_;
  double drop_;
  double growth_;
  std::uint32_t row_ = 0;
  std::uint32_t rank_ = 0;
  double diagonal_ = 0;
  double dropped_ = 0;         // sum of what has been left out of the row
  std::vector<double> entry_;  // by column
  std::vector<std::uint8_t> is_entry_;
  std::vector<std::uint32_t> before_;  // columns that are eliminated, the next one last: few
  std::vector<std::uint32_t> after_;
};

std::size_t IncompleteLu::num_entries() const {
  std::size_t sum = 0;
  for (const Part& part : part_)
    sum += part.lower.column.size() + part.upper.column.size();
  return sum;
}

/// The lower half uphill, the rest downhill, then what is between; or all of it uphill.
void IncompleteLu::arrange(const SparseRows& matrix) {
  const std::size_t size = matrix.size();
  for (Part& part : part_) {
    part.order.clear();
    part.lower.clear();
    part.upper.clear();
  }
  std::size_t half = size;
  std::vector<std::uint8_t> joined;
  if (size >= options_.least_for_both_ends) {
    joined = joined_to_lower_half(matrix, size / 2, *threads_);
    const auto count = static_cast<double>(std::count(joined.begin(), joined.end(), 1));
    if (count <= most_between * static_cast<double>(size)) half = size / 2;
  }
  part_[low].order.resize(half);
  std::iota(part_[low].order.begin(), part_[low].order.end(), 0U);
  for (std::size_t i = size; i-- > half;)
    if (joined[i - half] == 0) part_[high].order.push_back(static_cast<std::uint32_t>(i));
  for (std::size_t i = half; i < size; ++i)
    if (joined[i - half] != 0) part_[between].order.push_back(static_cast<std::uint32_t>(i));
  rank_.resize(size);
  std::uint32_t rank = 0;
  for (const Part& part : part_)
    for (const std::uint32_t row : part.order)
      rank_[row] = rank++;
}

bool IncompleteLu::factorize(const SparseRows& matrix, Monitor* monitor) {
  arrange(matrix);
  std::array<bool, 2> ok{};
  threads_->for_each_block(2, [&](std::size_t i, std::size_t /*thread*/) {
    ok[i] = factorize_part(matrix, part_[i], monitor);
  });
  return ok[low] && ok[high] && factorize_part(matrix, part_[between], monitor);
}

bool IncompleteLu::factorize_part(const SparseRows& matrix, Part& part, Monitor* monitor) {
  if (part.order.empty()) return true;
  Row row(*this);
  for (std::size_t place = 0; place < part.order.size(); ++place) {
    if (place % rows_between_looks == 0 && monitor != nullptr && monitor->reached_now())
      return false;
    row.read(matrix, part.order[place]);
    row.eliminate(part.lower);
    if (!row.store(part.upper)) return false;
  }
  return true;
}

void IncompleteLu::solve_rows(std::span<double> x) const {
  const auto forward = [&](const Part& part) {
    for (std::size_t k = 0; k < part.order.size(); ++k) {
      double sum = x[part.order[k]];
      for (std::size_t e = part.lower.first[k]; e < part.lower.first[k + 1]; ++e)
        sum -= part.lower.value[e] * x[part.lower.column[e]];
      x[part.order[k]] = sum;
    }
  };
  const auto backward = [&](const Part& part) {
    for (std::size_t k = part.order.size(); k-- > 0;) {
      double sum = x[part.order[k]];
      for (std::size_t e = part.upper.first[k]; e < part.upper.first[k + 1]; ++e)
        sum -= part.upper.value[e] * x[part.upper.column[e]];
      x[part.order[k]] = sum * part.upper.diagonal[k];
    }
  };
  for_both_ends(forward);
  forward(part_[between]);
  backward(part_[between]);
  for_both_ends(backward);
}

/// Both ends have something for the rows between: the second puts it aside, so that none is in the
/// other's way.
void IncompleteLu::solve_columns(std::span<double> x) const {
  const std::size_t ends = part_[low].order.size() + part_[high].order.size();
  std::vector<double> aside(part_[between].order.size(), 0.0);
  const auto forward = [&](const Part& part) {
    const bool puts_aside = &part == &part_[high];
    for (std::size_t k = 0; k < part.order.size(); ++k) {
      const double entry = x[part.order[k]] *= part.upper.diagonal[k];
      if (entry == 0) continue;
      for (std::size_t e = part.upper.first[k]; e < part.upper.first[k + 1]; ++e) {
        const std::uint32_t j = part.upper.column[e];
        double& to = puts_aside && rank_[j] >= ends ? aside[rank_[j] - ends] : x[j];
        to -= part.upper.value[e] * entry;
      }
    }
  };
  const auto backward = [&](const Part& part) {
    for (std::size_t k = part.order.size(); k-- > 0;) {
      const double entry = x[part.order[k]];
      if (entry == 0) continue;
      for (std::size_t e = part.lower.first[k]; e < part.lower.first[k + 1]; ++e)
        x[part.lower.column[e]] -= part.lower.value[e] * entry;
    }
  };
  for_both_ends(forward);
  for (std::size_t k = 0; k < aside.size(); ++k)
    x[part_[between].order[k]] += aside[k];
  forward(part_[between]);
  backward(part_[between]);
  for_both_ends(backward);
}

}  // namespace carl::ssp
