// The initial state of a PRISM model: the initial values of its variables, or the only state in
// which the condition of init ... endinit holds.
#ifndef CARL_MODEL_PRISM_INITIAL_H
#define CARL_MODEL_PRISM_INITIAL_H

#include <cstdint>
#include <vector>

#include "model/prism_commands.h"
#include "prism/description.h"

namespace carl {

/// Values by variable. Throws InputError if there are none, or several.
std::vector<std::int64_t> initial_values(const prism::Description& model,
                                         const PrismLayout& layout);

}  // namespace carl

#endif
