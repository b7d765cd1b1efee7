// Compares what the planner says with what is true. Statements are judged as the documents make
// them: bounds are met within 1e-9 of themselves, "optimal" means a relative gap of at most 1e-4
// between a true lower bound and the cost of the policy, "infeasible" comes with weights that prove
// it.
#ifndef CARL_TESTS_SOAK_JUDGE_H
#define CARL_TESTS_SOAK_JUDGE_H

#include <optional>
#include <string>
#include <vector>

#include "carl/solve.h"
#include "soak/cpu_watch.h"
#include "soak/exact_oracle.h"
#include "soak/problem.h"

namespace carl::soak {

/// One way to solve a problem, and how to say it on the command line.
struct Configuration {
  SolveOptions options;
  std::uint64_t seed = 0;  // of the order of actions

  std::string command() const;
  /// Algorithm and outer search, for counts.
  std::string group() const;
};

/// The ways in which problem `number` is solved: all algorithms, and a choice of heuristics.
std::vector<Configuration> configurations(const Problem& problem, std::uint64_t number);

struct Verdict {
  enum class Kind { right, limit, wrong };
  Kind kind = Kind::right;
  std::string code;  // what is wrong, in a word: "status", "lower bound", …
  std::string text;  // in numbers
};

class Judge {
 public:
  /// `most` as in ExactOracle; complete() tells whether judging is possible.
  explicit Judge(const Problem& problem);

  bool complete() const { return oracle_.complete(); }
  /// What is true, in a word: "optimal", "infeasible", "no-proper-policy", "borderline" (no policy
  /// meets the bounds, but one does within the tolerance).
  std::string truth() const;
  std::string truth_in_numbers() const;

  /// Solves the problem within `seconds` of processor time and judges the answer.
  Verdict verdict(const Configuration& configuration, CpuWatch& watch, double seconds) const;

 private:
  Verdict judge(const Cssp& cssp, const Solution& solution) const;
  Verdict judge_optimal(const Cssp& cssp, const Solution& solution) const;
  Verdict judge_infeasible(const Solution& solution) const;
  Verdict judge_certificate(Cssp& cssp, const Solution& solution, CpuWatch& watch) const;
  Verdict judge_policy(const Cssp& cssp, const Solution& solution) const;

  LoadedProblem problem_;
  Cssp cssp_;  // with forbidden actions
  ExactOracle oracle_;
  ExactOracle::Bounds bounds_;
  bool proper_ = false;
  bool allowed_ = false;
  bool may_refuse_ = false;
  std::optional<ExactOracle::Optimum> optimum_;    // under the bounds
  std::optional<ExactOracle::Optimum> tolerated_;  // under the bounds and their tolerance
};

}  // namespace carl::soak

#endif
