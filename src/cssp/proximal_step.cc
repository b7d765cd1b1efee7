#include "cssp/proximal_step.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace carl::cssp {
namespace {

constexpr double first_barrier = 1.0;
constexpr double last_barrier = 1e-11;
constexpr double barrier_reduction = 0.1;
constexpr int newton_steps = 30;
// Multipliers this small (relative to the largest, and to 1) are zeros that the barrier keeps away.
constexpr double rounding = 1e-7;

/// Variables x = (λ, v): minimise |λ - c|²/2t - v - κ (Σ log(f_k + g_k·λ - v) + Σ log λ_i).
class Barrier {
 public:
  Barrier(const std::vector<ScaledCut>& cuts, const std::vector<double>& centre, double t)
      : n_(static_cast<Eigen::Index>(centre.size())),
        g_(static_cast<Eigen::Index>(cuts.size()), n_),
        f_(static_cast<Eigen::Index>(cuts.size())),
        centre_(n_),
        t_(t),
        x_(n_ + 1) {
    for (Eigen::Index i = 0; i < n_; ++i)
      centre_[i] = centre[static_cast<std::size_t>(i)];
    for (Eigen::Index k = 0; k < f_.size(); ++k) {
      const ScaledCut& cut = cuts[static_cast<std::size_t>(k)];
      f_[k] = cut.f;
      for (Eigen::Index i = 0; i < n_; ++i)
        g_(k, i) = cut.g[static_cast<std::size_t>(i)];
    }
    x_.head(n_) = centre_.array().max(0.0) + std::min(1.0, t);
    x_[n_] = (f_ + g_ * x_.head(n_)).minCoeff() - 1.0;
  }

  void minimise(double kappa) {
    for (int step = 0; step < newton_steps; ++step) {
      const Eigen::VectorXd slack = slacks(x_);
      const Eigen::VectorXd inverse = slack.cwiseInverse();
      const Eigen::VectorXd inverse_lambda = x_.head(n_).cwiseInverse();
      Eigen::MatrixXd a(g_.rows(), n_ + 1);  // gradients of the slacks
      a << g_, Eigen::VectorXd::Constant(g_.rows(), -1.0);
      Eigen::VectorXd gradient = -kappa * (a.transpose() * inverse);
      gradient.head(n_) += (x_.head(n_) - centre_) / t_ - kappa * inverse_lambda;
      gradient[n_] -= 1.0;
      Eigen::MatrixXd hessian =
          kappa * (a.transpose() * inverse.array().square().matrix().asDiagonal() * a);
      for (Eigen::Index i = 0; i < n_; ++i)
        hessian(i, i) += 1.0 / t_ + kappa * inverse_lambda[i] * inverse_lambda[i];
      const Eigen::VectorXd direction = hessian.ldlt().solve(-gradient);
      const double decrement = -gradient.dot(direction);
      if (!std::isfinite(decrement) || decrement < 1e-9 * kappa) return;
      if (!line_search(direction, gradient, kappa)) return;
    }
  }

  std::vector<double> multipliers() const {
    std::vector<double> result;
    const double largest = std::max(1.0, x_.head(n_).maxCoeff());
    for (Eigen::Index i = 0; i < n_; ++i)
      result.push_back(x_[i] < rounding * largest ? 0.0 : x_[i]);
    return result;
  }

 private:
  Eigen::VectorXd slacks(const Eigen::VectorXd& x) const {
    return f_ + g_ * x.head(n_) - Eigen::VectorXd::Constant(f_.size(), x[n_]);
  }

  double objective(const Eigen::VectorXd& x, double kappa) const {
    const Eigen::VectorXd slack = slacks(x);
    if (slack.minCoeff() <= 0 || x.head(n_).minCoeff() <= 0)
      return std::numeric_limits<double>::infinity();
    return (x.head(n_) - centre_).squaredNorm() / (2 * t_) - x[n_] -
           kappa * (slack.array().log().sum() + x.head(n_).array().log().sum());
  }

  bool line_search(const Eigen::VectorXd& direction, const Eigen::VectorXd& gradient,
                   double kappa) {
    const double start = objective(x_, kappa);
    const double slope = gradient.dot(direction);
    for (double step = 1.0; step > 1e-12; step /= 2) {
      const Eigen::VectorXd x = x_ + step * direction;
      if (objective(x, kappa) <= start + 0.1 * step * slope) {
        x_ = x;
        return true;
      }
    }
    return false;
  }

  Eigen::Index n_;
  Eigen::MatrixXd g_;
  Eigen::VectorXd f_;
  Eigen::VectorXd centre_;
  double t_;
  Eigen::VectorXd x_;
};

}  // namespace

std::vector<double> proximal_step(const std::vector<ScaledCut>& cuts,
                                  const std::vector<double>& centre, double t) {
  Barrier barrier(cuts, centre, t);
  for (double kappa = first_barrier; kappa >= last_barrier; kappa *= barrier_reduction)
    barrier.minimise(kappa);
  return barrier.multipliers();
}

}  // namespace carl::cssp
