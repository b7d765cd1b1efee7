// The interface of this room: a model in PRISM's language in, a checked description out.
#ifndef CARL_PRISM_READ_H
#define CARL_PRISM_READ_H

#include <memory>
#include <string>

#include "prism/description.h"
#include "prism/model_scope.h"

namespace carl::prism {

/// The value of a constant as it is given beside the model: "4", "0.1", "true", "1/3". Throws
/// InputError.
Value parse_constant_value(const std::string& name, const std::string& text);

/// Throws InputError. `others_may_be_meant` allows values for constants that are not the model's.
Description read(std::shared_ptr<const Source> source, const ConstantValues& constants,
                 bool others_may_be_meant = false);

}  // namespace carl::prism

#endif
