// What the tests of the constrained algorithms share: every algorithm must agree with the LP over
// all states.
#ifndef CARL_TESTS_CSSP_AGREEMENT_H
#define CARL_TESTS_CSSP_AGREEMENT_H

#include <memory>
#include <string>

#include "carl/solve.h"
#include "support/random_model.h"

namespace carl {

Solution run(const std::shared_ptr<Model>& model, const SolveOptions& options,
             const CsspOptions& changes = {});
SolveOptions lp();

/// The same status and optimum, within the gap; bounds met, a valid lower bound, a mixture
/// that adds up.
void expect_same(const Cssp& cssp, const Solution& solution, const Solution& truth);

/// Options for random models that use the whole range of the suite: up to 16 constraints.
testing::RandomModelOptions options_for(std::uint64_t seed);
/// Bounds between what is possible and what is best without bounds.
CsspOptions random_bounds(const std::shared_ptr<Model>& model, std::uint64_t seed);
/// A symmetric grid with slips to both sides: full of ties that rounding errors tell apart.
std::shared_ptr<Model> slippery_grid(int size);

}  // namespace carl

#endif
