// Completion for shells, from the same descriptions as the help. The scripts hold all they offer,
// so that pressing TAB never starts the planner.
#ifndef CARL_APPS_COMPLETION_H
#define CARL_APPS_COMPLETION_H

#include <string>
#include <vector>

#include "command_description.h"

namespace carl::app {

std::vector<std::string> completion_shells();
/// The script of one of these shells.
std::string completion(const ProgramDescription& program, const std::string& shell);

}  // namespace carl::app

#endif
