// What the programs made of these commands have in common: signals, descriptors, and errors that
// become messages and exit statuses.
#ifndef CARL_APPS_PROGRAM_H
#define CARL_APPS_PROGRAM_H

#include <atomic>

namespace carl::app {

/// Before anything else. `interrupted` becomes true on Ctrl-C, and lives as long as the program.
void begin_program(std::atomic<bool>& interrupted);

/// The exit status for the exception that is being handled.
int status_of_exception();
/// The same, with a message on standard error.
int report_exception();
/// For who handles it otherwise than by an exception: says that memory has run out, and returns the exit
/// status. Needs none.
int report_no_memory();

}  // namespace carl::app

#endif
