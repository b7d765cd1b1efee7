// The options that every command with a MODEL shares: the files, changes to bounds and penalties,
// and limits.
#ifndef CARL_APPS_MODEL_OPTIONS_H
#define CARL_APPS_MODEL_OPTIONS_H

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/policy_file.h"
#include "carl/solution.h"
#include "carl/sweep.h"
#include "command_line.h"

namespace carl {
struct LoadOptions;
struct LoadShare;
struct LoadTimes;
struct PropertyText;
}  // namespace carl

namespace carl::app {

class ModelOptions {
 public:
  /// What the files on the command line are: a model, or a model and a policy, which comes last and
  /// may be missing.
  /// Or a model, a result and the name of a state, which may be missing.
  /// Or there may be no model yet.
  enum class Files {
    model,
    optional_model,
    model_and_policy,
    model_and_optional_policy,
    model_result_and_state
  };

  /// All options, for commands that search.
  void add_to(Command& command);
  /// All but --seed, for commands with another use for that word.
  void add_to(Command& command, Files files);
  /// And --seed alone.
  void add_seed(Command& command);

  Monitor monitor(const std::atomic<bool>& interrupt) const;
  CsspOptions cssp_options() const;
  /// Reads the model; adds to the times of parsing and grounding.
  std::shared_ptr<Model> read(Monitor& monitor, LoadTimes* times = nullptr) const;
  /// The same for one of several processes, see LoadShare.
  std::shared_ptr<Model> read_share(const LoadShare& share, Monitor& monitor,
                                    LoadTimes* times) const;
  /// The problem of the model, with what the options ask for.
  Cssp load(Monitor& monitor, LoadTimes* times = nullptr) const;
  /// The one that a policy or a certificate with these costs is about.
  Cssp problem_of(const std::shared_ptr<Model>& model, const std::vector<std::string>& costs,
                  Monitor& monitor) const;
  /// Reads the policy that comes after the model.
  PolicyFile load_policy(Monitor& monitor) const;
  /// The optional policy is there. Throws InputError if there is but one file.
  void require_policy();
  /// A model is one JSON file or is no JSON at all, so that the last of several files is a policy
  /// if it is JSON.
  bool has_policy() const;
  /// The result that comes after the model, and the state after it, if any.
  const std::string& result() const;
  std::optional<std::string> state() const;
  /// Takes the bounds that are ranges, COST=FROM:TO:STEP, out of the options and leaves bounds in
  /// their place that are constraints, which a bound of zero would not be.
  std::vector<SweepRange> take_ranges();
  std::uint64_t seed() const { return seed_; }
  /// What --property or --properties ask of the model; none if they are not given.
  std::optional<PropertyText> property(Monitor& monitor) const;
  /// The same for the same files and the same questions to them, and for no others: see
  /// CheckpointOptions. Throws InputError if a file can be read but once.
  std::string fingerprint(Monitor& monitor) const;
  /// Of --problem and --minimise.
  LoadOptions load_options() const;
  /// Seconds, infinite if there is none; bytes, 0 if there is none.
  double time_limit() const { return time_limit_; }
  std::size_t memory_limit() const;
  /// The files, as the user named them.
  std::string title() const;
  /// What to call the problem if its text does not say: the file's name without folders.
  std::string short_title() const;
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> model_paths() const;
  GoalProbability goal_probability() const;
  std::vector<std::pair<std::string, std::string>> constants() const;

  Files files_ = Files::model;
  std::vector<std::string> paths_;
  std::vector<std::string> bounds_;
  std::vector<std::string> chances_;
  std::vector<std::string> excesses_;
  std::vector<std::string> cvars_;
  std::vector<std::string> units_;
  std::vector<std::pair<std::string, double>> swept_bounds_;  // added to them by take_ranges()
  std::string give_up_;
  std::string goal_probability_;
  bool only_when_lost_ = false;
  std::string problem_;
  std::string minimise_;
  std::string goal_;
  std::string property_;
  std::string properties_;
  std::string property_name_;
  std::string constants_;
  std::uint64_t seed_ = 0;
  double time_limit_ = std::numeric_limits<double>::infinity();
  double memory_limit_ = 0;
};

/// --threads, for commands whose result does not depend on it.
void add_threads(Command& command, std::size_t& threads);

}  // namespace carl::app

#endif
