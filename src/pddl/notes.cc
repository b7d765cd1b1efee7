#include "pddl/notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "pddl/ssipp.h"
#include "util/shown.h"

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

/// "a, b and 3 more".
template <class Names>
std::string listed(const Names& names) {
  constexpr std::size_t most = 3;
  std::vector<std::string> first;
  for (std::size_t i = 0; i < names.size() && i < most; ++i)
    first.push_back(shown(names[i]));
  const std::size_t more = names.size() - first.size();
  return fmt::format("{}{}", fmt::join(first, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

/// What files in use leave out or write differently, and how it is read.
void note_liberties(const SyntaxTree& tree, const Definition& problem, const Vocabulary& vocabulary,
                    std::vector<std::string>& notes) {
  if (!vocabulary.bare_names().empty())
    notes.push_back(fmt::format("read as if in parentheses: {}", listed(vocabulary.bare_names())));
  if (!vocabulary.mere_supertypes().empty())
    notes.push_back(
        fmt::format("types that are declared by having subtypes, and not by themselves: {}",
                    listed(vocabulary.mere_supertypes())));
  if (!problem.section(":init"))
    notes.emplace_back("there is no ':init': in the initial state no fact is true");
  if (tree.initial_draw)
    notes.emplace_back(
        "the initial state is drawn at random, by a first action that costs nothing and is not "
        "counted as a step");
}

void note_functions(const SyntaxTree& tree, const CostFunctions& functions,
                    std::vector<std::string>& notes) {
  for (std::size_t f = 0; f < tree.functions.size(); ++f)
    if (tree.functions[f].is_cost && !functions.is_changed(FunctionId(f)))
      notes.push_back(
          fmt::format("no action changes the cost '{}', so it is 0", tree.functions[f].name));
}

bool is_untyped(const Parameter& parameter) {
  return parameter.types.size() == 1 && parameter.types[0] == TypeId(0);
}

/// A parameter of type object among others that have types: the type was probably forgotten, and
/// the parameter ranges over everything.
void warn_of_missing_types(const SyntaxTree& tree, std::vector<std::string>& warnings) {
  std::size_t parameters = 0;
  std::size_t untyped = 0;
  for (const ActionSchema& action : tree.actions) {
    parameters += action.parameters.size();
    untyped += static_cast<std::size_t>(
        std::count_if(action.parameters.begin(), action.parameters.end(), is_untyped));
  }
  const bool only_one = untyped == 1 && parameters > 1;
  for (const ActionSchema& action : tree.actions) {
    const auto& own = action.parameters;
    if (!only_one && (own.size() < 2 || std::count_if(own.begin(), own.end(), is_untyped) != 1))
      continue;
    for (const Parameter& parameter : own)
      if (is_untyped(parameter))
        warnings.push_back(fmt::format(
            "parameter {} of action '{}' is of type object, while all others {} have a type of "
            "their own: has it been forgotten?",
            shown(parameter.name), shown(action.name), only_one ? "in the domain" : "of it"));
  }
}

bool may_delete(const Effect& effect, PredicateId predicate) {
  if (effect.kind == Effect::Kind::remove && effect.predicate == predicate) return true;
  return std::any_of(effect.children.begin(), effect.children.end(),
                     [&](const Effect& child) { return may_delete(child, predicate); });
}

/// Facts that the goal asks for and that hold in the initial state, without those inside of
/// disjunctions and quantifiers; those that some action may delete, or the others.
std::string goals_that_hold(const SyntaxTree& tree, bool deleted) {
  const std::vector<Condition> whole{tree.goal};
  const bool is_list = tree.goal.kind == Condition::Kind::conjunction;
  std::map<std::pair<PredicateId, std::vector<ObjectId>>, bool> holds;
  for (const Condition& part : is_list ? tree.goal.children : whole) {
    if (part.kind != Condition::Kind::atom) continue;
    std::vector<ObjectId> arguments;
    for (const Term& term : part.terms)
      arguments.push_back(term.object);
    holds.try_emplace({part.predicate, std::move(arguments)}, false);
  }
  if (holds.empty()) return "";
  for (const GroundAtom& fact : tree.init)
    if (const auto found = holds.find({fact.predicate, fact.arguments}); found != holds.end())
      found->second = true;
  std::vector<std::string> facts;
  for (const auto& [atom, is_true] : holds) {
    const auto predicate = atom.first;
    const bool may_change =
        (tree.initial_draw && may_delete(*tree.initial_draw, predicate)) ||
        std::any_of(tree.actions.begin(), tree.actions.end(),
                    [&](const ActionSchema& a) { return may_delete(a.effect, predicate); });
    if (!is_true || may_change != deleted) continue;
    std::string text = "(" + tree.predicates[predicate.index()].name;
    for (const ObjectId object : atom.second)
      text += " " + tree.objects[object.index()].name;
    facts.push_back(text + ")");
  }
  return listed(facts);
}

}  // namespace

std::vector<std::string> make_warnings(const SyntaxTree& tree) {
  std::vector<std::string> warnings;
  warn_of_missing_types(tree, warnings);
  if (const std::string facts = goals_that_hold(tree, false); !facts.empty())
    warnings.push_back(fmt::format(
        "the goal asks for what is true from the start and never becomes false: {}", facts));
  return warnings;
}

std::vector<std::string> make_notes(const SyntaxTree& tree, const Definition& problem,
                                    const CostFunctions& functions, std::size_t lines,
                                    const Vocabulary& vocabulary) {
  std::vector<std::string> notes;
  note_liberties(tree, problem, vocabulary, notes);
  note_ssipp(tree, problem, lines, vocabulary.sources(), notes);
  note_functions(tree, functions, notes);
  if (const std::string facts = goals_that_hold(tree, true); !facts.empty())
    notes.push_back(
        fmt::format("the goal asks for what is true in the initial state already: {}", facts));
  if (problem.section(":goal-reward"))
    notes.emplace_back(
        "':goal-reward' makes no difference between policies that reach the goal; if giving up is "
        "allowed, the penalty has to say what missing it costs");
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
