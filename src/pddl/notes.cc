#include "pddl/notes.h"

#include <fmt/format.h>

#include "pddl/ssipp.h"

namespace carl::pddl {
namespace {

void note_ssipp(const SyntaxTree& tree, const Definition& problem, std::size_t lines,
                const std::vector<SourceText>& sources, std::vector<std::string>& notes) {
  if (lines > 0)
    notes.push_back(
        fmt::format("{} bound{} read from ';; CONSTR' comment lines, as in files of the "
                    "SSiPP family",
                    lines, lines == 1 ? " is" : "s are"));
  if (lines > 0 && !problem.section(":give-up"))
    notes.push_back(fmt::format("';; CONSTR' lines imply giving up, at a penalty of {} in '{}'",
                                ssipp_primary_penalty, tree.costs.front().name));
  for (std::size_t file = 0; file < sources.size(); ++file)
    if (file != problem.form.position().file && has_constraint_lines(sources[file].text))
      notes.push_back(fmt::format(
          "the ';; CONSTR' lines of {} are ignored: they count in the problem's text only",
          sources[file].name));
}

void note_functions(const SyntaxTree& tree, const CostFunctions& functions,
                    std::vector<std::string>& notes) {
  for (std::size_t f = 0; f < tree.functions.size(); ++f)
    if (tree.functions[f].is_cost && !functions.is_changed(FunctionId(f)))
      notes.push_back(
          fmt::format("no action changes the cost '{}', so it is 0", tree.functions[f].name));
}

}  // namespace

std::vector<std::string> make_notes(const SyntaxTree& tree, const Definition& problem,
                                    const CostFunctions& functions, std::size_t lines,
                                    const std::vector<SourceText>& sources) {
  std::vector<std::string> notes;
  note_ssipp(tree, problem, lines, sources, notes);
  note_functions(tree, functions, notes);
  if (problem.section(":goal-reward"))
    notes.emplace_back(
        "':goal-reward' is ignored: the goal is always reached, so it adds the same to every "
        "policy");
  const auto metric = problem.section(":metric");
  if (tree.costs.front().unit_cost &&
      (metric ? (*metric)[1].is_word("maximize") : tree.costs.size() > 1))
    notes.push_back(fmt::format(
        "{}: the number of actions ('{}') is minimised",
        metric ? "no action changes what the metric maximises" : "there is no ':metric'",
        tree.costs.front().name));
  if (tree.give_up && tree.give_up->front() == 0)
    notes.push_back(fmt::format("giving up costs nothing of '{}', which is minimised",
                                tree.costs.front().name));
  return notes;
}

}  // namespace carl::pddl
