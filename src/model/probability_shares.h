// Outcomes with the same successor are one outcome for planning, and apart where they differ in
// cost. A text that has only the parts must give the same plans, bit for bit, as the problem that
// it was written from, which knows the whole without rounding. So parts are added as the decimal
// numbers that they are written as, the sum is rounded once, and a writer chooses them accordingly.
#ifndef CARL_MODEL_PROBABILITY_SHARES_H
#define CARL_MODEL_PROBABILITY_SHARES_H

#include <span>

namespace carl {

/// The sum of probabilities as they are written, in decimal, rounded once.
double sum_of_shares(std::span<const double> shares);

/// Changes the last digits of one share, if need be, so that the sum is `whole`.
void fit_shares(std::span<double> shares, double whole);

}  // namespace carl

#endif
