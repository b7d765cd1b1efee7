#include "cssp/validate.h"

#include <fmt/format.h>

#include <cmath>

#include "heuristics/make_heuristic.h"
#include "oracle/strategy.h"

namespace carl::cssp {
namespace {

void require_positive(const char* option, std::optional<double> number) {
  if (number && !(*number > 0 && std::isfinite(*number)))
    throw OptionError(fmt::format("`{}`: {} is not a number above 0", option, *number));
}

void validate_numbers(const SolveOptions& options) {
  if (!(options.gap >= 0))
    throw OptionError(fmt::format("`gap`: {} is not a number of 0 or more", options.gap));
  require_positive("epsilon", options.search.epsilon);
  require_positive("eta", options.carl.eta);
}

/// What looks into the task knows nothing of what has been used.
void refuse_guarantees(const char* who, const Cssp& cssp) {
  if (cssp.model().budget_model() != nullptr)
    throw OptionError(fmt::format("{} knows no guarantees per run", who),
                      "choose carl or i-dual, with any other heuristic");
}

void validate_c_roc(const SearchOptions& search, const Cssp& cssp) {
  if (search.heuristic_mode != HeuristicMode::c_roc) return;
  refuse_guarantees("C-ROC", cssp);
  if (search.heuristic.value_or(HeuristicKind::roc) != HeuristicKind::roc)
    throw OptionError("`heuristic_mode c-roc` goes with the heuristic roc",
                      "leave out `heuristic`, or the mode");
  validate_heuristic(HeuristicKind::roc, cssp);
}

void validate_i_dual(const SearchOptions& search, const Cssp& cssp) {
  const HeuristicKind heuristic = oracle::heuristic_of_i_dual(search, cssp);
  validate_c_roc(search, cssp);
  validate_heuristic(heuristic, cssp);
  // The heuristics that need no task are ideal points in any mode.
  if (search.heuristic_mode == HeuristicMode::lambda && heuristics::needs_task(heuristic))
    throw OptionError("i-dual needs a lower bound for each cost, not one for scalarised costs",
                      "leave out `heuristic_mode lambda`");
}

void validate_i2_dual(const SearchOptions& search, const Cssp& cssp) {
  refuse_guarantees("i2-dual", cssp);
  if (!heuristics::has_task(cssp))
    throw OptionError("i2-dual needs a factored problem", "for other models choose i-dual or carl");
  if (search.heuristic_mode)
    throw OptionError("i2-dual has its heuristic inside the LP and no mode for it",
                      "leave out `heuristic_mode`");
  const HeuristicKind heuristic = oracle::heuristic_of_i2_dual(search);
  if (heuristic != HeuristicKind::pom && heuristic != HeuristicKind::roc)
    throw OptionError(fmt::format("i2-dual cannot build '{}' into its LP", to_string(heuristic)),
                      "choose pom or roc, or `algorithm i-dual`");
}

void validate_others(const SolveOptions& options, const Cssp& cssp) {
  if (inner_algorithm(options.algorithm) && !cssp.constraints().empty())
    throw OptionError(
        fmt::format("'{}' is for problems without bounds", to_string(options.algorithm)),
        "solve this one with `algorithm carl`");
  if (options.algorithm == Algorithm::carl)
    validate_c_roc(options.search, cssp);
  else if (options.search.heuristic_mode == HeuristicMode::c_roc)
    throw OptionError("C-ROC is a heuristic for carl and i-dual alone",
                      "choose `algorithm i-dual`, or one of the modes lambda and ideal-point");
  validate_heuristic(options.search.heuristic, cssp);
}

void validate_deterministic(const SolveOptions& options) {
  const bool is_carl =
      options.algorithm == Algorithm::carl || options.algorithm == Algorithm::automatic;
  if (!is_carl && !inner_algorithm(options.algorithm))
    throw OptionError(fmt::format("'{}' cannot look for policies that toss no coin",
                                  to_string(options.algorithm)),
                      "with `deterministic` choose `algorithm carl`");
  if (is_carl && options.carl.outer == OuterAlgorithm::coordinate)
    throw OptionError("coordinate search has no part in looking for policies that toss no coin",
                      "with `deterministic` leave out `outer coordinate`");
  if (options.search.heuristic_mode == HeuristicMode::c_roc)
    throw OptionError("C-ROC proves nothing of policies that toss no coin",
                      "with `deterministic` leave out `heuristic_mode c-roc`");
}

/// The answers of other algorithms are no answers of an oracle, or not all there is to them.
void validate_checkpoint(const SolveOptions& options) {
  const char* hint = "leave out `checkpoint` and `resume`, or what goes against them";
  if (options.algorithm != Algorithm::carl)
    throw OptionError("checkpoints are for `algorithm carl` alone", hint);
  if (options.carl.outer == OuterAlgorithm::coordinate)
    throw OptionError("coordinate search needs more than checkpoints hold", hint);
  if (options.deterministic) throw OptionError("there are no checkpoints of `deterministic`", hint);
  if (options.search.heuristic_mode == HeuristicMode::c_roc)
    throw OptionError("C-ROC proves nothing that a checkpoint could hold", hint);
}

}  // namespace

void validate(const SolveOptions& options, const Cssp& cssp) {
  validate_numbers(options);
  if (options.checkpoint.enabled()) validate_checkpoint(options);
  if (options.deterministic) validate_deterministic(options);
  if (options.algorithm == Algorithm::i_dual || options.algorithm == Algorithm::i_dual_textbook)
    validate_i_dual(options.search, cssp);
  else if (options.algorithm == Algorithm::i2_dual)
    validate_i2_dual(options.search, cssp);
  else
    validate_others(options, cssp);
}

void validate_for_any_bounds(const SolveOptions& options, const Cssp& cssp) {
  if (options.search.heuristic_mode == HeuristicMode::c_roc)
    throw OptionError("C-ROC is for one set of bounds, not for sweeps and fronts",
                      "choose one of the modes lambda and ideal-point");
  if (options.checkpoint.enabled())
    throw OptionError("there are no checkpoints of sweeps and fronts",
                      "leave out `checkpoint` and `resume`");
  if (options.deterministic)
    throw OptionError("sweeps and fronts are about policies that may toss coins",
                      "solve for one bound after the other, each with `deterministic`");
  validate(options, cssp);
}

void validate_heuristic(std::optional<HeuristicKind> heuristic, const Cssp& cssp) {
  if (heuristic && heuristics::needs_task(*heuristic) && !heuristics::has_task_heuristics(cssp))
    throw OptionError(
        fmt::format("the heuristic '{}' needs a factored problem", to_string(*heuristic)),
        "for other models choose dijkstra or zero");
}

}  // namespace carl::cssp
