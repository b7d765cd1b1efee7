// The options of a solve as types: what can be chosen, the names that users know the choices by,
// and small structs that say which part of the solver uses what. Nothing here is checked before
// solve() or sweep() begins; there everything is, once.
#ifndef CARL_OPTIONS_H
#define CARL_OPTIONS_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carl/error.h"

namespace carl {

enum class Algorithm {
  carl,             // scalarisation
  automatic,        // "auto": what promises to be the fastest
  i_dual,           // heuristic search in the space of occupation measures
  i_dual_textbook,  // the same as it was published, an LP after every step
  i2_dual,          // with the heuristic inside the LP
  lp,               // the occupation-measure LP over all reachable states
  // For problems without bounds, see InnerAlgorithm:
  cg_ilao,
  cg_ilao_paper,
  ilao,
  lrtdp,
  vi
};

/// How CARL looks for multipliers.
enum class OuterAlgorithm {
  bundle,     // cutting planes over policies
  coordinate  // as in the paper
};

/// What CARL solves scalarised problems with.
enum class InnerAlgorithm {
  cg_ilao,        // incremental
  cg_ilao_paper,  // as in the paper
  ilao,
  lrtdp,
  vi
};

/// Lower bounds on costs to go. All but the last two are for factored problems.
enum class HeuristicKind { pdb, landmarks, lmcut, roc, pom, hmax, dijkstra, zero };

enum class HeuristicMode {
  lambda,       // computed for the scalarised costs
  ideal_point,  // one bound per cost
  c_roc         // one bound per cost by ROC under the problem's bounds, for carl and i-dual, which
                // may lose optimality
};

/// What CARL alone uses.
struct CarlOptions {
  OuterAlgorithm outer = OuterAlgorithm::bundle;
  /// Not given: vi for problems that are in memory as a whole or prove to be small, cg-ilao for
  /// others.
  std::optional<InnerAlgorithm> inner;
  /// Coordinate search ends when no coordinate improves L(λ) by more than this, in units of the
  /// primary cost. Not given: 1e-4 of what an action typically costs.
  std::optional<double> eta;
};

/// What heuristic search uses: CARL, the dual methods (all but epsilon) and the algorithms for
/// problems without bounds.
struct SearchOptions {
  /// Not given: hmax for heuristic search, replaced by pdb or landmarks where these say much more;
  /// dijkstra if the problem is not factored; zero for value iteration, lmcut for i-dual, pom for
  /// i2-dual.
  std::optional<HeuristicKind> heuristic;
  /// Not given: lambda, or ideal-point for i-dual. dijkstra and zero are ideal points in any case.
  std::optional<HeuristicMode> heuristic_mode;
  /// Largest Bellman residual at which a search stops at first; tightened until the gap is met. In
  /// units of the primary cost. Not given: 1e-4 of what an action typically costs.
  std::optional<double> epsilon;
};

/// What i-dual and i2-dual alone use.
struct DualOptions {
  /// They end after so many expanded states.
  std::optional<std::size_t> max_expanded;
};

/// An option that cannot be, or an error that an option would mend. Its texts name options in
/// backquotes, `gap` or with a value `algorithm i-dual`, so that a program can put its own names
/// for them there.
class OptionError : public InputError {
 public:
  using InputError::InputError;
};

/// The names of all choices, in the order in which they are listed to users.
const std::vector<std::string>& algorithm_names();
const std::vector<std::string>& outer_names();
const std::vector<std::string>& inner_names();
const std::vector<std::string>& heuristic_names();
const std::vector<std::string>& heuristic_mode_names();

/// "carl", "cg-ilao", "ideal-point", …
std::string_view to_string(Algorithm algorithm);
std::string_view to_string(OuterAlgorithm algorithm);
std::string_view to_string(InnerAlgorithm algorithm);
std::string_view to_string(HeuristicKind heuristic);
std::string_view to_string(HeuristicMode mode);

/// The choice of that name. Throws OptionError with the names that there are.
Algorithm algorithm_named(std::string_view name);
OuterAlgorithm outer_named(std::string_view name);
InnerAlgorithm inner_named(std::string_view name);
HeuristicKind heuristic_named(std::string_view name);
HeuristicMode heuristic_mode_named(std::string_view name);

/// The algorithm for scalarised problems that solves a problem without bounds by itself; none for
/// algorithms that take bounds.
std::optional<InnerAlgorithm> inner_algorithm(Algorithm algorithm);

}  // namespace carl

#endif
