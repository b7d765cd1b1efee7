#include "cssp/lagrangian.h"

#include <algorithm>
#include <cmath>

#include "cssp/constraint_weights.h"
#include "cssp/expand_ahead.h"
#include "graph/small_space.h"
#include "graph/zero_cost_loops.h"
#include "heuristics/make_heuristic.h"
#include "ssp/policy_iteration.h"
#include "ssp/sub_solution.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

constexpr double default_epsilon = 1e-4;
constexpr double tightening = 0.1;
constexpr double least_epsilon = 1e-13;
// Policies whose costs agree to this are the same cut.
constexpr double same_cost = 1e-10;
// A search that ends before it has expanded so many states is not worth worrying about.
constexpr std::size_t states_before_adapting = 2'000;
// States on which two heuristics are compared, and how many times the value the slower must have.
constexpr std::size_t states_compared = 200;
constexpr double ratio_that_pays = 1.5;
// Costs-to-go only give the next search a start.
constexpr double value_tolerance = 1e-4;
// How much of the gap that is asked for, or of the least that makes sense, a bound may waste.
constexpr double share_of_gap = 0.02;
constexpr double least_gap = 1e-10;

HeuristicMode heuristic_mode(const SolveOptions& options) {
  return options.search.heuristic_mode.value_or(HeuristicMode::lambda);
}

}  // namespace

Lagrangian::Lagrangian(Cssp& cssp, const SolveOptions& options, Monitor& monitor)
    : cssp_(cssp),
      monitor_(monitor),
      epsilon_(options.search.epsilon.value_or(default_epsilon)),
      negligible_loss_(share_of_gap * std::max(options.gap, least_gap)),
      options_(options),
      graph_(cssp, options.threads) {
  const InnerAlgorithm inner = options.carl.inner.value_or(
      heuristics::is_in_memory(cssp) ? InnerAlgorithm::vi : InnerAlgorithm::cg_ilao);
  may_adapt_ = !options.carl.inner && !options.search.heuristic && inner != InnerAlgorithm::vi;
  set_up(inner, scalarisation(cssp, {}));
}

void Lagrangian::set_up(InnerAlgorithm inner, std::span<const double> weights) {
  const bool expands_all = inner == InnerAlgorithm::vi;
  heuristic_kind_ = options_.search.heuristic.value_or(
      expands_all ? HeuristicKind::zero : heuristics::default_heuristic(cssp_));
  if (expands_all) expand_ahead(graph_, heuristic_kind_, options_, monitor_);
  const PhaseTimer timer(heuristic_seconds_);
  heuristic_ = heuristics::make_heuristic(graph_, heuristic_kind_, heuristic_mode(options_),
                                          monitor_, options_.threads);
  ssp_ = std::make_unique<ssp::ScalarisedSsp>(graph_, *heuristic_, weights);
  if (options_.carl.outer != OuterAlgorithm::coordinate) ssp_->use_scalar_residual();
  algorithm_ = ssp::make_ssp_algorithm(inner, *ssp_, options_.seed);
  algorithm_->set_observer(observe_);
}

/// A search that discovers few states is left alone. One that does not is worth an attempt to
/// expand everything blindly, and if that fails, a better heuristic.
bool Lagrangian::solve_scalarised(bool exact) {
  if (may_adapt_) {
    if (algorithm_->solve({.epsilon = attainable_epsilon(), .max_expanded = states_before_adapting},
                          monitor_))
      return true;
    if (monitor_.reached()) return false;
    may_adapt_ = false;
    if (!switch_to_value_iteration()) consider_landmarks();
  }
  return algorithm_->solve({.epsilon = attainable_epsilon(), .exact = exact}, monitor_);
}

/// If all states can be expanded. Only for the first problem: later there are policies that refer
/// to the graph.
bool Lagrangian::switch_to_value_iteration() {
  if (num_queries_ > 1) return false;
  graph::SearchGraph whole(cssp_, options_.threads);
  if (!graph::expand_small_space(whole, monitor_)) return false;
  const std::vector<double> weights(ssp_->weights().begin(), ssp_->weights().end());
  record_search(abandoned_);
  graph_ = std::move(whole);
  set_up(InnerAlgorithm::vi, weights);
  return true;
}

/// Landmarks take several times as long as h-max, which pays where they say much more.
void Lagrangian::consider_landmarks() {
  if (heuristic_kind_ != HeuristicKind::hmax) return;
  const PhaseTimer timer(heuristic_seconds_);
  auto landmarks = heuristics::make_heuristic(graph_, HeuristicKind::landmarks,
                                              heuristic_mode(options_), monitor_);
  landmarks->set_weights(ssp_->weights());
  std::vector<double> vector(graph_.num_costs());
  std::vector<double> ratios;
  const std::size_t step = 1 + graph_.num_states() / states_compared;
  for (std::size_t s = 0; s < graph_.num_states() && !monitor_.reached(); s += step) {
    if (!ssp_->is_fringe(StateId(s)) || ssp_->value(StateId(s)) == 0) continue;
    if (!landmarks->evaluate(StateId(s), vector)) continue;
    ratios.push_back(graph::weighted_cost(vector, ssp_->weights()) / ssp_->value(StateId(s)));
  }
  if (ratios.empty()) return;
  const auto median = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), median, ratios.end());
  if (*median < ratio_that_pays) return;
  abandoned_.evaluated += heuristic_->evaluations();
  ssp_->change_heuristic(*landmarks);
  heuristic_ = std::move(landmarks);
  heuristic_kind_ = HeuristicKind::landmarks;
}

void Lagrangian::set_observer(std::function<void()> observe) {
  observe_ = std::move(observe);
  algorithm_->set_observer(observe_);
}

bool Lagrangian::tighten() {
  const double value = ssp_->value(ssp_->initial_state());
  if (epsilon_ <= least_epsilon * std::max(1.0, value)) return false;
  epsilon_ *= tightening;
  return true;
}

/// Where multipliers are huge, residuals below ε may be out of reach of doubles.
double Lagrangian::attainable_epsilon() const {
  if (cuts_.empty()) return epsilon_;
  return std::max(epsilon_,
                  least_epsilon * graph::weighted_cost(cuts_.back().costs, ssp_->weights()));
}

Lagrangian::Answer Lagrangian::query(std::span<const double> multipliers) {
  const Answer answer = query_weights(scalarisation(cssp_, multipliers));
  if (answer.outcome == Outcome::answered)
    lower_lines_.push_back({{multipliers.begin(), multipliers.end()}, answer.lower_bound});
  return answer;
}

/// Values that are exact for the last policy are a better start than values that a search left
/// unfinished in all but their projection.
void Lagrangian::change_weights(std::span<const double> weights) {
  if (evaluation_.proper)
    for (std::size_t i = 0; i < policy_.size(); ++i)
      ssp_->set_vector(
          policy_.state(i),
          std::span(evaluation_.values).subspan(i * graph_.num_costs(), graph_.num_costs()));
  ssp_->set_weights(weights);
  algorithm_->weights_changed();
}

Lagrangian::Answer Lagrangian::query_weights(std::span<const double> weights) {
  // Who asks the same again has found the values not to be good enough.
  const bool same = std::equal(weights.begin(), weights.end(), ssp_->weights().begin());
  const bool again = same && num_queries_ > 0;
  ++num_queries_;
  if (!same) change_weights(weights);
  for (bool exact = again;; exact = true) {
    if (!solve_scalarised(exact)) return {};
    graph::reject_zero_cost_loops(graph_, monitor_);
    if (ssp_->value(ssp_->initial_state()) == ssp::infinity)
      return {.outcome = Outcome::no_proper_policy};
    policy_ = ssp_->greedy_policy();
    evaluation_ =
        ssp::evaluate(graph_, policy_, {.value_tolerance = value_tolerance, .monitor = &monitor_});
    if (evaluation_.proper) {
      Answer answer{.outcome = Outcome::answered};
      answer.cut = add_cut(policy_, evaluation_, answer.is_new);
      answer.weighted_cost = graph::weighted_cost(evaluation_.costs, weights);
      answer.lower_bound =
          ssp::sound_lower_bound(graph_, weights, ssp_->values(), monitor_, negligible_loss_);
      return answer;
    }
    // At a coarse ε a policy may go round in circles that cost next to nothing.
    if (!tighten()) return {};
  }
}

bool Lagrangian::make_strongly_consistent() {
  return algorithm_->solve({.epsilon = epsilon_, .strong = true}, monitor_);
}

std::vector<double> Lagrangian::values_for(std::span<const double> weights) {
  change_weights(weights);
  // What is left of older estimates when costs lose all weight is too little for a proof.
  for (std::size_t s = 0; s < graph_.num_states() && !monitor_.reached(); ++s)
    ssp_->bring_up_to_date(StateId(s));
  return ssp_->values();
}

std::vector<double> Lagrangian::multipliers() const {
  std::vector<double> result;
  for (const Bound& bound : cssp_.constraints())
    result.push_back(ssp_->weights()[bound.cost] - (bound.cost == 0 ? 1.0 : 0.0));
  return result;
}

std::size_t Lagrangian::add_cut(const ssp::Policy& policy, const ssp::Evaluation& evaluation,
                                bool& is_new) {
  const auto same = std::find_if(cuts_.begin(), cuts_.end(), [&](const Cut& cut) {
    return std::equal(
        cut.costs.begin(), cut.costs.end(), evaluation.costs.begin(),
        [](double a, double b) { return std::abs(a - b) <= same_cost * std::abs(a); });
  });
  is_new = same == cuts_.end();
  if (!is_new) return static_cast<std::size_t>(same - cuts_.begin());
  cuts_.push_back({evaluation.costs, policy});
  return cuts_.size() - 1;
}

void Lagrangian::record(Statistics& statistics) const {
  statistics.scalarised_ssps = num_queries_;
  statistics.components = algorithm_->num_components();
  statistics.evaluated = abandoned_.evaluated;
  statistics.backups = abandoned_.backups;
  statistics.q_values = abandoned_.q_values;
  statistics.lp_solves += abandoned_.lp_solves;
  statistics.seconds.heuristic += heuristic_seconds_ + abandoned_.seconds.heuristic;
  record_search(statistics);
}

/// The effort of the search at hand, on top of what is there.
void Lagrangian::record_search(Statistics& statistics) const {
  statistics.evaluated += heuristic_->evaluations();
  statistics.backups += ssp_->num_backups();
  statistics.q_values += ssp_->num_q_values();
  statistics.lp_solves += heuristic_->lp_solves();
  statistics.seconds.heuristic += ssp_->heuristic_seconds();
}

}  // namespace carl::cssp
