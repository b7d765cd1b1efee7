// Names from a problem text as they are shown in messages: a file of garbage may hold a name of ten
// megabytes.
#ifndef CARL_UTIL_SHOWN_H
#define CARL_UTIL_SHOWN_H

#include <cstddef>
#include <string>
#include <string_view>

namespace carl {

/// The text itself, or its beginning and an ellipsis; no UTF-8 character is cut in two.
inline std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return std::string(text);
  std::size_t length = most;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
    --length;
  return std::string(text.substr(0, length)) + "…";
}

}  // namespace carl

#endif
