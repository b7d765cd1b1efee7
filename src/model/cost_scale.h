// How large the numbers of a problem are. What an algorithm may neglect has to be measured against
// that, or another unit of a cost would change the answer. The scale of a cost is a number that
// grows with the unit as the costs do: multiply all its costs, its bound and its penalty by the
// same factor, and the scale is multiplied by it too.
#ifndef CARL_MODEL_COST_SCALE_H
#define CARL_MODEL_COST_SCALE_H

#include <vector>

#include "carl/cssp.h"

namespace carl {

/// For each cost the median of what actions cost, if they cost any of it. If none does, the
/// penalty of giving up; failing that the bound; failing that 1. Models that do not know all their
/// actions are asked for those of the first states that have some with a positive primary cost.
std::vector<double> cost_scale(Cssp& cssp);
/// The same where these medians are known, 0 for a cost that no action has any of.
std::vector<double> cost_scale(const Cssp& cssp, std::vector<double> medians);

/// The largest power of two that does not exceed a positive number.
double power_of_two_below(double number);

}  // namespace carl

#endif
