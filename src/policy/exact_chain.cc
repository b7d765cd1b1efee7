#include "policy/exact_chain.h"

#include <cassert>

#include "model/task_model.h"

namespace carl::policy {

ExactChain::ExactChain(Cssp& cssp, const PolicyFile& policy, const PolicyChain& chain)
    : cssp_(cssp),
      policy_(policy),
      chain_(chain),
      task_(dynamic_cast<TaskModel*>(&cssp.model())),
      node_of_(cssp.num_states(), PolicyChain::goal) {
  for (std::size_t node = 0; node < chain.size(); ++node)
    node_of_[chain.state(node).index()] = static_cast<std::uint32_t>(node);
}

void ExactChain::load_choices(std::size_t node) {
  choices_.clear();
  Rational sum = 0;
  for (const PolicyFile::Choice& choice : policy_.states[chain_.entry(node)].choices)
    if (choice.probability > 0) sum += choices_.emplace_back(decimal(choice.probability));
  assert(choices_.size() == chain_.first_choice(node + 1) - chain_.first_choice(node));
  for (Rational& probability : choices_)
    probability /= sum;
}

void ExactChain::steps(std::size_t node, std::vector<Step>& out) {
  load_choices(node);
  out.clear();
  for (std::size_t i = 0; i < choices_.size(); ++i)
    add_outcomes(chain_.state(node), chain_.action(chain_.first_choice(node) + i), choices_[i],
                 out);
}

void ExactChain::add_outcomes(StateId state, ActionId action, const Rational& weight,
                              std::vector<Step>& out) {
  if (action == Cssp::give_up_action) {
    out.push_back({PolicyChain::goal, weight});
    return;
  }
  if (task_ != nullptr) {
    task_->for_each_exact_outcome(
        Cssp::to_model(state), Cssp::to_model(action), [&](task::NumberId p, StateId successor) {
          out.push_back(
              {node_of(Cssp::from_model(successor)), weight * task_->task().numbers[p.index()]});
        });
    return;
  }
  cssp_.expand(state, expansion_);
  std::size_t a = 0;
  while (expansion_.action(a) != action)
    ++a;
  const std::size_t first = out.size();
  Rational sum = 0;
  for (std::size_t k = 0; k < expansion_.successors(a).size(); ++k) {
    out.push_back({node_of(expansion_.successors(a)[k]), decimal(expansion_.probabilities(a)[k])});
    sum += out.back().probability;
  }
  for (std::size_t k = first; k < out.size(); ++k)
    out[k].probability *= weight / sum;
}

std::vector<Rational> ExactChain::costs(std::size_t node) {
  load_choices(node);
  std::vector<Rational> result(chain_.num_costs(), Rational(0));
  for (std::size_t c = 0; c < choices_.size(); ++c)
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] += choices_[c] * cost(chain_.action(chain_.first_choice(node) + c), i);
  return result;
}

Rational ExactChain::cost(ActionId action, std::size_t i) const {
  if (action == Cssp::give_up_action) return decimal((*cssp_.give_up_penalty())[i]);
  const ActionId in_model = Cssp::to_model(action);
  if (task_ == nullptr) return decimal(cssp_.cost(action)[i]);
  const task::Task& task = task_->task();
  return task.numbers[task.exact_cost_vectors[task.actions[in_model.index()].cost][i].index()];
}

}  // namespace carl::policy
