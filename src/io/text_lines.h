// Goes through a text line by line and word by word, for formats that are tables; errors show the
// line and where in it they are.
#ifndef CARL_IO_TEXT_LINES_H
#define CARL_IO_TEXT_LINES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace carl::io {

class TextLines {
 public:
  /// Both must outlive this.
  TextLines(const std::string& name, std::string_view text) : name_(name), rest_(text) {}
  /// Throws InputError if the text is not UTF-8.
  void require_utf8() const;

  /// Goes to the next line; false if there is none.
  bool next();
  /// Goes to the next line that is not blank and does not begin with `comment`.
  bool next_but(std::string_view comment);
  /// The line without blanks around it.
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }

  /// The next word of the line, up to a blank; empty if there is none.
  std::string_view word();
  /// What is left of the line, without blanks in front.
  std::string_view rest();
  /// Takes this many characters of the rest.
  std::string_view take(std::size_t length);
  /// A word that must be there: a whole number below `end`, a number. `what` is for messages.
  std::uint64_t index(const char* what, std::uint64_t end);
  double value(const char* what);
  /// Of a word that is known already.
  double value_of(std::string_view word, const char* what) const;
  void expect_end();

  /// About a part of the line.
  [[noreturn]] void fail_at(std::string_view at, const std::string& message,
                            const std::string& hint = {}) const;
  /// About the line, or what ends before something came.
  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const;
  /// Calls `check()` and adds the current line to the InputError it may throw.
  template <class Check>
  void here(Check check) const;

 private:
  [[noreturn]] void rethrow() const;

  const std::string& name_;
  std::string_view rest_;
  std::string_view full_;  // the line as it is written
  std::string_view line_;
  std::string_view words_;  // what is left of it
  std::size_t number_ = 0;
};

template <class Check>
void TextLines::here(Check check) const {
  try {
    check();
  } catch (...) {
    rethrow();
  }
}

}  // namespace carl::io

#endif
