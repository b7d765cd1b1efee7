#include "ssp/ssp_algorithm.h"

#include <fmt/format.h>

#include <cassert>

#include "graph/zero_cost_loops.h"
#include "ssp/postcondition.h"
#include "ssp/topological_iteration.h"

namespace carl::ssp {
namespace {

constexpr double tightening = 0.1;
// A policy that is still improper then goes round at no cost at all.
constexpr int most_attempts = 8;
// By how much values may exceed the best Q-value and still count as admissible, in terms of ε.
constexpr double tolerance_of_epsilon = 1e-3;
// Backups per expanded state before all states are solved at once: more than that takes.
constexpr std::size_t backups_before_settling = 100;

// Where rounding errors tell tied actions apart, choices may change for ever, and vectors with
// them. Having settled so many times, a solve looks at scalar values alone.
constexpr int settles_before_ties_are_left_alone = 3;

#ifndef NDEBUG
bool keeps_its_promise(const ScalarisedSsp& ssp, double epsilon) {
  const std::string broken = broken_promise(ssp, epsilon);
  Monitor unlimited;
  if (broken.empty() || !find_zero_cost_loops(ssp.graph(), ssp.weights(), unlimited).empty())
    return true;
  fmt::print(stderr, "solved to {}, but {}\n", epsilon, broken);
  return false;
}
#endif

}  // namespace

bool SspAlgorithm::solve(const Consistency& consistency, Monitor& monitor) {
  const bool scalars_only = ssp_.has_scalar_residual();
  const bool solved = solve_as_asked(consistency, monitor);
  ssp_.use_scalar_residual(scalars_only);
  return solved;
}

bool SspAlgorithm::solve_as_asked(const Consistency& consistency, Monitor& monitor) {
  times_settled_ = 0;
  constexpr std::size_t never = ~std::size_t{0};
  std::size_t settled = never;  // states that were expanded then
  Consistency now = consistency;
  for (int attempt = 0;;) {
    forget_creeping();
    epsilon_ = now.epsilon;
    if (!search(now, monitor)) return false;
    if (ssp_.value(ssp_.initial_state()) == infinity) return true;
    const bool proper = greedy_policy_is_proper(ssp_);
    const bool is_settled = settled == ssp_.graph().num_expanded();
    if (proper && (!consistency.exact || is_settled)) break;
    if (is_settled) {
      if (++attempt == most_attempts) break;
      now.epsilon *= tightening;
    } else {
      // Exact values may have greedy choices that lead to the fringe: a search must follow, however
      // often that has happened.
      if (!settle_exactly(monitor)) return false;
      settled = ssp_.graph().num_expanded();
      weights_changed();  // so do values
    }
  }
  assert(ssp_.is_beyond_doubles() || accepted_loss() > 0 ||
         keeps_its_promise(ssp_, consistency.epsilon));
  return true;
}

bool SspAlgorithm::settle_exactly(Monitor& monitor) {
  if (!settle(tolerance_of_epsilon * epsilon_, monitor)) return false;
  forget_creeping();
  if (++times_settled_ >= settles_before_ties_are_left_alone) ssp_.use_scalar_residual();
  return true;
}

bool SspAlgorithm::settle(double epsilon, Monitor& monitor) {
  using Values = TopologicalIteration::Values;
  TopologicalIteration iteration(ssp_,
                                 ssp_.has_scalar_residual() ? Values::scalars : Values::vectors);
  iteration.resume(monitor);
  return iteration.solve({.epsilon = epsilon, .exact = true}, monitor);
}

bool SspAlgorithm::make_admissible(const Consistency& consistency, Monitor& monitor) {
  const double tolerance = tolerance_of_epsilon * consistency.epsilon;
  // States that others have expanded, or that a limit left just after their expansion.
  for (const StateId s : ssp_.graph().expanded_states())
    if (!ssp_.choice(s).valid() && ssp_.value(s) != infinity) ssp_.assign(s, ssp_.best_pair(s));
  for (bool changed = true; changed;) {
    if (!ssp_.lower_to_best(tolerance, changed, monitor)) return false;
    if (changed && values_creep()) return settle_exactly(monitor);
  }
  return true;
}

bool SspAlgorithm::values_creep() const {
  return ssp_.num_backups() - settled_at_ > backups_before_settling * ssp_.graph().num_expanded();
}

std::unique_ptr<SspAlgorithm> make_ssp_algorithm(InnerAlgorithm algorithm, ScalarisedSsp& ssp,
                                                 std::uint64_t seed) {
  switch (algorithm) {
    case InnerAlgorithm::cg_ilao:
      return make_incremental_cg_ilao(ssp);
    case InnerAlgorithm::cg_ilao_paper:
      return make_cg_ilao(ssp);
    case InnerAlgorithm::ilao:
      return make_ilao(ssp);
    case InnerAlgorithm::lrtdp:
      return make_lrtdp(ssp, seed);
    case InnerAlgorithm::vi:
      break;
  }
  return make_value_iteration(ssp);
}

}  // namespace carl::ssp
