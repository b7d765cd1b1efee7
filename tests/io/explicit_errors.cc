#include "io/explicit_errors.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "carl/error.h"
#include "io/read_explicit.h"

namespace carl::io {

std::string message(std::string text) {
  Monitor monitor;
  try {
    read_explicit("m.json", std::move(text), monitor);
  } catch (const InputError& error) {
    return error.what();
  }
  return "fine";
}

std::string edited(std::string_view old, std::string_view replacement) {
  std::string text(good);
  const std::size_t at = text.find(old);
  if (at == std::string::npos) throw std::logic_error("nothing to replace");
  return text.replace(at, old.size(), replacement);
}

void expect_messages(const std::vector<Case>& cases) {
  for (const Case& wrong : cases)
    EXPECT_EQ(message(edited(wrong.old, wrong.replacement)), wrong.message)
        << wrong.old << " -> " << wrong.replacement;
}

}  // namespace carl::io
