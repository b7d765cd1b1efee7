#include "studio_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace carl::app {
namespace {

constexpr std::size_t most_remembered = 6;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The word after "(keyword" in a text of Lisp's kind.
std::string named(const std::string& text, const std::string& keyword) {
  for (std::size_t at = 0; (at = text.find("(" + keyword, at)) != std::string::npos; ++at) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n", at + keyword.size() + 1);
    if (begin == std::string::npos || begin == at + keyword.size() + 1) continue;
    const std::size_t end = text.find_first_of(" \t\r\n()", begin);
    if (end != begin) return text.substr(begin, end - begin);
  }
  return "";
}

}  // namespace

std::string title_of(const std::vector<ModelText>& texts) {
  std::string problem;
  std::string domain;
  for (const ModelText& text : texts) {
    if (text.name.ends_with(".json")) continue;
    if (problem.empty()) problem = named(text.text, "problem");
    if (domain.empty()) domain = named(text.text, "domain");
  }
  if (!problem.empty()) return domain.empty() ? problem : fmt::format("{} ({})", problem, domain);
  if (texts.empty()) return "";
  const std::string& name = texts.back().name;
  const std::size_t slash = name.rfind('/');
  std::string file = slash == std::string::npos ? name : name.substr(slash + 1);
  if (file == "model.json" && slash != std::string::npos && slash > 0) {
    const std::string folder = name.substr(0, slash);
    file = folder.substr(folder.rfind('/') + 1);
  }
  return file.substr(0, file.rfind('.'));
}

StudioModel::StudioModel(std::string id, StudioProblem problem, Solver solver)
    : id_(std::move(id)),
      title_(title_of(problem.texts)),
      problem_(std::move(problem)),
      solver_(std::move(solver)),
      written_(solver_.cssp().num_costs(), infinity) {
  for (const Bound& bound : solver_.cssp().bounds())
    written_[bound.cost] = bound.upper;
}

StudioModel::Use::Use(StudioModel& model, Monitor& monitor)
    : model_(model), lock_(model.busy_, std::defer_lock) {
  while (!lock_.try_lock_for(std::chrono::milliseconds(20)))
    if (monitor.reached_now()) throw LimitReached(monitor.kind());
}

void StudioModel::Use::set(const Budgets& budgets) {
  const Cssp& now = model_.solver_.cssp();
  Budgets present(budgets.size(), infinity);
  for (const Bound& bound : now.bounds())
    present[bound.cost] = bound.upper;
  const std::vector<std::string> names = now.cost_names();
  for (std::size_t c = 1; c < budgets.size(); ++c)
    if (budgets[c] != present[c]) model_.solver_.set_bound(names[c], budgets[c]);
}

std::shared_ptr<const Solution> StudioModel::Use::solve(const Budgets& budgets, Monitor& monitor,
                                                        Reasons reasons) {
  set(budgets);
  auto& recent = model_.recent_;
  for (const Answer& answer : recent)
    if (answer.budgets == budgets && (answer.solution->costs || answer.reasons == reasons))
      return answer.solution;
  SolveOptions options;
  options.explain = reasons == Reasons::wanted;
  auto solution = std::make_shared<Solution>(model_.solver_.solve(options, monitor));
  if (solution->status == Status::limit && monitor.kind() == LimitKind::memory) {
    // What has been learnt is what fills it.
    model_.solver_.forget();
    recent.clear();
  }
  if (solution->status == Status::limit || solution->status == Status::interrupted) return solution;
  recent.push_front({budgets, reasons, solution});
  if (recent.size() > most_remembered) recent.pop_back();
  return solution;
}

Sweep StudioModel::Use::sweep(const Budgets& budgets, const SweepRange& range, Monitor& monitor) {
  set(budgets);
  return model_.solver_.sweep(range, std::nullopt, {}, monitor);
}

std::shared_ptr<StudioModel> StudioModels::add(StudioProblem problem, Solver solver) {
  const std::lock_guard lock(mutex_);
  auto model = std::make_shared<StudioModel>(fmt::format("m{}", ++opened_), std::move(problem),
                                             std::move(solver));
  models_.push_front(model);
  while (models_.size() > most_)
    models_.pop_back();
  return model;
}

std::shared_ptr<StudioModel> StudioModels::find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(models_.begin(), models_.end(),
                                  [&](const auto& model) { return model->id() == id; });
  if (found == models_.end()) return nullptr;
  std::rotate(models_.begin(), found, found + 1);
  return models_.front();
}

std::vector<std::shared_ptr<StudioModel>> StudioModels::all() const {
  const std::lock_guard lock(mutex_);
  return {models_.begin(), models_.end()};
}

bool StudioModels::close_oldest() {
  const std::lock_guard lock(mutex_);
  if (models_.size() < 2) return false;
  models_.pop_back();
  return true;
}

}  // namespace carl::app
