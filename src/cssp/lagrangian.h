// L(λ), the optimal cost of the scalarised SSP less λ·u, and what each evaluation of it teaches:
//
//  - a deterministic policy with exact costs, a cut. The cut C0(π) + λ·(C(π) - u) is an upper
//    support of L whether or not π is optimal for the λ it was found with;
//  - a sound lower bound on L(λ), and so on the optimum of the CSSP, whatever ε the search stopped
//    at.
//
// One search graph, one heuristic and one vector of values serve all evaluations.
#ifndef CARL_CSSP_LAGRANGIAN_H
#define CARL_CSSP_LAGRANGIAN_H

#include <memory>
#include <span>
#include <vector>

#include "carl/solve.h"
#include "cssp/lower_line.h"
#include "heuristics/heuristic.h"
#include "ssp/policy.h"
#include "ssp/policy_evaluation.h"
#include "ssp/ssp_algorithm.h"

namespace carl::cssp {

struct Cut {
  std::vector<double> costs;  // exact expected costs, one per cost of the problem
  ssp::Policy policy;
};

class Lagrangian {
 public:
  Lagrangian(Cssp& cssp, const SolveOptions& options, Monitor& monitor);

  /// Ended by a limit, or proved that there is no proper policy: then there is no answer.
  enum class Outcome { answered, limit, no_proper_policy };
  struct Answer {
    Outcome outcome = Outcome::limit;
    std::size_t cut = 0;       // index into cuts()
    bool is_new = false;       // this policy's costs were not known before
    double lower_bound = 0;    // sound, on the weighted cost of every proper policy
    double weighted_cost = 0;  // of the cut's policy
  };

  /// One multiplier per constraint. The answer's bound and cost are those of [1 λ]·C, without -λ·u.
  Answer query(std::span<const double> multipliers);
  /// The same for any weights of the costs.
  Answer query_weights(std::span<const double> weights);
  /// Makes the values of the last query strongly ε-consistent; false if a limit ended it.
  bool make_strongly_consistent();

  /// Estimates of the cost-to-go for other weights, from what the last query has left: exact on the
  /// envelope of its policy, admissible at states that are not expanded.
  std::vector<double> values_for(std::span<const double> weights);

  /// λ of the query at hand, or of the last one.
  std::vector<double> multipliers() const;
  const std::vector<Cut>& cuts() const { return cuts_; }
  /// Of all queries for multipliers.
  const std::vector<LowerLine>& lower_lines() const { return lower_lines_; }
  const std::vector<Bound>& constraints() const { return cssp_.constraints(); }
  double epsilon() const { return epsilon_; }
  /// Makes later queries more precise; false if they already are as precise as doubles allow.
  bool tighten();
  void set_epsilon(double epsilon) { epsilon_ = epsilon; }

  Cssp& cssp() { return cssp_; }
  const graph::SearchGraph& graph() const { return graph_; }
  ssp::ScalarisedSsp& ssp() { return *ssp_; }
  Monitor& monitor() { return monitor_; }
  std::size_t num_queries() const { return num_queries_; }
  /// The one in use: it may change with what a search finds.
  HeuristicKind heuristic() const { return heuristic_kind_; }
  void record(Statistics& statistics) const;

  /// For the progress line: called by the searches and during queries.
  void set_observer(std::function<void()> observe);

 private:
  void set_up(InnerAlgorithm inner, std::span<const double> weights);
  bool solve_scalarised(bool exact);
  bool switch_to_value_iteration();
  void consider_landmarks();
  void record_search(Statistics& statistics) const;
  double attainable_epsilon() const;
  void change_weights(std::span<const double> weights);
  std::size_t add_cut(const ssp::Policy& policy, const ssp::Evaluation& evaluation, bool& is_new);

  Cssp& cssp_;
  Monitor& monitor_;
  double epsilon_;
  double negligible_loss_;  // of lower bounds
  SolveOptions options_;
  bool may_adapt_ = false;  // should the problem turn out to be large
  Statistics abandoned_;    // the effort of the search before that
  HeuristicKind heuristic_kind_ = HeuristicKind::zero;
  double heuristic_seconds_ = 0;
  graph::SearchGraph graph_;
  std::unique_ptr<heuristics::Heuristic> heuristic_;
  std::unique_ptr<ssp::ScalarisedSsp> ssp_;
  std::unique_ptr<ssp::SspAlgorithm> algorithm_;
  std::vector<Cut> cuts_;
  std::vector<LowerLine> lower_lines_;
  /// The policy that was evaluated last, for the warm start of the next query.
  ssp::Policy policy_;
  ssp::Evaluation evaluation_;
  std::size_t num_queries_ = 0;
  std::function<void()> observe_;
};

}  // namespace carl::cssp

#endif
