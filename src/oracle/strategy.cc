#include "oracle/strategy.h"

#include <algorithm>
#include <vector>

#include "heuristics/make_heuristic.h"
#include "model/task_model.h"

namespace carl::oracle {
namespace {

// When TurnRules::states_before_judging are known, of elevators 0.93 are expanded, of the printer 0.6 to 0.8 with
// 0.06 more for every doubling. Exploding blocks world has 0.24 to 0.58, with millions to come; the
// tireworld has 0.65 to 0.69 at any size, and is searched faster than expanded.
constexpr double share_near_the_end = 0.7;
constexpr double share_on_the_way = 0.55;
constexpr double progress_on_the_way = 0.04;
// Of the memory allowed: before the next judgement it may double, and values take as much again.
constexpr double share_of_memory = 0.25;

// How many times the search's work the expansion does once it is near its end, and how many times
// that, or what the search does, while the search is known to be far from its own.
constexpr std::size_t work_near_the_end = 16;
constexpr std::size_t work_while_search_is_far = 8;
// A step ends early when so many times as many states are expanded as after the one before.
constexpr std::size_t most_growth = 4;

// An outcome of actions with conditional effects takes about so many times as long as another.
constexpr std::size_t work_of_conditions = 3;

// States on which two heuristics are compared, and how many times the value the slower must have.
constexpr std::size_t states_compared = 200;
constexpr double ratio_that_pays = 1.5;
// A look takes some ten times as long as an estimate, and no longer than the search has taken. A
// comparison takes no more than half of what the search has taken.
constexpr std::size_t estimates_of_a_look = 10;
// What a pattern database must say of the initial state, as a share of what the search says.
constexpr double share_that_pays = 0.5;

/// Whether a space is about to close, by the shares of states expanded when that many were known
/// and when half as many were: of one that is about to, most states that are known are expanded
/// already; one that explodes has more and more waiting.
bool closes(double share, double half_way) {
  return share >= share_near_the_end ||
         (share >= share_on_the_way && share >= half_way + progress_on_the_way);
}

bool has_conditional_effects(const Cssp& cssp) {
  const TaskModel* model = cssp.model().task_model();
  return model != nullptr &&
         std::any_of(model->task().actions.begin(), model->task().actions.end(),
                     [](const task::Action& action) { return !action.conditionals.empty(); });
}

HeuristicMode mode_of(const SolveOptions& options) {
  return options.search.heuristic_mode.value_or(HeuristicMode::lambda);
}

/// Half as much again as the values of the search, in the median over some states: as many as the
/// work that may be done allows.
bool says_more_of_fringe(heuristics::Heuristic& other, const ssp::ScalarisedSsp& ssp,
                         std::size_t work, Monitor& monitor) {
  const graph::SearchGraph& graph = ssp.graph();
  std::vector<double> vector(graph.num_costs());
  std::vector<double> ratios;
  const std::size_t known = ssp.values().size();
  const std::size_t most = std::min(states_compared, 1 + work / (1 + other.work_per_evaluation()));
  const std::size_t step = 1 + known / most;
  for (std::size_t s = 0; s < known && !monitor.reached(); s += step) {
    if (!ssp.is_fringe(StateId(s)) || ssp.value(StateId(s)) == 0) continue;
    if (!other.evaluate(StateId(s), vector)) continue;
    ratios.push_back(graph::weighted_cost(vector, ssp.weights()) / ssp.value(StateId(s)));
  }
  if (ratios.empty()) return false;
  const auto median = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), median, ratios.end());
  return *median >= ratio_that_pays;
}

double estimate_of_start(heuristics::Heuristic& heuristic, const ssp::ScalarisedSsp& ssp) {
  std::vector<double> vector(ssp.graph().num_costs());
  const bool hopeful = heuristic.evaluate(ssp.initial_state(), vector);
  return hopeful ? graph::weighted_cost(vector, ssp.weights()) : 0.0;
}

}  // namespace

Plan first_plan(const graph::SearchGraph& graph, const SolveOptions& options) {
  const Cssp& cssp = graph.cssp();
  const bool is_whole =
      heuristics::is_in_memory(cssp) || (graph.num_expanded() > 0 && !options.search.heuristic);
  const InnerAlgorithm inner =
      options.carl.inner.value_or(is_whole ? InnerAlgorithm::vi : InnerAlgorithm::cg_ilao);
  return {inner, heuristic_of(inner, options.search, cssp), mode_of(options),
          !options.carl.inner && !options.search.heuristic &&
              options.search.heuristic_mode != HeuristicMode::c_roc && inner != InnerAlgorithm::vi};
}

Plan plan_for_all_states(const SolveOptions& options) {
  return {InnerAlgorithm::vi, options.search.heuristic.value_or(HeuristicKind::zero),
          mode_of(options), false};
}

StepwiseExpansion::Outcome StepwiseExpansion::take_step(graph::SearchGraph& graph,
                                                        Monitor& monitor) {
  const std::size_t states = std::min(next_states_, most_states_);
  const bool whole = graph.expand_all(monitor, states, most_expanded_);
  work_ = graph.num_outcomes() * graph::work_per_outcome *
          (has_conditional_effects(graph.cssp()) ? work_of_conditions : 1);
  if (whole) return Outcome::whole;
  if (graph.num_states() > most_states_ || monitor.reached() ||
      monitor.share_of_memory_used() > share_of_memory)
    return Outcome::too_large;
  most_expanded_ = most_growth * graph.num_expanded();
  if (graph.num_states() <= states) return Outcome::more_to_come;  // it was not a whole step
  const double share =
      static_cast<double>(graph.num_expanded()) / static_cast<double>(graph.num_states());
  if (states >= rules_.states_before_judging && !closes(share, share_expanded_))
    return Outcome::too_large;
  share_expanded_ = share;
  next_states_ *= 2;
  return Outcome::more_to_come;
}

/// The next step doubles what has been done.
std::size_t StepwiseExpansion::next_turn(std::size_t work_of_search, bool search_is_far) const {
  const bool near_its_end = next_states_ > rules_.states_before_judging;
  const std::size_t share = search_is_far ? work_while_search_is_far : 1;
  if (near_its_end) return work_of_search + work_ / work_near_the_end / share;
  return std::max(rules_.work_before_second_thought, 2 * work_ / share);
}

bool expand_small_space(graph::SearchGraph& graph, Monitor& monitor, std::size_t most_states) {
  StepwiseExpansion expansion(most_states);
  auto outcome = StepwiseExpansion::Outcome::more_to_come;
  while (outcome == StepwiseExpansion::Outcome::more_to_come)
    outcome = expansion.take_step(graph, monitor);
  return outcome == StepwiseExpansion::Outcome::whole;
}

bool is_worth_a_look(std::size_t work_per_evaluation, std::size_t work_of_search) {
  return estimates_of_a_look * work_per_evaluation <= work_of_search;
}

bool says_much_more(heuristics::Heuristic& heuristic, const ssp::ScalarisedSsp& ssp) {
  return estimate_of_start(heuristic, ssp) >= ratio_that_pays * ssp.value(ssp.initial_state());
}

bool says_more(heuristics::Heuristic& heuristic, const ssp::ScalarisedSsp& ssp) {
  return estimate_of_start(heuristic, ssp) > ssp.value(ssp.initial_state());
}

HeuristicKind better_heuristic(heuristics::Heuristic* pdb, heuristics::Heuristic* landmarks,
                               const ssp::ScalarisedSsp& ssp, std::size_t work, Monitor& monitor) {
  // Of the fringe a pattern database may say no more than h-max although it is far better: part of
  // it is where chance has done its work, and h-max is exact.
  const double of_start = pdb != nullptr ? estimate_of_start(*pdb, ssp) : 0.0;
  if (of_start >= share_that_pays * ssp.value(ssp.initial_state()) &&
      (landmarks == nullptr || of_start > estimate_of_start(*landmarks, ssp)))
    return HeuristicKind::pdb;
  if (landmarks == nullptr) return HeuristicKind::hmax;
  return says_more_of_fringe(*landmarks, ssp, work, monitor) ? HeuristicKind::landmarks
                                                             : HeuristicKind::hmax;
}

HeuristicKind default_heuristic(const Cssp& cssp) {
  if (heuristics::has_task_heuristics(cssp)) return HeuristicKind::hmax;
  // Dijkstra's algorithm needs all states.
  return heuristics::has_distances(cssp) ? HeuristicKind::dijkstra : HeuristicKind::zero;
}

HeuristicKind heuristic_of(InnerAlgorithm algorithm, const SearchOptions& search,
                           const Cssp& cssp) {
  if (search.heuristic) return *search.heuristic;
  if (search.heuristic_mode == HeuristicMode::c_roc) return HeuristicKind::roc;
  return algorithm == InnerAlgorithm::vi ? HeuristicKind::zero : default_heuristic(cssp);
}

HeuristicKind heuristic_of_i_dual(const SearchOptions& search, const Cssp& cssp) {
  if (search.heuristic) return *search.heuristic;
  if (search.heuristic_mode == HeuristicMode::c_roc) return HeuristicKind::roc;
  return heuristics::has_task_heuristics(cssp) ? HeuristicKind::lmcut : HeuristicKind::dijkstra;
}

HeuristicKind heuristic_of_i2_dual(const SearchOptions& search) {
  return search.heuristic.value_or(HeuristicKind::pom);
}

}  // namespace carl::oracle
