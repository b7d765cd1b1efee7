// Colours and bold letters, where there is a terminal to show them. NO_COLOR (no-color.org) and a
// terminal that calls itself dumb are respected; what goes into a file or a pipe is plain text.
#ifndef CARL_APPS_STYLE_H
#define CARL_APPS_STYLE_H

#include <string>

namespace carl::app {

class Style {
 public:
  /// Plain.
  Style() = default;
  /// As the terminal behind this file descriptor wants it, if there is one.
  static Style of(int descriptor);

  bool coloured() const { return coloured_; }
  std::string bold(const std::string& text) const { return painted("1", text); }
  std::string faint(const std::string& text) const { return painted("2", text); }
  std::string good(const std::string& text) const { return painted("1;32", text); }
  std::string bad(const std::string& text) const { return painted("1;31", text); }
  std::string middling(const std::string& text) const { return painted("1;33", text); }

 private:
  std::string painted(const char* code, const std::string& text) const {
    return coloured_ ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
  }
  bool coloured_ = false;
};

}  // namespace carl::app

#endif
