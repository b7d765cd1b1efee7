// Manual pages, from the same descriptions as the help.
#ifndef CARL_APPS_MAN_PAGE_H
#define CARL_APPS_MAN_PAGE_H

#include <string>

#include "command_description.h"

namespace carl::app {

/// carl(1), and carl-solve(1) and so on, in the language of man(7).
std::string man_page(const ProgramDescription& program);
std::string man_page(const ProgramDescription& program, const CommandDescription& command);

}  // namespace carl::app

#endif
