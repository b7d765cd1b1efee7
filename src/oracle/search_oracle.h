// The oracle that searches. One graph, one heuristic and one vector of values serve all questions:
// what a search for some weights has left is the start of the next.
//
// It lasts as long as the model. When bounds of zero or the penalties for giving up change, the
// graph stays and policies stay, with their costs brought up to date; heuristic and values, which
// may rest on what has changed, are made anew.
#ifndef CARL_ORACLE_SEARCH_ORACLE_H
#define CARL_ORACLE_SEARCH_ORACLE_H

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "carl/policy.h"
#include "carl/solve.h"
#include "heuristics/heuristic.h"
#include "heuristics/make_heuristic.h"
#include "oracle/oracle.h"
#include "oracle/strategy.h"
#include "ssp/flow_policy.h"
#include "ssp/policy.h"
#include "ssp/policy_evaluation.h"
#include "ssp/ssp_algorithm.h"

namespace carl::oracle {

class SearchOracle final : public Oracle {
 public:
  /// For options that are valid. Throws LimitReached.
  SearchOracle(Cssp& cssp, const SolveOptions& options, Monitor& monitor,
               const TurnRules& rules = {});
  /// The same with a graph that may be expanded already.
  SearchOracle(std::unique_ptr<graph::SearchGraph> graph, const SolveOptions& options,
               Monitor& monitor, const TurnRules& rules = {});

  Answer ask(std::span<const double> weights) override;
  double bound_nearby(std::span<const double> weights, double negligible_loss) override;
  bool tighten() override;
  std::size_t num_policies() const override { return policies_.size(); }
  const std::vector<double>& costs(PolicyHandle policy) const override {
    return policies_[policy].costs;
  }
  Policy policy(PolicyHandle policy) const override;
  bool is_allowed(PolicyHandle policy) const override { return policies_[policy].allowed; }
  EvaluatedPolicy mix(std::span<const double> mixture) const override;
  std::size_t work() const override { return ssp_->num_q_values(); }
  Monitor& monitor() override { return *monitor_; }

  // --- for whoever looks into values and graph --------------------------------------------------

  /// Makes the values of the last answer strongly ε-consistent; false if a limit ended it.
  bool make_strongly_consistent();
  /// Estimates of the cost-to-go for other weights, from what the last answer has left: exact on the
  /// envelope of its policy, admissible at states that are not expanded.
  std::vector<double> values_for(std::span<const double> weights);
  /// Of flow on the pairs of the graph.
  EvaluatedPolicy policy_of(const std::vector<double>& flow, ssp::Flow kind) const;
  /// As a mixture of deterministic policies, heaviest first; with these if they are asked for.
  std::vector<MixtureComponent> take_apart(const Policy& policy, bool with_policies) const;
  double epsilon() const { return epsilon_; }
  void set_epsilon(double epsilon) { epsilon_ = epsilon; }
  const Cssp& cssp() const { return cssp_; }
  const graph::SearchGraph& graph() const { return *graph_; }
  ssp::ScalarisedSsp& ssp() { return *ssp_; }
  /// Of the problem as it is.
  heuristics::Heuristics& heuristics() { return *heuristics_; }
  /// The one in use: it may change with what a search finds.
  HeuristicKind heuristic() const { return plan_.heuristic; }

  std::size_t num_answers() const { return num_answers_; }
  /// The effort since the solve began.
  void record(Statistics& statistics) const;

  // --- for whoever keeps it ---------------------------------------------------------------------

  /// True if these options leave everything as it is but limits and gap.
  bool serves(const SolveOptions& options) const;
  /// A solve begins: the limits from now on, and the gap that is aimed at. Bounds of zero and
  /// penalties may have changed since the last one. Throws LimitReached.
  void begin(const SolveOptions& options, Monitor& monitor);

 private:
  struct KnownPolicy {
    std::vector<double> costs;
    ssp::Policy policy;
    bool allowed = true;
  };
  /// What graph, heuristic and values were made for.
  struct Conditions {
    explicit Conditions(const Cssp& cssp)
        : zero_costs(cssp.zero_costs()), penalties(cssp.give_up_penalty()) {}
    friend bool operator==(const Conditions&, const Conditions&) = default;

    std::vector<std::size_t> zero_costs;
    std::optional<std::vector<double>> penalties;
  };

  void set_up(const Plan& plan, std::span<const double> weights);
  void adapt_graph();
  void adapt_policies();
  bool solve_scalarised(bool exact);
  void take_turn_of_expansion();
  void switch_to_value_iteration();
  void consider_heuristics();
  bool solve_before_better_pattern(bool exact);
  void record_all(Statistics& statistics) const;
  void record_search(Statistics& statistics) const;
  double attainable_epsilon() const;
  void change_weights(std::span<const double> weights);
  PolicyHandle remember(bool& is_new);
  bool is_final(const Answer& answer, bool asked_again) const;
  std::vector<double> flow_of(std::span<const double> mixture,
                              std::vector<graph::PairId>& fallback) const;
  EvaluatedPolicy evaluated(const std::vector<double>& flow, ssp::Flow kind,
                            const std::vector<graph::PairId>& fallback) const;

  Cssp& cssp_;
  Monitor* monitor_;
  SolveOptions options_;
  Conditions conditions_;
  double epsilon_ = 0;
  double negligible_loss_ = 0;  // of lower bounds
  Plan plan_;
  TurnRules turn_rules_;
  std::unique_ptr<graph::SearchGraph> graph_;
  std::unique_ptr<heuristics::Heuristics> heuristics_;
  std::unique_ptr<heuristics::Heuristic> heuristic_;
  std::unique_ptr<ssp::ScalarisedSsp> ssp_;
  std::unique_ptr<ssp::SspAlgorithm> algorithm_;
  std::vector<KnownPolicy> policies_;
  /// The policy that was evaluated last, for the warm start of the next search.
  ssp::Policy policy_;
  ssp::Evaluation evaluation_;

  StepwiseExpansion expansion_;  // which a search takes turns with
  std::size_t next_turn_;        // the work of the search by then
  std::size_t num_answers_ = 0;
  double last_lower_bound_ = 0;
  double heuristic_seconds_ = 0;
  Statistics abandoned_;  // the effort of searches that were given up
  Statistics before_;     // the effort before the solve at hand
};

}  // namespace carl::oracle

#endif
