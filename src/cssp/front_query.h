// What a search for a front asks: which policy is best if the costs of the front have these weights
// and the bounds these multipliers, and what line is nobody below? Weights of a front may be zero,
// and the primary cost need not be part of it, but an oracle must not be asked without it: policies
// might go round at no cost for ever. So what has no weight gets a little, ρ, which also breaks ties
// in favour of policies that are not dominated; the line is then proved for the weights as they
// are, with loops that are free for them collapsed (Oracle::bound_nearby). If it passes below the
// policy, ρ was still too much.
#ifndef CARL_CSSP_FRONT_QUERY_H
#define CARL_CSSP_FRONT_QUERY_H

#include <span>
#include <vector>

#include "carl/pareto.h"
#include "cssp/lagrangian.h"

namespace carl::cssp {

class FrontQuery {
 public:
  struct Answer {
    Lagrangian::Outcome outcome = Lagrangian::Outcome::limit;
    bool is_new = false;  // policies were found that had not been known
    ParetoLine line;
  };

  /// `costs` are those of the front.
  FrontQuery(Lagrangian& lagrangian, std::vector<std::size_t> costs)
      : lagrangian_(lagrangian), costs_(std::move(costs)) {}

  /// One weight per cost of the front, one multiplier per constraint. Effort ends when the line is
  /// within `enough` of the policy's weighted cost.
  Answer ask(std::span<const double> weights, std::span<const double> multipliers, double enough);

 private:
  Lagrangian::Answer ask_precisely(std::span<const double> weights, double enough);
  std::vector<double> raised(const std::vector<double>& weights, double rho) const;
  bool needs_raising(const std::vector<double>& weights) const;

  Lagrangian& lagrangian_;
  std::vector<std::size_t> costs_;
};

}  // namespace carl::cssp

#endif
