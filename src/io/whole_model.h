// All of a model, state by state and as often as one likes: what the formats of model checkers are
// written from. States of models that are in memory keep their numbers; others are found breadth
// first, and what is found is kept, so that no state is expanded twice.
//
// Such formats know of no goals, dead ends or penalties, so these become what they do know: a goal
// stays where it is for ever at no cost, and so does a dead end; giving up is an action that leads to
// one more goal.
#ifndef CARL_IO_WHOLE_MODEL_H
#define CARL_IO_WHOLE_MODEL_H

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/model.h"
#include "carl/monitor.h"
#include "carl/policy.h"

namespace carl::io {

class WholeModel {
 public:
  /// Every reachable state of the problem.
  WholeModel(Cssp& cssp, Monitor& monitor);
  /// All states of a model that knows them by number from the beginning.
  explicit WholeModel(std::shared_ptr<Model> model);
  /// The Markov chain that a policy makes of a problem. Throws InputError if it is none of it.
  WholeModel(Cssp& cssp, const Policy& policy, Monitor& monitor);

  /// True if there is one choice everywhere.
  bool is_chain() const { return is_chain_; }
  const std::vector<std::string>& costs() const { return model_->cost_model().costs; }
  const std::vector<Bound>& bounds() const { return bounds_; }
  std::uint64_t num_states() const { return num_states_; }
  std::uint64_t initial_state() const { return model_->initial_state().index(); }

  /// init, goal, and those of the model.
  const std::vector<std::string>& labels() const { return labels_; }
  bool holds(std::size_t label, std::uint64_t state) const;

  /// The choices of a state; what the functions below say is about this one.
  void visit(std::uint64_t state);
  std::size_t num_choices() const { return stays_ ? 1 : expansion_.num_actions(); }
  std::string action_name(std::size_t choice) const;
  /// What a choice costs in expectation.
  std::span<const double> cost(std::size_t choice) const;
  struct Branch {
    double probability;
    StateId target;
    std::span<const double> cost;  // if they differ in cost; empty otherwise
  };
  /// Branches of a choice. Valid until the next call.
  const std::vector<Branch>& branches(std::size_t choice);

 private:
  std::shared_ptr<Model> model_;
  std::uint64_t num_states_ = 0;
  bool is_chain_ = false;
  std::vector<Bound> bounds_;
  std::vector<std::string> labels_;
  std::vector<std::size_t> own_labels_;  // by label after the first two: its place in the model's

  StateId state_;
  bool stays_ = false;  // a goal or a dead end
  Expansion expansion_;
  OutcomeCosts apart_;
  std::vector<double> zero_;
  std::vector<Branch> branches_;
};

}  // namespace carl::io

#endif
