// A text in PRISM's language, and places in it. A place knows its text, since what is checked
// together may come from several: a model, a file of properties, the command line. Texts outlive all
// that is made of them.
#ifndef CARL_PRISM_SOURCE_H
#define CARL_PRISM_SOURCE_H

#include <cstdint>
#include <string>
#include <string_view>

#include "carl/error.h"
#include "carl/options.h"

namespace carl::prism {

struct Source {
  std::string name;  // of the file, for messages
  std::string text;
};

/// Line and column count from 1; line 0 is the text as a whole, and no text is no place at all.
struct Position {
  const Source* source = nullptr;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

InputError error_at(const Position& position, std::string message, std::string hint = {});
/// The same where an option is to blame, whose name is in backquotes.
OptionError option_error_at(const Position& position, std::string message, std::string hint = {});

/// 'text', cut if it is very long.
std::string quoted(std::string_view text);

/// "model.prism:12", for hints that point at another place.
std::string place_of(const Position& position);

}  // namespace carl::prism

#endif
