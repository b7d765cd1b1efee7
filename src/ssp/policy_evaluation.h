// Exact policy evaluation: the expected costs of a policy are the solution of (I - P) x = C on its
// envelope, one sparse factorization for all cost components (KLU, which orders by strongly
// connected components itself). The transposed system gives the expected visits of each state.
// Factors of a very large component fill in until they no longer fit, and those of a component
// whose states lead anywhere take a time that grows with the cube of their number. There
// Gauss-Seidel comes first (see gauss_seidel.h), and the factorization is for what that cannot
// solve; both heed limits. Where whoever asks has a rough idea of the values, large components are the
// business of Krylov methods, which bracket the costs (see krylov_evaluation.h); what they cannot
// bracket narrowly enough is left to the others. Without such an idea they come before a factorization
// that takes long.
// Every reported cost comes from here, never from values that an iteration stopped at.
#ifndef CARL_SSP_POLICY_EVALUATION_H
#define CARL_SSP_POLICY_EVALUATION_H

#include <cstddef>
#include <vector>

#include "carl/monitor.h"
#include "ssp/graph_names.h"
#include "ssp/policy.h"

namespace carl::ssp {

struct EvaluationOptions {
  /// Policies with more states than this in one component are left to Gauss-Seidel if possible.
  std::size_t largest_factorized_component = 500'000;
  /// So are those whose factorization is expected to take more operations, a tenth of a second's
  /// worth.
  double most_operations = 1e8;
  /// Relative precision that Gauss-Seidel gives to `values`; for the rest it is the best there is.
  double value_tolerance = 1e-13;
  /// If a limit is reached, the policy counts as improper.
  Monitor* monitor = nullptr;
  /// Per state of the graph, roughly like the costs-to-go: makes Krylov methods possible.
  const std::vector<double>* rough_values = nullptr;
  /// Per state num_costs entries, to begin with where Krylov methods look for costs-to-go.
  const std::vector<double>* rough_vectors = nullptr;
  /// They are for policies with at least so many states in one component.
  std::size_t least_for_krylov = 10'000;
  /// There is probably such a component, as in a similar policy before: then nobody looks.
  bool expects_large_component = false;
};

struct Evaluation {
  /// False if some state of the envelope cannot reach a goal; the rest is then empty.
  bool proper = false;
  std::vector<double> costs;   // expected costs from the first state of the policy
  std::vector<double> values;  // costs-to-go, num_costs per state of the policy
  std::vector<double> visits;  // expected visits of each state of the policy
  bool iterated = false;       // solved by Gauss-Seidel
  bool bracketed = false;      // solved by Krylov methods; costs are upper ends of narrow brackets
};

/// The policy's first state is where it starts; an empty policy starts in a goal.
Evaluation evaluate(const SearchGraph& graph, const Policy& policy,
                    const EvaluationOptions& options = {});

}  // namespace carl::ssp

#endif
