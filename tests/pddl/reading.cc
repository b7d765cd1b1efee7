#include "pddl/reading.h"

#include <fmt/format.h>

namespace carl::pddl {

SyntaxTree read_texts(const std::vector<std::string>& texts) {
  std::vector<SourceText> sources;
  sources.reserve(texts.size());
  for (const std::string& text : texts)
    sources.push_back({fmt::format("{}.pddl", sources.size() + 1), text});
  Monitor monitor;
  return read(sources, monitor);
}

std::string message_of(const std::vector<SourceText>& sources) {
  Monitor monitor;
  try {
    read(sources, monitor);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

SyntaxTree read_blocks(const Blocks& parts) {
  return read_texts({fmt::format(R"(
    (define (domain blocks)
      (:requirements :adl :probabilistic-effects :rewards :fluents :constraints)
      (:types block table - thing thing)
      (:constants home - table)
      (:predicates (on ?x - block ?y - thing) (clear ?x - thing) (done))
      (:functions (time) (price) (dist ?a ?b - thing) (factor) (pain ?b - block))
      (:action act :parameters (?x ?y - block) :precondition {} :effect {})))",
                                 parts.precondition, parts.effect),
                     fmt::format(R"({}
    (define (problem p)
      (:domain blocks)
      (:objects b1 b2 - block)
      (:init {})
      (:goal {})
      {}))",
                                 parts.comment, parts.init, parts.goal, parts.rest)});
}

std::string Writer::write(const std::string& head, const std::vector<Term>& terms) const {
  std::string text = "(" + head;
  for (const Term& term : terms)
    text += " " + (term.is_variable() ? fmt::format("#{}", term.slot)
                                      : tree_.objects[term.object.index()].name);
  return text + ")";
}

std::string Writer::write(const std::string& head, const Quantifier& quantifier) const {
  std::string text = "(" + head;
  for (std::size_t i = 0; i < quantifier.variables.size(); ++i) {
    text += fmt::format(" #{}", quantifier.first_slot + i);
    for (const TypeId type : quantifier.variables[i].types)
      text += "-" + tree_.types[type.index()].name;
  }
  return text + ":";
}

std::string Writer::write(const Condition& condition) const {
  std::string text;
  switch (condition.kind) {
    case Condition::Kind::atom:
      return write(tree_.predicates[condition.predicate.index()].name, condition.terms);
    case Condition::Kind::equality:
      return write("=", condition.terms);
    case Condition::Kind::comparison: {
      static const char* const words[] = {"<", "<=", "=", ">=", ">"};
      return fmt::format("({} {} {})", words[static_cast<std::size_t>(condition.relation)],
                         write(condition.sides[0]), write(condition.sides[1]));
    }
    case Condition::Kind::conjunction:
      text = "(and";
      break;
    case Condition::Kind::disjunction:
      text = "(or";
      break;
    case Condition::Kind::negation:
      text = "(not";
      break;
    case Condition::Kind::exists:
      text = write("exists", condition.quantifier);
      break;
    case Condition::Kind::forall:
      text = write("forall", condition.quantifier);
      break;
  }
  for (const Condition& child : condition.children)
    text += " " + write(child);
  return text + ")";
}

std::string Writer::write(const Amount& amount) const {
  std::string text;
  switch (amount.kind) {
    case Amount::Kind::number:
      return amount.number.get_str();
    case Amount::Kind::function:
      return write(tree_.functions[amount.function.index()].name, amount.terms);
    case Amount::Kind::sum:
      text = "(+";
      break;
    case Amount::Kind::difference:
      text = "(-";
      break;
    case Amount::Kind::product:
      text = "(*";
      break;
    case Amount::Kind::quotient:
      text = "(/";
      break;
  }
  for (const Amount& operand : amount.operands)
    text += " " + write(operand);
  return text + ")";
}

std::string Writer::write(const Effect& effect) const {
  std::string text;
  switch (effect.kind) {
    case Effect::Kind::add:
      return write(tree_.predicates[effect.predicate.index()].name, effect.terms);
    case Effect::Kind::remove:
      return "(not " + write(tree_.predicates[effect.predicate.index()].name, effect.terms) + ")";
    case Effect::Kind::increase:
      return "(increase " + write(tree_.functions[effect.function.index()].name, effect.terms) +
             " " + write(effect.amount) + ")";
    case Effect::Kind::conjunction:
      text = "(and";
      break;
    case Effect::Kind::when:
      text = "(when " + write(effect.condition);
      break;
    case Effect::Kind::forall:
      text = write("forall", effect.quantifier);
      break;
    case Effect::Kind::probabilistic:
      text = "(probabilistic";
      break;
  }
  for (std::size_t i = 0; i < effect.children.size(); ++i) {
    if (effect.kind == Effect::Kind::probabilistic) text += " " + write(effect.probabilities[i]);
    text += " " + write(effect.children[i]);
  }
  return text + ")";
}

std::string Writer::write(const CostExpression& cost) const {
  std::string text = cost.unit_cost ? "1" : "";
  for (const CostExpression::Summand& summand : cost.summands) {
    std::vector<Term> terms;
    for (const ObjectId object : summand.arguments)
      terms.push_back(Term::constant(object));
    text += (text.empty() ? "" : " + ") + summand.coefficient.get_str() +
            write(tree_.functions[summand.function.index()].name, terms);
  }
  return text;
}

std::vector<std::string> Writer::write_costs() const {
  std::vector<std::string> lines;
  for (std::size_t c = 0; c < tree_.costs.size(); ++c) {
    std::string line = tree_.costs[c].name + " = " + write(tree_.costs[c]);
    for (const CostBound& bound : tree_.bounds)
      if (bound.cost == c) line += " <= " + bound.upper.get_str();
    if (tree_.give_up) line += ", give up " + (*tree_.give_up)[c].get_str();
    lines.push_back(line);
  }
  return lines;
}

}  // namespace carl::pddl
