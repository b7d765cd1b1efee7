// How much of CARL's work went into finding λ*, as opposed to making a policy of the answers. That is
// what searches for multipliers, and what is inside them, are compared by.
#ifndef CARL_CSSP_SEARCH_EFFORT_H
#define CARL_CSSP_SEARCH_EFFORT_H

#include "carl/solution.h"
#include "oracle/search_oracle.h"
#include "util/timer.h"

namespace carl::cssp {

/// What an oracle has done since the solve began, all that is expanded included; the seconds are
/// those of the timer.
MultiplierSearch effort(const oracle::SearchOracle& oracle, const Timer& timer);

MultiplierSearch difference(const MultiplierSearch& later, const MultiplierSearch& earlier);
void add(const MultiplierSearch& part, MultiplierSearch& sum);

/// What the multipliers themselves say: how many were tried, how many of the last are not zero.
void count_multipliers(const Cssp& cssp, const Solution& solution, MultiplierSearch& search);

}  // namespace carl::cssp

#endif
