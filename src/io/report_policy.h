// A policy as the graph that a report shows, in JSON.
#ifndef CARL_IO_REPORT_POLICY_H
#define CARL_IO_REPORT_POLICY_H

#include <cstddef>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "carl/cssp.h"
#include "policy/policy_graph.h"

namespace carl::io {

/// JSON that nothing can end early inside a script element.
std::string page_safe(const nlohmann::ordered_json& json);

/// Of larger policies the start and the most visited states, `most` in all.
void write_policy_graph(const Cssp& cssp, const policy::PolicyGraph& graph, std::size_t most,
                        std::ostream& out);

}  // namespace carl::io

#endif
