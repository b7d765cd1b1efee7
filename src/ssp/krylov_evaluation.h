// Costs of a policy by Krylov methods, with a bracket around them. A residual says little about an
// error where I - P is ill-conditioned; a super-solution says all: if b > 0 and A B ≥ b, then A x = r
// implies |x| ≤ max(|r|/b)·B, since the inverse of A = I - P has no negative entry. So
//
//  1. W_0 with |A W_0 - b| ≤ η_0 b, η_0 < 1, gives B = W_0 / (1 - η_0),
//  2. costs-to-go W_k with residuals of at most η_k b are exact up to η_k B,
//  3. visits y with residual ρ = e - Aᵀ y, e being the start, give the costs y·c_k = V_k(s0) - ρ·V_k,
//     exact up to Σ |ρ|·(W_k + η_k B): the product of two small numbers, so rough costs-to-go are
//     enough.
//
// Here b is the first cost if that is positive everywhere, else a step counts one. Costs are reported
// at the upper end of their brackets, and only if those are so narrow that nobody can tell them from
// exact ones: beside the cost or, of secondary costs, beside a millionth of a millionth of the largest
// step, or of one if that is less.
#ifndef CARL_SSP_KRYLOV_EVALUATION_H
#define CARL_SSP_KRYLOV_EVALUATION_H

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "ssp/policy_matrix.h"
#include "util/parallel.h"

namespace carl::ssp {

struct KrylovEvaluation {
  std::vector<double> values;  // num_costs per row
  std::vector<double> visits;  // per row
  std::vector<double> costs;   // upper ends of brackets
  std::vector<double> errors;  // widths of brackets: true costs are no less than costs - errors
};

struct KrylovEvaluationOptions {
  /// Of `values`, roughly: residuals in steps.
  double value_tolerance = 1e-4;
  /// The widest bracket, relative to its cost, unless that is next to nothing.
  double widest = 1e-10;
  Monitor* monitor = nullptr;
  /// What to begin with, num_costs per row; nothing if empty.
  std::span<const double> rough_values = {};
};

/// `matrix` is I - P of a policy with rows in the order of `scale`, positive numbers roughly like its
/// values. `costs` holds num_costs per row, none of them negative. Nothing if brackets cannot be made
/// narrow enough, or a limit is reached. If there is something, the policy is proper: those that are not
/// have no super-solution.
std::optional<KrylovEvaluation> evaluate_by_krylov(const Matrix& matrix,
                                                   std::span<const double> scale,
                                                   const std::vector<double>& costs,
                                                   std::size_t num_costs, std::size_t start,
                                                   const Threads& threads,
                                                   const KrylovEvaluationOptions& options = {});

}  // namespace carl::ssp

#endif
