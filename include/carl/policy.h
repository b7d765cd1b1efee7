// A policy: what to do in each state, as ids of the model. A state with one action takes that
// action and nothing else; only states with a random choice list several with probabilities.
#ifndef CARL_POLICY_H
#define CARL_POLICY_H

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "carl/ids.h"

namespace carl {

/// Stationary and stochastic; the initial state, unless it is a goal, comes first, then every state
/// that the policy can get to. Ids are those of the model, and Cssp::give_up_action. Nothing here is
/// compared with a problem: check_policy() does that.
class Policy {
 public:
  struct Choice {
    ActionId action;
    double probability = 1;
    friend bool operator==(const Choice&, const Choice&) = default;
  };

  /// The choices of a state, by value: where there is but one, no probability is stored.
  class Choices {
   public:
    class Iterator {
     public:
      using iterator_category = std::input_iterator_tag;
      using value_type = Choice;
      using difference_type = std::ptrdiff_t;
      using pointer = const Choice*;
      using reference = Choice;

      Iterator(ActionId single, const Choice* written, std::size_t i)
          : single_(single), written_(written), i_(i) {}
      Choice operator*() const { return written_ != nullptr ? written_[i_] : Choice{single_, 1}; }
      Iterator& operator++() {
        ++i_;
        return *this;
      }
      friend bool operator==(const Iterator& a, const Iterator& b) { return a.i_ == b.i_; }

     private:
      ActionId single_;
      const Choice* written_;
      std::size_t i_;
    };

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Choice operator[](std::size_t i) const { return *Iterator(single_, written_, i); }
    Iterator begin() const { return {single_, written_, 0}; }
    Iterator end() const { return {single_, written_, size_}; }

   private:
    friend class Policy;
    ActionId single_;
    const Choice* written_ = nullptr;
    std::size_t size_ = 0;
  };

  struct Entry {
    StateId state;
    /// Expected number of visits; nothing if nobody has said.
    std::optional<double> visits;
    Choices choices;
  };

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entry*;
    using reference = Entry;

    Iterator(const Policy* policy, std::size_t i) : policy_(policy), i_(i) {}
    Entry operator*() const { return (*policy_)[i_]; }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.i_ == b.i_; }

   private:
    const Policy* policy_;
    std::size_t i_;
  };

  /// Room for so many states.
  void reserve(std::size_t states);
  /// Begins the next state. One that is there already is added all the same; find() knows the first.
  void add_state(StateId state, std::optional<double> visits = std::nullopt);
  /// A choice of the state added last.
  void add_choice(ActionId action, double probability = 1);

  std::size_t size() const { return states_.size(); }
  bool empty() const { return states_.empty(); }
  /// Views into the policy are valid until it is changed.
  Entry operator[](std::size_t i) const;
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }
  /// Where a state is, if the policy says what to do there.
  std::optional<std::size_t> find(StateId state) const;

  /// No state has more than one action of a probability above zero.
  bool is_deterministic() const { return num_stochastic_states() == 0; }
  std::size_t num_stochastic_states() const;
  /// Memory held.
  std::size_t bytes() const;

  friend bool operator==(const Policy& a, const Policy& b);

 private:
  std::size_t slot_of(StateId state) const;
  void index_states(std::size_t slots);

  std::vector<StateId> states_;
  std::vector<double> visits_;     // NaN: nobody has said
  std::vector<ActionId> actions_;  // invalid: the choices are written out, or there are none
  // Entries with other choices than a single certain one, ascending, and where theirs begin.
  std::vector<std::uint32_t> written_out_;
  std::vector<std::size_t> first_choice_;
  std::vector<Choice> choices_;
  // Open addressing: numbers of entries by state, a power of two of them, at most 3/4 in use.
  std::vector<std::uint32_t> index_;
};

}  // namespace carl

#endif
