// Where the library names options the command line names flags.
#ifndef CARL_APPS_FLAGS_H
#define CARL_APPS_FLAGS_H

#include <string>
#include <string_view>

namespace carl::app {

/// The flag of an option of the library: "--bound" for `bounds`.
std::string flag_of(std::string_view option);
/// A text of the library with flags in place of the options that it names in backquotes.
std::string with_flags(std::string_view text);
/// A finding of the library with the flag that may be to blame, if any.
std::string with_flag(const std::string& text, std::string_view option);

}  // namespace carl::app

#endif
