#include "cssp/repair.h"

#include <algorithm>
#include <numeric>

#include "cssp/constraint_weights.h"
#include "graph/q_value.h"
#include "lp/linear_program.h"

namespace carl::cssp {
namespace {

constexpr double close_enough = 1e-8;  // relative: upper and lower bound agree
constexpr double agree = 1e-6;         // relative: they agree well enough to be reported as one
constexpr double least_infeasibility = 1e-11;  // of the scaled master problem
constexpr double first_rho = 1e-3;
// A question that has taught no new policy is asked again, more precisely, no more than so often.
constexpr std::size_t most_repetitions = 3;
constexpr double rho_reduction = 1e-2;
constexpr double least_rho = 1e-13;
constexpr std::size_t most_fruitless = 20;
// Work beyond this is not worth it: in state-action pairs looked at, as a multiple of what solving
// the problem took, and for small problems.
constexpr std::size_t most_work_ratio = 20;
constexpr std::size_t always_allowed_work = 50'000'000;
constexpr double negligible_loss = 1e-12;  // of a lower bound

/// Bounds that grow with t.
struct BoundLine {
  std::vector<double> base;
  std::vector<double> slope;
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

/// The least t that a mixture of known policies attains. Rows are scaled so that their numbers are
/// near one.
class RepairMaster {
 public:
  RepairMaster(const std::vector<std::vector<double>>& costs, const BoundLine& line)
      : costs_(costs), line_(line) {
    for (std::size_t j = 0; j < line.base.size(); ++j) {
      double scale = line.base[j];
      for (const std::vector<double>& cost : costs)
        if (scale == 0) scale = cost[j];
      scale_.push_back(scale > 0 ? scale : 1.0);
    }
  }

  /// False if the solver failed.
  bool solve() {
    if (!run(true)) return false;
    feasible_ = objective_ <= least_infeasibility;
    return !feasible_ || run(false);
  }

  /// Some t is enough for the policies known.
  bool feasible() const { return feasible_; }
  /// Attained by a mixture of them.
  double least() const { return least_; }
  /// One weight per bound. If feasible they prove `least` for these policies, otherwise that there
  /// is none.
  const std::vector<double>& weights() const { return weights_; }

 private:
  bool run(bool relaxed) {
    lp::LinearProgram lp;
    lp.take_numbers_as_they_are();
    const std::size_t n = line_.base.size();
    std::vector<int> rows;
    for (std::size_t j = 0; j < n; ++j) {
      lp.add_row(-lp::infinity, line_.base[j] / scale_[j]);
      rows.push_back(static_cast<int>(j));
    }
    lp.add_row(1.0, 1.0);
    rows.push_back(static_cast<int>(n));
    for (const std::vector<double>& cost : costs_) {
      std::vector<double> column;
      for (std::size_t j = 0; j < n; ++j)
        column.push_back(cost[j] / scale_[j]);
      column.push_back(1.0);
      lp.add_column(0.0, 0.0, lp::infinity, rows, column);
    }
    std::vector<double> slope;
    for (std::size_t j = 0; j < n; ++j)
      slope.push_back(-line_.slope[j] * unit() / scale_[j]);
    lp.add_column(relaxed ? 0.0 : 1.0, 0.0, lp::infinity, std::span(rows).first(n), slope);
    const double minus_one = -1.0;
    for (std::size_t j = 0; relaxed && j < n; ++j)
      if (line_.slope[j] == 0)
        lp.add_column(1.0, 0.0, lp::infinity, {&rows[j], 1}, {&minus_one, 1});
    Monitor unlimited;  // a handful of rows
    if (lp.solve(lp::Method::primal_simplex, unlimited) != lp::Status::optimal) return false;
    objective_ = lp.objective();
    weights_.clear();
    for (std::size_t j = 0; j < n; ++j)
      // Bounds that grow with t are never in the way; what their duals show then is rounding.
      weights_.push_back(relaxed && line_.slope[j] > 0 ? 0.0
                                                       : std::max(0.0, -lp.duals()[j]) / scale_[j]);
    return relaxed || attain(lp.values());
  }

  bool exceeds_zero(const std::vector<double>& cost) const {
    for (std::size_t j = 0; j < cost.size(); ++j)
      if (line_.base[j] == 0 && line_.slope[j] == 0 && cost[j] > 0) return true;
    return false;
  }

  /// Of t, so that its column is near one as well.
  double unit() const {
    double unit = 1;
    for (std::size_t j = 0; j < line_.slope.size(); ++j)
      if (line_.slope[j] > 0) unit = scale_[j] / line_.slope[j];
    return unit;
  }

  /// What the mixture really needs, whatever the solver's arithmetic says. Of a policy that exceeds
  /// a bound of zero not the least share is allowed.
  bool attain(std::span<const double> mixture) {
    std::vector<double> weights;
    for (std::size_t k = 0; k < costs_.size(); ++k)
      weights.push_back(exceeds_zero(costs_[k]) ? 0.0 : std::max(0.0, mixture[k]));
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (sum < 0.5) return false;
    least_ = 0;
    for (std::size_t j = 0; j < line_.slope.size(); ++j) {
      double cost = 0;
      for (std::size_t k = 0; k < costs_.size(); ++k)
        cost += weights[k] / sum * costs_[k][j];
      if (line_.slope[j] > 0) least_ = std::max(least_, (cost - line_.base[j]) / line_.slope[j]);
    }
    return true;
  }

  const std::vector<std::vector<double>>& costs_;
  const BoundLine& line_;
  std::vector<double> scale_;
  bool feasible_ = false;
  double objective_ = 0;
  double least_ = 0;
  std::vector<double> weights_;
};

class RepairSearch {
 public:
  explicit RepairSearch(Lagrangian& lagrangian)
      : lagrangian_(lagrangian),
        most_work_(always_allowed_work + most_work_ratio * lagrangian.oracle().work()) {}

  LeastValue least(const BoundLine& line, double known_lower_bound) {
    line_ = &line;
    least_ = {LeastValue::Verdict::unknown, 0, known_lower_bound};
    rho_ = first_rho;
    fruitless_ = 0;
    repetitions_ = 0;
    while (step()) {
    }
    return least_;
  }

 private:
  /// False when nothing more can be done.
  bool step() {
    learn_costs();
    RepairMaster master(costs_, *line_);
    if (!master.solve()) return false;
    if (master.feasible()) {
      least_.sufficient = least_.verdict == LeastValue::Verdict::unknown
                              ? master.least()
                              : std::min(least_.sufficient, master.least());
      least_.verdict = judge();
      if (least_.sufficient - least_.necessary <= close_enough * least_.sufficient) return false;
    }
    if (lagrangian_.monitor().reached() || lagrangian_.oracle().work() > most_work_) return false;
    return ask(master.weights());
  }

  LeastValue::Verdict judge() const {
    return least_.sufficient - least_.necessary <= agree * least_.sufficient
               ? LeastValue::Verdict::found
               : LeastValue::Verdict::enclosed;
  }

  void learn_costs() {
    for (std::size_t k = costs_.size(); k < lagrangian_.cuts().size(); ++k) {
      std::vector<double>& costs = costs_.emplace_back();
      for (const Bound& bound : lagrangian_.constraints())
        costs.push_back(lagrangian_.cuts()[k].costs[bound.cost]);
    }
  }

  /// Solves the scalarised problem for these weights; a little primary cost keeps it proper.
  bool ask(const std::vector<double>& r) {
    const std::vector<double> r_weights = per_cost(lagrangian_.cssp(), r);
    const std::vector<double>& first = lagrangian_.cuts().front().costs;
    const double r_cost = graph::weighted_cost(first, r_weights);
    std::vector<double> weights = r_weights;
    weights[0] += rho_ * (r_cost > 0 ? r_cost : 1.0) / lagrangian_.primary_scale();
    const Lagrangian::Answer answer = lagrangian_.query_weights(weights);
    if (answer.outcome != Lagrangian::Outcome::answered) return false;
    if (answer.is_new && improves(r, answer.cut)) {
      // The bound is expensive, and the next query will improve it.
      fruitless_ = 0;
      repetitions_ = 0;
      return true;
    }
    const bool learned = learn_bound(r, r_weights);
    if (least_.verdict == LeastValue::Verdict::impossible) return false;
    if (rho_ <= least_rho && ++repetitions_ > most_repetitions) return false;
    if (learned) fruitless_ = 0;
    return refine(answer) || learned;
  }

  /// The policy is better at these weights than all that the master problem knows.
  bool improves(const std::vector<double>& r, std::size_t cut) const {
    const auto cost = [&](std::size_t k) {
      double sum = 0;
      for (std::size_t i = 0; i < r.size(); ++i)
        sum += r[i] * lagrangian_.cuts()[k].costs[lagrangian_.constraints()[i].cost];
      return sum;
    };
    double least = cost(0);
    for (std::size_t k = 0; k < costs_.size(); ++k)
      least = std::min(least, cost(k));
    return cost(cut) < least * (1 - close_enough / 10);
  }

  /// True if that has brought the end nearer.
  bool learn_bound(const std::vector<double>& r, const std::vector<double>& r_weights) {
    const double least_cost = lagrangian_.oracle().bound_nearby(r_weights, negligible_loss);
    const double slope = product(r, line_->slope);
    const double base = product(r, line_->base);
    if (slope <= 0) {
      if (least_cost <= base * (1 + 1e-12)) return false;
      least_.verdict = LeastValue::Verdict::impossible;
      return true;
    }
    const double bound = (least_cost - base) / slope;
    if (bound <= least_.necessary * (1 + close_enough / 10)) return false;
    least_.necessary = bound;
    return true;
  }

  /// The same policy again: either ρ is in the way, or ε.
  bool refine(const Lagrangian::Answer& answer) {
    if (++fruitless_ > most_fruitless) return false;
    if (rho_ > least_rho) {
      rho_ *= rho_reduction;
      return true;
    }
    return !answer.is_final && lagrangian_.oracle().tighten();
  }

  Lagrangian& lagrangian_;
  std::size_t most_work_;
  std::vector<std::vector<double>> costs_;  // of the cuts: one per constraint
  const BoundLine* line_ = nullptr;
  LeastValue least_;
  double rho_ = first_rho;
  std::size_t fruitless_ = 0;
  std::size_t repetitions_ = 0;  // of the same question
};

LeastValue least_alone(RepairSearch& search, const std::vector<Bound>& constraints, std::size_t i) {
  BoundLine line;
  for (std::size_t j = 0; j < constraints.size(); ++j) {
    line.base.push_back(i == j ? 0.0 : constraints[j].upper);
    line.slope.push_back(i == j ? 1.0 : 0.0);
  }
  return search.least(line, constraints[i].upper);
}

Lagrangian::Outcome find_first_policy(Lagrangian& lagrangian) {
  if (!lagrangian.cuts().empty()) return Lagrangian::Outcome::answered;
  return lagrangian.query(std::vector<double>(lagrangian.constraints().size(), 0.0)).outcome;
}

}  // namespace

Repair find_repair(Lagrangian& lagrangian) {
  const Cssp& cssp = lagrangian.cssp();
  const std::vector<Bound>& constraints = lagrangian.constraints();
  RepairSearch search(lagrangian);
  BoundLine all;
  for (const Bound& bound : constraints) {
    all.base.push_back(0);
    all.slope.push_back(bound.upper);
  }
  Repair repair;
  repair.all = search.least(all, 1.0);
  repair.alone.resize(cssp.bounds().size());
  for (std::size_t i = 0; i < constraints.size(); ++i)
    for (std::size_t b = 0; b < cssp.bounds().size(); ++b)
      if (cssp.bounds()[b].cost == constraints[i].cost)
        repair.alone[b] = least_alone(search, constraints, i);
  return repair;
}

std::optional<Repair> find_repair_from_scratch(Lagrangian& lagrangian) {
  const Lagrangian::Outcome outcome = find_first_policy(lagrangian);
  if (outcome == Lagrangian::Outcome::answered) return find_repair(lagrangian);
  if (outcome != Lagrangian::Outcome::no_proper_policy) return std::nullopt;
  // Bounds of zero cut off the goal: no other bound is in the way, and zero stays zero.
  const LeastValue impossible{LeastValue::Verdict::impossible, 0, 0};
  return Repair{std::vector<LeastValue>(lagrangian.cssp().bounds().size(), impossible), impossible};
}

void repair_zero_bounds(std::span<const std::size_t> zero_bounds, Lagrangian& opened,
                        Repair& repair) {
  if (find_first_policy(opened) != Lagrangian::Outcome::answered) return;
  RepairSearch search(opened);
  for (const std::size_t b : zero_bounds)
    repair.alone[b] = least_alone(search, opened.constraints(), b);
}

}  // namespace carl::cssp
