// The outcomes that an action with conditional effects has in one state: the conditional effects
// whose conditions hold there, multiplied out. Effects are masks over the words of a state, as in
// task/packed_state.h; outcomes that do the same are merged after each factor, so that twenty
// chances of the same thing are two outcomes and not a million.
#ifndef CARL_MODEL_CONDITIONAL_OUTCOMES_H
#define CARL_MODEL_CONDITIONAL_OUTCOMES_H

#include <cstdint>
#include <vector>

#include "task/packed_state.h"
#include "task/task.h"
#include "util/rational.h"

namespace carl {

/// Several outcomes; `Number` is double or Rational. An outcome fixes some bits of the state.
template <class Number>
class OutcomeList {
 public:
  explicit OutcomeList(std::size_t num_words) : num_words_(num_words) {}

  std::size_t size() const { return probabilities_.size(); }
  const Number& probability(std::size_t i) const { return probabilities_[i]; }
  /// Writes the successor of a state.
  void apply(std::size_t i, const std::uint64_t* state, std::uint64_t* successor) const {
    const std::uint64_t* effect = words_.data() + 2 * num_words_ * i;
    for (std::size_t w = 0; w < num_words_; ++w)
      successor[w] = (state[w] & ~effect[w]) | effect[num_words_ + w];
  }
  /// True if nothing but the state itself comes of it.
  bool stays_in(const std::uint64_t* state) const;

 private:
  friend class ConditionalOutcomes;

  std::size_t num_words_;
  std::vector<Number> probabilities_;
  std::vector<std::uint64_t> words_;  // for each outcome the bits that it fixes, then their values
};

class ConditionalOutcomes {
 public:
  ConditionalOutcomes(const task::Task& task, const task::StateLayout& layout);

  bool has(std::uint32_t action) const { return place_[action] != none; }
  /// Of an action that has conditional effects. Throws InputError if there are too many.
  template <class Number>
  void find(std::uint32_t action, const std::uint64_t* state, OutcomeList<Number>& out) const;
  /// Only those that begin with one outcome of the action, which has `probability`.
  template <class Number>
  void find(std::uint32_t action, std::uint32_t outcome, const Number& probability,
            const std::uint64_t* state, OutcomeList<Number>& out) const;
  /// At most so many roundings are in each probability.
  std::size_t num_roundings(std::uint32_t action) const { return roundings_[place_[action]]; }
  /// Conditional effects of all actions.
  std::size_t size() const { return effects_.size(); }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  struct Branch {
    double probability = 1;
    task::NumberId exact_probability;
    Range facts;     // of masks_: values that the variables get
    Range removals;  // of masks_: "none of those", which gives way to a value
    Range effects;   // of within_
  };
  struct Effect {
    Range terms;     // of terms_: one of these must hold
    Range branches;  // of branches_
  };

  Range compile(const std::vector<task::Outcome>& outcomes, std::size_t first_effect);
  Range compile(std::vector<task::Fact> facts);
  void compile(const task::Action& action);
  bool holds(const Effect& effect, const std::uint64_t* state) const;
  double number(const Branch& branch, double /*as*/) const { return branch.probability; }
  const Rational& number(const Branch& branch, const Rational& /*as*/) const {
    return task_.numbers[branch.exact_probability.index()];
  }
  template <class Number>
  void apply(const Branch& branch, OutcomeList<Number>& list) const;
  /// Multiplies a list by what happens within a branch.
  template <class Number>
  void multiply_within(const Branch& branch, const std::uint64_t* state, std::uint32_t action,
                       OutcomeList<Number>& list) const;
  template <class Number>
  void multiply(const Effect& effect, const std::uint64_t* state, std::uint32_t action,
                OutcomeList<Number>& list) const;
  template <class Number>
  void merge(std::uint32_t action, OutcomeList<Number>& list) const;

  const task::Task& task_;
  const task::StateLayout& layout_;
  std::vector<std::uint32_t> place_;  // by action: in the next two, or none
  std::vector<Range> actions_;        // the branches that each of them begins with
  std::vector<std::size_t> roundings_;
  std::vector<Effect> effects_;
  std::vector<Branch> branches_;
  std::vector<Range> terms_;  // of masks_
  std::vector<std::uint32_t> within_;
  std::vector<task::PackedFacts> masks_;
};

}  // namespace carl

#endif
