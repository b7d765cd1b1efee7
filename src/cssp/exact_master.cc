#include "cssp/exact_master.h"

#include <algorithm>

#include "util/rational.h"

namespace carl::cssp {
namespace {

// Pivots that gain nothing before Bland's rule takes over.
constexpr int patience = 50;

/// Rows Σ μ_k g_ki - z_i + s_i = 0, one for each constraint, and Σ μ = 1; columns μ, z, s and the
/// right-hand side; below them the reduced costs.
class Tableau {
 public:
  /// `raised`: how far the bounds are raised, in the units of g.
  Tableau(const std::vector<ScaledCut>& cuts, const std::vector<Rational>& raised)
      : n_(raised.size()), num_cuts_(cuts.size()), rows_(n_ + 1), basis_(n_ + 1) {
    for (std::size_t i = 0; i < n_; ++i) {
      std::vector<Rational>& row = rows_[i];
      row.resize(width());
      for (std::size_t k = 0; k < num_cuts_; ++k)
        row[k] = Rational(cuts[k].g[i]) - raised[i];
      row[z(i)] = -1;
      row[slack(i)] = 1;
    }
    rows_[n_].resize(width());
    for (std::size_t k = 0; k < num_cuts_; ++k)
      rows_[n_][k] = 1;
    rows_[n_].back() = 1;
    start_from(least_infeasible());
  }

  std::size_t z(std::size_t i) const { return num_cuts_ + i; }
  std::size_t slack(std::size_t i) const { return num_cuts_ + n_ + i; }

  /// Phase 1; afterwards value(z(i)) is what bound i has to be exceeded by.
  void minimise_infeasibility() {
    std::vector<Rational> costs(width() - 1);
    for (std::size_t i = 0; i < n_; ++i)
      costs[z(i)] = 1;
    minimise(costs);
  }

  /// Phase 2, if phase 1 has ended with zero: the z are out from now on.
  void minimise_primary_cost(const std::vector<ScaledCut>& cuts) {
    for (std::size_t row = 0; row <= n_; ++row)
      if (is_z(basis_[row])) leave(row);
    without_z_ = true;
    std::vector<Rational> costs(width() - 1);
    for (std::size_t k = 0; k < num_cuts_; ++k)
      costs[k] = Rational(cuts[k].f);
    minimise(costs);
  }

  Rational value(std::size_t column) const {
    const auto row = std::find(basis_.begin(), basis_.end(), column);
    return row == basis_.end() ? Rational(0)
                               : rows_[static_cast<std::size_t>(row - basis_.begin())].back();
  }
  Rational objective() const { return -reduced_.back(); }
  /// A slack has no cost, so its reduced cost is the price of its row.
  double multiplier(std::size_t i) const { return to_double(reduced_[slack(i)]); }

 private:
  std::size_t width() const { return num_cuts_ + 2 * n_ + 1; }
  bool is_z(std::size_t column) const { return column >= num_cuts_ && column < num_cuts_ + n_; }

  std::size_t least_infeasible() const {
    std::size_t best = 0;
    Rational least;
    for (std::size_t k = 0; k < num_cuts_; ++k) {
      Rational sum = 0;
      for (std::size_t i = 0; i < n_; ++i)
        if (rows_[i][k] > 0) sum += rows_[i][k];
      if (k > 0 && sum >= least) continue;
      least = sum;
      best = k;
    }
    return best;
  }

  /// The basis of one policy: in each row the slack, or z if the policy exceeds the bound.
  void start_from(std::size_t cut) {
    basis_[n_] = cut;
    for (std::size_t i = 0; i < n_; ++i) {
      const Rational g = rows_[i][cut];
      subtract(rows_[i], g, rows_[n_]);
      basis_[i] = g > 0 ? z(i) : slack(i);
      if (g > 0)
        for (Rational& entry : rows_[i])
          entry = -entry;
    }
  }

  static void subtract(std::vector<Rational>& from, const Rational& factor,
                       const std::vector<Rational>& row) {
    if (factor == 0) return;
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) from[j] -= factor * row[j];
  }

  void minimise(const std::vector<Rational>& costs) {
    reduced_ = costs;
    reduced_.emplace_back(0);
    for (std::size_t row = 0; row <= n_; ++row)
      subtract(reduced_, Rational(costs[basis_[row]]), rows_[row]);
    int fruitless = 0;
    while (true) {
      const std::size_t column = entering(fruitless > patience);
      if (column == width()) return;
      const std::size_t row = leaving(column);
      fruitless = rows_[row].back() == 0 ? fruitless + 1 : 0;
      pivot(row, column);
    }
  }

  /// The most negative reduced cost, or the first that is negative; width() if there is none.
  std::size_t entering(bool first) const {
    std::size_t best = width();
    for (std::size_t j = 0; j + 1 < width(); ++j) {
      if (reduced_[j] >= 0 || (without_z_ && is_z(j))) continue;
      if (best == width() || reduced_[j] < reduced_[best]) best = j;
      if (first) break;
    }
    return best;
  }

  /// The weights are bounded and costs are not negative, so there always is one.
  std::size_t leaving(std::size_t column) const {
    std::size_t best = rows_.size();
    Rational least;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (rows_[row][column] <= 0) continue;
      const Rational ratio = rows_[row].back() / rows_[row][column];
      if (best < rows_.size() && (ratio > least || (ratio == least && basis_[row] > basis_[best])))
        continue;
      best = row;
      least = ratio;
    }
    return best;
  }

  /// Takes a variable that is zero out of the basis. Its row always has an entry to do that with:
  /// its own slack, if nothing else.
  void leave(std::size_t row) {
    for (std::size_t j = 0; j + 1 < width(); ++j)
      if (!is_z(j) && rows_[row][j] != 0) return pivot(row, j);
  }

  void pivot(std::size_t row, std::size_t column) {
    const Rational divisor = rows_[row][column];
    for (Rational& entry : rows_[row])
      if (entry != 0) entry /= divisor;
    for (std::size_t other = 0; other < rows_.size(); ++other)
      if (other != row) subtract(rows_[other], Rational(rows_[other][column]), rows_[row]);
    if (!reduced_.empty()) subtract(reduced_, Rational(reduced_[column]), rows_[row]);
    basis_[row] = column;
  }

  std::size_t n_;
  std::size_t num_cuts_;
  std::vector<std::vector<Rational>> rows_;
  std::vector<std::size_t> basis_;  // the basic column of each row
  std::vector<Rational> reduced_;
  bool without_z_ = false;
};

std::vector<double> multipliers_of(const Tableau& tableau, std::size_t n) {
  std::vector<double> multipliers;
  for (std::size_t i = 0; i < n; ++i)
    multipliers.push_back(tableau.multiplier(i));
  return multipliers;
}

}  // namespace

MasterSolution solve_master_exactly(const std::vector<ScaledCut>& cuts,
                                    const std::vector<double>& tolerance) {
  const std::size_t n = tolerance.size();
  MasterSolution solution;
  std::vector<Rational> exceeded(n);
  {
    Tableau tableau(cuts, exceeded);
    tableau.minimise_infeasibility();
    solution.infeasibility = to_double(tableau.objective());
    solution.feasible = true;
    for (std::size_t i = 0; i < n; ++i) {
      exceeded[i] = tableau.value(tableau.z(i));
      solution.feasible &= exceeded[i] <= tolerance[i];
    }
    solution.multipliers = multipliers_of(tableau, n);
  }
  if (!solution.feasible) return solution;
  Tableau tableau(cuts, exceeded);
  tableau.minimise_infeasibility();
  tableau.minimise_primary_cost(cuts);
  solution.objective = to_double(tableau.objective());
  for (std::size_t k = 0; k < cuts.size(); ++k)
    solution.mixture.push_back(to_double(tableau.value(k)));
  solution.multipliers = multipliers_of(tableau, n);
  return solution;
}

}  // namespace carl::cssp
