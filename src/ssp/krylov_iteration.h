// Policy iteration for large strongly connected components, through which sweeps would carry news one
// step at a time: sweeps over all actions improve the policy, a Krylov method gives its values, as
// exact as the last improvement deserves (see bicgstab.h and incomplete_lu.h; in doubles, since the next
// sweep finds every error). Starts from the values that the choices at hand have for the weights at hand:
// no less than the optimum, so that all policies that follow are proper, too.
//
// Most actions need not be looked at each time: one that was worse than the best by more than values have
// changed against each other since is still worse (local_change.h).
//
// Threads share the states of a sweep in blocks, as many for one thread as for eight: within its own
// block a backup sees what the sweep has changed, of other blocks what was there before it.
//
// M. L. Puterman and S. L. Brumelle, "On the convergence of policy iteration in stationary dynamic
// programming", Mathematics of Operations Research 4, 1979.
#ifndef CARL_SSP_KRYLOV_ITERATION_H
#define CARL_SSP_KRYLOV_ITERATION_H

#include <cstdint>
#include <span>
#include <vector>

#include "carl/monitor.h"
#include "ssp/bicgstab.h"
#include "ssp/consistency.h"
#include "ssp/graph_names.h"
#include "ssp/incomplete_lu.h"
#include "ssp/local_change.h"
#include "ssp/scalarised_ssp.h"

namespace carl::ssp {

class KrylovIteration {
 public:
  explicit KrylovIteration(ScalarisedSsp& ssp);

  /// Gives the values of the choices at hand to the states of a component, with residuals that are by
  /// that factor smaller than before. False if that cannot be done: the choices may never leave the
  /// component. Values are what they were then.
  bool evaluate(std::span<const StateId> component, double factor, Monitor& monitor);

  /// Until the residual is at most ε, and further while that is cheap and of use; or until the loss is
  /// tolerable. Leaves the states sorted by value, as far as that matters. False if some policy could not
  /// be evaluated, or a limit was reached.
  bool solve(std::span<StateId> component, const Consistency& consistency, Monitor& monitor);

  /// Whether the last solve has stopped where its values are good for a policy, and for no bound.
  bool is_for_policy_alone() const { return is_for_policy_alone_; }

 private:
  /// What a sweep has done, in all or in one block.
  struct Sweep {
    double fall = 0;  // of a value, the largest
    double rise = 0;
    double residual = 0;
    std::size_t backups = 0;
    std::size_t q_values = 0;
    LocalChange::Range seen;  // of changes around the state at hand
  };

  /// Where values are, to see how they move.
  struct Place {
    double start = 0;  // the value of the initial state, in this component or not
    double mean = 0;   // of the component's values
  };

  Place place() const;
  bool is_good_enough(double residual, const Consistency& consistency);
  bool solve_for_choices(std::span<const StateId> component, double factor, double least,
                         Monitor& monitor);
  bool add(const std::vector<double>& correction, std::span<const StateId> component,
           double highest);
  void take_on(std::span<const StateId> component);
  double write_down(std::span<const StateId> component);
  void write_row(StateId s);
  double scale_by_values(std::span<const StateId> component);
  double improve(double epsilon, Monitor& monitor);
  double sweep(bool forward, Monitor& monitor);
  Sweep sweep_block(std::size_t begin, std::size_t end, bool forward);
  void back_up(std::size_t i, StateId first, StateId last, Sweep& done);
  template <class Q>
  double find_best(StateId s, const Q& q, Candidate& best) const;
  void sort_by_value(std::span<StateId> component);
  double largest(const std::vector<double>& residual) const;
  void note_change(double largest_fall, double largest_rise) {
    change_ += largest_fall + largest_rise;
  }

  static constexpr std::uint32_t outside = ~std::uint32_t{0};
  ScalarisedSsp& ssp_;
  const Threads& threads_;
  std::span<const StateId> taken_on_;    // the component at hand
  std::vector<StateId> by_number_;       // its states
  std::vector<std::uint32_t> position_;  // state -> its place in the component at hand
  std::vector<double> scale_;            // per position
  std::vector<double> residual_;         // per position: of the choices, scaled
  SparseRows matrix_;                    // of the choices, scaled
  IncompleteLu preconditioner_;
  BiCgStab::Workspace workspace_;
  Place last_place_;  // after the last improvement
  bool is_for_policy_alone_ = false;
  double least_cost_ = 0;          // of the steps that were chosen at the last evaluation
  double change_ = 0;              // of values, in all: their largest falls and rises added up
  double sorted_till_ = 0;         // the order of the component is good while change_ is below
  LocalChange local_change_;       // of states by number
  std::vector<double> safe_till_;  // per state by number: its choice is best while that is below
  std::vector<double> before_;     // per state: its value before the sweep at hand
};

}  // namespace carl::ssp

#endif
