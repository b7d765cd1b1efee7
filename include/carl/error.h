// Bad input is reported by one exception type that carries where, what and, where possible, what to
// write instead. It is caught once, in main (exit status 2).
#ifndef CARL_ERROR_H
#define CARL_ERROR_H

#include <cstddef>
#include <stdexcept>
#include <string>

namespace carl {

/// A place in a text file; line and column count from 1, line 0 means "the file as a whole".
struct SourcePosition {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

class InputError : public std::runtime_error {
 public:
  /// Something about the input as a whole, or about the command line.
  explicit InputError(std::string message, std::string hint = {});
  /// Something at a place in a text; `source_line` is shown with a caret below the column.
  InputError(SourcePosition position, const std::string& source_line, std::string message,
             std::string hint = {});

  const SourcePosition& position() const { return position_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }

 private:
  SourcePosition position_;
  std::string message_;
  std::string hint_;
};

}  // namespace carl

#endif
