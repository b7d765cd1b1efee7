#include "policy/chain_evaluation.h"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <numeric>
#include <stdexcept>

namespace carl::policy {
namespace {

// Elimination keeps a full matrix.
constexpr std::size_t largest_eliminated = 100;

using SparseMatrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

const auto unmetered = [](double) { return true; };

class ComponentSolver {
 public:
  ComponentSolver(const PolicyChain& chain, const ComponentOrder& order)
      : chain_(chain), order_(order) {}

  /// x = b + x P.
  void visits(std::size_t component, std::vector<double>& b) const {
    if (b.size() <= largest_eliminated)
      elimination(component).visits(b, unmetered);
    else
      solve(matrix(component).transpose(), b);
  }
  /// v = d + P v.
  void values(std::size_t component, std::vector<double>& d) const {
    if (d.size() <= largest_eliminated)
      elimination(component).values(d, unmetered);
    else
      solve(matrix(component), d);
  }

 private:
  Elimination<double> elimination(std::size_t component) const {
    return order_.elimination<double>(
        component, [&](std::size_t node, auto visit) { chain_.for_each_step(node, visit); });
  }

  /// I - P. The diagonal is what leaves the state, summed up: 1 - p would lose digits.
  SparseMatrix matrix(std::size_t component) const {
    const auto nodes = order_.nodes(component);
    std::vector<Eigen::Triplet<double, int>> entries;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      chain_.for_each_step(nodes[i], [&](std::uint32_t to, double p) {
        if (to == nodes[i]) return;
        const int row = static_cast<int>(i);
        entries.emplace_back(row, row, p);
        if (order_.contains(component, to))
          entries.emplace_back(row, static_cast<int>(order_.position(to)), -p);
      });
    const auto n = static_cast<int>(nodes.size());
    SparseMatrix result(n, n);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  static void solve(SparseMatrix matrix, std::vector<double>& right) {
    matrix.makeCompressed();
    Eigen::SparseLU<SparseMatrix> factorization(matrix);
    if (factorization.info() != Eigen::Success)
      throw std::runtime_error("a component of the policy cannot be factorized");
    const Vector b = Eigen::Map<const Vector>(right.data(), static_cast<long>(right.size()));
    Vector x = factorization.solve(b);
    const Vector residual = b - matrix * x;
    x += factorization.solve(residual);
    std::copy(x.begin(), x.end(), right.begin());
  }

  const PolicyChain& chain_;
  const ComponentOrder& order_;
};

}  // namespace

ChainEvaluation evaluate(const PolicyChain& chain, const ComponentOrder& order, Monitor& monitor) {
  ChainEvaluation result;
  const ComponentSolver solver(chain, order);
  order.forwards(
      result.visits, [&](std::size_t node, auto visit) { chain.for_each_step(node, visit); },
      [&](std::size_t component, std::vector<double>& b) {
        monitor.check();
        solver.visits(component, b);
        return true;
      });
  std::vector<long double> costs(chain.num_costs(), 0);
  for (std::size_t node = 0; node < chain.size(); ++node)
    for (std::size_t c = chain.first_choice(node); c < chain.first_choice(node + 1); ++c)
      for (std::size_t i = 0; i < costs.size(); ++i)
        costs[i] +=
            static_cast<long double>(result.visits[node] * chain.probability(c)) * chain.cost(c)[i];
  result.costs.assign(costs.begin(), costs.end());
  result.steps = std::accumulate(result.visits.begin(), result.visits.end(), 0.0);
  return result;
}

std::vector<double> steps_to_go(const PolicyChain& chain, const ComponentOrder& order,
                                Monitor& monitor) {
  std::vector<double> steps(chain.size(), 0.0);
  const ComponentSolver solver(chain, order);
  std::vector<double> d;
  for (std::size_t c = 0; c < order.size(); ++c) {
    monitor.check();
    d.clear();
    for (const std::uint32_t node : order.nodes(c)) {
      d.push_back(1);
      chain.for_each_step(node, [&](std::uint32_t to, double p) {
        if (to < steps.size() && !order.contains(c, to)) d.back() += p * steps[to];
      });
    }
    solver.values(c, d);
    for (std::size_t i = 0; i < d.size(); ++i)
      steps[order.nodes(c)[i]] = d[i];
  }
  return steps;
}

}  // namespace carl::policy
