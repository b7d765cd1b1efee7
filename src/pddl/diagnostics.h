// Words for error messages: names in quotes that stay short whatever the input, and the nearest
// known name for one that was mistyped.
#ifndef CARL_PDDL_DIAGNOSTICS_H
#define CARL_PDDL_DIAGNOSTICS_H

#include <string>
#include <string_view>

#include "carl/suggestion.h"

namespace carl::pddl {

/// 'text', cut if it is very long.
std::string quoted(std::string_view text);

}  // namespace carl::pddl

#endif
