// Heuristics by what users ask for.
#ifndef CARL_HEURISTICS_MAKE_HEURISTIC_H
#define CARL_HEURISTICS_MAKE_HEURISTIC_H

#include <memory>
#include <optional>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/options.h"
#include "graph/search_graph.h"
#include "heuristics/constrained_roc.h"
#include "heuristics/heuristic.h"

namespace carl::heuristics {

struct TaskContext;

/// True if the problem is a grounded task.
bool has_task(const Cssp& cssp);
/// True if heuristics of grounded tasks apply to it: it is one, or was made of one.
bool has_task_heuristics(const Cssp& cssp);
bool needs_task(HeuristicKind kind);
/// True if all states are in memory from the start; other models may have very many, or no end.
bool is_in_memory(const Cssp& cssp);
/// True if that holds of the problem, or of the one that it was made of: distances are cheap then.
bool has_distances(const Cssp& cssp);

/// The heuristics of one problem, as long as its bounds of zero and penalties stay the same. What
/// they share, the relaxed task, is built once.
class Heuristics {
 public:
  /// For the problem of the graph.
  explicit Heuristics(graph::SearchGraph& graph);
  ~Heuristics();
  Heuristics(const Heuristics&) = delete;
  Heuristics& operator=(const Heuristics&) = delete;

  /// The problem must have a task if the heuristic needs one. The mode c_roc is for ROC alone, and
  /// not admissible. Zero and Dijkstra are ideal points whatever is asked for. Throws LimitReached: some look at the whole problem first, on several
  /// threads if there are (0: one for each processor).
  std::unique_ptr<Heuristic> make(HeuristicKind kind, HeuristicMode mode, Monitor& monitor,
                                  std::size_t threads = 1);
  /// About how many instructions an estimate takes, and making ready for the first one takes some
  /// ten times as many. For heuristics that need a task.
  std::size_t work_per_evaluation(HeuristicKind kind);
  /// C-ROC at the initial state. Empty if the problem is not factored or if it has no solution.
  std::optional<ConstrainedRoc> constrained_roc(Monitor& monitor);

 private:
  const TaskContext& context();
  std::unique_ptr<Heuristic> make_plain(HeuristicKind kind, HeuristicMode mode, Monitor& monitor,
                                        std::size_t threads);

  graph::SearchGraph& graph_;
  std::unique_ptr<Cssp> original_;
  std::unique_ptr<TaskContext> context_;
};

/// One of them alone.
std::unique_ptr<Heuristic> make_heuristic(graph::SearchGraph& graph, HeuristicKind kind,
                                          HeuristicMode mode, Monitor& monitor,
                                          std::size_t threads = 1);

}  // namespace carl::heuristics

#endif
