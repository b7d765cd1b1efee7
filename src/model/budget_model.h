// Guarantees per run, by unfolding: a state is joined with what has been used of each cost that a
// guarantee is about, in whole units, saturating where nothing depends on it any more. The
// guarantees are bounds on expected costs then, which every algorithm knows:
//
//  - P(X > b) ≤ δ: the step that takes a run beyond b costs 1 of the new cost "P(fuel > b)";
//  - E[(X - b)⁺] ≤ e: a step costs what it adds above b of the new cost "excess(fuel > b)".
//
// What counts is what each outcome costs, not the average of the action. Giving up has the penalty
// as its cost, so whether it exceeds a budget depends on what has been used before: it is an action
// of this model, and Cssp has none of its own.
//
// The expansion of risk-averse problems to costs so far is standard, see N. Bäuerle and J. Ott,
// "Markov decision processes with average-value-at-risk criteria", Mathematical Methods of
// Operations Research 74, 2011.
#ifndef CARL_MODEL_BUDGET_MODEL_H
#define CARL_MODEL_BUDGET_MODEL_H

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carl/cssp.h"
#include "carl/guarantees.h"
#include "model/intern_table.h"
#include "util/rational.h"

namespace carl {

class BudgetModel final : public Model {
 public:
  /// Of a problem without guarantees of its own, whose penalties are settled. The guarantees are
  /// chance constraints and bounds on the expected excess. Units by the names of costs; see
  /// CsspOptions. Throws OptionError.
  BudgetModel(Cssp original, const std::vector<Guarantee>& guarantees,
              const std::vector<std::pair<std::string, double>>& units);

  const CostModel& cost_model() const override { return costs_; }
  StateId initial_state() override;
  bool is_goal(StateId state) const override;
  void expand(StateId state, Expansion& out) override;
  std::span<const double> cost(ActionId action) const override;
  bool outcome_costs(StateId state, ActionId action, OutcomeCosts& out) override;
  std::vector<double> positive_costs(std::size_t cost) const override;
  std::size_t num_states() const override { return states_.size(); }
  bool factored() const override { return model().factored(); }
  /// With a fact for each budget, "(used fuel 7)"; "(used fuel 13+)" where it has saturated.
  std::vector<std::string> state_facts(StateId state) const override;
  std::string action_name(ActionId action) const override;
  std::vector<std::pair<std::string, std::string>> figures() const override;
  std::vector<std::string> notes() const override { return model().notes(); }
  std::vector<std::string> warnings() const override;
  bool draws_initial_state(ActionId action) const override;
  bool gives_up(ActionId action) const override;
  bool is_given_up(StateId state) const override;
  std::optional<std::size_t> failure_cost() const override { return model().failure_cost(); }
  bool has_cost(std::size_t cost) const override;
  std::optional<Unreachability> unreachable_goal(StateId state) const override;
  std::size_t state_bytes() const override;
  BudgetModel* budget_model() override { return this; }
  const Question* question() const override { return model().question(); }

  /// The problem that was unfolded: its costs come first among ours.
  const Cssp& original() const { return original_; }
  /// Its state in this one; Cssp::given_up where the run is over.
  StateId original_state(StateId state) const { return original_id(state); }

 private:
  /// A cost whose use is counted.
  struct Meter {
    std::size_t cost = 0;
    Rational unit;
    bool given = false;      // the unit, so that amounts may be rounded
    std::uint32_t most = 0;  // in units: where it saturates
    mutable bool has_rounded = false;
    // Amounts as doubles to units, no more than `most` + 1.
    absl::flat_hash_map<double, std::uint32_t> units;
  };
  /// A new cost.
  struct Charge {
    Guarantee::Kind kind = Guarantee::Kind::chance;
    std::size_t meter = 0;
    Rational limit;
    std::uint32_t within = 0;  // the most units that do not exceed the limit
  };
  /// One outcome of an action, unfolded.
  struct Step {
    double probability = 1;
    StateId successor;
  };

  Model& model() { return original_.model(); }
  const Model& model() const { return original_.model(); }
  StateId original_id(StateId state) const { return StateId(states_[state.index()][0]); }
  ActionId original_action(ActionId action) const {
    return ActionId(static_cast<std::size_t>(actions_[action.index()][0]));
  }
  std::size_t num_original_costs() const { return original_.num_costs(); }

  void add_meter(std::size_t cost, const std::vector<std::pair<std::string, double>>& units);
  void add_charge(const Guarantee& guarantee);
  std::uint32_t units(Meter& meter, double amount);
  double charge(const Charge& charge, std::uint32_t used, double amount, std::uint32_t units) const;
  /// Fills in steps_ and their costs for an action of the original problem in `state`.
  void unfold(StateId state, ActionId action, std::span<const double> probabilities,
              std::span<const StateId> successors);
  void unfold_step(double probability, StateId successor, std::span<const double> cost);
  ActionId intern_action(ActionId original);
  std::string used_text(std::size_t meter, std::uint32_t used) const;

  Cssp original_;
  CostModel costs_;
  std::vector<Meter> meters_;
  std::vector<Charge> charges_;
  InternTable<std::span<const std::uint32_t>> states_;  // the original state, then units used
  VectorTable actions_;  // number of the original action, then the whole cost vector

  // Of the action being unfolded.
  std::vector<std::uint32_t> used_;
  std::vector<Step> steps_;
  std::vector<double> step_costs_;  // one vector after the other
  std::vector<double> key_;
  std::vector<std::uint32_t> successor_;
  Expansion expansion_;
  OutcomeCosts apart_;
};

/// The unit in which a cost is counted: that which is given, or the largest of which all amounts
/// that single steps take, giving up included, are multiples. Throws OptionError.
Rational unit_of(const Cssp& original, std::size_t cost,
                 const std::vector<std::pair<std::string, double>>& units);

/// "P(fuel > 12)", "excess(fuel > 12)".
std::string charge_name(const Guarantee& guarantee);

}  // namespace carl

#endif
