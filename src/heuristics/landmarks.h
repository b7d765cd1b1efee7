// Facts that must come true, found by looking back from the goal, and what that costs at least.
//
// If a fact is false, some action that adds it must be used, and whatever all of those need must be
// true before. So from the goal back, in any state: a fact that is needed and false is a landmark,
// and so are the preconditions that its achievers share. Achievers that need something that cannot
// come true before the landmark itself are left out. If some achiever needs another fact that is
// false, there is a second landmark: to use one of the other achievers, or to make that fact true.
//
// A landmark asks for an outcome that adds it, once in expectation, so for 1/p uses of an action
// that adds it with probability p, if its condition holds. Its cost is that of the cheapest achiever,
// and is taken off all of them before the next landmark is looked at (cost partitioning). LM-cut for
// what is left of the costs is added: it has little left to cut, so that the sum is both larger and
// found faster than LM-cut alone.
//
// All of that is about the determinisation. What chance does is seen in two ways: costs are those
// that potentials of facts make of them (fact_potentials.h), and steps that must be made although
// everything may be lost by them are priced by what giving up costs (risky_steps.h).
//
// Looking back from the goal: J. Hoffmann, J. Porteous and L. Sebastia, "Ordered landmarks in
// planning", Journal of Artificial Intelligence Research 22, 2004.
#ifndef CARL_HEURISTICS_LANDMARKS_H
#define CARL_HEURISTICS_LANDMARKS_H

#include <map>
#include <memory>
#include <utility>

#include "heuristics/fact_potentials.h"
#include "heuristics/lmcut.h"
#include "heuristics/risky_steps.h"

namespace carl::heuristics {

class Landmarks final : public Estimator {
 public:
  Landmarks(const task::Task& task, const std::vector<bool>& allowed,
            std::shared_ptr<const RelaxedTask> relaxed);

  void set_costs(std::span<const double> action_costs, double give_up_cost) override;
  double estimate(std::span<const std::uint32_t> state, std::vector<ActionUse>& uses) override;

 private:
  /// If risks are priced an estimate says no more than this share of what giving up costs: the less it
  /// may say, the more a risk adds.
  static constexpr double share_of_giving_up = 0.5;

  /// An action that adds a fact, under some condition.
  struct Achiever {
    std::uint32_t payer;      // whose cost it takes
    std::uint32_t condition;  // its precondition, and that of the conditional effect that adds it
    double probability;
    std::vector<std::uint32_t> not_before{};  // what it needs that cannot come before the fact
    std::vector<std::uint32_t> own{};         // what it needs and not all achievers do
    std::vector<std::uint32_t> along{};       // what it adds as well and is risky to let go
  };
  /// A fact that must come true, and which achievers can be the first to add it.
  struct Landmark {
    std::uint32_t fact = 0;
    std::uint32_t first = 0;  // a range of first_achievers_
    std::uint32_t last = 0;
    std::uint32_t orders = RelaxedTask::none;  // the first of a list
  };
  /// A landmark must come true before another one does.
  struct Order {
    std::uint32_t later;  // landmark
    std::uint32_t next;   // of the same landmark
  };

  void add_achiever(std::uint32_t fact, const Achiever& achiever);
  void find_achievers(const task::Task& task, const std::vector<bool>& allowed);
  std::uint32_t payer_of(std::uint32_t action, std::uint32_t group);
  void find_operators();

  void choose_potentials();
  void use_costs();
  double estimate_with_potentials(std::span<const std::uint32_t> state,
                                  std::vector<ActionUse>& uses);

  /// False if one of them cannot come true.
  bool find_landmarks(std::span<const std::uint32_t> state);
  bool find_first_achievers(Landmark& landmark);
  bool may_be_first(const Achiever& achiever) const;
  void add_shared_preconditions(std::uint32_t parent);

  double take_cost_of_fact(const Landmark& landmark, std::vector<ActionUse>& uses);
  double take_cost_of_detours(const Landmark& landmark, std::vector<ActionUse>& uses);
  double take_cost_of_risky_steps(std::span<const std::uint32_t> state,
                                  std::vector<ActionUse>& uses);
  RiskySteps::Goals goals_after(std::uint32_t landmark, std::uint32_t fact);
  double take_cost_of_letting_go(std::uint32_t fact, RiskySteps::Goals goals,
                                 std::vector<ActionUse>& uses);
  std::uint32_t dearest_need(std::uint32_t action, double cost) const;
  void add_member(std::uint32_t payer, double coefficient);
  void add_member(const Achiever& achiever) { add_member(achiever.payer, achiever.probability); }
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
  Ranges operators_;  // payer -> operators that stand for it
  RiskySteps risks_;
  FactPotentials potentials_;
  std::vector<double> action_costs_;
  double give_up_cost_ = 0;
  std::vector<double> costs_;     // per payer, as potentials make them
  OperatorCosts operator_costs_;  // the same for operators

  // For the state at hand.
  std::vector<bool> true_;  // per fact
  std::vector<bool> met_;   // per fact: true, or a landmark
  std::vector<Landmark> landmarks_;
  std::vector<std::uint32_t> landmark_of_;  // per fact that is one
  std::vector<Order> orders_;
  std::vector<const Achiever*> first_achievers_;
  std::vector<std::uint32_t> members_;    // payers for the landmark at hand
  std::vector<double> coefficient_;       // per payer: probabilities of outcomes that meet it
  std::vector<double> bonus_;             // per payer: what its risk adds to its cost
  std::vector<double> left_;              // per payer: what landmarks have left of its cost
  std::vector<std::uint32_t> touched_;    // payers with less than their cost left
  std::vector<std::uint32_t> spent_;      // payers whose risk has been taken into account
  std::vector<std::uint32_t> let_go_;     // facts that have been priced
  std::vector<std::uint32_t> made_true_;  // facts whose achievers stand for what needs them
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint8_t> visited_;  // per landmark and way to it
  OperatorCosts left_of_operators_;    // the same for operators
  LmCut lmcut_;
};

}  // namespace carl::heuristics

#endif
