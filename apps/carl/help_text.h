// The help as people see it: 80 columns, options and what they do beside each other.
#ifndef CARL_APPS_HELP_TEXT_H
#define CARL_APPS_HELP_TEXT_H

#include <string>

#include "command_description.h"
#include "style.h"

namespace carl::app {

/// What there is.
std::string help_text(const ProgramDescription& program, const Style& style);
/// All about one command.
std::string help_text(const ProgramDescription& program, const CommandDescription& command,
                      const Style& style);

/// Words of the text in lines that end before the screen does; all but the first are indented, and
/// the first begins at column `at`.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t at);

/// Paragraphs of a footer, those lines joined that may be: see CommandDescription::footer.
std::vector<std::string> paragraphs_of(const std::string& text);

}  // namespace carl::app

#endif
