// The commands of a PRISM model, compiled: where they are enabled, and what they lead to. States
// are packed words (see task/packed_state.h); commands read unpacked values and write packed words.
#ifndef CARL_MODEL_PRISM_COMMANDS_H
#define CARL_MODEL_PRISM_COMMANDS_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/prism_code.h"
#include "prism/description.h"
#include "task/packed_state.h"

namespace carl {

/// The variables of a model and where they lie in a packed state.
class PrismLayout {
 public:
  explicit PrismLayout(const std::vector<prism::Variable>& variables);

  std::size_t num_words() const { return layout_.num_words(); }
  std::size_t num_variables() const { return variables_.size(); }
  const prism::Variable& variable(std::size_t v) const { return variables_[v]; }
  void unpack(const std::uint64_t* state, std::int64_t* values) const {
    for (std::size_t v = 0; v < fields_.size(); ++v)
      values[v] = value(state, v);
  }
  std::int64_t value(const std::uint64_t* state, std::size_t v) const {
    return low_[v] + static_cast<std::int64_t>(fields_[v].value(state));
  }
  /// The value must be in the variable's range.
  void set(std::uint64_t* state, std::size_t v, std::int64_t value) const {
    const task::PackedField& field = fields_[v];
    const auto bits = static_cast<std::uint64_t>(value - low_[v]);
    state[field.word] =
        (state[field.word] & ~(std::uint64_t{field.mask} << field.shift)) | (bits << field.shift);
  }
  bool in_range(std::size_t v, std::int64_t value) const {
    return value >= low_[v] && value <= variables_[v].high;
  }
  /// "x=3, done=true", for messages.
  std::string state_text(const std::int64_t* values) const;
  /// "x=3".
  std::string fact(std::size_t v, std::int64_t value) const;

 private:
  std::vector<prism::Variable> variables_;
  task::StateLayout layout_;
  std::vector<task::PackedField> fields_;
  std::vector<std::int64_t> low_;
};

/// Outcomes that are being put together: probabilities and packed states, in arrays that are reused.
struct PrismOutcomes {
  std::vector<double> probabilities;
  std::vector<std::uint64_t> words;  // one state after the other

  void clear() {
    probabilities.clear();
    words.clear();
  }
};

class PrismCommand {
 public:
  PrismCommand(const prism::Command& command, const prism::Description& model,
               const PrismLayout& layout);

  bool is_enabled(const std::int64_t* values) const { return guard_.holds(values); }
  const PrismCondition& guard() const { return guard_; }
  const prism::Position& position() const { return position_; }
  /// "command 2 of module 'm'", for messages.
  const std::string& name() const { return name_; }

  /// Adds to `out` what becomes of a state (its words, of any outcome so far) of this probability
  /// under each update; values are those before the step. Throws InputError.
  void apply(const std::int64_t* values, const std::uint64_t* words, double probability,
             const PrismLayout& layout, PrismOutcomes& out) const;

 private:
  struct Assignment {
    std::uint32_t variable;
    PrismCode value;
  };
  struct Update {
    double constant_probability = 1;
    PrismCode probability;
    std::vector<task::PackedFacts> constants;  // values that do not depend on the state
    std::vector<Assignment> assignments;
    prism::Position position;
  };

  void compile_update(const prism::Update& update, const PrismLayout& layout);
  void compile_constant(Update& update, std::uint32_t variable, std::int64_t value,
                        const PrismLayout& layout) const;
  void settle_probabilities();
  void find_probabilities(const std::int64_t* values, const PrismLayout& layout,
                          std::span<double> out) const;
  void add(const Update& update, const std::int64_t* values, const std::uint64_t* words,
           double probability, const PrismLayout& layout, PrismOutcomes& out) const;
  [[noreturn]] void fail_probability(const prism::Position& position, double value,
                                     const std::int64_t* values, const PrismLayout& layout) const;
  [[noreturn]] void fail_sum(double sum, const std::int64_t* values,
                             const PrismLayout& layout) const;
  [[noreturn]] void fail_range(const Assignment& assignment, std::int64_t value,
                               const std::int64_t* values, const PrismLayout& layout) const;
  [[noreturn]] void fail_evaluation(const prism::Position& position, const char* what,
                                    const std::int64_t* values, const PrismLayout& layout) const;

  prism::Position position_;
  std::string name_;
  PrismCondition guard_;
  bool has_constant_probabilities_ = true;
  std::vector<Update> updates_;
};

/// Without the sign of what is no number, which is not the same everywhere.
std::string number_text(double value);
/// "in state x=3, y=0".
std::string in_state(const PrismLayout& layout, const std::int64_t* values);

}  // namespace carl

#endif
