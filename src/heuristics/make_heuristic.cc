#include "heuristics/make_heuristic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "carl/error.h"
#include "heuristics/dijkstra.h"
#include "heuristics/task_heuristics.h"

namespace carl::heuristics {
namespace {

void require_known(const char* what, const std::string& name,
                   const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw InputError(fmt::format("there is no {} named '{}'", what, name),
                   fmt::format("choose one of: {}", fmt::join(known, ", ")));
}

EstimatorKind estimator_kind(const std::string& name) {
  if (name == "landmarks") return EstimatorKind::landmarks;
  if (name == "lmcut") return EstimatorKind::lmcut;
  if (name == "roc") return EstimatorKind::roc;
  if (name == "pom") return EstimatorKind::pom;
  return EstimatorKind::hmax;
}

}  // namespace

const std::vector<std::string>& heuristic_names() {
  static const std::vector<std::string> names{"landmarks", "lmcut",    "roc", "pom",
                                              "hmax",      "dijkstra", "zero"};
  return names;
}

const std::vector<std::string>& heuristic_mode_names() {
  static const std::vector<std::string> names{"lambda", "ideal-point", "c-roc"};
  return names;
}

bool has_task(const Cssp& cssp) {
  return cssp.model().task_model() != nullptr;
}

bool is_in_memory(const Cssp& cssp) {
  return cssp.model().is_in_memory();
}

std::string default_heuristic(const Cssp& cssp) {
  if (has_task(cssp)) return "hmax";
  return is_in_memory(cssp) ? "dijkstra" : "zero";  // Dijkstra's algorithm needs all states
}

std::unique_ptr<Heuristic> make_heuristic(Cssp& cssp, const std::string& name,
                                          const std::string& mode, Limits& limits,
                                          std::size_t threads) {
  require_known("heuristic", name, heuristic_names());
  if (!mode.empty()) require_known("heuristic mode", mode, heuristic_mode_names());
  if (mode == "c-roc")
    throw InputError("C-ROC is no heuristic for scalarised problems",
                     "it is for --algorithm i-dual; choose lambda or ideal-point");
  if (name == "zero") return std::make_unique<ZeroHeuristic>();
  if (name == "dijkstra") return std::make_unique<DijkstraIdealPoint>(cssp, limits, threads);
  if (!has_task(cssp))
    throw InputError(fmt::format("the heuristic '{}' needs a factored problem", name),
                     "for other models choose dijkstra or zero");
  const TaskContext context(cssp);
  const EstimatorKind kind = estimator_kind(name);
  if (mode == "ideal-point") return std::make_unique<IdealPoint>(context, kind);
  return std::make_unique<LambdaHeuristic>(context, kind);
}

}  // namespace carl::heuristics
