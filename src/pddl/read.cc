#include "pddl/read.h"

#include <fmt/format.h>

#include "pddl/action.h"
#include "pddl/condition.h"
#include "pddl/costs.h"
#include "pddl/declarations.h"
#include "pddl/definitions.h"
#include "pddl/init.h"

namespace carl::pddl {
namespace {

Form goal_section(const Definition& problem, const Vocabulary& vocabulary) {
  if (const auto section = problem.section(":goal")) return *section;
  vocabulary.fail(
      problem.form, "the problem has no section ':goal'",
      "add (:goal ...): runs end where it holds. Rewards that are collected for ever, or "
      "for so many steps, cannot be planned for");
}

void read_goal(Form section, Vocabulary& vocabulary, FunctionUses& uses, SyntaxTree& tree) {
  if (section.size() != 2)
    vocabulary.fail(section, fmt::format("':goal' takes one condition, not {}", section.size() - 1),
                    "join several by (and ...)");
  Scope scope;
  tree.goal = read_condition(section[1], scope, vocabulary, uses);
  tree.goal_slots = scope.num_slots();
}

}  // namespace

SyntaxTree read(const std::vector<SourceText>& sources, Monitor& monitor,
                std::string_view problem) {
  if (sources.empty()) throw InputError("there is no text to read");
  std::vector<FormTree> texts;
  for (std::size_t file = 0; file < sources.size(); ++file)
    texts.emplace_back(sources, file, monitor);
  const Definitions definitions = find_definitions(sources, texts, lower_case(problem));

  SyntaxTree tree;
  tree.domain_name = definitions.domain.name.text();
  tree.problem_name = definitions.problem.name.text();
  Vocabulary vocabulary(sources, monitor, tree);
  read_declarations(definitions, vocabulary);
  FunctionUses uses;
  tree.actions.reserve(definitions.domain.actions.size());
  for (const Form action : definitions.domain.actions)
    tree.actions.push_back(read_action(action, vocabulary, uses));
  const InitialValues values =
      read_init(definitions.problem.section(":init"), vocabulary, uses, tree);
  read_goal(goal_section(definitions.problem, vocabulary), vocabulary, uses, tree);
  read_costs(definitions.problem, uses, values, vocabulary, tree);
  return tree;
}

}  // namespace carl::pddl
