// Policies as the commands write them: the formats, and which of them a file's name asks for.
#ifndef CARL_APPS_POLICY_OUTPUT_H
#define CARL_APPS_POLICY_OUTPUT_H

#include <ostream>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/io.h"
#include "carl/monitor.h"
#include "carl/policy.h"

namespace carl::app {

/// "json", "csv", "dot".
const std::vector<std::string>& policy_formats();
/// The one that a file's name tells; empty if it does not.
std::string policy_format_of(const std::string& path);
/// In one of these formats. Throws LimitReached.
void write_policy_as(const std::string& format, Cssp& cssp, const Policy& policy,
                     const PolicyDetails& details, std::ostream& out, Monitor& monitor);

}  // namespace carl::app

#endif
