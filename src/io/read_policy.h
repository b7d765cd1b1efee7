// Parts of policy files that occur in other files, too.
#ifndef CARL_IO_READ_POLICY_H
#define CARL_IO_READ_POLICY_H

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "carl/monitor.h"
#include "carl/policy_file.h"
#include "carl/policy_parts.h"
#include "io/json_document.h"

namespace carl::io {

/// The name of a state, or the facts of a factored one, in any order, as PolicyFile::Entry has it.
std::string read_state(JsonDocument& document, JsonDocument::Value& value, bool& factored);

/// What a policy says besides its states.
std::vector<std::string> read_policy_costs(JsonDocument& document, JsonDocument::Value& value);
bool read_policy_covers(JsonDocument& document, JsonDocument::Value& value);
std::vector<std::string> read_policy_facts(JsonDocument& document, JsonDocument::Value& value);
std::vector<PolicyFile::Goal> read_policy_goals(JsonDocument& document, JsonDocument::Value& value);

/// One pair of parentheses around it, so that several can be told apart.
bool is_fact(std::string_view text);
/// The fact of "(not (fact))"; empty if it is no such text.
std::string_view negated_fact(std::string_view literal);

/// The text of a policy file, and nothing else.
PolicyFile read_whole_policy(const std::string& name, std::string text, Monitor& monitor);
/// Whether the text calls itself the index of a policy in parts. To be called within run().
bool is_policy_index(JsonDocument& document);
/// The parts of the policy whose index is the file `path`, one after the other: see
/// read_policy_states().
PolicyFile read_policy_parts(const std::string& path, JsonDocument& index, Monitor& monitor,
                             const std::function<void(PolicyFile::Entry&&)>& take,
                             const PartsToRead& parts);

/// A policy within another file.
PolicyFile read_policy_value(JsonDocument& document, JsonDocument::Value& value, Monitor& monitor);

}  // namespace carl::io

#endif
