// The largest probability with which a goal can be reached, from every state; and the least
// probability of failing that bounds on expected costs allow.
//
// Where no goal can be reached it is 0, where a proper policy exists 1: both follow from the graph
// alone. In between going round for ever is failing as well, and costs nothing here. So end
// components, in which one can go round, count as single states (from each of their states all the
// others can be reached for certain); then every policy ends, and policy iteration finds the
// probabilities.
//
// End components: L. de Alfaro, "Formal Verification of Probabilistic Systems", PhD thesis, Stanford
// University, 1997.
#ifndef CARL_CSSP_GOAL_CHANCES_H
#define CARL_CSSP_GOAL_CHANCES_H

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "model/hopeful_model.h"

namespace carl::cssp {

/// Of a problem without giving up; all its states are expanded. What its bounds of zero forbid
/// cannot be done; other bounds do not count. Throws LimitReached.
GoalChances goal_chances(Cssp& cssp, std::size_t threads, Monitor& monitor);

/// Which states are lost alone: `failure` is 0 for all others. Cheaper.
GoalChances lost_states(Cssp& cssp, std::size_t threads, Monitor& monitor);

/// The least that can be expected of a cost under the bounds on the others, by a linear program over
/// all states. Nothing if no policy meets the bounds. Throws LimitReached.
std::optional<double> least_expectation(Cssp& cssp, std::size_t cost, Monitor& monitor);

}  // namespace carl::cssp

#endif
