#include "policy/exact_chain.h"

#include <cassert>

#include "policy/tolerances.h"

namespace carl::policy {

ExactChain::ExactChain(Cssp& cssp, const Policy& policy, const PolicyChain& chain)
    : cssp_(cssp),
      policy_(policy),
      chain_(chain),
      numbers_(cssp),
      node_of_(cssp.num_states(), PolicyChain::goal) {
  for (std::size_t node = 0; node < chain.size(); ++node)
    node_of_[chain.state(node).index()] = static_cast<std::uint32_t>(node);
}

void ExactChain::load_choices(std::size_t node) {
  choices_.clear();
  Rational sum = 0;
  for (const Policy::Choice choice : policy_[chain_.entry(node)].choices)
    if (is_possible(choice.probability)) sum += choices_.emplace_back(decimal(choice.probability));
  assert(choices_.size() == chain_.first_choice(node + 1) - chain_.first_choice(node));
  for (Rational& probability : choices_)
    probability /= sum;
}

void ExactChain::steps(std::size_t node, std::vector<Step>& out) {
  load_choices(node);
  out.clear();
  cssp_.expand(chain_.state(node), expansion_);
  for (std::size_t i = 0; i < choices_.size(); ++i)
    add_outcomes(chain_.state(node), chain_.action(chain_.first_choice(node) + i), choices_[i],
                 out);
}

void ExactChain::add_outcomes(StateId state, ActionId action, const Rational& weight,
                              std::vector<Step>& out) {
  if (action == Cssp::give_up_action) return out.push_back({PolicyChain::goal, weight});
  std::size_t a = 0;
  while (expansion_.action(a) != action)
    ++a;
  numbers_.outcomes(state, action, expansion_.probabilities(a), expansion_.successors(a),
                    outcomes_);
  for (const ExactNumbers::Outcome& outcome : outcomes_)
    out.push_back({node_of(outcome.state), weight * outcome.probability});
}

std::vector<Rational> ExactChain::costs(std::size_t node) {
  load_choices(node);
  std::vector<Rational> result(chain_.num_costs(), Rational(0));
  for (std::size_t c = 0; c < choices_.size(); ++c)
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] += choices_[c] * numbers_.cost(chain_.action(chain_.first_choice(node) + c), i);
  return result;
}

}  // namespace carl::policy
