#include "heuristics/make_heuristic.h"

#include <cassert>

#include "heuristics/dijkstra.h"
#include "heuristics/drawn_start.h"
#include "heuristics/pattern_heuristics.h"
#include "heuristics/task_heuristics.h"

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

}  // namespace

bool has_task(const Cssp& cssp) {
  return cssp.model().task_model() != nullptr;
}

bool is_in_memory(const Cssp& cssp) {
  return cssp.model().is_in_memory();
}

bool needs_task(HeuristicKind kind) {
  return kind != HeuristicKind::dijkstra && kind != HeuristicKind::zero;
}

Heuristics::Heuristics(graph::SearchGraph& graph) : graph_(graph) {}
Heuristics::~Heuristics() = default;

const TaskContext& Heuristics::context() {
  if (!context_) context_ = std::make_unique<TaskContext>(graph_.cssp());
  return *context_;
}

std::unique_ptr<Heuristic> Heuristics::make(HeuristicKind kind, HeuristicMode mode,
                                            Monitor& monitor, std::size_t threads) {
  if (kind == HeuristicKind::zero) return std::make_unique<ZeroHeuristic>();
  std::unique_ptr<Heuristic> heuristic = make_plain(kind, mode, monitor, threads);
  if (!has_drawn_start(graph_.cssp())) return heuristic;
  return std::make_unique<DrawnStart>(graph_.cssp(), std::move(heuristic));
}

std::unique_ptr<Heuristic> Heuristics::make_plain(HeuristicKind kind, HeuristicMode mode,
                                                  Monitor& monitor, std::size_t threads) {
  assert(mode != HeuristicMode::c_roc);
  if (kind == HeuristicKind::dijkstra)
    return std::make_unique<DijkstraIdealPoint>(graph_, monitor, threads);
  assert(has_task(graph_.cssp()));
  if (kind == HeuristicKind::pdb && mode == HeuristicMode::ideal_point)
    return std::make_unique<IdealPatternDatabases>(context());
  if (kind == HeuristicKind::pdb) return std::make_unique<LambdaPatternDatabase>(context());
  const EstimatorKind estimator = estimator_kind(kind);
  if (mode == HeuristicMode::ideal_point) return std::make_unique<IdealPoint>(context(), estimator);
  return std::make_unique<LambdaHeuristic>(context(), estimator);
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
