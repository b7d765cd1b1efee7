// Policies and results as files, without a disk: written by the solvers' side, read by the other.
#ifndef CARL_TESTS_POLICY_FILES_H
#define CARL_TESTS_POLICY_FILES_H

#include <sstream>
#include <string>

#include "carl/check.h"
#include "carl/io.h"
#include "carl/solve.h"

namespace carl::testing {

inline PolicyFile as_file(const Cssp& cssp, const Policy& policy) {
  std::ostringstream out;
  write_policy(cssp, policy, out);
  Monitor monitor;
  return read_policy_text("policy.json", out.str(), monitor);
}

inline ResultFile as_file(const Cssp& cssp, const Solution& solution) {
  std::ostringstream out;
  write_result(cssp, solution, out);
  return read_result_text("result.json", out.str());
}

/// A policy with what was said about it.
struct Answer {
  Status status = Status::limit;
  PolicyFile policy;
  ResultFile result;
};

inline Answer answer(Cssp& cssp, const SolveOptions& options) {
  Monitor monitor;
  const Solution solution = solve(cssp, options, monitor);
  return {solution.status, as_file(cssp, solution.policy), as_file(cssp, solution)};
}

/// As `carl check` reads a model: nothing is removed because a bound forbids it.
inline CsspOptions for_check(CsspOptions options = {}) {
  options.remove_forbidden_actions = false;
  return options;
}

inline CheckReport check(Cssp& cssp, const PolicyFile& policy, const ResultFile* result = nullptr,
                         const CheckOptions& options = {}) {
  Monitor monitor;
  return check_policy(cssp, policy, result, options, monitor);
}

inline std::string text_of(const CheckReport& report) {
  std::string text;
  for (const Finding& finding : report.findings)
    text += std::string(to_string(finding.kind)) + ": " + finding.state + ": " + finding.what +
            ", expected " + finding.expected + ", found " + finding.found + "\n";
  return text;
}

}  // namespace carl::testing

#endif
