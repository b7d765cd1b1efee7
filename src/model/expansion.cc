#include "carl/model.h"

namespace carl {

void Expansion::clear() {
  actions_.clear();
  first_.clear();
  probabilities_.clear();
  successors_.clear();
}

void Expansion::begin_action(ActionId action) {
  actions_.push_back(action);
  first_.push_back(successors_.size());
}

void Expansion::add_outcome(double probability, StateId successor) {
  for (std::size_t i = first_.back(); i < successors_.size(); ++i) {
    if (successors_[i] == successor) {
      probabilities_[i] += probability;
      return;
    }
  }
  probabilities_.push_back(probability);
  successors_.push_back(successor);
}

void Expansion::add_distinct_outcomes(std::span<const double> probabilities,
                                      std::span<const StateId> successors) {
  probabilities_.insert(probabilities_.end(), probabilities.begin(), probabilities.end());
  successors_.insert(successors_.end(), successors.begin(), successors.end());
}

std::span<const double> Expansion::probabilities(std::size_t i) const {
  return std::span(probabilities_).subspan(first_[i], end(i) - first_[i]);
}

std::span<const StateId> Expansion::successors(std::size_t i) const {
  return std::span(successors_).subspan(first_[i], end(i) - first_[i]);
}

void Expansion::shift_ids(std::size_t states, std::size_t actions) {
  for (StateId& successor : successors_)
    successor = StateId(successor.index() + states);
  for (ActionId& action : actions_)
    action = ActionId(action.index() + actions);
}

void Expansion::reorder(std::span<const std::size_t> order) {
  const Expansion old = *this;
  clear();
  for (const std::size_t i : order) {
    actions_.push_back(old.actions_[i]);
    first_.push_back(successors_.size());
    for (std::size_t k = old.first_[i]; k < old.end(i); ++k) {
      probabilities_.push_back(old.probabilities_[k]);
      successors_.push_back(old.successors_[k]);
    }
  }
}

}  // namespace carl
