#include "ssp/interruptible_lu.h"

#include <amd.h>

#include <algorithm>
#include <new>
#include <utility>

namespace carl::ssp {
namespace {

// Between two looks at the clock, some milliseconds' worth.
constexpr std::size_t operations_per_look = 2'000'000;
constexpr std::size_t bytes_per_entry = sizeof(std::uint32_t) + 2 * sizeof(double);

/// An order of elimination in which little fills in. Positions in `rows`.
std::vector<int> minimum_degree_order(const std::vector<int>& first,
                                      const std::vector<int>& column) {
  const auto size = static_cast<int>(first.size() - 1);
  std::vector<int> order(first.size() - 1);
  const int status = amd_order(size, first.data(), column.data(), order.data(), nullptr, nullptr);
  if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED) throw std::bad_alloc();
  return order;
}

}  // namespace

/// Makes one block after the other; the arrays between serve all of them.
class InterruptibleLu::Elimination {
 public:
  Elimination(const Matrix& matrix, const Components& components, Monitor* monitor)
      : matrix_(matrix), components_(components), monitor_(monitor), position_(matrix.size(), 0) {}

  /// False if the block is singular, or a limit was reached.
  bool factorize(std::span<const std::uint32_t> rows, Block& block) {
    sort(rows, block);
    gather(block);
    return find_pattern(block) && eliminate(block);
  }

 private:
  /// An entry outside the diagonal, at the later of its row and column; one of the values is 0.
  struct Entry {
    std::uint32_t earlier;
    double in_row;
    double in_column;
  };

  bool is_inside(std::size_t row, std::size_t e) const {
    return components_.of[matrix_.column_of(e)] == components_.of[row];
  }

  void sort(std::span<const std::uint32_t> rows, Block& block) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      position_[rows[i]] = static_cast<std::uint32_t>(i);
    std::vector<int> first{0};
    std::vector<int> column;
    for (const std::uint32_t row : rows) {
      for (std::size_t e = matrix_.begin(row); e < matrix_.end(row); ++e)
        if (is_inside(row, e)) column.push_back(static_cast<int>(position_[matrix_.column_of(e)]));
      first.push_back(static_cast<int>(column.size()));
    }
    for (const int i : minimum_degree_order(first, column))
      block.rows.push_back(rows[static_cast<std::size_t>(i)]);
    for (std::size_t i = 0; i < rows.size(); ++i)
      position_[block.rows[i]] = static_cast<std::uint32_t>(i);
  }

  /// Entries by the later of their row and column.
  void gather(Block& block) {
    const std::size_t n = block.rows.size();
    block.pivot.assign(n, 0.0);
    first_.assign(n + 1, 0);
    const auto for_entries = [&](auto visit) {
      for (std::uint32_t i = 0; i < n; ++i)
        for (std::size_t e = matrix_.begin(block.rows[i]); e < matrix_.end(block.rows[i]); ++e)
          if (is_inside(block.rows[i], e))
            visit(i, position_[matrix_.column_of(e)], matrix_.value[e]);
    };
    for_entries([&](std::uint32_t i, std::uint32_t j, double value) {
      if (i == j)
        block.pivot[i] += value;
      else
        ++first_[std::max(i, j) + 1];
    });
    for (std::size_t k = 0; k < n; ++k)
      first_[k + 1] += first_[k];
    entries_.resize(first_[n]);
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for_entries([&](std::uint32_t i, std::uint32_t j, double value) {
      if (j < i) entries_[next[i]++] = {j, value, 0.0};
      if (i < j) entries_[next[j]++] = {i, 0.0, value};
    });
  }

  /// Where factors will have entries, by the tree of eliminations. False if a limit was reached.
  bool find_pattern(Block& block) {
    const std::size_t n = block.rows.size();
    parent_.assign(n, none);
    flag_.assign(n, none);
    std::vector<std::size_t> count(n, 0);
    for (std::uint32_t k = 0; k < n; ++k) {
      flag_[k] = k;
      for (std::size_t e = first_[k]; e < first_[k + 1]; ++e)
        for (std::uint32_t i = entries_[e].earlier; flag_[i] != k; i = parent_[i]) {
          if (parent_[i] == none) parent_[i] = k;
          flag_[i] = k;
          ++count[i];
          if (++operations_ >= next_look_ && is_over()) return false;
        }
    }
    block.first.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i)
      block.first[i + 1] = block.first[i] + count[i];
    return monitor_ == nullptr || monitor_->has_room_for(block.first[n] * bytes_per_entry);
  }

  /// Row k of L and column k of U at a time, from those before.
  bool eliminate(Block& block) {
    const std::size_t n = block.rows.size();
    block.position.resize(block.first[n]);
    block.lower.resize(block.first[n]);
    block.upper.resize(block.first[n]);
    std::vector<std::size_t> end(block.first.begin(), block.first.end() - 1);
    std::vector<double> row(n, 0.0);
    std::vector<double> column(n, 0.0);
    flag_.assign(n, none);
    for (std::uint32_t k = 0; k < n; ++k) {
      for (const std::uint32_t i : pattern_of(k, row, column)) {
        const double l = row[i] / block.pivot[i];
        const double u = column[i];
        row[i] = column[i] = 0;
        for (std::size_t e = block.first[i]; e < end[i]; ++e) {
          row[block.position[e]] -= l * block.upper[e];
          column[block.position[e]] -= block.lower[e] * u;
        }
        operations_ += end[i] - block.first[i];
        if (operations_ >= next_look_ && is_over()) return false;
        block.pivot[k] -= l * u;
        block.position[end[i]] = k;
        block.lower[end[i]] = l;
        block.upper[end[i]++] = u;
      }
      if (!(block.pivot[k] > 0)) return false;
    }
    return true;
  }

  /// Which of the rows before k it depends on, in an order in which they can be eliminated; their
  /// entries are written into row and column.
  std::span<const std::uint32_t> pattern_of(std::uint32_t k, std::vector<double>& row,
                                            std::vector<double>& column) {
    const std::size_t n = flag_.size();
    stack_.resize(n);
    std::size_t top = n;
    flag_[k] = k;
    for (std::size_t e = first_[k]; e < first_[k + 1]; ++e) {
      row[entries_[e].earlier] += entries_[e].in_row;
      column[entries_[e].earlier] += entries_[e].in_column;
      path_.clear();
      for (std::uint32_t i = entries_[e].earlier; flag_[i] != k; i = parent_[i]) {
        path_.push_back(i);
        flag_[i] = k;
      }
      top -= path_.size();
      std::copy(path_.begin(), path_.end(), stack_.begin() + static_cast<std::ptrdiff_t>(top));
    }
    return std::span(stack_).subspan(top);
  }

  bool is_over() {
    next_look_ = operations_ + operations_per_look;
    return monitor_ != nullptr && monitor_->reached_now();
  }

  static constexpr std::uint32_t none = UINT32_MAX;
  const Matrix& matrix_;
  const Components& components_;
  Monitor* monitor_;
  std::vector<std::uint32_t> position_;  // by row of the matrix: in its block
  std::vector<std::size_t> first_;       // of entries_, by the later of row and column
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> parent_;  // in the tree of eliminations
  std::vector<std::uint32_t> flag_;    // k: met on the way to k
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint32_t> path_;
  std::size_t operations_ = 0;
  std::size_t next_look_ = operations_per_look;
};

InterruptibleLu::InterruptibleLu(const Matrix& matrix, Monitor* monitor)
    : matrix_(matrix), components_(components_of(matrix)), blocks_(components_.count) {
  const ComponentMembers members(components_);
  Elimination elimination(matrix, components_, monitor);
  for (std::size_t c = 0; c < blocks_.size(); ++c)
    if (!elimination.factorize(members[c], blocks_[c])) return;
  ok_ = true;
}

void InterruptibleLu::solve_rows(double* x) const {
  std::vector<double> own;
  for (std::size_t c = 0; c < blocks_.size(); ++c) {
    own.clear();
    for (const std::uint32_t row : blocks_[c].rows) {
      double right = x[row];
      for (std::size_t e = matrix_.begin(row); e < matrix_.end(row); ++e)
        if (components_.of[matrix_.column_of(e)] != c)
          right -= matrix_.value[e] * x[matrix_.column_of(e)];
      own.push_back(right);
    }
    solve_rows(blocks_[c], own);
    for (std::size_t i = 0; i < own.size(); ++i)
      x[blocks_[c].rows[i]] = own[i];
  }
}

void InterruptibleLu::solve_columns(double* x) const {
  std::vector<double> own;
  for (std::size_t c = blocks_.size(); c-- > 0;) {
    own.clear();
    for (const std::uint32_t row : blocks_[c].rows)
      own.push_back(x[row]);
    solve_columns(blocks_[c], own);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::uint32_t row = blocks_[c].rows[i];
      x[row] = own[i];
      for (std::size_t e = matrix_.begin(row); e < matrix_.end(row); ++e)
        if (components_.of[matrix_.column_of(e)] != c)
          x[matrix_.column_of(e)] -= matrix_.value[e] * own[i];
    }
  }
}

void InterruptibleLu::solve_rows(const Block& block, std::vector<double>& x) const {
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t e = block.first[i]; e < block.first[i + 1]; ++e)
      x[block.position[e]] -= block.lower[e] * x[i];
  for (std::size_t i = x.size(); i-- > 0;) {
    for (std::size_t e = block.first[i]; e < block.first[i + 1]; ++e)
      x[i] -= block.upper[e] * x[block.position[e]];
    x[i] /= block.pivot[i];
  }
}

void InterruptibleLu::solve_columns(const Block& block, std::vector<double>& x) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] /= block.pivot[i];
    for (std::size_t e = block.first[i]; e < block.first[i + 1]; ++e)
      x[block.position[e]] -= block.upper[e] * x[i];
  }
  for (std::size_t i = x.size(); i-- > 0;)
    for (std::size_t e = block.first[i]; e < block.first[i + 1]; ++e)
      x[i] -= block.lower[e] * x[block.position[e]];
}

}  // namespace carl::ssp
