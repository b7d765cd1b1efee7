// An independent check of a policy, from a file or in memory, against a model. It shares no search,
// no heuristic and no policy evaluation with the solvers: it walks the policy from the initial state
// over Cssp::expand(), finds the strongly connected components of what it reaches, and eliminates
// states one by one.
#ifndef CARL_CHECK_H
#define CARL_CHECK_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/policy.h"
#include "carl/policy_file.h"

namespace carl {

/// What is asked of a policy, in this order.
enum class CheckKind {
  costs,          // a file is about the costs of the model
  states,         // every listed state exists, once
  actions,        // every action exists where it is used
  distributions,  // probabilities are not negative and sum to 1
  closed,         // every state that can be reached is listed or a goal
  proper,         // a goal is reached with probability 1
  visits,         // the expected visits that are claimed
  values,         // the expected costs from states on that are claimed
  covered,        // every state that the file is said to cover is listed
  bounds,         // expected costs are within the bounds
  result,         // what a result file claims
};

/// "closed", "proper", …
std::string_view to_string(CheckKind kind);

/// Something wrong, or (a warning) only superfluous.
struct Finding {
  CheckKind kind = CheckKind::states;
  bool warning = false;
  std::string state;  // empty if it is about the policy as a whole
  std::string what;
  std::string expected;  // may be empty, like the next
  std::string found;
  std::string option = {};  // "bounds": the option that may be to blame; mostly empty
};

struct CheckOptions {
  /// Off for a policy that is a part of a mixture: only the mixture meets the bounds.
  bool bounds = true;
  /// Costs in rational arithmetic as well.
  bool exact = false;
  /// A result with a wider relative gap than this must not call itself optimal.
  double gap = 1e-4;
  /// Listed states that the policy does not reach are looked for among so many states.
  std::size_t max_states = 1'000'000;
  /// Exact elimination is given up for a certificate after this much work.
  std::size_t max_exact_work = 100'000'000;
};

/// A cost computed without rounding: in [lower, upper].
struct ExactCost {
  double lower = 0;
  double upper = 0;
  std::string fraction;  // "4057/150": the value itself, if it is known and not too long
};

struct CheckReport {
  enum class Outcome { passed, failed, skipped };
  struct Line {
    CheckKind kind = CheckKind::states;
    Outcome outcome = Outcome::skipped;
    std::string detail;
  };

  std::vector<Line> lines;  // one per check
  std::vector<Finding> findings;
  std::size_t states = 0;             // reached under the policy
  std::size_t stochastic_states = 0;  // of them
  /// Exact up to rounding; empty if the policy is so wrong that it has no costs.
  std::optional<std::vector<double>> costs;
  double steps = 0;              // expected, if there are costs
  std::vector<ExactCost> exact;  // one per cost if asked for and there are costs
  bool exactly = false;          // exact[i] are single values, found by exact elimination

  /// Nothing wrong; there may be warnings.
  bool holds() const;
};

/// `cssp` must not remove forbidden actions (CsspOptions): what a bound of zero forbids is judged
/// by its cost. `result` may be null. Throws LimitReached.
CheckReport check_policy(Cssp& cssp, const Policy& policy, const ResultFile* result,
                         const CheckOptions& options, Monitor& monitor);
CheckReport check_policy(Cssp& cssp, const PolicyFile& policy, const ResultFile* result,
                         const CheckOptions& options, Monitor& monitor);

}  // namespace carl

#endif
