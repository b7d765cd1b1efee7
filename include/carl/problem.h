// Problems that ask for more than expected costs (see guarantees.h) become such as every algorithm
// knows: guarantees per run by joining states with what has been used, goal probabilities by a cost
// of failing. What is solved, checked, simulated and converted is that problem.
#ifndef CARL_PROBLEM_H
#define CARL_PROBLEM_H

#include <memory>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/solution.h"
#include "carl/solve.h"

namespace carl {

/// What the text and the options ask for; equal ones are one, the strictest. Throws OptionError.
std::vector<Guarantee> guarantees_of(const Model& model, const CsspOptions& options);
/// "P(fuel > 12) ≤ 0.05", "CVaR 0.95 of fuel ≤ 20".
std::string to_string(const Guarantee& guarantee);
/// True if CVaR is among them. Such a problem is as many problems as there are thresholds.
bool has_cvar(const Model& model, const CsspOptions& options);

/// The problem of a model, which may ask for guarantees or not. With `thresholds`, one for each CVaR
/// in order, CVaR of level α at most c is an expected excess over the threshold b of at most
/// (1 - α)·(c - b); a threshold that is no number (NaN) leaves it out. Throws OptionError, also if there are too few thresholds; InputError;
/// LimitReached.
Cssp make_problem(std::shared_ptr<Model> model, const CsspOptions& options, Monitor& monitor,
                  const std::vector<double>& thresholds = {});

/// A solution, and the problem that it is about.
struct SolvedProblem {
  Cssp problem;
  Solution solution;
  std::vector<double> thresholds;  // of CVaR
};

/// As make_problem() and solve(), with a search over the thresholds of CVaR if there are any.
SolvedProblem solve_problem(const std::shared_ptr<Model>& model, const CsspOptions& options,
                            const SolveOptions& solve_options, Monitor& monitor);

/// The thresholds of CVaR that a policy or a certificate is about, by the names of its costs. None if
/// there is no CVaR. Throws InputError if they do not say.
std::vector<double> thresholds_of(const Model& model, const CsspOptions& options,
                                  const std::vector<std::string>& costs);

}  // namespace carl

#endif
