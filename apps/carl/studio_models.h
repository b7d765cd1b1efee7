// The problems that a studio has open: each with its text, and a Solver that keeps what it has
// learnt, so that the next question about other bounds is answered from it. Problems are used by one
// request at a time; the least recently used are closed when there are too many.
#ifndef CARL_APPS_STUDIO_MODELS_H
#define CARL_APPS_STUDIO_MODELS_H

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "carl/io.h"
#include "carl/monitor.h"
#include "carl/question.h"
#include "carl/solver.h"

namespace carl::app {

/// A problem to be opened: its texts, and what was asked of it on the command line.
struct StudioProblem {
  std::vector<ModelText> texts;
  CsspOptions options = {};
  LoadOptions load = {};
  std::optional<PropertyText> property = {};
};

/// An upper bound for each cost, infinity where there is none.
using Budgets = std::vector<double>;

/// Whether to work out why there is no solution, if there is none, which may take longer.
enum class Reasons { unwanted, wanted };

class StudioModel {
 public:
  StudioModel(std::string id, StudioProblem problem, Solver solver);

  const std::string& id() const { return id_; }
  const std::string& title() const { return title_; }
  const StudioProblem& problem() const { return problem_; }

  /// Keeps others out for as long as it lives; throws LimitReached if waiting for them is cut short.
  class Use {
   public:
    Use(StudioModel& model, Monitor& monitor);

    /// The problem with the budgets that were asked about last.
    Cssp problem() const { return model_.solver_.cssp(); }
    /// What the text says.
    const Budgets& written() const { return model_.written_; }
    /// From memory if it was asked for of late.
    std::shared_ptr<const Solution> solve(const Budgets& budgets, Monitor& monitor,
                                          Reasons reasons = Reasons::unwanted);
    Sweep sweep(const Budgets& budgets, const SweepRange& range, Monitor& monitor);

   private:
    void set(const Budgets& budgets);

    StudioModel& model_;
    std::unique_lock<std::timed_mutex> lock_;
  };

 private:
  struct Answer {
    Budgets budgets;
    Reasons reasons;
    std::shared_ptr<const Solution> solution;
  };

  std::string id_;
  std::string title_;
  StudioProblem problem_;
  Solver solver_;
  Budgets written_;
  std::deque<Answer> recent_;  // the latest first
  std::timed_mutex busy_;
};

class StudioModels {
 public:
  explicit StudioModels(std::size_t most) : most_(most) {}

  std::shared_ptr<StudioModel> add(StudioProblem problem, Solver solver);
  /// Null if there is none, or it has been closed.
  std::shared_ptr<StudioModel> find(const std::string& id);
  std::vector<std::shared_ptr<StudioModel>> all() const;
  /// Closes the one that was not used for longest, unless it is the only one. False if so.
  bool close_oldest();

 private:
  std::size_t most_;
  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<StudioModel>> models_;  // the last used first
  std::size_t opened_ = 0;
};

/// "today (getting-to-work)": what PPDDL texts call problem and domain; else the last file's name.
std::string title_of(const std::vector<ModelText>& texts);

}  // namespace carl::app

#endif
