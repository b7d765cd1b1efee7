#include "policy/exact_costs.h"

#include <algorithm>
#include <cmath>

namespace carl::policy {
namespace {

// Elimination keeps a full matrix of rational numbers for a component.
constexpr std::size_t largest_exact_component = 300;
constexpr std::size_t largest_exact_chain = 10'000;

/// Counts the work that rational numbers cause: about the square of their length.
class WorkMeter {
 public:
  WorkMeter(std::size_t most, Monitor& monitor) : left_(most), monitor_(monitor) {}

  bool operator()(const Rational& number) {
    monitor_.check();
    const std::size_t words =
        mpz_size(number.get_num_mpz_t()) + mpz_size(number.get_den_mpz_t()) + 1;
    const std::size_t work = words * words;
    if (work > left_) return false;
    left_ -= work;
    return true;
  }

 private:
  std::size_t left_;
  Monitor& monitor_;
};

// Fixed-point numbers: integers that stand for multiples of 2^-256.
constexpr mp_bitcnt_t fraction_bits = 256;

mpz_class scaled_down(const Rational& q) {
  mpz_class result = q.get_num() << fraction_bits;
  mpz_fdiv_q(result.get_mpz_t(), result.get_mpz_t(), q.get_den_mpz_t());
  return result;
}

mpz_class scaled_up(const Rational& q) {
  return -scaled_down(-q);
}

mpz_class product_down(const mpz_class& a, const mpz_class& b) {
  mpz_class result = a * b;
  mpz_fdiv_q_2exp(result.get_mpz_t(), result.get_mpz_t(), fraction_bits);
  return result;
}

mpz_class product_up(const mpz_class& a, const mpz_class& b) {
  return -product_down(-a, b);
}

Rational unscaled(const mpz_class& number) {
  Rational result(number, mpz_class(1) << fraction_bits);
  result.canonicalize();
  return result;
}

std::vector<mpz_class> fixed_point(const std::vector<double>& numbers) {
  std::vector<mpz_class> result;
  for (const double number : numbers)
    result.push_back(std::isfinite(number) ? scaled_down(Rational(std::max(0.0, number))) : 0);
  return result;
}

class Certificate {
 public:
  Certificate(const PolicyChain& chain, ExactChain& exact, std::vector<mpz_class> visits,
              std::vector<mpz_class> steps_to_go)
      : chain_(chain),
        exact_(exact),
        visits_(std::move(visits)),
        steps_to_go_(std::move(steps_to_go)),
        inflow_down_(chain.size()),
        inflow_up_(chain.size()),
        cost_down_(chain.num_costs()),
        cost_up_(chain.num_costs()),
        largest_cost_(chain.num_costs()) {}

  std::optional<std::vector<CostInterval>> run(Monitor& monitor) {
    if (chain_.size() > 0) inflow_down_[0] = inflow_up_[0] = mpz_class(1) << fraction_bits;
    for (std::size_t node = 0; node < chain_.size(); ++node) {
      monitor.check();
      add_steps(node);
      add_costs(node);
    }
    if (chain_.size() > 0 && least_progress_ <= 0) return std::nullopt;
    return intervals();
  }

 private:
  void add_steps(std::size_t node) {
    exact_.steps(node, steps_);
    mpz_class progress = steps_to_go_[node];
    for (const ExactChain::Step& step : steps_) {
      if (step.to >= chain_.size()) continue;
      const mpz_class up = scaled_up(step.probability);
      inflow_down_[step.to] += product_down(visits_[node], scaled_down(step.probability));
      inflow_up_[step.to] += product_up(visits_[node], up);
      progress -= product_up(steps_to_go_[step.to], up);
    }
    if (node == 0 || progress < least_progress_) least_progress_ = progress;
  }

  void add_costs(std::size_t node) {
    const std::vector<Rational> costs = exact_.costs(node);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const mpz_class up = scaled_up(costs[i]);
      cost_down_[i] += product_down(visits_[node], scaled_down(costs[i]));
      cost_up_[i] += product_up(visits_[node], up);
      largest_cost_[i] = std::max(largest_cost_[i], up);
    }
  }

  std::vector<CostInterval> intervals() const {
    mpz_class missing = 0;  // Σ of ρ⁻·T
    mpz_class excess = 0;   // Σ of ρ⁺·T
    for (std::size_t node = 0; node < chain_.size(); ++node) {
      const mpz_class down = inflow_down_[node] - visits_[node];
      const mpz_class up = inflow_up_[node] - visits_[node];
      if (down < 0) missing += product_up(-down, steps_to_go_[node]);
      if (up > 0) excess += product_up(up, steps_to_go_[node]);
    }
    std::vector<CostInterval> result;
    for (std::size_t i = 0; i < cost_down_.size(); ++i) {
      CostInterval cost{unscaled(cost_down_[i]), unscaled(cost_up_[i])};
      if (chain_.size() > 0) {
        const Rational per_step = unscaled(largest_cost_[i]) / unscaled(least_progress_);
        cost.lower -= per_step * unscaled(missing);
        cost.upper += per_step * unscaled(excess);
      }
      if (cost.lower < 0) cost.lower = 0;
      result.push_back(std::move(cost));
    }
    return result;
  }

  const PolicyChain& chain_;
  ExactChain& exact_;
  std::vector<mpz_class> visits_;
  std::vector<mpz_class> steps_to_go_;
  std::vector<mpz_class> inflow_down_;  // e + xP, rounded down and up
  std::vector<mpz_class> inflow_up_;
  std::vector<mpz_class> cost_down_;  // x·c
  std::vector<mpz_class> cost_up_;
  std::vector<mpz_class> largest_cost_;  // of a step
  mpz_class least_progress_;             // m
  std::vector<ExactChain::Step> steps_;
};

}  // namespace

std::optional<std::vector<Rational>> exact_costs(const PolicyChain& chain,
                                                 const ComponentOrder& order, ExactChain& exact,
                                                 std::size_t max_work, Monitor& monitor) {
  if (chain.size() > largest_exact_chain) return std::nullopt;
  for (std::size_t c = 0; c < order.size(); ++c)
    if (order.nodes(c).size() > largest_exact_component) return std::nullopt;
  std::vector<std::vector<ExactChain::Step>> steps(chain.size());
  for (std::size_t node = 0; node < chain.size(); ++node)
    exact.steps(node, steps[node]);
  const auto for_each_step = [&](std::size_t node, auto visit) {
    for (const ExactChain::Step& step : steps[node])
      visit(step.to, step.probability);
  };
  WorkMeter meter(max_work, monitor);
  const auto metered = [&](const Rational& number) { return meter(number); };
  std::vector<Rational> visits;
  const bool finished =
      order.forwards(visits, for_each_step, [&](std::size_t component, std::vector<Rational>& b) {
        return order.elimination<Rational>(component, for_each_step).visits(b, metered);
      });
  if (!finished) return std::nullopt;
  std::vector<Rational> costs(chain.num_costs(), Rational(0));
  for (std::size_t node = 0; node < chain.size(); ++node) {
    const std::vector<Rational> step = exact.costs(node);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      costs[i] += visits[node] * step[i];
      if (!meter(costs[i])) return std::nullopt;
    }
  }
  return costs;
}

std::optional<std::vector<CostInterval>> certified_costs(const PolicyChain& chain,
                                                         const ComponentOrder& order,
                                                         ExactChain& exact,
                                                         const std::vector<double>& visits,
                                                         Monitor& monitor) {
  return Certificate(chain, exact, fixed_point(visits),
                     fixed_point(steps_to_go(chain, order, monitor)))
      .run(monitor);
}

std::optional<ProvedCosts> proved_costs(const PolicyChain& chain, const ComponentOrder& order,
                                        ExactChain& exact, const std::vector<double>& visits,
                                        std::size_t max_work, Monitor& monitor) {
  ProvedCosts result;
  if (const auto costs = exact_costs(chain, order, exact, max_work, monitor)) {
    result.exactly = true;
    for (const Rational& cost : *costs)
      result.costs.push_back({cost, cost});
    return result;
  }
  auto intervals = certified_costs(chain, order, exact, visits, monitor);
  if (!intervals) return std::nullopt;
  result.costs = std::move(*intervals);
  return result;
}

}  // namespace carl::policy
