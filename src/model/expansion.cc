#include "carl/model.h"

#include <cstddef>

namespace carl {
void Expansion::clear() {
  actions_.clear();
  first_.clear();
  probabilities_.clear();
  successors_.clear();
  if (!index_.empty()) index_.clear();  // clearing costs as much as the map was ever large
}

std::size_t Expansion::find_among_many(StateId successor) {
  const std::size_t first = first_.back();
  // Outcomes are distinct, so as many are in the index as were there when it was used last.
  for (std::size_t i = first + index_.size(); i < successors_.size(); ++i)
    index_.emplace(successors_[i], i);
  const auto found = index_.find(successor);
  return found == index_.end() ? successors_.size() : found->second;
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

void OutcomeCosts::clear() {
  probabilities_.clear();
  successors_.clear();
  costs_.clear();
}

void OutcomeCosts::add(double probability, StateId successor, std::span<const double> cost) {
  probabilities_.push_back(probability);
  successors_.push_back(successor);
  costs_.insert(costs_.end(), cost.begin(), cost.end());
}

std::span<const double> OutcomeCosts::cost(std::size_t k) const {
  const std::size_t num_costs = costs_.size() / size();
  return std::span(costs_).subspan(k * num_costs, num_costs);
}

}  // namespace carl
