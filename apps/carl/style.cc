#include "style.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace carl::app {

Style Style::of(int descriptor) {
  const char* off = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  Style style;
  style.coloured_ = isatty(descriptor) != 0 && (off == nullptr || *off == '\0') &&
                    terminal != nullptr && std::string_view(terminal) != "dumb";
  return style;
}

}  // namespace carl::app
