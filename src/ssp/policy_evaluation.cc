#include "ssp/policy_evaluation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "ssp/factorization.h"
#include "ssp/gauss_seidel.h"
#include "ssp/krylov_evaluation.h"
#include "ssp/policy_matrix.h"

namespace carl::ssp {
namespace {

/// The transitions of a policy backwards. Node 0 stands for all ends; the policy's states follow.
class BackwardGraph {
 public:
  BackwardGraph(const SearchGraph& graph, const Policy& policy)
      : graph_(graph), policy_(policy), node_of_(graph.num_states(), goal) {
    for (std::size_t i = 0; i < policy.size(); ++i)
      node_of_[policy.state(i).index()] = static_cast<std::uint32_t>(i + 1);
    first_.assign(policy.size() + 2, 0);
    likeliest_.assign(policy.size(), goal);
    std::vector<double> most(policy.size(), 0.0);
    for_edges([&](std::uint32_t from, std::uint32_t to, double probability) {
      ++first_[to + 1];
      if (probability > most[from]) {
        most[from] = probability;
        likeliest_[from] = to;
      }
    });
    for (std::size_t v = 0; v + 1 < first_.size(); ++v)
      first_[v + 1] += first_[v];
    source_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for_edges([&](std::uint32_t from, std::uint32_t to, double) { source_[next[to]++] = from; });
  }

  /// The states that can reach a goal, in an order that sweeps of the policy's equations like: a
  /// state after what most likely follows it, as far as that ends in a goal, else by distance. If
  /// that is all of them no state is visited for ever: the policy is proper.
  std::vector<std::uint32_t> order() const {
    std::vector<bool> reaches(policy_.size(), false);
    std::vector<std::uint32_t> order;
    const auto visit_sources_of = [&](std::uint32_t node, bool likely_only) {
      for (std::uint32_t e = first_[node]; e < first_[node + 1]; ++e) {
        const std::uint32_t i = source_[e];
        if (reaches[i] || (likely_only && likeliest_[i] != node)) continue;
        reaches[i] = true;
        order.push_back(i);
      }
    };
    for (const bool likely_only : {true, false}) {
      visit_sources_of(goal, likely_only);
      for (std::size_t i = 0; i < order.size(); ++i)
        visit_sources_of(order[i] + 1, likely_only);
    }
    return order;
  }

 private:
  template <class Visit>
  void for_edges(Visit visit) const {
    for (std::size_t i = 0; i < policy_.size(); ++i)
      for (const auto& [pair, choice_probability] : policy_.choices(i)) {
        if (choice_probability <= 0) continue;
        const auto successors = graph_.successors(pair);
        const auto probabilities = graph_.probabilities(pair);
        if (graph_.ends(pair)) visit(static_cast<std::uint32_t>(i), goal, choice_probability);
        for (std::size_t k = 0; k < successors.size(); ++k)
          visit(static_cast<std::uint32_t>(i), node_of_[successors[k].index()],
                choice_probability * probabilities[k]);
      }
  }

  static constexpr std::uint32_t goal = 0;
  const SearchGraph& graph_;
  const Policy& policy_;
  std::vector<std::uint32_t> node_of_;    // per state of the graph
  std::vector<std::uint32_t> first_;      // of each node's sources
  std::vector<std::uint32_t> source_;     // numbers of the policy's states
  std::vector<std::uint32_t> likeliest_;  // per state of the policy: the node it leads to
};

/// Expected costs of the next step, num_costs per state of the policy.
std::vector<double> step_costs(const SearchGraph& graph, const Policy& policy,
                               const std::vector<std::uint32_t>& order) {
  const std::size_t num_costs = graph.num_costs();
  std::vector<double> costs(policy.size() * num_costs, 0.0);
  graph.threads().for_each(order.size(), [&](std::size_t i) {
    for (const auto& [pair, probability] : policy.choices(order[i]))
      for (std::size_t c = 0; c < num_costs; ++c)
        costs[i * num_costs + c] += probability * graph.cost(pair)[c];
  });
  return costs;
}

/// `sorted` holds `width` entries for order[0], then for order[1], …; back to the policy's order.
std::vector<double> unsorted(const std::vector<double>& sorted,
                             const std::vector<std::uint32_t>& order, std::size_t width,
                             const Threads& threads) {
  std::vector<double> result(sorted.size());
  threads.for_each(order.size(), [&](std::size_t i) {
    std::copy_n(&sorted[i * width], width, &result[order[i] * width]);
  });
  return result;
}

enum class Factored { yes, singular, too_long };

/// Values for `costs` and visits for `start`.
Factored factorize(const Matrix& matrix, const std::vector<double>& costs, std::size_t num_costs,
                   const std::vector<double>& start, const FactorizationOptions& options,
                   Evaluation& result) {
  Factorization factorization(matrix, options);
  if (factorization.too_long()) return Factored::too_long;
  if (!factorization.ok()) return Factored::singular;
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
  return Factored::yes;
}

/// The same if it can be done by Gauss-Seidel, and components are larger than that.
bool iterate(const Matrix& matrix, const std::vector<double>& costs, std::size_t num_costs,
             const std::vector<double>& start, const EvaluationOptions& options,
             std::size_t smaller_ones, Evaluation& result) {
  if (matrix.size() <= smaller_ones) return false;
  const GaussSeidel solver(matrix);
  if (solver.largest_component() <= smaller_ones) return false;
  // Visits first: it takes one right-hand side to fail.
  auto visits = solver.solve_columns(start, 1, options.monitor);
  if (!visits) return false;
  auto values = solver.solve_rows(costs, num_costs, options.value_tolerance, options.monitor);
  if (!values) return false;
  result.visits = std::move(*visits);
  result.values = std::move(*values);
  result.iterated = true;
  return true;
}

/// By whichever does not take too long: whether there is a solution, and no limit was reached. Nothing if
/// all take too long.
std::optional<bool> solve_soon(const Matrix& matrix, const std::vector<double>& costs,
                               std::size_t num_costs, const std::vector<double>& start,
                               const EvaluationOptions& options, Evaluation& result) {
  const auto ended = [&] { return options.monitor != nullptr && options.monitor->reached(); };
  const std::size_t largest = options.largest_factorized_component;
  if (iterate(matrix, costs, num_costs, start, options, largest, result)) return true;
  if (ended()) return false;
  FactorizationOptions factors{.monitor = options.monitor};
  if (matrix.size() <= largest) factors.most_operations = options.most_operations;
  const Factored factored = factorize(matrix, costs, num_costs, start, factors, result);
  if (factored != Factored::too_long) return factored == Factored::yes;
  if (iterate(matrix, costs, num_costs, start, options, 1, result)) return true;
  if (ended()) return false;
  return std::nullopt;
}

std::size_t largest_component(const Matrix& matrix) {
  const Components components = components_of(matrix);
  std::vector<std::size_t> size(components.count, 0);
  for (const std::uint32_t c : components.of)
    ++size[c];
  return *std::max_element(size.begin(), size.end());
}

/// Rough values of the policy's states, in its own order, if Krylov methods may be worth it; made
/// positive.
std::vector<double> scale_of(const Policy& policy, const EvaluationOptions& options,
                             const Threads& threads) {
  std::vector<double> scale;
  if (options.rough_values == nullptr || policy.size() < options.least_for_krylov) return scale;
  constexpr double least_share = 1e-6;
  scale.resize(policy.size());
  const auto fill_in = [&](std::size_t begin, std::size_t end) {
    double largest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      scale[i] = (*options.rough_values)[policy.state(i).index()];
      if (std::isfinite(scale[i])) largest = std::max(largest, scale[i]);
    }
    return largest;
  };
  double largest = threads.reduce(policy.size(), 0.0, fill_in,
                                  [](double a, double b) { return std::max(a, b); });
  if (largest == 0) largest = 1;
  threads.for_each(scale.size(), [&](std::size_t i) {
    scale[i] = std::clamp(scale[i], least_share * largest, largest);
  });
  return scale;
}

/// The numbers of a policy's states, those with the least scale first; `scale` becomes that of the
/// first, the second, and so on.
std::vector<std::uint32_t> sorted_by(std::vector<double>& scale, const Threads& threads) {
  std::vector<std::uint32_t> order = threads.ascending(scale);
  std::vector<double> sorted(scale.size());
  threads.for_each(order.size(), [&](std::size_t i) { sorted[i] = scale[order[i]]; });
  scale = std::move(sorted);
  return order;
}

/// Of the policy's states in that order, if there are any.
std::vector<double> rough_vectors(const Policy& policy, const std::vector<std::uint32_t>& order,
                                  std::size_t num_costs, const EvaluationOptions& options,
                                  const Threads& threads) {
  std::vector<double> result;
  if (options.rough_vectors == nullptr) return result;
  result.resize(order.size() * num_costs);
  threads.for_each(order.size(), [&](std::size_t i) {
    std::copy_n(&(*options.rough_vectors)[policy.state(order[i]).index() * num_costs], num_costs,
                &result[i * num_costs]);
  });
  return result;
}

std::size_t place_of_first(const std::vector<std::uint32_t>& order) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), 0U) - order.begin());
}

/// False if it has to be done otherwise.
bool bracket_by_krylov(const SearchGraph& graph, const Policy& policy,
                       const EvaluationOptions& options, Evaluation& result) {
  const Threads& threads = graph.threads();
  std::vector<double> scale = scale_of(policy, options, threads);
  if (scale.empty()) return false;
  const std::vector<std::uint32_t> order = sorted_by(scale, threads);
  const Matrix matrix = identity_minus_transitions(graph, policy, order);
  if (!options.expects_large_component && largest_component(matrix) < options.least_for_krylov)
    return false;
  const std::size_t num_costs = graph.num_costs();
  const std::vector<double> rough = rough_vectors(policy, order, num_costs, options, threads);
  auto found = evaluate_by_krylov(matrix, scale, step_costs(graph, policy, order), num_costs,
                                  place_of_first(order), threads,
                                  {.value_tolerance = options.value_tolerance,
                                   .monitor = options.monitor,
                                   .rough_values = rough});
  if (!found) return false;
  result.values = unsorted(found->values, order, num_costs, threads);
  result.visits = unsorted(found->visits, order, 1, threads);
  result.costs = std::move(found->costs);
  result.bracketed = true;
  return true;
}

/// What the first cost, or steps if that is zero, will roughly come to. Sweeps tell values apart; far from
/// the goal they go on growing by about as much everywhere, less by the same share each time, which is
/// added up in advance (A. C. Aitken, "On Bernoulli's Numerical Solution of Algebraic Equations", 1926).
std::vector<double> extrapolated_values(const Matrix& matrix, const std::vector<double>& costs,
                                        std::size_t num_costs, Monitor* monitor) {
  constexpr int sweeps = 200;
  constexpr double most_of_growth = 1 - 1e-9;
  const std::size_t n = matrix.size();
  std::vector<double> cost(n);
  for (std::size_t i = 0; i < n; ++i)
    cost[i] = costs[i * num_costs];
  if (*std::max_element(cost.begin(), cost.end()) == 0) cost.assign(n, 1.0);
  std::vector<double> values(n, 0.0);
  std::vector<double> before;
  const auto renew = [&](std::size_t i) {
    double sum = cost[i];
    for (std::size_t e = matrix.begin(i); e < matrix.end(i); ++e)
      if (const std::size_t j = matrix.column_of(e); j != i) sum -= matrix.value[e] * values[j];
    values[i] = sum / static_cast<double>(matrix.diagonal[i]);
  };
  const auto growth = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      sum += values[i] - before[i];
    return sum;
  };
  double last = 0;
  double share = 0;  // of a growth in the one before
  for (int k = 0; k < sweeps && !(monitor != nullptr && monitor->reached_now()); ++k) {
    before = values;
    for (std::size_t i = 0; i < n; ++i)
      renew(i);
    for (std::size_t i = n; i-- > 0;)
      renew(i);
    const double now = growth();
    if (last > 0) share = std::clamp(now / last, 0.0, most_of_growth);
    last = now;
  }
  for (std::size_t i = 0; i < n; ++i)
    values[i] += (values[i] - before[i]) * share / (1 - share);
  return values;
}

/// The same where nobody has a rough idea of the values.
bool bracket_by_own_idea(const SearchGraph& graph, const Policy& policy, const Matrix& matrix,
                         const std::vector<double>& costs, const std::vector<std::uint32_t>& order,
                         EvaluationOptions options, Evaluation& result) {
  const std::vector<double> values =
      extrapolated_values(matrix, costs, graph.num_costs(), options.monitor);
  std::vector<double> of_states(graph.num_states(), 0.0);
  for (std::size_t i = 0; i < order.size(); ++i)
    of_states[policy.state(order[i]).index()] = values[i];
  options.rough_values = &of_states;
  options.rough_vectors = nullptr;
  return bracket_by_krylov(graph, policy, options, result);
}

/// Where a goal is reached too rarely for doubles, what comes out of a system that is as good as
/// singular is noise, of both signs, or so large that nothing can be reckoned with it any more.
bool are_numbers_of_visits(const std::vector<double>& visits) {
  constexpr double rounding = 1e-6;
  constexpr double most = 1e100;
  double largest = 1;
  double least = 0;
  for (const double count : visits) {
    if (!std::isfinite(count)) return false;
    largest = std::max(largest, count);
    least = std::min(least, count);
  }
  return largest <= most && least >= -rounding * largest;
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
  if (bracket_by_krylov(graph, policy, options, result)) {
    result.proper = are_numbers_of_visits(result.visits);
    return result;
  }
  const std::vector<std::uint32_t> order = BackwardGraph(graph, policy).order();
  if (order.size() < policy.size()) return result;
  const Matrix matrix = identity_minus_transitions(graph, policy, order);
  const std::vector<double> costs = step_costs(graph, policy, order);
  std::vector<double> start(policy.size(), 0.0);
  start[place_of_first(order)] = 1;
  std::optional<bool> solved = solve_soon(matrix, costs, num_costs, start, options, result);
  if (!solved && bracket_by_own_idea(graph, policy, matrix, costs, order, options, result)) {
    result.proper = are_numbers_of_visits(result.visits);
    return result;
  }
  if (!solved)
    solved = factorize(matrix, costs, num_costs, start, {.monitor = options.monitor}, result) ==
             Factored::yes;
  result.proper = *solved && are_numbers_of_visits(result.visits);
  if (!result.proper) return result;
  for (std::size_t i = 0; i < policy.size(); ++i)
    for (std::size_t c = 0; c < num_costs; ++c)
      result.costs[c] += result.visits[i] * costs[i * num_costs + c];
  result.values = unsorted(result.values, order, num_costs, graph.threads());
  result.visits = unsorted(result.visits, order, 1, graph.threads());
  return result;
}

}  // namespace carl::ssp
