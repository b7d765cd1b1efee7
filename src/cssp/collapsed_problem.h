// Problems whose goal need not be reached may go round for ever at no cost, which is failing as well
// and no better than giving up. Solvers look for policies that end, and free loops are in their way:
// so all states of a free end component (see graph/zero_cost_loops.h) count as one, what can be done
// in any of them can be done there, and the policies of that problem are turned into such of the
// original one: in a component they go, for free, to the state whose action is wanted.
//
// What is left may still go round at no primary cost, though not for free. Then the primary cost gets
// a small share of the costs that have bounds: as these are bounded, so is what it adds.
#ifndef CARL_CSSP_COLLAPSED_PROBLEM_H
#define CARL_CSSP_COLLAPSED_PROBLEM_H

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/solve.h"
#include "graph/search_graph.h"
#include "graph/zero_cost_loops.h"
#include "ssp/policy.h"

namespace carl::cssp {

class CollapsedProblem {
 public:
  /// Free is what costs nothing of the primary cost, of those with bounds, and of `others`. Throws
  /// LimitReached.
  CollapsedProblem(Cssp& original, std::size_t threads, Monitor& monitor,
                   const std::vector<std::size_t>& others = {});

  Cssp& cssp() { return *collapsed_; }
  /// What is left goes round at no primary cost, but not for free.
  bool has_loops_at_no_primary_cost(Monitor& monitor) const;
  /// From now on the primary cost of a policy that meets the bounds is more than it is by at most
  /// this share of the largest primary cost of an action.
  void add_share_of_bounds(double share);
  double most_added() const { return added_; }
  /// What a solution says, in terms of the original problem. It has the policies of its mixture.
  void to_original(const SolveOptions& options, Solution& solution);
  /// The same for a policy and its costs.
  void to_original(Policy& policy, std::vector<double>& costs, Monitor& monitor);

 private:
  void number_states();
  std::shared_ptr<Model> build();
  void set_cost(graph::PairId pair);
  void mix(const std::vector<MixtureComponent>& parts, std::vector<ssp::Policy>& policies,
           std::vector<double>& flow, std::vector<graph::PairId>& fallback) const;
  std::vector<MixtureComponent> take_apart(const Policy& policy, Monitor& monitor);
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
  double added_ = 0;           // the most that the primary cost is raised by
  std::vector<double> share_;  // by cost: of it, in the primary cost
  std::vector<double> cost_;   // of the pair at hand
};

}  // namespace carl::cssp

#endif
