// Where a command's results go: a file, or standard output for "-".
#ifndef CARL_APPS_OUTPUT_H
#define CARL_APPS_OUTPUT_H

#include <functional>
#include <ostream>
#include <string>

namespace carl::app {

/// Throws InputError if the file cannot be written. A file that was begun and could not be finished
/// is removed.
void write_to(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace carl::app

#endif
