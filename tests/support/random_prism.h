// Random programs in PRISM's language with some hundred states: modules that move alone and
// together, probabilities and rewards that depend on the state.
#ifndef CARL_TESTS_SUPPORT_RANDOM_PRISM_H
#define CARL_TESTS_SUPPORT_RANDOM_PRISM_H

#include <cstdint>
#include <memory>
#include <string>

#include "carl/model.h"

namespace carl::testing {

/// If `reckless`, some leave the range of a variable in some state.
std::string random_prism_text(std::uint64_t seed, bool reckless = false);
std::shared_ptr<Model> random_prism_model(std::uint64_t seed, bool reckless = false);

}  // namespace carl::testing

#endif
