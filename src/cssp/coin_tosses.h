// Where a policy tosses coins. A mixture of policies, as CARL finds it, may randomise in hundreds of
// states. The same costs, or lower ones, are to be had with as many coins as there are bounds: a
// vertex of the occupation-measure LP has one basic column more than rows of states for each of
// them. The LP over what the policies of the mixture do has few columns more than states, and one of
// these policies is a basis, so a vertex takes a few pivots.
//
// E. Altman, "Constrained Markov Decision Processes", Chapman and Hall, 1999, section 3.3.
#ifndef CARL_CSSP_COIN_TOSSES_H
#define CARL_CSSP_COIN_TOSSES_H

#include <span>
#include <vector>

#include "oracle/search_oracle.h"
#include "ssp/policy.h"

namespace carl::cssp {

/// A state where a policy has a choice, its pairs with the most likely first.
struct CoinToss {
  StateId state;
  std::vector<graph::PairId> pairs;
  double weight = 0;  // expected visits × (1 - largest probability) × how much its pairs differ
};

/// A policy in few states of which there is a random choice.
struct PolicyWithCoins {
  std::vector<graph::PairId> choice;  // per state: the most likely, if the policy gets there
  std::vector<CoinToss> tosses;       // heaviest first
};

/// One weight per policy of the oracle, summing to one, of policies that the oracle's restriction
/// allows. If rounding errors are in the way of a vertex, it is the mixture itself.
PolicyWithCoins few_coins(oracle::SearchOracle& oracle, std::span<const double> mixture);

/// Deterministic policies that are near: the most likely choices, and those with another outcome of
/// one of the tosses. They need not be proper, nor meet any bound.
std::vector<ssp::Policy> without_coins(const graph::SearchGraph& graph,
                                       const PolicyWithCoins& policy);

}  // namespace carl::cssp

#endif
