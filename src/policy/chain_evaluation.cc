#include "policy/chain_evaluation.h"

#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "carl/error.h"
#include "policy/large_component.h"

namespace carl::policy {
namespace {

// Elimination keeps a full matrix.
constexpr std::size_t largest_eliminated = 100;
// Factors of more may fill all memory.
constexpr std::size_t largest_factorized = 200000;

using SparseMatrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

const auto unmetered = [](double) { return true; };

class ComponentSolver {
 public:
  ComponentSolver(const PolicyChain& chain, const ComponentOrder& order, Monitor& monitor)
      : chain_(chain), order_(order), monitor_(monitor) {}

  /// x = b + x P.
  void visits(std::size_t component, std::vector<double>& b) const {
    if (b.size() <= largest_eliminated) {
      elimination(component).visits(b, unmetered);
      return;
    }
    if (b.size() >= LargeComponent::least_size &&
        LargeComponent(matrix(component), monitor_).visits(b))
      return;
    std::vector<std::vector<double>> right{std::move(b)};
    factorize(matrix(component).transpose(), right);
    b = std::move(right[0]);
  }
  /// v = d + P v, for several d.
  void values(std::size_t component, std::vector<std::vector<double>>& d) const {
    const std::size_t size = order_.nodes(component).size();
    if (size <= largest_eliminated) {
      for (std::vector<double>& right : d)
        elimination(component).values(right, unmetered);
      return;
    }
    if (size >= LargeComponent::least_size) {
      LargeComponent large(matrix(component), monitor_);
      std::vector<std::vector<double>> right = d;
      if (std::all_of(right.begin(), right.end(), [&](auto& x) { return large.values(x); })) {
        d = std::move(right);
        return;
      }
    }
    factorize(matrix(component), d);
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

  static void factorize(SparseMatrix matrix, std::vector<std::vector<double>>& rights) {
    if (static_cast<std::size_t>(matrix.rows()) > largest_factorized)
      throw InputError(
          fmt::format("what the policy costs cannot be computed: the equations of {} "
                      "states that it goes to and fro between do not converge",
                      matrix.rows()));
    matrix.makeCompressed();
    Eigen::SparseLU<SparseMatrix> factorization(matrix);
    if (factorization.info() != Eigen::Success)
      throw std::runtime_error("a component of the policy cannot be factorized");
    for (std::vector<double>& right : rights) {
      const Vector b = Eigen::Map<const Vector>(right.data(), static_cast<long>(right.size()));
      Vector x = factorization.solve(b);
      const Vector residual = b - matrix * x;
      x += factorization.solve(residual);
      std::copy(x.begin(), x.end(), right.begin());
    }
  }

  const PolicyChain& chain_;
  const ComponentOrder& order_;
  Monitor& monitor_;
};

/// What is expected from every node on, `width` numbers each, if step(node, i) is what a step there
/// adds to the i-th.
template <class Step>
std::vector<double> to_go(const PolicyChain& chain, const ComponentOrder& order, std::size_t width,
                          const Step& step, Monitor& monitor) {
  std::vector<double> result(chain.size() * width, 0.0);
  const ComponentSolver solver(chain, order, monitor);
  std::vector<std::vector<double>> d(width);
  for (std::size_t c = 0; c < order.size(); ++c) {
    monitor.check();
    const auto nodes = order.nodes(c);
    for (std::size_t i = 0; i < width; ++i) {
      d[i].clear();
      for (const std::uint32_t node : nodes) {
        d[i].push_back(step(node, i));
        chain.for_each_step(node, [&](std::uint32_t to, double p) {
          if (to < chain.size() && !order.contains(c, to))
            d[i].back() += p * result[to * width + i];
        });
      }
    }
    solver.values(c, d);
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t k = 0; k < nodes.size(); ++k)
        result[nodes[k] * width + i] = d[i][k];
  }
  return result;
}

}  // namespace

bool ChainEvaluation::is_finite() const {
  return std::isfinite(steps);
}

ChainEvaluation evaluate(const PolicyChain& chain, const ComponentOrder& order, Monitor& monitor) {
  ChainEvaluation result;
  const ComponentSolver solver(chain, order, monitor);
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
  result.steps = std::accumulate(result.visits.begin(), result.visits.end(), 0.0) -
                 chain.visits_without_step();
  return result;
}

std::vector<double> steps_to_go(const PolicyChain& chain, const ComponentOrder& order,
                                Monitor& monitor) {
  return to_go(
      chain, order, 1, [](std::size_t, std::size_t) { return 1.0; }, monitor);
}

std::vector<double> costs_to_go(const PolicyChain& chain, const ComponentOrder& order,
                                Monitor& monitor) {
  const auto cost_of_step = [&](std::size_t node, std::size_t i) {
    double cost = 0;
    for (std::size_t c = chain.first_choice(node); c < chain.first_choice(node + 1); ++c)
      cost += chain.probability(c) * chain.cost(c)[i];
    return cost;
  };
  return to_go(chain, order, chain.num_costs(), cost_of_step, monitor);
}

}  // namespace carl::policy
