// Parts of policy files that occur in other files, too.
#ifndef CARL_IO_READ_POLICY_H
#define CARL_IO_READ_POLICY_H

#include <string>
#include <string_view>

#include "carl/monitor.h"
#include "carl/policy_file.h"
#include "io/json_document.h"

namespace carl::io {

/// The name of a state, or the facts of a factored one, in any order, as PolicyFile::Entry has it.
std::string read_state(JsonDocument& document, JsonDocument::Value& value, bool& factored);

/// One pair of parentheses around it, so that several can be told apart.
bool is_fact(std::string_view text);
/// The fact of "(not (fact))"; empty if it is no such text.
std::string_view negated_fact(std::string_view literal);

/// A policy within another file.
PolicyFile read_policy_value(JsonDocument& document, JsonDocument::Value& value, Monitor& monitor);

}  // namespace carl::io

#endif
