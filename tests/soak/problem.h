// The problems of the soak. A number names a problem: its model, explicit or factored, often
// ill-conditioned, and bounds that an exact solver has placed where it hurts, on the edge of what
// is possible and a little off it.
#ifndef CARL_TESTS_SOAK_PROBLEM_H
#define CARL_TESTS_SOAK_PROBLEM_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carl/cssp.h"
#include "soak/exact_oracle.h"
#include "task/task.h"

namespace carl::soak {

struct Problem {
  bool factored = false;
  std::string text;  // PPDDL, or JSON without bounds
  std::vector<std::pair<std::string, double>> bounds;
  std::string form;      // "explicit", "task", …
  std::string features;  // "near-loops wide-costs"
  std::string placing;   // of the bounds: "boundary+1e-6"
};

/// A problem that was read once and can be solved many times, each time as if it were new.
class LoadedProblem {
 public:
  explicit LoadedProblem(const Problem& problem);
  /// Throws InputError for a problem that is refused as a whole.
  Cssp cssp(bool remove_forbidden_actions, std::uint64_t seed = 0) const;

 private:
  std::vector<std::pair<std::string, double>> bounds_;
  std::optional<task::Task> task_;
  std::shared_ptr<Model> explicit_;
};

/// What fits into a moment of exact arithmetic.
inline constexpr ExactOracle::Size most{.states = 24, .pairs = 90};

Problem draw_problem(std::uint64_t number);

}  // namespace carl::soak

#endif
