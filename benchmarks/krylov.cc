// Our incomplete factorization against Eigen's, on the equations of the best policy of a slippery grid,
// from values that are wrong by up to a tenth: CPU seconds and iterations of BiCGStab until residuals are
// 10^-10 of what they were (Euclidean norm). Rows are in the order of the values and scaled by them for
// all; Eigen's IncompleteLUT then orders them anew (AMD), which it always does.
//
//   bench_krylov [SIDE…]

#include <fmt/format.h>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "carl/generate.h"
#include "heuristics/dijkstra.h"
#include "ssp/bicgstab.h"
#include "ssp/policy_matrix.h"
#include "ssp/ssp_algorithm.h"
#include "util/random.h"

namespace {

using namespace carl;
using ssp::SparseRows;
using EigenRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr double reduction = 1e-10;

double seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct System {
  SparseRows rows;  // scaled
  std::vector<double> right;
};

System system_of_grid(const std::string& side) {
  Cssp cssp(generate_model("grid", {{"n", side}}, 1));
  graph::SearchGraph graph(cssp);
  heuristics::ZeroHeuristic zero;
  std::vector<double> weights(graph.num_costs(), 0.0);
  weights[0] = 1;
  ssp::ScalarisedSsp problem(graph, zero, weights);
  problem.use_scalar_residual();
  Monitor monitor;
  ssp::make_value_iteration(problem)->solve({.epsilon = 1e-6}, monitor);
  const ssp::Policy policy = problem.greedy_policy();
  const auto value = [&](std::uint32_t i) { return problem.value(policy.state(i)); };
  std::vector<std::uint32_t> order(policy.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return value(a) < value(b); });
  const ssp::Matrix matrix = ssp::identity_minus_transitions(graph, policy, order);
  System system;
  SplitMix64 random(1);
  std::vector<double> wrong(order.size());
  for (double& share : wrong)
    share = 0.9 + 0.2 * random.unit();
  for (std::size_t i = 0; i < order.size(); ++i) {
    double right = -wrong[i] + graph.cost(policy.choices(order[i])[0].pair)[0] / value(order[i]);
    for (std::size_t e = matrix.begin(i); e < matrix.end(i); ++e) {
      const std::size_t j = matrix.column_of(e);
      if (j == i) continue;
      system.rows.column.push_back(static_cast<std::uint32_t>(j));
      system.rows.value.push_back(matrix.value[e] * value(order[j]) / value(order[i]));
      right -= system.rows.value.back() * wrong[j];
    }
    system.rows.first.push_back(system.rows.column.size());
    system.rows.diagonal.push_back(1);
    system.right.push_back(right);
  }
  return system;
}

struct Result {
  double factorizing = 0;
  double solving = 0;
  int iterations = 0;
  bool solved = false;
};

Result by_ours(const System& system, double drop) {
  const Threads threads;
  ssp::IncompleteLu factors(threads, {.drop = drop});
  const double start = seconds();
  factors.factorize(system.rows);
  const double factorized = seconds();
  ssp::BiCgStab::Workspace workspace;
  const ssp::BiCgStab solver(system.rows, factors, ssp::BiCgStab::Factors::as_they_are, threads,
                             nullptr, workspace);
  Result result{.factorizing = factorized - start, .iterations = -1};
  const auto norm = [&](const std::vector<double>& r) {
    ++result.iterations;  // the first is that of the preconditioner alone
    double sum = 0;
    for (const double x : r)
      sum += x * x;
    return std::sqrt(sum);
  };
  const double target = reduction * norm(system.right);
  result.iterations = -1;
  std::vector<double> residual = system.right;
  result.solved = solver.solve(residual, target, norm).size <= target;
  result.solving = seconds() - factorized;
  return result;
}

Result by_eigen(const System& system, double drop, int fill) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const auto row = static_cast<int>(i);
    entries.emplace_back(row, row, system.rows.diagonal[i]);
    for (std::size_t e = system.rows.first[i]; e < system.rows.first[i + 1]; ++e)
      entries.emplace_back(row, static_cast<int>(system.rows.column[e]), system.rows.value[e]);
  }
  const auto size = static_cast<Eigen::Index>(system.rows.size());
  EigenRows matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd right =
      Eigen::Map<const Eigen::VectorXd>(system.right.data(), static_cast<Eigen::Index>(size));
  Eigen::BiCGSTAB<EigenRows, Eigen::IncompleteLUT<double>> solver;
  solver.preconditioner().setDroptol(drop);
  solver.preconditioner().setFillfactor(fill);
  solver.setTolerance(reduction);
  solver.setMaxIterations(500);
  const double start = seconds();
  solver.compute(matrix);
  const double factorized = seconds();
  const Eigen::VectorXd x = solver.solve(right);
  return {factorized - start, seconds() - factorized, static_cast<int>(solver.iterations()),
          solver.info() == Eigen::Success && x.allFinite()};
}

void print(const std::string& side, const std::string& name, const Result& result) {
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {}{} |\n", side, name, result.factorizing,
             result.solving, result.iterations, result.solved ? "" : ", not solved");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> sides(argv + 1, argv + argc);
  if (sides.empty()) sides = {"100", "316", "1000"};
  fmt::print("| side | factors | factorizing, s | solving, s | iterations |\n");
  fmt::print("| ---: | --- | ---: | ---: | ---: |\n");
  for (const std::string& side : sides) {
    const System system = system_of_grid(side);
    for (const double drop : {5e-3, 2e-3})
      print(side, fmt::format("ours, drop {:g}", drop), by_ours(system, drop));
    for (const auto& [drop, fill] : {std::pair{1e-2, 3}, {1e-3, 3}, {1e-3, 10}, {1e-4, 10}})
      print(side, fmt::format("Eigen, drop {:g}, fill {}", drop, fill),
            by_eigen(system, drop, fill));
  }
}
