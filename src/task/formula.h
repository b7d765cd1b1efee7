// Ground conditions in negation normal form. They are built from constants and literals by
// functions that simplify at once, so a condition that is settled by static facts never takes any
// room, and what remains mentions only facts that really vary.
#ifndef CARL_TASK_FORMULA_H
#define CARL_TASK_FORMULA_H

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "carl/ids.h"

namespace carl::task {

using AtomId = Id<struct AtomTag>;

/// An atom or its negation.
class Literal {
 public:
  Literal(AtomId atom, bool positive)
      : code_(static_cast<std::uint32_t>(atom.index()) << 1 | (positive ? 0U : 1U)) {}

  AtomId atom() const { return AtomId(code_ >> 1); }
  bool positive() const { return (code_ & 1) == 0; }
  /// Dense: 2·atom and 2·atom + 1.
  std::uint32_t code() const { return code_; }
  Literal operator!() const { return {atom(), !positive()}; }
  friend auto operator<=>(const Literal&, const Literal&) = default;

 private:
  std::uint32_t code_;
};

/// Sorted, without repeats.
using Conjunction = std::vector<Literal>;

enum class Truth : std::uint8_t { no, yes, unknown };

struct Formula {
  enum class Kind : std::uint8_t { truth, falsehood, literal, conjunction, disjunction };

  static Formula constant(bool value) {
    return Formula{value ? Kind::truth : Kind::falsehood, Literal({}, true), {}};
  }
  static Formula of(Literal literal) { return Formula{Kind::literal, literal, {}}; }

  bool is_true() const { return kind == Kind::truth; }
  bool is_false() const { return kind == Kind::falsehood; }

  Kind kind;
  Literal literal;                // of Kind::literal
  std::vector<Formula> children;  // two or more; a child's kind differs from its parent's
};

/// Collects the parts of a conjunction or disjunction, simplifying as they come.
class FormulaBuilder {
 public:
  explicit FormulaBuilder(Formula::Kind kind) : kind_(kind) {}

  void add(Formula part);
  /// True once nothing that is added can change the outcome any more.
  bool decided() const { return decided_; }
  Formula build();

 private:
  Formula::Kind kind_;
  bool decided_ = false;
  std::vector<Formula> parts_;
};

/// Calls `visit(atom)` for every occurrence of an atom.
void for_each_atom(const Formula& formula, const std::function<void(AtomId)>& visit);

/// Three-valued evaluation; `value(atom)` gives a Truth.
template <class Value>
Truth evaluate(const Formula& formula, const Value& value) {
  if (formula.kind == Formula::Kind::literal) {
    const Truth truth = value(formula.literal.atom());
    if (truth == Truth::unknown || formula.literal.positive()) return truth;
    return truth == Truth::yes ? Truth::no : Truth::yes;
  }
  const bool all = formula.kind == Formula::Kind::conjunction || formula.is_true();
  Truth result = all ? Truth::yes : Truth::no;
  for (const Formula& child : formula.children) {
    const Truth truth = evaluate(child, value);
    if (truth == (all ? Truth::no : Truth::yes)) return truth;
    if (truth == Truth::unknown) result = Truth::unknown;
  }
  return result;
}

/// The disjunctive normal form: no contradictory and no repeated conjunctions; {{}} if always true,
/// {} if never. Nothing if there are more than `max_size` conjunctions.
std::optional<std::vector<Conjunction>> disjunctive_normal_form(const Formula& formula,
                                                                std::size_t max_size);

}  // namespace carl::task

#endif
