#include "ssp/policy_evaluation.h"

#include <klu.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#include "ssp/gauss_seidel.h"
#include "ssp/policy_matrix.h"

namespace carl::ssp {
namespace {

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
  /// To KLU, which wants columns, the matrix is its transpose.
  explicit Factorization(const Matrix& matrix)
      : matrix_(matrix), n_(static_cast<int>(matrix.size())) {
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
  bool out_of_memory() const {
    return common_.status == KLU_OUT_OF_MEMORY || common_.status == KLU_TOO_LARGE;
  }

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
    for (std::size_t row = 0; row < matrix_.size(); ++row)
      for (std::size_t e = matrix_.begin(row); e < matrix_.end(row); ++e)
        subtract(row, matrix_.column_of(e), matrix_.value[e], x, residual);
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

/// Expected costs of the next step, num_costs per state of the policy.
std::vector<double> step_costs(const SearchGraph& graph, const Policy& policy) {
  const std::size_t num_costs = graph.num_costs();
  std::vector<double> costs(policy.size() * num_costs, 0.0);
  for (std::size_t i = 0; i < policy.size(); ++i)
    for (const auto& [pair, probability] : policy.choices(i))
      for (std::size_t c = 0; c < num_costs; ++c)
        costs[i * num_costs + c] += probability * graph.cost(pair)[c];
  return costs;
}

/// Values for `costs` and visits for `start`; false if the matrix is singular.
bool factorize(const Matrix& matrix, const std::vector<double>& costs, std::size_t num_costs,
               const std::vector<double>& start, Evaluation& result) {
  Factorization factorization(matrix);
  if (factorization.out_of_memory()) throw std::bad_alloc();
  if (!factorization.ok()) return false;
  result.values.resize(costs.size());
  std::vector<double> column(matrix.size());
  for (std::size_t c = 0; c < num_costs; ++c) {
    for (std::size_t i = 0; i < matrix.size(); ++i)
      column[i] = costs[i * num_costs + c];
    const std::vector<double> x = factorization.solve_rows(column);
    for (std::size_t i = 0; i < matrix.size(); ++i)
      result.values[i * num_costs + c] = x[i];
  }
  result.visits = factorization.solve_columns(start);
  return true;
}

/// The same if it pays and can be done by Gauss-Seidel.
bool iterate(const Matrix& matrix, const std::vector<double>& costs, std::size_t num_costs,
             const std::vector<double>& start, const EvaluationOptions& options,
             Evaluation& result) {
  if (matrix.size() <= options.largest_factorized_component) return false;
  const GaussSeidel solver(matrix);
  if (solver.largest_component() <= options.largest_factorized_component) return false;
  auto visits = solver.solve_columns(start, 1);  // first: it takes one right-hand side to fail
  if (!visits) return false;
  auto values = solver.solve_rows(costs, num_costs);
  if (!values) return false;
  result.visits = std::move(*visits);
  result.values = std::move(*values);
  result.iterated = true;
  return true;
}

}  // namespace

Evaluation evaluate(const SearchGraph& graph, const Policy& policy,
                    const EvaluationOptions& options) {
  const std::size_t num_costs = graph.num_costs();
  Evaluation result;
  result.costs.assign(num_costs, 0.0);
  if (policy.size() == 0) {
    result.proper = true;
    return result;
  }
  if (!is_proper(graph, policy)) return result;
  const Matrix matrix = identity_minus_transitions(graph, policy);
  const std::vector<double> costs = step_costs(graph, policy);
  std::vector<double> start(policy.size(), 0.0);
  start[0] = 1;
  result.proper = iterate(matrix, costs, num_costs, start, options, result) ||
                  factorize(matrix, costs, num_costs, start, result);
  if (result.proper) std::copy_n(result.values.begin(), num_costs, result.costs.begin());
  return result;
}

}  // namespace carl::ssp
