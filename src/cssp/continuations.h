// What it costs to go on from any state, if costs are weighted like this. A problem that is small
// enough is expanded as a whole and solved for all states at once by policy iteration; of others
// there is a search with that state as the initial one.
#ifndef CARL_CSSP_CONTINUATIONS_H
#define CARL_CSSP_CONTINUATIONS_H

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/solve.h"

namespace carl::cssp {

class Continuations {
 public:
  /// Of the problem as it is; its bounds count only where they are zero, which forbids actions.
  Continuations(Cssp& cssp, const SolveOptions& options, std::size_t max_states, Monitor& monitor);
  ~Continuations();
  Continuations(const Continuations&) = delete;
  Continuations& operator=(const Continuations&) = delete;

  /// The expected costs of a policy that is best for these weights, that of the primary cost
  /// positive; none if no policy reaches a goal for certain. Throws LimitReached.
  std::optional<std::vector<double>> from(StateId state, std::span<const double> weights);

 private:
  struct Start;
  struct Whole;
  Start& start_at(StateId state);
  std::optional<std::vector<double>> by_search(StateId state, std::span<const double> weights);

  Cssp& cssp_;
  SolveOptions options_;
  Monitor& monitor_;
  std::unique_ptr<Whole> whole_;  // none if it is too large
  /// The last of them: each may take much memory.
  StateId start_state_;
  std::unique_ptr<Start> start_;
};

}  // namespace carl::cssp

#endif
