#include "oracle/search_oracle.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/zero_cost_loops.h"
#include "ssp/raising.h"
#include "util/rational.h"
#include "util/timer.h"

namespace carl::oracle {
namespace {

constexpr double default_epsilon = 1e-4;
constexpr double tightening = 0.1;
constexpr double least_epsilon = 1e-13;
// Policies whose costs agree to this are the same.
constexpr double same_cost = 1e-10;
// How much of the gap that is asked for, or of the least that makes sense, a bound may waste.
constexpr double share_of_gap = 0.02;
constexpr double least_gap = 1e-10;
// A proof is worth more sweeps than a bound that the next answer may improve.
constexpr std::size_t sweeps_for_a_proof = 2000;

std::vector<double> primary_weights(const Cssp& cssp) {
  std::vector<double> weights(cssp.num_costs(), 0.0);
  weights[0] = 1;
  return weights;
}

}  // namespace

SearchOracle::SearchOracle(Cssp& cssp, const SolveOptions& options, Monitor& monitor,
                           const TurnRules& rules)
    : SearchOracle(std::make_unique<graph::SearchGraph>(cssp, options.threads), options, monitor,
                   rules) {}

SearchOracle::SearchOracle(std::unique_ptr<graph::SearchGraph> graph, const SolveOptions& options,
                           Monitor& monitor, const TurnRules& rules)
    : cssp_(graph->cssp()),
      monitor_(&monitor),
      options_(options),
      conditions_(cssp_),
      turn_rules_(rules),
      graph_(std::move(graph)),
      expansion_(most_states_to_expand, rules),
      next_turn_(expansion_.next_turn(0, false)) {
  begin(options, monitor);
  set_up(first_plan(*graph_, options), primary_weights(cssp_));
}

void SearchOracle::begin(const SolveOptions& options, Monitor& monitor) {
  monitor_ = &monitor;
  options_ = options;
  epsilon_ = options.search.epsilon.value_or(default_epsilon);
  negligible_loss_ = share_of_gap * std::max(options.gap, least_gap);
  tolerate(0, Wanted::bounds);
  before_ = {};
  if (!ssp_) return;
  record_all(before_);
  if (conditions_ == Conditions(cssp_)) return;
  is_as_before_ = false;
  record_search(abandoned_);
  algorithm_.reset();
  ssp_.reset();
  heuristic_.reset();
  heuristics_.reset();
  expansion_ = StepwiseExpansion(most_states_to_expand, turn_rules_);
  next_turn_ = expansion_.next_turn(0, search_is_far_);
  adapt_graph();
  adapt_policies();
  conditions_ = Conditions(cssp_);
  set_up(plan_, primary_weights(cssp_));
}

bool SearchOracle::serves(const SolveOptions& options) const {
  // C-ROC is for one set of bounds.
  if (options.search.heuristic_mode == HeuristicMode::c_roc) return false;
  return options.carl.inner == options_.carl.inner &&
         (options.carl.outer == OuterAlgorithm::coordinate) ==
             (options_.carl.outer == OuterAlgorithm::coordinate) &&
         options.search.heuristic == options_.search.heuristic &&
         options.search.heuristic_mode == options_.search.heuristic_mode &&
         options.seed == options_.seed;
}

/// Where the heuristic saw that no goal can be reached, the graph has giving up alone. If the
/// heuristic left out actions that are allowed now, it may have been wrong, and the graph is of no
/// use.
void SearchOracle::adapt_graph() {
  const std::vector<std::size_t>& forbidden = cssp_.zero_costs();
  const bool allows_more =
      std::any_of(conditions_.zero_costs.begin(), conditions_.zero_costs.end(), [&](std::size_t c) {
        return std::find(forbidden.begin(), forbidden.end(), c) == forbidden.end();
      });
  const std::span<const StateId> expanded = graph_->expanded_states();
  if (allows_more && std::any_of(expanded.begin(), expanded.end(),
                                 [&](StateId s) { return graph_->is_known_dead_end(s); })) {
    policies_.clear();
    graph_ = std::make_unique<graph::SearchGraph>(cssp_, options_.threads);
    return;
  }
  // Giving up is a pair of its own, so with it come and go the ids of pairs.
  if (conditions_.penalties.has_value() != cssp_.give_up_penalty().has_value()) policies_.clear();
  if (conditions_.penalties != cssp_.give_up_penalty()) graph_->give_up_changed();
  graph_->forbid_costs(forbidden);
}

/// Policies that give up cost something else when the penalties change. (Adding the probability of
/// giving up times the change would do, but for the digits that are lost where penalties were much
/// larger before.)
void SearchOracle::adapt_policies() {
  policy_ = {};
  evaluation_ = {};
  const bool costs_change = conditions_.penalties != cssp_.give_up_penalty();
  for (KnownPolicy& known : policies_)
    if (costs_change) known.costs = ssp::evaluate(*graph_, known.policy, costs_and_visits()).costs;
  find_allowed_policies();
}

void SearchOracle::find_allowed_policies() {
  for (KnownPolicy& known : policies_) {
    known.allowed = true;
    for (std::size_t i = 0; i < known.policy.size() && known.allowed; ++i)
      known.allowed = graph_->is_allowed(known.policy.choices(i)[0].pair);
  }
}

void SearchOracle::restrict(std::vector<graph::PairId> forbidden) {
  for (const graph::PairId p : restriction_)
    graph_->allow(p);
  for (const graph::PairId p : forbidden)
    graph_->forbid(p);
  restriction_ = std::move(forbidden);
  if (restriction_.empty()) graph_->forbid_costs(cssp_.zero_costs());  // perhaps no mask at all
  find_allowed_policies();
  is_as_before_ = false;
  ssp_->pairs_changed();
  algorithm_ = ssp::make_ssp_algorithm(plan_.inner, *ssp_, options_.seed);
  algorithm_->weights_changed();  // values are those of other costs, as it were
}

void SearchOracle::set_up(const Plan& plan, std::span<const double> weights) {
  plan_ = plan;
  const PhaseTimer timer(heuristic_seconds_);
  if (!heuristics_) heuristics_ = std::make_unique<heuristics::Heuristics>(*graph_);
  heuristic_ = heuristics_->make(plan.heuristic, plan.mode, *monitor_, options_.threads);
  make_search(weights);
}

/// From nothing but graph and heuristic.
void SearchOracle::make_search(std::span<const double> weights) {
  ssp_ = std::make_unique<ssp::ScalarisedSsp>(*graph_, *heuristic_, weights);
  if (options_.carl.outer != OuterAlgorithm::coordinate) ssp_->use_scalar_residual();
  algorithm_ = ssp::make_ssp_algorithm(plan_.inner, *ssp_, options_.seed);
}

// --- answers --------------------------------------------------------------------------------------

Answer SearchOracle::ask(std::span<const double> weights) {
  const PhaseTimer timer(answer_seconds_);
  const bool same_weights = std::equal(weights.begin(), weights.end(), ssp_->weights().begin());
  const bool same = same_weights && is_as_before_;
  // Who asks the same again has found the values not to be good enough, if they were meant to be.
  const bool again = same && !was_for_policy_alone_;
  is_as_before_ = true;
  was_for_policy_alone_ = false;
  ++num_answers_;
  if (!same_weights) change_weights(weights);
  plan_turns();
  for (bool exact = again;; exact = true) {
    if (!solve_scalarised(exact)) return {};
    graph::reject_zero_cost_loops(*graph_, *monitor_);
    if (ssp_->value(ssp_->initial_state()) == ssp::infinity) {
      if (!ssp_->goal_is_out_of_reach(*monitor_)) return {};
      return {.outcome = Answer::Outcome::no_proper_policy};
    }
    // Values beyond what doubles can hold lead nowhere.
    if (!ssp_->greedy_policy_is_closed()) return {};
    if (!(same && last_policy_will_do(exact))) evaluate(ssp_->greedy_policy(), same);
    if (evaluation_.proper) {
      Answer answer{.outcome = Answer::Outcome::answered};
      answer.policy = remember(answer.is_new);
      answer.weighted_cost = graph::weighted_cost(evaluation_.costs, weights);
      // A bound that the next answer may improve is not worth many sweeps, nor any if nobody wants it.
      const double loss =
          std::max({negligible_loss_, exact ? 0 : tolerable_loss_, algorithm_->accepted_loss()});
      answer.lower_bound =
          ssp::sound_lower_bound(*graph_, weights, ssp_->values(), *monitor_, loss);
      was_for_policy_alone_ = loss == ssp::infinity;
      answer.is_final = is_final(answer, again);
      last_lower_bound_ = answer.lower_bound;
      return answer;
    }
    // At a coarse ε a policy may go round in circles that cost next to nothing.
    if (!tighten()) return {};
  }
}

/// Whether it costs no more than what is tolerated above the values of the same weights, which have become
/// better since: then it was a bound that was asked for.
bool SearchOracle::last_policy_will_do(bool exact) const {
  if (exact || !evaluation_.proper || wanted_ != Wanted::bounds) return false;
  const double value = ssp_->value(ssp_->initial_state());
  return graph::weighted_cost(evaluation_.costs, ssp_->weights()) <= value * (1 + tolerable_loss_);
}

/// It may be the policy of the last answer if the same is asked again.
void SearchOracle::evaluate(ssp::Policy policy, bool may_be_known) {
  if (may_be_known && evaluation_.proper && policy == policy_) return;
  policy_ = std::move(policy);
  evaluation_ = ssp::evaluate(*graph_, policy_,
                              {.value_tolerance = value_tolerance,
                               .monitor = monitor_,
                               .rough_values = &ssp_->values(),
                               .rough_vectors = evaluation_.proper ? &ssp_->vectors() : nullptr,
                               .expects_large_component = evaluation_.bracketed});
}

/// The bound has come as close to the policy as doubles allow, or an exact answer has brought it no
/// nearer than the one before.
bool SearchOracle::is_final(const Answer& answer, bool asked_again) const {
  if (answer.lower_bound >= answer.weighted_cost * (1 - least_epsilon)) return true;
  return asked_again && !answer.is_new &&
         answer.lower_bound <= last_lower_bound_ * (1 + least_epsilon);
}

/// What has been done for other λ does not count before the first turn.
void SearchOracle::plan_turns() {
  if (expansion_.work() == 0) next_turn_ = ssp_->work() + expansion_.next_turn(0, search_is_far_);
  if (!has_looked_) first_look_ = ssp_->work() + turn_rules_.work_before_first_look;
}

/// Where the plan may change, search and expansion take turns: see strategy.h.
bool SearchOracle::solve_scalarised(bool exact) {
  while (plan_.may_change) {
    const std::size_t pause = has_looked_ ? next_turn_ : std::min(first_look_, next_turn_);
    if (algorithm_->solve(consistency(exact, pause), *monitor_)) return true;
    if (monitor_->reached()) return false;
    if (!has_looked_) look_at_heuristics();
    if (ssp_->work() < next_turn_) continue;
    if (expansion_.work() == 0 && !has_considered_ && consider_heuristics()) continue;
    take_turn_of_expansion();
  }
  if (plan_.heuristic == HeuristicKind::pdb && solve_before_better_pattern(exact)) return true;
  return algorithm_->solve(consistency(exact), *monitor_);
}

/// Until it has worked as much as the search. If it is not done by then the search goes on as if
/// nothing had happened, but what has been generated need not be generated again.
void SearchOracle::take_turn_of_expansion() {
  using Outcome = StepwiseExpansion::Outcome;
  const graph::SearchGraph::Bookmark before = graph_->bookmark();
  const std::size_t work_of_search = ssp_->work();
  auto outcome = Outcome::more_to_come;
  while (outcome == Outcome::more_to_come && work_of_search >= next_turn_) {
    outcome = expansion_.take_step(*graph_, *monitor_);
    next_turn_ = expansion_.next_turn(work_of_search, search_is_far_);
  }
  if (outcome == Outcome::whole) return switch_to_value_iteration();
  graph_->return_to(before);
  ssp_->learn_states();
  if (outcome == Outcome::too_large && !monitor_->reached()) plan_.may_change = false;
}

void SearchOracle::switch_to_value_iteration() {
  const std::vector<double> weights(ssp_->weights().begin(), ssp_->weights().end());
  record_search(abandoned_);
  algorithm_.reset();
  ssp_.reset();
  set_up(plan_for_all_states(options_), weights);
}

bool SearchOracle::roc_says_much_more(std::span<const double> weights) {
  if (!plan_.may_change || has_looked_) return false;
  change_weights(weights);
  plan_turns();
  if (algorithm_->solve({.epsilon = epsilon_, .max_work = first_look_}, *monitor_)) return false;
  if (!monitor_->reached()) look_at_heuristics();
  return search_is_far_;
}

/// Null if it is too expensive; with the weights of the search otherwise.
std::unique_ptr<heuristics::Heuristic> SearchOracle::make_if_worth_a_look(HeuristicKind kind) {
  if (!is_worth_a_look(heuristics_->work_per_evaluation(kind), ssp_->work())) return nullptr;
  auto heuristic = heuristics_->make(kind, plan_.mode, *monitor_);
  heuristic->set_weights(ssp_->weights());
  return heuristic;
}

void SearchOracle::look_at_heuristics() {
  has_looked_ = true;
  if (plan_.heuristic != HeuristicKind::hmax) return;
  const PhaseTimer timer(heuristic_seconds_);
  const auto roc = make_if_worth_a_look(HeuristicKind::roc);
  search_is_far_ = roc && says_much_more(*roc, *ssp_);
  auto landmarks = make_if_worth_a_look(HeuristicKind::landmarks);
  if (landmarks && says_much_more(*landmarks, *ssp_))
    go_on_with(HeuristicKind::landmarks, std::move(landmarks));
}

/// True if the search goes on with a heuristic that deserves a turn of its own first.
bool SearchOracle::consider_heuristics() {
  has_considered_ = true;
  if (plan_.heuristic != HeuristicKind::hmax && plan_.heuristic != HeuristicKind::landmarks)
    return false;
  const PhaseTimer timer(heuristic_seconds_);
  auto pdb = make_if_worth_a_look(HeuristicKind::pdb);
  auto landmarks = make_if_worth_a_look(HeuristicKind::landmarks);
  const HeuristicKind better =
      better_heuristic(pdb.get(), landmarks.get(), *ssp_, ssp_->work() / 2, *monitor_);
  if (better == HeuristicKind::hmax || better == plan_.heuristic) return false;
  std::unique_ptr<heuristics::Heuristic>& found = better == HeuristicKind::pdb ? pdb : landmarks;
  // After a change of λ the value of the initial state is not what a search has found out.
  const bool begins_anew = num_answers_ <= 1 && says_more(*found, *ssp_);
  go_on_with(better, std::move(found));
  if (begins_anew) begin_anew();
  return begins_anew;
}

/// What was expanded by a worse heuristic is only in the way of a better one. Should it be needed, it
/// need not be generated again.
void SearchOracle::begin_anew() {
  const std::vector<double> weights(ssp_->weights().begin(), ssp_->weights().end());
  next_turn_ = ssp_->work();
  abandoned_.backups += ssp_->num_backups();
  abandoned_.q_values += ssp_->num_q_values();
  abandoned_.seconds.heuristic += ssp_->heuristic_seconds();
  algorithm_.reset();
  graph_->return_to({});
  make_search(weights);
}

void SearchOracle::go_on_with(HeuristicKind kind,
                              std::unique_ptr<heuristics::Heuristic> heuristic) {
  abandoned_.evaluated += heuristic_->evaluations();
  plan_.heuristic = kind;
  ssp_->change_heuristic(*heuristic);
  heuristic_ = std::move(heuristic);
}

/// A pattern database that is told the weights once more looks for a better pattern if it has been
/// asked often enough. True if that was not necessary.
bool SearchOracle::solve_before_better_pattern(bool exact) {
  if (ssp_->work() >= work_before_better_pattern) return false;
  if (algorithm_->solve(consistency(exact, work_before_better_pattern), *monitor_)) return true;
  if (!monitor_->reached()) ssp_->change_heuristic(*heuristic_);
  return false;
}

bool SearchOracle::tighten() {
  const double value = ssp_->value(ssp_->initial_state());
  if (epsilon_ <= least_epsilon * std::max(1.0, value)) return false;
  epsilon_ *= tightening;
  return true;
}

/// What is asked for one λ, within so much work.
ssp::Consistency SearchOracle::consistency(bool exact, std::size_t max_work) const {
  return {.epsilon = attainable_epsilon(),
          .exact = exact,
          .negligible_loss = negligible_loss_,
          .tolerable_loss = exact ? 0 : tolerable_loss_,
          .for_bounds = wanted_ == Wanted::bounds,
          .max_work = max_work};
}

/// Where multipliers are huge, residuals below ε may be out of reach of doubles.
double SearchOracle::attainable_epsilon() const {
  if (policies_.empty()) return epsilon_;
  return std::max(epsilon_,
                  least_epsilon * graph::weighted_cost(policies_.back().costs, ssp_->weights()));
}

/// Values that are exact for the last policy are a better start than values that a search left
/// unfinished in all but their projection.
void SearchOracle::change_weights(std::span<const double> weights) {
  const std::size_t stride = graph_->num_costs();
  if (evaluation_.proper)
    graph_->threads().for_each(policy_.size(), [&](std::size_t i) {
      ssp_->set_vector(policy_.state(i), std::span(evaluation_.values).subspan(i * stride, stride));
    });
  ssp_->set_weights(weights);
  algorithm_->weights_changed();
}

PolicyHandle SearchOracle::remember(bool& is_new) {
  const auto agree = [](double a, double b) { return std::abs(a - b) <= same_cost * std::abs(a); };
  const auto same = std::find_if(policies_.begin(), policies_.end(), [&](const KnownPolicy& known) {
    return known.allowed &&
           std::equal(known.costs.begin(), known.costs.end(), evaluation_.costs.begin(), agree);
  });
  is_new = same == policies_.end();
  if (!is_new) return static_cast<PolicyHandle>(same - policies_.begin());
  policies_.push_back(
      {.costs = evaluation_.costs, .policy = policy_, .visits = evaluation_.visits});
  // A mixture of policies is mostly one of the last, and of one more than there are bounds.
  const std::size_t num_kept = graph_->num_costs() + 3;
  if (policies_.size() > num_kept) policies_[policies_.size() - num_kept - 1].visits = {};
  return policies_.size() - 1;
}

// --- what the last answer has left ----------------------------------------------------------------

bool SearchOracle::make_strongly_consistent() {
  const PhaseTimer timer(answer_seconds_);
  return algorithm_->solve({.epsilon = epsilon_, .strong = true}, *monitor_);
}

bool SearchOracle::expand(std::span<const StateId> fringe) {
  const PhaseTimer timer(answer_seconds_);
  for (const StateId s : fringe) {
    if (monitor_->reached()) return false;
    if (ssp_->is_fringe(s)) ssp_->expand(s);
  }
  return algorithm_->solve({.epsilon = epsilon_, .strong = true, .exact = true}, *monitor_);
}

std::vector<double> SearchOracle::values_for(std::span<const double> weights) {
  change_weights(weights);
  // What is left of older estimates when costs lose all weight is too little for a proof.
  for (std::size_t s = 0; s < graph_->num_states() && !monitor_->reached(); ++s)
    ssp_->bring_up_to_date(StateId(s));
  return admissible_values(weights);
}

/// λ-ROC in place of C-ROC, which it is admissible beside: the best of its kind for one λ.
std::vector<double> SearchOracle::admissible_values(std::span<const double> weights) {
  std::vector<double> values = ssp_->values();
  if (is_admissible()) return values;
  if (!admissible_)
    admissible_ = heuristics_->make(plan_.heuristic, HeuristicMode::lambda, *monitor_);
  admissible_->set_weights(weights);
  std::vector<double> vector(graph_->num_costs());
  for (std::size_t s = 0; s < values.size(); ++s) {
    if (!ssp_->is_fringe(StateId(s)) || values[s] == ssp::infinity) continue;
    values[s] = 0;
    if (monitor_->reached()) continue;
    const bool hopeful = admissible_->evaluate(StateId(s), vector);
    const bool hopeless = !hopeful && !cssp_.can_give_up();
    values[s] = hopeless ? ssp::infinity : graph::weighted_cost(vector, weights);
  }
  return values;
}

double SearchOracle::proved_bound(std::span<const double> weights) {
  if (!std::equal(weights.begin(), weights.end(), ssp_->weights().begin()) &&
      ask(weights).outcome != Answer::Outcome::answered)
    return 0;
  return ssp::sound_lower_bound(*graph_, weights, admissible_values(weights), *monitor_,
                                negligible_loss_);
}

ssp::SubSolution SearchOracle::prove(std::span<const double> weights, std::vector<double> values,
                                     double negligible_loss) {
  return ssp::make_sub_solution(*graph_, weights, std::move(values), *monitor_,
                                {.negligible_loss = negligible_loss,
                                 .max_sweeps = sweeps_for_a_proof,
                                 .holds_as_written = true});
}

double SearchOracle::bound_nearby(std::span<const double> weights, double negligible_loss,
                                  double target) {
  ssp::SubSolution proof = prove(weights, values_for(weights), negligible_loss);
  if (proof.bound == ssp::infinity) return ssp::infinity;
  if (proof.bound < target && !monitor_->reached()) {
    std::vector<double> values = proof.value;
    for (double& value : values)
      value *= proof.theta;
    ssp::raise_values(*graph_, weights, target, values, *monitor_);
    ssp::SubSolution raised = prove(weights, std::move(values), negligible_loss);
    if (raised.bound > proof.bound) proof = std::move(raised);
  }
  const double start = proof.value[graph_->initial_state().index()];
  return rounded_down(Rational(Rational(proof.theta) * Rational(start)));
}

// --- statistics -----------------------------------------------------------------------------------

void SearchOracle::record(Statistics& statistics) const {
  Statistics all;
  record_all(all);
  statistics.components = all.components;
  statistics.scalarised_ssps += all.scalarised_ssps - before_.scalarised_ssps;
  statistics.evaluated += all.evaluated - before_.evaluated;
  statistics.backups += all.backups - before_.backups;
  statistics.q_values += all.q_values - before_.q_values;
  statistics.lp_solves += all.lp_solves - before_.lp_solves;
  statistics.seconds.heuristic += all.seconds.heuristic - before_.seconds.heuristic;
  statistics.seconds.scalarised_ssps +=
      all.seconds.scalarised_ssps - before_.seconds.scalarised_ssps;
}

/// The effort from the start.
void SearchOracle::record_all(Statistics& statistics) const {
  statistics.scalarised_ssps = num_answers_;
  statistics.components = algorithm_->num_components();
  statistics.evaluated = abandoned_.evaluated;
  statistics.backups = abandoned_.backups;
  statistics.q_values = abandoned_.q_values;
  statistics.lp_solves = abandoned_.lp_solves;
  statistics.seconds.heuristic = heuristic_seconds_ + abandoned_.seconds.heuristic;
  statistics.seconds.scalarised_ssps = answer_seconds_;
  record_search(statistics);
}

/// The effort of the search at hand, on top of what is there.
void SearchOracle::record_search(Statistics& statistics) const {
  statistics.evaluated += heuristic_->evaluations();
  statistics.backups += ssp_->num_backups();
  statistics.q_values += ssp_->num_q_values();
  statistics.lp_solves += heuristic_->lp_solves();
  if (admissible_) {
    statistics.evaluated += admissible_->evaluations();
    statistics.lp_solves += admissible_->lp_solves();
  }
  statistics.seconds.heuristic += ssp_->heuristic_seconds();
}

}  // namespace carl::oracle
