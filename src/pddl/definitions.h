// Finds the domain and the problem among the forms of all texts and takes them apart into sections.
// Sections may come in any order; each may be given once, but for actions. Of several problems only
// the one that is asked for is looked into.
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
  bool shares_its_text = false;  // with another problem

  std::optional<Form> section(std::string_view keyword) const;
};

struct Definitions {
  Definition domain;
  Definition problem;
};

/// Throws InputError if there is not exactly one domain and one problem that belong together, and
/// OptionError if there are several problems and `problem` is none of their names.
Definitions find_definitions(const std::vector<SourceText>& sources,
                             const std::vector<FormTree>& texts, std::string_view problem);

}  // namespace carl::pddl

#endif
