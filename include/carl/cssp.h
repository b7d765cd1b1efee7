// The constrained stochastic shortest path problem that every algorithm works on: a model, wrapped
// so that its costs, bounds and give-up penalties are settled.
//
//  - Giving up. With penalties D every non-goal state also has the action "(give-up)" that ends a
//    run at cost D (the finite-penalty transformation). It has no outcomes: there is nothing to
//    come after it, so that states and actions have the ids of the model.
//  - Bounds of zero. u_i = 0 forbids every action with C_i > 0, so expand() leaves such actions out
//    and the bound needs no multiplier. If giving up costs any of it, there is no giving up.
#ifndef CARL_CSSP_H
#define CARL_CSSP_H

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carl/model.h"

namespace carl {

/// Changes to what the problem text says, as asked for on the command line.
struct CsspOptions {
  /// Cost name and upper bound; replaces or adds. Infinity lifts a bound.
  std::vector<std::pair<std::string, double>> bounds;
  /// Cost name and penalty; if present it replaces all penalties of the text, the rest are 0.
  std::optional<std::vector<std::pair<std::string, double>>> give_up;
  /// Added to those of the text, and in place of what it says of the goal. For make_problem() (see
  /// problem.h) alone.
  std::vector<Guarantee> guarantees = {};
  std::optional<GoalProbability> goal_probability = {};
  /// Cost name and unit in which what has been used of it is counted; amounts are rounded up to
  /// multiples of it. Not given: the largest unit of which all amounts are multiples.
  std::vector<std::pair<std::string, double>> units = {};
  /// Leaves out all that the text asks for beyond expected costs.
  bool expected_costs_only = false;
  /// Shuffles the order of the actions in every state; 0 keeps it.
  std::uint64_t seed = 0;
  /// Off where policies with forbidden actions are to be judged.
  bool remove_forbidden_actions = true;
};

class Cssp {
 public:
  /// The last ids, which no model has. The state is where runs are said to end that have given up:
  /// it counts as a goal, and no outcome leads to it.
  static constexpr StateId given_up{std::numeric_limits<std::uint32_t>::max() - 1};
  static constexpr ActionId give_up_action{std::numeric_limits<std::uint32_t>::max() - 1};

  /// Throws OptionError, also for problems that take make_problem().
  explicit Cssp(std::shared_ptr<Model> model, const CsspOptions& options = {});

  std::size_t num_costs() const { return costs_.costs.size(); }
  /// Costs, bounds and penalties after all changes.
  const CostModel& cost_model() const { return costs_; }
  const std::vector<std::string>& cost_names() const { return costs_.costs; }
  /// All bounds, for reports; the bounds that need a multiplier are constraints().
  const std::vector<Bound>& bounds() const { return costs_.bounds; }
  const std::vector<Bound>& constraints() const { return constraints_; }
  /// Changes the bound of one of the constraints().
  void set_upper(std::size_t cost, double upper);
  /// Changes or adds a bound, by the name of its cost, as CsspOptions does: zero forbids actions,
  /// infinity lifts the bound. Throws OptionError.
  void set_bound(std::string_view cost, double upper);
  /// See CsspOptions.
  void remove_forbidden_actions(bool remove);
  /// Replaces all penalties, those not named are 0; or none: there is no giving up. Throws
  /// OptionError.
  void set_penalties(const std::optional<std::vector<std::pair<std::string, double>>>& penalties);
  /// True if people know this cost as a reward, of which it is what is lost.
  bool is_reward(std::size_t cost) const { return costs_.is_reward(cost); }
  /// What to call a cost where it is shown as such: "lost reward" for what is lost of a reward.
  std::string cost_label(std::size_t cost) const;
  bool can_give_up() const { return can_give_up_; }
  const std::optional<std::vector<double>>& give_up_penalty() const { return costs_.give_up; }
  /// Other penalties, in the units in use, or no giving up any more. Who keeps a graph of the
  /// problem has to tell it.
  void set_give_up(std::optional<std::vector<double>> penalties);

  StateId initial_state() { return model_->initial_state(); }
  bool is_goal(StateId state) const { return state == given_up || model_->is_goal(state); }
  /// True of actions that end a run without a goal, and of the states in which it is over then.
  bool gives_up(ActionId action) const {
    return action == give_up_action || model_->gives_up(action);
  }
  bool is_given_up(StateId state) const { return state == given_up || model_->is_given_up(state); }
  void expand(StateId state, Expansion& out);
  /// The same with all that is forbidden: actions, and giving up wherever there are penalties.
  void expand_with_forbidden(StateId state, Expansion& out);
  /// Makes what the model has said of a state what expand_with_forbidden() says of it.
  void complete(StateId state, Expansion& out);
  /// True if the order of the actions in a state is not that of the model.
  bool shuffles_actions() const { return seed_ != 0; }
  /// Valid until the next call of cost() or expand().
  std::span<const double> cost(ActionId action) const;
  /// As Model::outcome_costs(). Giving up has no outcomes; it costs the penalties.
  bool outcome_costs(StateId state, ActionId action, OutcomeCosts& out);

  /// From now on all costs, bounds and penalties are those of the model divided by these, one for
  /// each cost. Powers of two, so that nothing is rounded: the answers are the same but for the
  /// unit. To begin with they are 1.
  void use_units(std::vector<double> units);
  const std::vector<double>& units() const { return units_; }

  std::size_t num_states() const { return model_->num_states(); }
  std::vector<std::string> state_facts(StateId state) const;
  std::string state_name(StateId state) const;
  std::string action_name(ActionId action) const;

  /// What is legal but probably not meant: the model's warnings, and those about bounds.
  std::vector<std::string> warnings() const;

  Model& model() { return *model_; }
  const Model& model() const { return *model_; }

  /// The same problem with no other bounds than these entries of zero_bounds(), whose actions stay
  /// removed: what is left to do if only they count.
  Cssp with_zero_bounds_only(std::span<const std::size_t> zero_bounds) const;
  /// The same problem with bounds of zero as constraints like the others and all actions allowed.
  Cssp with_zero_bounds_as_constraints() const;

  /// Entries of bounds() that are zero and have been turned into removed actions.
  std::vector<std::size_t> zero_bounds() const;
  /// The costs whose bound is zero: actions that cost any of them are forbidden.
  const std::vector<std::size_t>& zero_costs() const { return zero_costs_; }
  /// True if a bound of zero forbids actions of this cost.
  bool forbids(std::span<const double> cost) const;
  /// Actions that expand() left out because a bound of zero forbids them, over all calls.
  std::size_t forbidden_pairs() const { return forbidden_pairs_; }

 private:
  /// From bounds and penalties, what follows from them.
  void settle();
  bool is_forbidden(const Expansion& expansion, std::size_t i) const;

  std::shared_ptr<Model> model_;
  CostModel costs_;
  std::vector<Bound> constraints_;
  std::vector<std::size_t> zero_costs_;  // costs whose bound is zero
  std::uint64_t seed_ = 0;
  bool remove_forbidden_actions_ = true;
  bool can_give_up_ = false;
  std::vector<double> units_;
  bool has_own_units_ = false;
  mutable std::vector<double> cost_in_units_;  // of the action asked for last
  std::size_t forbidden_pairs_ = 0;
};

}  // namespace carl

#endif
