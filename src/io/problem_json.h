// What files of several formats say of a problem in the same way.
#ifndef CARL_IO_PROBLEM_JSON_H
#define CARL_IO_PROBLEM_JSON_H

#include <span>

#include "carl/cssp.h"
#include "carl/policy.h"
#include "io/json_writer.h"

namespace carl::io {

/// The member "rewards": names of the costs that are what is lost of a reward; none without any.
void write_rewards(JsonWriter& json, const Cssp& cssp);
/// The member `key`: the facts of a state if the problem has facts, else its name.
void write_state(JsonWriter& json, std::string_view key, const Cssp& cssp, StateId state);
/// What a policy does in a state, as members of an object. `values` are the expected costs from there
/// on, if they are to be written.
void write_entry(JsonWriter& json, const Cssp& cssp, const Policy::Entry& entry,
                 std::span<const double> values = {});

}  // namespace carl::io

#endif
