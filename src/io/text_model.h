// What text formats of model checkers say of a model, collected line by line: choices with their
// outcomes, rewards and labels. Names of labels and the initial state are settled at the end.
#ifndef CARL_IO_TEXT_MODEL_H
#define CARL_IO_TEXT_MODEL_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carl/explicit_builder.h"
#include "carl/io.h"
#include "io/labelled_model.h"

namespace carl::io {

class TextModel {
 public:
  /// Throws OptionError.
  TextModel(std::uint64_t num_states, const std::vector<std::string>& rewards,
            const LoadOptions& options);

  std::uint64_t num_states() const { return num_states_; }
  /// States come in order; the choices that are added next are this one's.
  void begin_state(std::uint64_t state);
  /// An outcome of the choice that is added next, with its own rewards if it has any.
  void add_outcome(double probability, std::uint64_t target, std::span<const double> rewards = {});
  /// `rewards` are all that do not depend on the outcome. An empty name: it has none. Throws
  /// InputError.
  void add_choice(std::string_view name, std::span<const double> rewards);
  void add_label(std::string_view name, std::uint64_t state);
  /// One that may hold nowhere.
  void declare_label(std::string_view name) { label(name); }
  void name_states(const std::vector<std::string>& names) { builder_.name_states(names); }

  /// The states of a label.
  const std::vector<std::uint32_t>* find_label(std::string_view name) const;
  std::shared_ptr<Model> build(std::uint64_t initial);

 private:
  struct Outcome {
    double probability;
    std::uint32_t target;
  };
  std::vector<std::uint32_t>& label(std::string_view name);
  void fill_cost(std::span<const double> rewards, std::vector<double>& cost) const;

  std::uint64_t num_states_;
  RewardCosts costs_;
  const LoadOptions& options_;
  ExplicitBuilder builder_;
  DistinctNames names_;
  std::vector<std::string> label_names_;
  std::vector<std::vector<std::uint32_t>> label_states_;
  std::map<std::string, std::size_t, std::less<>> label_numbers_;

  StateId state_;
  std::vector<double> probabilities_;
  std::vector<StateId> successors_;
  std::vector<double> outcome_rewards_;  // of all outcomes, or empty
  std::vector<double> cost_;
  std::vector<double> outcome_costs_;
};

}  // namespace carl::io

#endif
