// The linear system of a policy: I - P over the states of its envelope, by rows. Values solve
// (I - P) x = C, expected visits the transposed system. The search graph has no self-loops, so the
// diagonal is one.
#ifndef CARL_SSP_POLICY_MATRIX_H
#define CARL_SSP_POLICY_MATRIX_H

#include <cstdint>
#include <vector>

#include "ssp/graph_names.h"
#include "ssp/policy.h"
#include "util/strongly_connected.h"

namespace carl::ssp {

/// Square, by rows; indices are int because KLU wants them so.
struct Matrix {
  std::size_t size() const { return first.size() - 1; }
  std::size_t begin(std::size_t row) const { return static_cast<std::size_t>(first[row]); }
  std::size_t end(std::size_t row) const { return static_cast<std::size_t>(first[row + 1]); }
  std::size_t column_of(std::size_t entry) const { return static_cast<std::size_t>(column[entry]); }

  std::vector<int> first{0};
  std::vector<int> column;
  std::vector<double> value;
  /// Per row: the sum of all its probabilities, those of leaving the matrix included. It is one up
  /// to rounding, but where a row hardly ever leaves, that rounding is much of the chance to.
  std::vector<long double> diagonal;
};

/// Row i belongs to the order[i]-th state of the policy.
Matrix identity_minus_transitions(const SearchGraph& graph, const Policy& policy,
                                  const std::vector<std::uint32_t>& order);
Matrix transposed(const Matrix& matrix);
/// Strongly connected ones of the rows.
Components components_of(const Matrix& matrix);

}  // namespace carl::ssp

#endif
