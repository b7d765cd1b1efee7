// The interface of this room: a model in PRISM's language in, a checked description out.
#ifndef CARL_PRISM_READ_H
#define CARL_PRISM_READ_H

#include <memory>

#include "prism/description.h"
#include "prism/model_scope.h"

namespace carl::prism {

/// "N=4,p=0.1": values of constants that a model leaves open. Throws InputError.
ConstantValues parse_constants(const Source& source);

/// Throws InputError. `others_may_be_meant` allows values for constants that are not the model's.
Description read(std::shared_ptr<const Source> source, const ConstantValues& constants,
                 bool others_may_be_meant = false);

}  // namespace carl::prism

#endif
