// The interface of this room: PPDDL text in, checked syntax tree out.
#ifndef CARL_PDDL_READ_H
#define CARL_PDDL_READ_H

#include <string>
#include <string_view>
#include <vector>

#include "carl/error.h"
#include "carl/monitor.h"
#include "pddl/syntax_tree.h"

namespace carl::pddl {

struct SourceText {
  std::string name;  // file name, for messages
  std::string text;
};

/// Reads a domain and a problem, in either order, from one text or several. `problem` names the one
/// to read if there are several. Throws InputError, OptionError; polls `monitor`.
SyntaxTree read(const std::vector<SourceText>& sources, Monitor& monitor,
                std::string_view problem = {});

/// An error at a position that read() returned.
InputError error_at(const std::vector<SourceText>& sources, Position position, std::string message,
                    std::string hint = {});

}  // namespace carl::pddl

#endif
