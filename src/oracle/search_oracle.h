// The oracle that searches. One graph, one heuristic and one vector of values serve all questions:
// what a search for some weights has left is the start of the next.
//
// It lasts as long as the model. When bounds of zero or the penalties for giving up change, the
// graph stays and policies stay, with their costs brought up to date; heuristic and values, which
// may rest on what has changed, are made anew.
#ifndef CARL_ORACLE_SEARCH_ORACLE_H
#define CARL_ORACLE_SEARCH_ORACLE_H

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "carl/policy.h"
#include "carl/solve.h"
#include "heuristics/heuristic.h"
#include "heuristics/make_heuristic.h"
#include "oracle/oracle.h"
#include "oracle/policy_keeper.h"
#include "oracle/strategy.h"
#include "ssp/flow_policy.h"
#include "ssp/policy.h"
#include "ssp/policy_evaluation.h"
#include "ssp/ssp_algorithm.h"
#include "ssp/sub_solution.h"

namespace carl::oracle {

class SearchOracle final : public Oracle, public PolicyKeeper {
 public:
  /// For options that are valid. Throws LimitReached.
  SearchOracle(Cssp& cssp, const SolveOptions& options, Monitor& monitor,
               const TurnRules& rules = {});
  /// The same with a graph that may be expanded already.
  SearchOracle(std::unique_ptr<graph::SearchGraph> graph, const SolveOptions& options,
               Monitor& monitor, const TurnRules& rules = {});

  Answer ask(std::span<const double> weights) override;
  double bound_nearby(std::span<const double> weights, double negligible_loss,
                      double target) override;
  void tolerate(double loss, Wanted wanted) override {
    tolerable_loss_ = loss;
    wanted_ = wanted;
  }
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

  void save(PolicyHandle policy, const std::string& path) override;
  PolicyHandle restore(const std::string& path) override;

  /// Begins with a question, and stops early. True if ROC says much more of it than a search that is
  /// not chosen by the user has found out by then (see strategy.h).
  bool roc_says_much_more(std::span<const double> weights);

  // --- for whoever looks into values and graph --------------------------------------------------

  /// Makes the values of the last answer strongly ε-consistent; false if a limit ended it.
  bool make_strongly_consistent();
  /// Expands fringe states, and makes the values of all expanded states those that they have if
  /// nothing else is; false if a limit ended it.
  bool expand(std::span<const StateId> fringe);
  /// Estimates of the cost-to-go for other weights, from what the last answer has left: exact on the
  /// envelope of its policy, admissible at states that are not expanded.
  std::vector<double> values_for(std::span<const double> weights);
  /// False if the search is guided by C-ROC. Then the lower bounds of answers are what it takes for
  /// true, not sound, and proved_bound() is for who claims something.
  bool is_admissible() const { return plan_.mode != HeuristicMode::c_roc; }
  /// A sound lower bound on the weighted cost of every proper policy, from values for these weights
  /// and an admissible heuristic where the graph is not expanded.
  double proved_bound(std::span<const double> weights);
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

  // --- for whoever branches -----------------------------------------------------------------------

  /// From now on answers are about the policies that use none of these pairs, and about all others
  /// again that a restriction before this one has left out. Values and policies stay.
  void restrict(std::vector<graph::PairId> forbidden);
  const ssp::Policy& policy_on_graph(PolicyHandle policy) const { return policies_[policy].policy; }
  /// The exact costs of a deterministic policy, a pair for every state that it reaches. None if it
  /// is not proper.
  std::optional<std::vector<double>> evaluate(const ssp::Policy& policy) const;
  Policy in_terms_of_actions(const ssp::Policy& policy) const;
  /// The expected departures by each pair if one of the policies is drawn at the start. `fallback`,
  /// one entry per state, becomes what a policy of the mixture does there; together these choices
  /// are proper, too.
  std::vector<double> flow_of(std::span<const double> mixture,
                              std::vector<graph::PairId>& fallback) const;

  // --- for whoever keeps it ---------------------------------------------------------------------

  /// True if these options leave everything as it is but limits and gap.
  bool serves(const SolveOptions& options) const;
  /// A solve begins: the limits from now on, and the gap that is aimed at. Bounds of zero and
  /// penalties may have changed since the last one. Throws LimitReached.
  void begin(const SolveOptions& options, Monitor& monitor);

 private:
  /// Costs-to-go only give the next search a start.
  static constexpr double value_tolerance = 1e-4;

  struct KnownPolicy {
    std::vector<double> costs;
    ssp::Policy policy;
    std::vector<double> visits;  // of its states; none if they are no longer kept
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

  ssp::EvaluationOptions costs_and_visits() const;
  std::vector<double> visits_of(PolicyHandle policy) const;
  void set_up(const Plan& plan, std::span<const double> weights);
  void make_search(std::span<const double> weights);
  void adapt_graph();
  void adapt_policies();
  void find_allowed_policies();
  void plan_turns();
  bool solve_scalarised(bool exact);
  void take_turn_of_expansion();
  void switch_to_value_iteration();
  void look_at_heuristics();
  bool consider_heuristics();
  std::unique_ptr<heuristics::Heuristic> make_if_worth_a_look(HeuristicKind kind);
  void begin_anew();
  void go_on_with(HeuristicKind kind, std::unique_ptr<heuristics::Heuristic> heuristic);
  bool solve_before_better_pattern(bool exact);
  void record_all(Statistics& statistics) const;
  void record_search(Statistics& statistics) const;
  ssp::Consistency consistency(
      bool exact, std::size_t max_work = std::numeric_limits<std::size_t>::max()) const;
  double attainable_epsilon() const;
  void change_weights(std::span<const double> weights);
  ssp::SubSolution prove(std::span<const double> weights, std::vector<double> values,
                         double negligible_loss);
  std::vector<double> admissible_values(std::span<const double> weights);
  ssp::Policy on_graph(const Policy& policy, const std::string& path);
  PolicyHandle remember(bool& is_new);
  bool last_policy_will_do(bool exact) const;
  void evaluate(ssp::Policy policy, bool may_be_known);
  bool is_final(const Answer& answer, bool asked_again) const;
  EvaluatedPolicy evaluated(const std::vector<double>& flow, ssp::Flow kind,
                            const std::vector<graph::PairId>& fallback) const;

  Cssp& cssp_;
  Monitor* monitor_;
  SolveOptions options_;
  Conditions conditions_;
  double epsilon_ = 0;
  double negligible_loss_ = 0;  // of lower bounds
  double tolerable_loss_ = 0;   // the same for now, or of the costs of policies
  Wanted wanted_ = Wanted::bounds;
  Plan plan_;
  TurnRules turn_rules_;
  std::unique_ptr<graph::SearchGraph> graph_;
  std::unique_ptr<heuristics::Heuristics> heuristics_;
  std::unique_ptr<heuristics::Heuristic> heuristic_;
  std::unique_ptr<heuristics::Heuristic> admissible_;  // if that one is not
  std::unique_ptr<ssp::ScalarisedSsp> ssp_;
  std::unique_ptr<ssp::SspAlgorithm> algorithm_;
  std::vector<KnownPolicy> policies_;
  /// The policy that was evaluated last, for the warm start of the next search.
  ssp::Policy policy_;
  ssp::Evaluation evaluation_;

  StepwiseExpansion expansion_;  // which a search takes turns with
  std::size_t next_turn_;        // the work of the search by then
  std::size_t first_look_ = 0;   // and by the first look, if there has been none
  bool has_looked_ = false;
  bool has_considered_ = false;  // other heuristics, on second thoughts
  bool search_is_far_ = false;   // as the first look has told
  std::size_t num_answers_ = 0;
  bool is_as_before_ = false;          // all that the last answer was about, but for weights
  bool was_for_policy_alone_ = false;  // the last answer, whose values are good for no bound
  double last_lower_bound_ = 0;
  std::vector<graph::PairId> restriction_;
  double heuristic_seconds_ = 0;
  double answer_seconds_ = 0;  // searches, with their heuristics
  Statistics abandoned_;       // the effort of searches that were given up
  Statistics before_;          // the effort before the solve at hand
};

}  // namespace carl::oracle

#endif
