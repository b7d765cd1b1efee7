#include "ssp/policy_evaluation.h"

#include <klu.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>

namespace carl::ssp {
namespace {

/// I - P of a policy by rows. KLU wants columns, so to KLU this is the transpose.
struct Matrix {
  std::vector<int> first{0};
  std::vector<int> column;
  std::vector<double> value;
};

Matrix identity_minus_transitions(const SearchGraph& graph, const Policy& policy) {
  std::vector<int> row_of(graph.num_states(), -1);
  for (std::size_t i = 0; i < policy.size(); ++i)
    row_of[policy.state(i).index()] = static_cast<int>(i);
  Matrix matrix;
  std::vector<int> entry_of(policy.size(), -1);  // column -> entry of the current row
  for (std::size_t i = 0; i < policy.size(); ++i) {
    const std::size_t begin = matrix.column.size();
    const auto add = [&](int j, double v) {
      int& entry = entry_of[static_cast<std::size_t>(j)];
      if (entry < static_cast<int>(begin)) {
        entry = static_cast<int>(matrix.column.size());
        matrix.column.push_back(j);
        matrix.value.push_back(0);
      }
      matrix.value[static_cast<std::size_t>(entry)] += v;
    };
    add(static_cast<int>(i), 1.0);
    for (const auto& [pair, probability] : policy.choices(i)) {
      const auto successors = graph.successors(pair);
      const auto probabilities = graph.probabilities(pair);
      for (std::size_t k = 0; k < successors.size(); ++k) {
        const int j = row_of[successors[k].index()];
        assert(j >= 0 || graph.is_goal(successors[k]));
        if (j >= 0) add(j, -probability * probabilities[k]);
      }
    }
    matrix.first.push_back(static_cast<int>(matrix.column.size()));
  }
  return matrix;
}

/// Every state of the envelope can reach a goal, so no state is visited for ever.
bool is_proper(const SearchGraph& graph, const Policy& policy) {
  constexpr std::size_t goal = 0;  // node 0; the policy's states follow
  std::vector<std::uint32_t> node_of(graph.num_states(), goal);
  for (std::size_t i = 0; i < policy.size(); ++i)
    node_of[policy.state(i).index()] = static_cast<std::uint32_t>(i + 1);
  std::vector<std::uint32_t> first(policy.size() + 2, 0);
  const auto for_edges = [&](auto visit) {
    for (std::size_t i = 0; i < policy.size(); ++i)
      for (const auto& [pair, probability] : policy.choices(i))
        if (probability > 0)
          for (const StateId t : graph.successors(pair))
            visit(node_of[t.index()], static_cast<std::uint32_t>(i + 1));
  };
  for_edges([&](std::uint32_t to, std::uint32_t) { ++first[to + 1]; });
  for (std::size_t v = 0; v + 1 < first.size(); ++v)
    first[v + 1] += first[v];
  std::vector<std::uint32_t> source(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for_edges([&](std::uint32_t to, std::uint32_t from) { source[next[to]++] = from; });
  std::vector<bool> reaches(policy.size() + 1, false);
  std::vector<std::uint32_t> queue{goal};
  reaches[goal] = true;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (std::uint32_t e = first[queue[i]]; e < first[queue[i] + 1]; ++e)
      if (!reaches[source[e]]) {
        reaches[source[e]] = true;
        queue.push_back(source[e]);
      }
  return queue.size() == policy.size() + 1;
}

/// One KLU factorization of the matrix, with a step of iterative refinement in each solve.
class Factorization {
 public:
  explicit Factorization(const Matrix& matrix)
      : matrix_(matrix), n_(static_cast<int>(matrix.first.size()) - 1) {
    klu_defaults(&common_);
    int* first = const_cast<int*>(matrix.first.data());        // NOLINT: KLU's C interface
    int* column = const_cast<int*>(matrix.column.data());      // NOLINT
    double* value = const_cast<double*>(matrix.value.data());  // NOLINT
    symbolic_ = klu_analyze(n_, first, column, &common_);
    if (symbolic_ != nullptr) numeric_ = klu_factor(first, column, value, symbolic_, &common_);
  }
  ~Factorization() {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  Factorization(const Factorization&) = delete;
  Factorization& operator=(const Factorization&) = delete;

  bool ok() const { return numeric_ != nullptr; }

  /// (I - P) x = b.
  std::vector<double> solve_rows(const std::vector<double>& b) {
    return refined(
        b, [&](double* x) { klu_tsolve(symbolic_, numeric_, n_, 1, x, &common_); },
        [&](std::size_t row, std::size_t col, double v, const auto& x, auto& r) {
          r[row] -= static_cast<long double>(v) * x[col];
        });
  }
  /// (I - P)ᵀ x = b.
  std::vector<double> solve_columns(const std::vector<double>& b) {
    return refined(
        b, [&](double* x) { klu_solve(symbolic_, numeric_, n_, 1, x, &common_); },
        [&](std::size_t row, std::size_t col, double v, const auto& x, auto& r) {
          r[col] -= static_cast<long double>(v) * x[row];
        });
  }

 private:
  template <class Solve, class Subtract>
  std::vector<double> refined(const std::vector<double>& b, Solve solve, Subtract subtract) {
    std::vector<double> x = b;
    solve(x.data());
    std::vector<long double> residual(b.begin(), b.end());
    for (std::size_t row = 0; row < static_cast<std::size_t>(n_); ++row)
      for (auto e = static_cast<std::size_t>(matrix_.first[row]);
           e < static_cast<std::size_t>(matrix_.first[row + 1]); ++e)
        subtract(row, static_cast<std::size_t>(matrix_.column[e]), matrix_.value[e], x, residual);
    std::vector<double> correction(residual.begin(), residual.end());
    solve(correction.data());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] += correction[i];
    return x;
  }

  const Matrix& matrix_;
  int n_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

}  // namespace

Evaluation evaluate(const SearchGraph& graph, const Policy& policy) {
  const std::size_t num_costs = graph.num_costs();
  Evaluation result;
  result.costs.assign(num_costs, 0.0);
  if (policy.size() == 0) {
    result.proper = true;
    return result;
  }
  if (!is_proper(graph, policy)) return result;
  const Matrix matrix = identity_minus_transitions(graph, policy);
  Factorization factorization(matrix);
  if (!factorization.ok()) return result;
  result.proper = true;
  result.values.resize(policy.size() * num_costs);
  std::vector<double> column(policy.size());
  for (std::size_t c = 0; c < num_costs; ++c) {
    for (std::size_t i = 0; i < policy.size(); ++i) {
      column[i] = 0;
      for (const auto& [pair, probability] : policy.choices(i))
        column[i] += probability * graph.cost(pair)[c];
    }
    const std::vector<double> x = factorization.solve_rows(column);
    for (std::size_t i = 0; i < policy.size(); ++i)
      result.values[i * num_costs + c] = x[i];
    result.costs[c] = x[0];
  }
  std::fill(column.begin(), column.end(), 0.0);
  column[0] = 1;
  result.visits = factorization.solve_columns(column);
  return result;
}

}  // namespace carl::ssp
