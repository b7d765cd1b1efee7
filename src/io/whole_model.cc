#include "io/whole_model.h"

#include <algorithm>
#include <utility>

#include "io/explicit_copy.h"
#include "model/state_labels.h"

namespace carl::io {
namespace {

constexpr std::size_t init = 0;
constexpr std::size_t goal = 1;
constexpr std::size_t num_fixed_labels = 2;

/// What has all its states in order, and can say nothing but that, is written as it is.
std::shared_ptr<Model> whole(Cssp& cssp, Monitor& monitor) {
  const bool in_order = cssp.model().transitions(false) != nullptr && !cssp.give_up_penalty();
  if (!in_order) return explicit_copy(cssp, monitor);
  return {std::shared_ptr<void>(), &cssp.model()};  // owned by the problem
}

}  // namespace

WholeModel::WholeModel(Cssp& cssp, Monitor& monitor) : WholeModel(whole(cssp, monitor)) {
  bounds_ = cssp.bounds();
}

WholeModel::WholeModel(std::shared_ptr<Model> model)
    : model_(std::move(model)),
      num_states_(model_->num_states()),
      bounds_(model_->cost_model().bounds),
      labels_{"init", "goal"},
      zero_(model_->cost_model().costs.size(), 0.0) {
  if (model_->labels() == nullptr) return;
  const std::vector<std::string> names = model_->labels()->names();
  for (std::size_t l = 0; l < names.size(); ++l)
    if (std::find(labels_.begin(), labels_.end(), names[l]) == labels_.end()) {
      labels_.push_back(names[l]);
      own_labels_.push_back(l);
    }
}

WholeModel::WholeModel(Cssp& cssp, const Policy& policy, Monitor& monitor)
    : WholeModel(induced_chain(cssp, policy, monitor)) {
  is_chain_ = true;
}

bool WholeModel::holds(std::size_t label, std::uint64_t state) const {
  if (label == init) return state == initial_state();
  if (label == goal) return model_->is_goal(StateId(state));
  return model_->labels()->holds(own_labels_[label - num_fixed_labels], StateId(state));
}

void WholeModel::visit(std::uint64_t state) {
  state_ = StateId(state);
  expansion_.clear();
  if (!model_->is_goal(state_)) model_->expand(state_, expansion_);
  stays_ = expansion_.num_actions() == 0;
}

std::string WholeModel::action_name(std::size_t choice) const {
  return stays_ ? "stay" : model_->action_name(expansion_.action(choice));
}

std::span<const double> WholeModel::cost(std::size_t choice) const {
  return stays_ ? std::span<const double>(zero_) : model_->cost(expansion_.action(choice));
}

const std::vector<WholeModel::Branch>& WholeModel::branches(std::size_t choice) {
  branches_.clear();
  if (stays_) {
    branches_.push_back({1, state_, {}});
  } else if (model_->outcome_costs(state_, expansion_.action(choice), apart_)) {
    for (std::size_t k = 0; k < apart_.size(); ++k)
      branches_.push_back({apart_.probability(k), apart_.successor(k), apart_.cost(k)});
  } else {
    const auto probabilities = expansion_.probabilities(choice);
    const auto successors = expansion_.successors(choice);
    for (std::size_t k = 0; k < successors.size(); ++k)
      branches_.push_back({probabilities[k], successors[k], {}});
  }
  return branches_;
}

}  // namespace carl::io
