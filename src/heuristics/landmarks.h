// Facts that must come true, found by looking back from the goal, and what that costs at least.
//
// If a fact is false, some action that adds it must be used, and whatever all of those need must be
// true before. So from the goal back, in any state: a fact that is needed and false is a landmark,
// and so are the preconditions that its achievers share. Achievers that need something that cannot
// come true before the landmark itself are left out. If some achiever needs another fact that is
// false, there is a second landmark: to use one of the other achievers, or to make that fact true.
//
// A landmark asks for an outcome that adds it, once in expectation, so for 1/p uses of an action
// that adds it with probability p, if its condition holds. Its cost is that of the cheapest achiever, and is taken off all
// of them before the next landmark is looked at (cost partitioning). LM-cut for what is left of the
// costs is added: it has little left to cut, so that the sum is both larger and found faster than
// LM-cut alone.
//
// Looking back from the goal: J. Hoffmann, J. Porteous and L. Sebastia, "Ordered landmarks in
// planning", Journal of Artificial Intelligence Research 22, 2004.
#ifndef CARL_HEURISTICS_LANDMARKS_H
#define CARL_HEURISTICS_LANDMARKS_H

#include <map>
#include <memory>
#include <utility>

#include "heuristics/lmcut.h"

namespace carl::heuristics {

class Landmarks final : public Estimator {
 public:
  Landmarks(const task::Task& task, const std::vector<bool>& allowed,
            std::shared_ptr<const RelaxedTask> relaxed);

  void set_costs(std::span<const double> action_costs, double give_up_cost) override;
  double estimate(std::span<const std::uint32_t> state, std::vector<ActionUse>& uses) override;

 private:
  /// An action that adds a fact, under some condition.
  struct Achiever {
    std::uint32_t payer;      // whose cost it takes
    std::uint32_t condition;  // its precondition, and that of the conditional effect that adds it
    double probability;
    std::vector<std::uint32_t> not_before{};  // what it needs that cannot come before the fact
    std::vector<std::uint32_t> own{};         // what it needs and not all achievers do
  };
  /// A fact that must come true, and which achievers can be the first to add it.
  struct Landmark {
    std::uint32_t fact = 0;
    std::uint32_t first = 0;  // a range of first_achievers_
    std::uint32_t last = 0;
  };

  void add_achiever(std::uint32_t fact, const Achiever& achiever);
  void find_achievers(const task::Task& task, const std::vector<bool>& allowed);
  std::uint32_t payer_of(std::uint32_t action, std::uint32_t group);
  void find_operators();
  /// False if one of them cannot come true.
  bool find_landmarks(std::span<const std::uint32_t> state);
  bool find_first_achievers(Landmark& landmark);
  bool may_be_first(const Achiever& achiever) const;
  void add_shared_preconditions(const Landmark& landmark);

  double take_cost_of_fact(const Landmark& landmark, std::vector<ActionUse>& uses);
  double take_cost_of_detours(const Landmark& landmark, std::vector<ActionUse>& uses);
  void add_member(const Achiever& achiever);
  void forget_members();
  double take_cost_of_members(std::vector<ActionUse>& uses);
  void lower_operators();
  void restore_costs();

  std::shared_ptr<const RelaxedTask> relaxed_;
  std::vector<std::vector<Achiever>> achievers_;  // per fact
  std::vector<bool> has_too_many_;                // per fact: to be priced, so none are kept
  Ranges conditions_;                             // of achievers -> facts, sorted
  Ranges shared_;                                 // fact -> what all of its achievers need, sorted
  // Who pays: each action, and for each group of changes but the first of an action with
  // conditional effects one more, since no use of the action is for two groups.
  std::vector<std::uint32_t> action_of_;                                     // payer -> action
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> payers_;  // of those groups
  Ranges operators_;           // payer -> operators that stand for it
  std::vector<double> costs_;  // per payer
  OperatorCosts operator_costs_;

  // For the state at hand.
  std::vector<bool> true_;  // per fact
  std::vector<bool> met_;   // per fact: true, or a landmark
  std::vector<Landmark> landmarks_;
  std::vector<const Achiever*> first_achievers_;
  std::vector<std::uint32_t> members_;  // payers for the landmark at hand
  std::vector<double> coefficient_;     // per payer: probabilities of outcomes that meet it
  std::vector<double> left_;            // per payer: what landmarks have left of its cost
  std::vector<std::uint32_t> touched_;  // payers with less than their cost left
  OperatorCosts left_of_operators_;     // the same for operators
  LmCut lmcut_;
};

}  // namespace carl::heuristics

#endif
