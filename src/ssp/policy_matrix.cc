#include "ssp/policy_matrix.h"

#include <cassert>
#include <limits>
#include <new>

namespace carl::ssp {
namespace {

/// Builds a matrix row by row, adding up entries of the same column.
class RowBuilder {
 public:
  explicit RowBuilder(std::size_t size) : entry_of_(size, -1) { matrix_.first.reserve(size + 1); }

  void add(int column, double value) {
    int& entry = entry_of_[static_cast<std::size_t>(column)];
    if (entry < matrix_.first.back()) {  // of an earlier row
      if (matrix_.column.size() == std::numeric_limits<int>::max()) throw std::bad_alloc();
      entry = static_cast<int>(matrix_.column.size());
      matrix_.column.push_back(column);
      matrix_.value.push_back(0);
    }
    matrix_.value[static_cast<std::size_t>(entry)] += value;
  }
  void end_row(long double diagonal) {
    matrix_.first.push_back(static_cast<int>(matrix_.column.size()));
    matrix_.diagonal.push_back(diagonal);
  }
  Matrix take() { return std::move(matrix_); }

 private:
  Matrix matrix_;
  std::vector<int> entry_of_;  // column -> its last entry
};

}  // namespace

Matrix identity_minus_transitions(const SearchGraph& graph, const Policy& policy,
                                  const std::vector<std::uint32_t>& order) {
  std::vector<int> row_of(graph.num_states(), -1);
  for (std::size_t i = 0; i < order.size(); ++i)
    row_of[policy.state(order[i]).index()] = static_cast<int>(i);
  RowBuilder rows(policy.size());
  for (std::size_t i = 0; i < policy.size(); ++i) {
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
  }
  return rows.take();
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
