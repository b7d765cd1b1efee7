#include "model/exact_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/task_model.h"

namespace carl {

ExactNumbers::ExactNumbers(Cssp& cssp)
    : cssp_(cssp), task_(dynamic_cast<TaskModel*>(&cssp.model())) {}

Rational ExactNumbers::cost(ActionId action, std::size_t i) const {
  if (action == Cssp::give_up_action) return decimal((*cssp_.give_up_penalty())[i]);
  if (task_ == nullptr) return decimal(cssp_.cost(action)[i]);
  const task::Task& task = task_->task();
  const ActionId in_model = Cssp::to_model(action);
  return task.numbers[task.exact_cost_vectors[task.actions[in_model.index()].cost][i].index()];
}

void ExactNumbers::outcomes(StateId state, ActionId action, std::span<const double> probabilities,
                            std::span<const StateId> successors, std::vector<Outcome>& out) {
  out.clear();
  if (action == Cssp::give_up_action) {
    out.push_back({Cssp::given_up, 1});
    return;
  }
  Rational sum = 0;
  if (task_ != nullptr) {
    task_->for_each_exact_outcome(
        Cssp::to_model(state), Cssp::to_model(action), [&](task::NumberId p, StateId successor) {
          out.push_back({Cssp::from_model(successor), task_->task().numbers[p.index()]});
          sum += out.back().probability;
        });
  } else {
    for (std::size_t k = 0; k < successors.size(); ++k) {
      out.push_back({successors[k], decimal(probabilities[k])});
      sum += out.back().probability;
    }
  }
  if (sum == 1) return;
  for (Outcome& outcome : out)
    outcome.probability /= sum;
}

bool ExactNumbers::forbidden(ActionId action) const {
  return std::any_of(cssp_.bounds().begin(), cssp_.bounds().end(), [&](const Bound& bound) {
    return bound.upper == 0 && cost(action, bound.cost) > 0;
  });
}

double ExactNumbers::relative_error(ActionId action, std::span<const double> probabilities) const {
  constexpr double unit = std::numeric_limits<double>::epsilon();  // twice the rounding error
  std::size_t roundings = probabilities.size() + 2;
  // Outcomes of a task that lead to the same state were added up in floating point.
  if (task_ != nullptr && action != Cssp::give_up_action)
    roundings += task_->task().actions[Cssp::to_model(action).index()].outcomes.size();
  double sum = 0;
  for (const double p : probabilities)
    sum += p;
  return std::abs(sum - 1) + static_cast<double>(roundings) * unit;
}

}  // namespace carl
