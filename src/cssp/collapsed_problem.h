// Problems whose goal need not be reached may go round for ever at no cost, which is failing as well
// and no better than giving up. Solvers look for policies that end, and free loops are in their way:
// so all states of a free end component (see graph/zero_cost_loops.h) count as one, what can be done
// in any of them can be done there, and the policies of that problem are turned into such of the
// original one: in a component they go, for free, to the state whose action is wanted.
#ifndef CARL_CSSP_COLLAPSED_PROBLEM_H
#define CARL_CSSP_COLLAPSED_PROBLEM_H

#include <functional>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/solve.h"
#include "graph/search_graph.h"
#include "graph/zero_cost_loops.h"

namespace carl::cssp {

class CollapsedProblem {
 public:
  /// Free is what costs nothing of the primary cost and of those with bounds. Throws LimitReached.
  CollapsedProblem(Cssp& original, std::size_t threads, Monitor& monitor);

  Cssp& cssp() { return *collapsed_; }
  /// What a solution says, in terms of the original problem. It has the policies of its mixture.
  void to_original(const SolveOptions& options, Solution& solution);

 private:
  void number_states();
  std::shared_ptr<Model> build();
  std::vector<graph::PairId> choices(const Policy& policy) const;
  void route(std::uint32_t loop, graph::PairId exit, std::vector<graph::PairId>& choice) const;
  graph::PairId giving_up(StateId s) const;

  Cssp& original_;
  graph::SearchGraph graph_;
  graph::CollapsedLoops loops_;
  std::vector<StateId> number_;      // by original state
  std::vector<StateId> first_;       // the first original state, by state
  std::vector<graph::PairId> pair_;  // the original pair, by action
  std::optional<Cssp> collapsed_;
};

}  // namespace carl::cssp

#endif
