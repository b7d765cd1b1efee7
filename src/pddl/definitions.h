// Finds the domain and the problem among the forms of all texts and takes them apart into sections.
// Sections may come in any order; each may be given once, but for actions.
#ifndef CARL_PDDL_DEFINITIONS_H
#define CARL_PDDL_DEFINITIONS_H

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pddl/s_expression.h"

namespace carl::pddl {

/// A domain or a problem.
struct Definition {
  Form form;  // the whole of it
  Form name;
  std::vector<std::pair<std::string_view, Form>> sections;  // by keyword, as written
  std::vector<Form> actions;

  std::optional<Form> section(std::string_view keyword) const;
};

struct Definitions {
  Definition domain;
  Definition problem;
};

/// Throws InputError if there is not exactly one domain and one problem that belong together.
Definitions find_definitions(const std::vector<SourceText>& sources,
                             const std::vector<FormTree>& texts);

}  // namespace carl::pddl

#endif
