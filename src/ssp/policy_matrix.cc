#include "ssp/policy_matrix.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <new>
#include <utility>

namespace carl::ssp {
namespace {

/// Builds the rows of a block one by one, adding up entries of the same column. `entry_of` says for each
/// column which entry was its last, in this block or another.
class RowBuilder {
 public:
  explicit RowBuilder(std::vector<int>& entry_of) : entry_of_(entry_of) {}

  void add(int column, double value) {
    int& entry = entry_of_[static_cast<std::size_t>(column)];
    if (!is_of_this_row(entry, column)) {
      entry = static_cast<int>(matrix_.column.size());
      matrix_.column.push_back(column);
      matrix_.value.push_back(0);
    }
    matrix_.value[static_cast<std::size_t>(entry)] += value;
  }
  void end_row(long double diagonal) {
    if (matrix_.column.size() > std::numeric_limits<int>::max()) throw std::bad_alloc();
    matrix_.first.push_back(static_cast<int>(matrix_.column.size()));
    matrix_.diagonal.push_back(diagonal);
  }
  Matrix take() { return std::move(matrix_); }

 private:
  bool is_of_this_row(int entry, int column) const {
    const auto e = static_cast<std::size_t>(entry);
    return entry >= matrix_.first.back() && e < matrix_.column.size() &&
           matrix_.column[e] == column;
  }

  Matrix matrix_;
  std::vector<int>& entry_of_;
};

/// Row after row of one block after row of the one before.
Matrix joined(std::vector<Matrix> blocks, const Threads& threads) {
  if (blocks.size() == 1) return std::move(blocks[0]);
  std::vector<std::size_t> first_row{0};
  std::vector<std::size_t> first_entry{0};
  for (const Matrix& block : blocks) {
    first_row.push_back(first_row.back() + block.size());
    first_entry.push_back(first_entry.back() + block.column.size());
  }
  if (first_entry.back() > std::numeric_limits<int>::max()) throw std::bad_alloc();
  Matrix result;
  result.first.resize(first_row.back() + 1);
  result.diagonal.resize(first_row.back());
  result.column.resize(first_entry.back());
  result.value.resize(first_entry.back());
  threads.for_each_block(blocks.size(), [&](std::size_t b, std::size_t /*thread*/) {
    const Matrix block = std::exchange(blocks[b], {});
    const auto row = static_cast<std::ptrdiff_t>(first_row[b]);
    const auto entry = static_cast<std::ptrdiff_t>(first_entry[b]);
    std::copy(block.diagonal.begin(), block.diagonal.end(), result.diagonal.begin() + row);
    std::copy(block.column.begin(), block.column.end(), result.column.begin() + entry);
    std::copy(block.value.begin(), block.value.end(), result.value.begin() + entry);
    std::transform(block.first.begin() + 1, block.first.end(), result.first.begin() + row + 1,
                   [&](int end) { return end + static_cast<int>(entry); });
  });
  return result;
}

}  // namespace

Matrix identity_minus_transitions(const SearchGraph& graph, const Policy& policy,
                                  const std::vector<std::uint32_t>& order) {
  constexpr std::size_t rows_per_block = 1 << 16;
  const Threads& threads = graph.threads();
  std::vector<int> row_of(graph.num_states(), -1);
  for (std::size_t i = 0; i < order.size(); ++i)
    row_of[policy.state(order[i]).index()] = static_cast<int>(i);
  const auto add_row = [&](std::size_t i, RowBuilder& rows) {
    rows.add(static_cast<int>(i), 1.0);
    long double total = 0;
    for (const auto& [pair, probability] : policy.choices(order[i])) {
      const auto successors = graph.successors(pair);
      const auto probabilities = graph.probabilities(pair);
      if (graph.ends(pair)) total += probability;
      for (std::size_t k = 0; k < successors.size(); ++k) {
        const int j = row_of[successors[k].index()];
        assert(j >= 0 || graph.is_goal(successors[k]));
        total += static_cast<long double>(probability) * probabilities[k];
        if (j >= 0) rows.add(j, -probability * probabilities[k]);
      }
    }
    rows.end_row(total);
  };
  const std::size_t num_blocks =
      std::max<std::size_t>(1, Threads::num_blocks(order.size(), rows_per_block));
  std::vector<Matrix> blocks(num_blocks);
  std::vector<std::vector<int>> entry_of(threads.count());  // per thread
  threads.for_each_block(num_blocks, [&](std::size_t b, std::size_t thread) {
    entry_of[thread].resize(order.size(), -1);
    RowBuilder rows(entry_of[thread]);
    for (std::size_t i = b * rows_per_block; i < std::min(order.size(), (b + 1) * rows_per_block);
         ++i)
      add_row(i, rows);
    blocks[b] = rows.take();
  });
  return joined(std::move(blocks), threads);
}

Matrix transposed(const Matrix& matrix) {
  Matrix result;
  result.diagonal = matrix.diagonal;
  result.first.assign(matrix.size() + 1, 0);
  result.column.resize(matrix.column.size());
  result.value.resize(matrix.value.size());
  for (const int column : matrix.column)
    ++result.first[static_cast<std::size_t>(column) + 1];
  for (std::size_t i = 0; i < matrix.size(); ++i)
    result.first[i + 1] += result.first[i];
  std::vector<int> next(result.first.begin(), result.first.end() - 1);
  for (std::size_t row = 0; row < matrix.size(); ++row)
    for (std::size_t e = matrix.begin(row); e < matrix.end(row); ++e) {
      const auto to = static_cast<std::size_t>(next[matrix.column_of(e)]++);
      result.column[to] = static_cast<int>(row);
      result.value[to] = matrix.value[e];
    }
  return result;
}

Components components_of(const Matrix& matrix) {
  return strongly_connected_components(
      matrix.size(), [&](std::size_t v) { return matrix.end(v) - matrix.begin(v); },
      [&](std::size_t v, std::size_t i) { return matrix.column_of(matrix.begin(v) + i); });
}

}  // namespace carl::ssp
