// Puts modules together: which commands happen at the same time. Without system ... endsystem all
// modules run in parallel and take part in every action that they name.
#ifndef CARL_PRISM_COMPOSITION_H
#define CARL_PRISM_COMPOSITION_H

#include "prism/description.h"
#include "prism/modules.h"

namespace carl::prism {

/// Fills in Description::synchronisations. Throws InputError.
void compose(const ModelSyntax& syntax, ActionNames& actions, Description& out);

}  // namespace carl::prism

#endif
