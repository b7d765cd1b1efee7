// What i-dual and i²-dual share (Trevizan, Thiébaux, Santana & Williams, 2016; Trevizan, Thiébaux &
// Haslum, 2017): heuristic search in the space of occupation measures. The LP over the states that
// have been expanded, with lower bounds on what happens beyond the fringe, is solved; the fringe
// states that its flow reaches are expanded; and so on, until the flow reaches none. The LP is a
// relaxation all the time, so then its optimum is that of the CSSP, and if it has no solution,
// neither has the CSSP.
//
// The two methods differ in what they assume about the fringe: see i_dual.cc and i2_dual.cc.
//
// F. Trevizan, S. Thiébaux, P. Santana and B. Williams, "Heuristic search in dual space for
// constrained stochastic shortest path problems", ICAPS 2016. F. Trevizan, S. Thiébaux and P.
// Haslum, "Occupation measure heuristics for probabilistic planning", ICAPS 2017.
#ifndef CARL_CSSP_DUAL_METHOD_H
#define CARL_CSSP_DUAL_METHOD_H

#include <string>
#include <vector>

#include "carl/solve.h"
#include "cssp/growing_lp.h"
#include "graph/proper_region.h"
#include "ssp/policy.h"
#include "ssp/policy_evaluation.h"

namespace carl::cssp {

class DualMethod {
 public:
  virtual ~DualMethod() = default;
  Solution run();

 protected:
  DualMethod(Algorithm algorithm, HeuristicKind heuristic, Cssp& cssp, const SolveOptions& options,
             Monitor& monitor);

  /// What the LP assumes of a state that has not been expanded. Called once per state. Returns
  /// false if no goal can be reached from it; the exit then is giving up, if that is possible.
  virtual bool evaluate(StateId s, GrowingLp::Exit& exit) = 0;
  /// Writes admissible values for the costs weights · C into the entries of all fringe states, from
  /// the duals of the last LP if need be.
  virtual void bound_fringe(std::span<const double> weights, std::vector<double>& values) = 0;
  /// False if evaluate() may exceed what is admissible. Then the LP's end proves nothing by itself:
  /// what is claimed rests on bound_fringe() alone.
  virtual bool is_relaxation() const { return true; }
  virtual void record(Statistics& statistics) const = 0;

  /// Met, not a goal, neither expanded nor known to be a dead end.
  template <class Visit>
  void for_each_fringe_state(Visit visit) const {
    for (std::size_t s = 0; s < graph_.num_states(); ++s)
      if (lp_.contains(StateId(s)) && !graph_.is_expanded(StateId(s)) && !dead_end_[s])
        visit(StateId(s));
  }

  Cssp& cssp_;
  const SolveOptions& options_;
  Monitor& monitor_;
  graph::SearchGraph graph_;
  GrowingLp lp_;
  Solution solution_;

 private:
  void search();
  void discover(StateId s);
  /// Returns the greedy pair, invalid if there is no way on.
  graph::PairId expand(StateId s);
  void expand_ahead(StateId s);
  /// Expands the fringe states of a policy; false if it has none.
  bool expand_fringe(const ssp::Policy& policy);
  ssp::Policy policy_of_solution();

  bool bar_hopeless();
  bool cannot_start() const { return hopeless(graph_.initial_state()); }
  bool hopeless(StateId s) const;
  bool needs_margin(const ssp::Evaluation& evaluation);
  void finish(const ssp::Policy& policy, const ssp::Evaluation& evaluation);
  void set_lower_bound();
  std::vector<double> values_for(std::span<const double> weights);
  /// Proves that the bounds cannot be met. False if that is all there is to say.
  bool explain_infeasibility();
  void end();
  void end_by_size();
  void set_policy_by_giving_up();
  void set_policy_if_feasible(const ssp::Policy& policy, const ssp::Evaluation& evaluation);
  void fail(const char* reason);
  void report(const char* phase, std::size_t iterations) const;

  int steps_between_lps_;
  std::vector<bool> dead_end_;   // by state: no goal can be reached
  graph::ProperRegion region_;   // of the last look for hopeless states
  bool saw_hopeless_ = false;    // a state that was expanded has no way on
  double ignored_flow_ = 0;      // flow below this is noise that leads the policy astray
  int tightenings_ = 0;          // of the bounds, because of rounding
  double initial_estimate_ = 0;  // of the primary cost from the initial state
  GrowingLp::Exit exit_;
};

}  // namespace carl::cssp

#endif
