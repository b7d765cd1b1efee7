// A model says what can be done where: the interface between problem descriptions (factored,
// explicit, or a class of the user's own) and the algorithms. See user_model.h for the short way to
// write one, and cssp.h for what the algorithms see of it.
#ifndef CARL_MODEL_H
#define CARL_MODEL_H

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "carl/guarantees.h"
#include "carl/ids.h"
#include "carl/reason.h"

namespace carl {

class BudgetModel;
class ConcurrentModel;
class ExactTransitions;
class StateLabels;
class TaskModel;
class Transitions;
struct Question;

/// The actions applicable in one state with their outcomes, in flat arrays that are reused from one
/// call to the next. Outcomes with the same successor are merged, so successors are distinct.
class Expansion {
 public:
  void clear();
  void begin_action(ActionId action) {
    actions_.push_back(action);
    first_.push_back(successors_.size());
    if (!index_.empty()) index_.clear();
  }
  /// Adds an outcome to the action begun last.
  void add_outcome(double probability, StateId successor) {
    const std::size_t known = find_outcome(successor);
    if (known < successors_.size()) {
      probabilities_[known] += probability;
      return;
    }
    probabilities_.push_back(probability);
    successors_.push_back(successor);
  }
  /// Adds all outcomes of the action begun last, whose successors are known to be distinct.
  void add_distinct_outcomes(std::span<const double> probabilities,
                             std::span<const StateId> successors);

  std::size_t num_actions() const { return actions_.size(); }
  std::size_t num_outcomes() const { return successors_.size(); }
  ActionId action(std::size_t i) const { return actions_[i]; }
  std::span<const double> probabilities(std::size_t i) const;
  std::span<const StateId> successors(std::size_t i) const;

  /// Forgets the actions for which `drop(i)` holds; order is kept.
  template <class Predicate>
  void remove_if(Predicate drop);
  /// Becomes the actions [begin, end) of another one. They are renamed, and successors, which stay
  /// distinct.
  template <class RenameAction, class RenameState>
  void assign(const Expansion& other, std::size_t begin, std::size_t end,
              RenameAction rename_action, RenameState rename_state);
  /// Puts the actions into the order given: the i-th becomes the old order[i]-th.
  void reorder(std::span<const std::size_t> order);

 private:
  // Up to here comparing with all is faster than a look into a hash map.
  static constexpr std::size_t few_outcomes = 32;

  /// Where the action begun last already leads to `successor`, or the end.
  std::size_t find_outcome(StateId successor) {
    std::size_t k = first_.back();
    if (successors_.size() - k > few_outcomes) return find_among_many(successor);
    while (k < successors_.size() && successors_[k] != successor)
      ++k;
    return k;
  }
  std::size_t find_among_many(StateId successor);
  std::size_t end(std::size_t i) const {
    return i + 1 < first_.size() ? first_[i + 1] : successors_.size();
  }

  std::vector<ActionId> actions_;
  std::vector<std::size_t> first_;  // of action i's outcomes
  std::vector<double> probabilities_;
  std::vector<StateId> successors_;
  // Where the outcomes of the action begun last are, once they are too many to look through.
  std::unordered_map<StateId, std::size_t> index_;
};

/// What single runs see of an action whose outcomes differ in cost: its outcomes in one state, each
/// with a cost vector of its own. Those that lead to the same successor at different costs are
/// apart.
class OutcomeCosts {
 public:
  void clear();
  void add(double probability, StateId successor, std::span<const double> cost);

  std::size_t size() const { return successors_.size(); }
  double probability(std::size_t k) const { return probabilities_[k]; }
  StateId successor(std::size_t k) const { return successors_[k]; }
  std::span<const double> cost(std::size_t k) const;

 private:
  std::vector<double> probabilities_;
  std::vector<StateId> successors_;
  std::vector<double> costs_;  // one vector after the other
};

/// An upper bound on the expectation of a cost.
struct Bound {
  std::size_t cost = 0;
  double upper = 0;
};

/// What the problem text says beside the transitions. costs[0] is minimised.
struct CostModel {
  std::vector<std::string> costs;
  std::vector<Bound> bounds;
  std::optional<std::vector<double>> give_up;  // one penalty per cost
  /// By cost: whether the text speaks of a reward, which starts from 0 and is decreased. The cost
  /// is what is lost of it, and the reward that people are shown is minus the cost. Empty: no
  /// rewards.
  std::vector<bool> rewards = {};
  /// What is asked of single runs, and of how often they reach the goal: see problem.h.
  std::vector<Guarantee> guarantees = {};
  std::optional<GoalProbability> goal_probability = {};

  bool is_reward(std::size_t cost) const { return cost < rewards.size() && rewards[cost]; }
};

/// Consecutive states.
struct StateRange {
  std::size_t first = 0;
  std::size_t last = 0;  // the one after them
};

/// The transition system. States and actions are numbered densely in the order in which they are
/// discovered. Models may learn states while they are expanded, so expand() is not const; two
/// threads need two models.
class Model {
 public:
  virtual ~Model() = default;

  virtual const CostModel& cost_model() const = 0;
  virtual StateId initial_state() = 0;
  virtual bool is_goal(StateId state) const = 0;
  /// Clears `out` and fills in what can be done in `state` (not a goal).
  virtual void expand(StateId state, Expansion& out) = 0;
  /// The cost vector C(a), one entry per cost: what the action costs in expectation. Valid until
  /// the next call of expand() or outcome_costs().
  virtual std::span<const double> cost(ActionId action) const = 0;
  /// Fills in the outcomes of an action applicable in `state` if they differ in cost; their order
  /// is that of expand() up to repetitions. Otherwise false: each costs what the action does. Plans
  /// are made without it; it tells simulations what an outcome costs.
  virtual bool outcome_costs(StateId /*state*/, ActionId /*action*/, OutcomeCosts& out) {
    out.clear();
    return false;
  }

  /// The positive values that a cost takes, in any order and as often as one likes, if the model
  /// knows all its actions; none otherwise.
  virtual std::vector<double> positive_costs(std::size_t /*cost*/) const { return {}; }

  /// The positive amounts of a cost that single steps of a run take, likewise; nothing if the model
  /// does not know all its actions.
  virtual std::optional<std::vector<double>> amounts(std::size_t /*cost*/) const {
    return std::nullopt;
  }

  /// How many states have an id so far.
  virtual std::size_t num_states() const = 0;
  /// True if a state is a set of facts; otherwise state_facts() has one entry, the state's name.
  virtual bool factored() const { return false; }
  virtual std::vector<std::string> state_facts(StateId state) const = 0;
  virtual std::string action_name(ActionId action) const = 0;
  /// What a careful reader would like to know of the problem text and its size, for `carl info`.
  virtual std::vector<std::pair<std::string, std::string>> figures() const { return {}; }
  virtual std::vector<std::string> notes() const { return {}; }
  /// What is legal but probably not meant, for `carl info` and `carl solve`.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// True of the action that draws the first state where the problem has an initial distribution.
  /// It costs nothing, and executions do not count it as a step.
  virtual bool draws_initial_state(ActionId /*action*/) const { return false; }
  /// Models in which giving up has no price that is the same everywhere have an action of their own
  /// for it, and a goal that it leads to.
  virtual bool gives_up(ActionId /*action*/) const { return false; }
  virtual bool is_given_up(StateId /*state*/) const { return false; }
  /// The cost that counts how often a run gives up, 1 each time and free of all others, where the
  /// goal need not be reached: see GoalProbability. Then going round for ever at no cost is allowed,
  /// and no better than giving up.
  virtual std::optional<std::size_t> failure_cost() const { return std::nullopt; }
  /// False if the model knows that no action has any of this cost.
  virtual bool has_cost(std::size_t /*cost*/) const { return true; }
  /// Why no goal can be reached from a state even if facts never became false; nothing if one can
  /// be, or if the model knows of no facts.
  virtual std::optional<Unreachability> unreachable_goal(StateId /*state*/) const {
    return std::nullopt;
  }
  /// Bytes held by the states known so far.
  virtual std::size_t state_bytes() const { return 0; }

  // What a model may offer beyond that. Algorithms ask for it and never for what a model is.

  /// The states whose transitions were read, where these are not all (see LoadShare): of the others
  /// it is known which are goals, and no more. Actions are numbered among those read.
  virtual std::optional<StateRange> share() const { return std::nullopt; }
  /// What these states know for positive_costs(), which takes all of them: the different cost vectors
  /// of their actions, end to end. Only of a model in shares.
  virtual std::vector<double> cost_vectors() const { return {}; }
  /// True if all transitions are in memory, so that looking at every state costs little.
  virtual bool is_in_memory() const { return false; }
  /// All transitions in flat arrays, if that is how the model holds them: who needs all of them
  /// reads them there and makes no copy. With pairs for giving up, if asked for. Null otherwise.
  virtual const Transitions* transitions(bool /*giving_up*/) { return nullptr; }
  /// The grounded task that the model is made of: for heuristics that look into it. A model without
  /// one returns null.
  virtual TaskModel* task_model() { return nullptr; }
  const TaskModel* task_model() const { return const_cast<Model*>(this)->task_model(); }
  /// For expanding states on several threads; null if only one may. What it says is what expand()
  /// does.
  virtual ConcurrentModel* concurrent_model() { return nullptr; }
  const ConcurrentModel* concurrent_model() const {
    return const_cast<Model*>(this)->concurrent_model();
  }
  /// The model itself if it joins the states of another problem with what has been used of its
  /// costs: for heuristics of that problem. Null otherwise.
  virtual BudgetModel* budget_model() { return nullptr; }
  const BudgetModel* budget_model() const { return const_cast<Model*>(this)->budget_model(); }
  /// Costs and probabilities as they were written, where doubles are not all that is left of them;
  /// null otherwise.
  virtual ExactTransitions* exact_transitions() { return nullptr; }
  /// Names for sets of states, where the text has some; null otherwise.
  virtual const StateLabels* labels() const { return nullptr; }
  /// What was asked, if the model is what a property makes of another one: see question.h. Null
  /// otherwise.
  virtual const Question* question() const { return nullptr; }
};

template <class RenameAction, class RenameState>
void Expansion::assign(const Expansion& other, std::size_t begin, std::size_t end,
                       RenameAction rename_action, RenameState rename_state) {
  clear();
  for (std::size_t i = begin; i < end; ++i) {
    actions_.push_back(rename_action(other.actions_[i]));
    first_.push_back(successors_.size());
    for (std::size_t k = other.first_[i]; k < other.end(i); ++k) {
      probabilities_.push_back(other.probabilities_[k]);
      successors_.push_back(rename_state(other.successors_[k]));
    }
  }
}

template <class Predicate>
void Expansion::remove_if(Predicate drop) {
  index_.clear();
  std::size_t kept = 0;
  std::size_t outcomes = 0;
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    const std::size_t begin = first_[i];
    const std::size_t stop = end(i);
    if (drop(i)) continue;
    actions_[kept] = actions_[i];
    first_[kept++] = outcomes;
    for (std::size_t k = begin; k < stop; ++k, ++outcomes) {
      probabilities_[outcomes] = probabilities_[k];
      successors_[outcomes] = successors_[k];
    }
  }
  actions_.resize(kept);
  first_.resize(kept);
  probabilities_.resize(outcomes);
  successors_.resize(outcomes);
}

}  // namespace carl

#endif
