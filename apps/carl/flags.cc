#include "flags.h"

#include <fmt/format.h>

#include <algorithm>

namespace carl::app {

std::string flag_of(std::string_view option) {
  if (option == "bounds") option = "bound";  // given one by one
  std::string flag = fmt::format("--{}", option);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string with_flags(std::string_view text) {
  std::string result;
  for (;;) {
    const std::size_t open = text.find('`');
    const std::size_t close = text.find('`', open + 1);
    if (open == text.npos || close == text.npos) return result.append(text);
    const std::string_view quoted = text.substr(open + 1, close - open - 1);
    const std::string_view option = quoted.substr(0, quoted.find(' '));
    result.append(text.substr(0, open));
    result.append(flag_of(option)).append(quoted.substr(option.size()));
    text.remove_prefix(close + 1);
  }
}

std::string with_flag(const std::string& text, std::string_view option) {
  return option.empty() ? text : fmt::format("{} (see {})", text, flag_of(option));
}

}  // namespace carl::app
