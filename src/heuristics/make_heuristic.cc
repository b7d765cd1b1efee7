#include "heuristics/make_heuristic.h"

#include <cassert>

#include "heuristics/dijkstra.h"
#include "heuristics/drawn_start.h"
#include "heuristics/original_heuristic.h"
#include "heuristics/pattern_heuristics.h"
#include "heuristics/shared_heuristic.h"
#include "heuristics/task_heuristics.h"
#include "model/budget_model.h"

namespace carl::heuristics {
namespace {

EstimatorKind estimator_kind(HeuristicKind kind) {
  switch (kind) {
    case HeuristicKind::landmarks:
      return EstimatorKind::landmarks;
    case HeuristicKind::lmcut:
      return EstimatorKind::lmcut;
    case HeuristicKind::roc:
      return EstimatorKind::roc;
    case HeuristicKind::pom:
      return EstimatorKind::pom;
    case HeuristicKind::hmax:
    case HeuristicKind::pdb:
    case HeuristicKind::dijkstra:
    case HeuristicKind::zero:
      break;
  }
  assert(kind == HeuristicKind::hmax);
  return EstimatorKind::hmax;
}

/// Whether what it says of a state depends on that state alone, and takes some time. Landmarks choose
/// potentials by the states that they are asked about, and linear programs go on from the last solution.
bool can_be_shared(HeuristicKind kind) {
  return kind == HeuristicKind::hmax || kind == HeuristicKind::lmcut;
}

}  // namespace

bool has_task(const Cssp& cssp) {
  return cssp.model().task_model() != nullptr;
}

bool is_in_memory(const Cssp& cssp) {
  return cssp.model().is_in_memory();
}

bool has_task_heuristics(const Cssp& cssp) {
  const BudgetModel* unfolded = cssp.model().budget_model();
  return has_task(unfolded != nullptr ? unfolded->original() : cssp);
}

bool has_distances(const Cssp& cssp) {
  const BudgetModel* unfolded = cssp.model().budget_model();
  return is_in_memory(unfolded != nullptr ? unfolded->original() : cssp);
}

bool needs_task(HeuristicKind kind) {
  return kind != HeuristicKind::dijkstra && kind != HeuristicKind::zero;
}

Heuristics::Heuristics(graph::SearchGraph& graph) : graph_(graph) {}
Heuristics::~Heuristics() = default;

/// Of a problem that was unfolded it is the one of the original: see OriginalHeuristic.
const TaskContext& Heuristics::context() {
  if (context_) return *context_;
  if (const BudgetModel* unfolded = graph_.cssp().model().budget_model())
    original_ = std::make_unique<Cssp>(unfolded->original());
  context_ = std::make_unique<TaskContext>(original_ ? *original_ : graph_.cssp());
  return *context_;
}

std::unique_ptr<Heuristic> Heuristics::make(HeuristicKind kind, HeuristicMode mode,
                                            Monitor& monitor, std::size_t threads) {
  if (kind == HeuristicKind::zero) return std::make_unique<ZeroHeuristic>();
  if (graph_.cssp().model().budget_model() != nullptr)
    return std::make_unique<OriginalHeuristic>(graph_, kind, mode, monitor, threads);
  std::unique_ptr<Heuristic> heuristic = make_plain(kind, mode, monitor, threads);
  if (!has_drawn_start(graph_.cssp())) return heuristic;
  return std::make_unique<DrawnStart>(graph_.cssp(), std::move(heuristic));
}

std::unique_ptr<Heuristic> Heuristics::make_plain(HeuristicKind kind, HeuristicMode mode,
                                                  Monitor& monitor, std::size_t threads) {
  assert(mode != HeuristicMode::c_roc || kind == HeuristicKind::roc);
  if (kind == HeuristicKind::dijkstra)
    return std::make_unique<DijkstraIdealPoint>(graph_, monitor, threads);
  assert(has_task(graph_.cssp()));
  if (kind == HeuristicKind::pdb && mode == HeuristicMode::ideal_point)
    return std::make_unique<IdealPatternDatabases>(context());
  if (kind == HeuristicKind::pdb) return std::make_unique<LambdaPatternDatabase>(context());
  if (mode == HeuristicMode::c_roc)
    return std::make_unique<IdealPoint>(context(), EstimatorKind::constrained_roc);
  const auto make_one = [&, &shared = context()]() -> std::unique_ptr<Heuristic> {
    const EstimatorKind estimator = estimator_kind(kind);
    if (mode == HeuristicMode::ideal_point) return std::make_unique<IdealPoint>(shared, estimator);
    return std::make_unique<LambdaHeuristic>(shared, estimator);
  };
  constexpr SharedHeuristic::LeastWork least_work;
  if (graph_.threads().count() == 1 || !can_be_shared(kind) ||
      work_per_evaluation(kind) < least_work.of_one)
    return make_one();
  return std::make_unique<SharedHeuristic>(make_one, graph_.threads(), least_work);
}

std::size_t Heuristics::work_per_evaluation(HeuristicKind kind) {
  // Looking up takes next to nothing.
  const HeuristicKind base = kind == HeuristicKind::pdb ? HeuristicKind::hmax : kind;
  return work_of(estimator_kind(base), *context().relaxed);
}

std::optional<ConstrainedRoc> Heuristics::constrained_roc(Monitor& monitor) {
  if (!has_task(graph_.cssp())) return std::nullopt;
  return heuristics::constrained_roc(context(), monitor);
}

std::unique_ptr<Heuristic> make_heuristic(graph::SearchGraph& graph, HeuristicKind kind,
                                          HeuristicMode mode, Monitor& monitor,
                                          std::size_t threads) {
  return Heuristics(graph).make(kind, mode, monitor, threads);
}

}  // namespace carl::heuristics
