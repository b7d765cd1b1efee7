// The chain of a policy with the numbers as they were written (see model/exact_numbers.h). Of the
// policy's probabilities, too, the shortest decimals are taken and scaled to sum to one.
#ifndef CARL_POLICY_EXACT_CHAIN_H
#define CARL_POLICY_EXACT_CHAIN_H

#include <cstdint>
#include <utility>
#include <vector>

#include "carl/cssp.h"
#include "carl/policy.h"
#include "model/exact_numbers.h"
#include "policy/policy_chain.h"
#include "util/rational.h"

namespace carl::policy {

class ExactChain {
 public:
  struct Step {
    std::uint32_t to = PolicyChain::goal;
    Rational probability;
  };

  /// `chain` is that of `policy`, sound, and must outlive this.
  ExactChain(Cssp& cssp, const Policy& policy, const PolicyChain& chain);

  /// Fills in what can happen next in a node. A node may occur more than once.
  void steps(std::size_t node, std::vector<Step>& out);
  /// Expected costs of the next step.
  std::vector<Rational> costs(std::size_t node);

 private:
  /// Probabilities of the choices of a node.
  void load_choices(std::size_t node);
  void add_outcomes(StateId state, ActionId action, const Rational& weight, std::vector<Step>& out);
  std::uint32_t node_of(StateId state) const {
    return state.index() < node_of_.size() ? node_of_[state.index()] : PolicyChain::goal;
  }

  Cssp& cssp_;
  const Policy& policy_;
  const PolicyChain& chain_;
  ExactNumbers numbers_;
  std::vector<std::uint32_t> node_of_;
  std::vector<Rational> choices_;
  std::vector<ExactNumbers::Outcome> outcomes_;
  Expansion expansion_;
};

}  // namespace carl::policy

#endif
