#include "ssp/policy_matrix.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
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

/// Whether every state of a policy has one choice, with few outcomes that are all different: then there
/// is nothing to add up.
bool has_simple_rows(const SearchGraph& graph, const Policy& policy) {
  constexpr std::size_t few = 8;
  const auto is_simple = [&](std::size_t i) {
    if (policy.choices(i).size() != 1 || policy.choices(i)[0].probability != 1) return false;
    const auto successors = graph.successors(policy.choices(i)[0].pair);
    if (successors.size() > few) return false;
    for (std::size_t k = 1; k < successors.size(); ++k)
      if (std::find(successors.begin(), successors.begin() + static_cast<std::ptrdiff_t>(k),
                    successors[k]) != successors.begin() + static_cast<std::ptrdiff_t>(k))
        return false;
    return true;
  };
  return graph.threads().reduce(
      policy.size(), true,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          if (!is_simple(i)) return false;
        return true;
      },
      std::logical_and<>());
}

/// Rows are written in the order of the policy, which is more like that of the graph in memory than
/// theirs is, each to its place.
Matrix simple_rows(const SearchGraph& graph, const Policy& policy, const std::vector<int>& row_of) {
  const Threads& threads = graph.threads();
  const auto row = [&](StateId s) { return row_of[s.index()]; };
  const auto row_of_policy = [&](std::size_t i) {
    return static_cast<std::size_t>(row(policy.state(i)));
  };
  std::vector<std::size_t> end(policy.size() + 1, 0);
  threads.for_each(policy.size(), [&](std::size_t i) {
    const auto successors = graph.successors(policy.choices(i)[0].pair);
    const auto goals =
        std::count_if(successors.begin(), successors.end(), [&](StateId t) { return row(t) < 0; });
    end[row_of_policy(i) + 1] = 1 + successors.size() - static_cast<std::size_t>(goals);
  });
  std::partial_sum(end.begin(), end.end(), end.begin());
  if (end.back() > std::numeric_limits<int>::max()) throw std::bad_alloc();
  Matrix matrix;
  matrix.first.assign(end.begin(), end.end());
  matrix.column.resize(end.back());
  matrix.value.resize(end.back());
  matrix.diagonal.resize(policy.size());
  threads.for_each(policy.size(), [&](std::size_t i) {
    const PairId pair = policy.choices(i)[0].pair;
    const auto successors = graph.successors(pair);
    const auto probabilities = graph.probabilities(pair);
    const std::size_t own = row_of_policy(i);
    std::size_t entry = matrix.begin(own);
    matrix.column[entry] = static_cast<int>(own);
    matrix.value[entry] = 1;
    long double total = graph.ends(pair) ? 1 : 0;
    for (std::size_t k = 0; k < successors.size(); ++k) {
      total += probabilities[k];
      if (row(successors[k]) < 0) continue;
      ++entry;
      matrix.column[entry] = row(successors[k]);
      matrix.value[entry] = -probabilities[k];
    }
    matrix.diagonal[own] = total;
  });
  return matrix;
}

}  // namespace

Matrix identity_minus_transitions(const SearchGraph& graph, const Policy& policy,
                                  const std::vector<std::uint32_t>& order) {
  constexpr std::size_t rows_per_block = 1 << 16;
  const Threads& threads = graph.threads();
  std::vector<int> row_of(graph.num_states(), -1);
  threads.for_each(order.size(), [&](std::size_t i) {
    row_of[policy.state(order[i]).index()] = static_cast<int>(i);
  });
  if (order.size() == policy.size() && has_simple_rows(graph, policy))
    return simple_rows(graph, policy, row_of);
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
