// The checked syntax tree of a PPDDL domain and problem: every name is resolved, every number
// exact, everything carries its position. What instantiation (src/task) starts from.
#ifndef CARL_PDDL_SYNTAX_TREE_H
#define CARL_PDDL_SYNTAX_TREE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carl/guarantees.h"
#include "carl/ids.h"
#include "util/rational.h"

namespace carl::pddl {

using TypeId = Id<struct TypeTag>;
using ObjectId = Id<struct ObjectTag>;
using PredicateId = Id<struct PredicateTag>;
using FunctionId = Id<struct FunctionTag>;

/// A place in one of the source texts; see SourceTexts for turning it into an InputError.
struct Position {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// types[0] is "object", the root.
struct Type {
  std::string name;
  std::vector<TypeId> parents;
};

struct Object {
  std::string name;
  std::vector<TypeId> types;  // more than one: (either …)
};

struct Parameter {
  std::string name;  // with its question mark
  std::vector<TypeId> types;
};

struct Predicate {
  std::string name;
  std::vector<Parameter> parameters;
};

/// A numeric function is a static number (given in :init) or a cost (only ever increased; a
/// decreased reward is a cost too).
struct Function {
  std::string name;
  std::vector<Parameter> parameters;
  bool is_cost = false;
  bool is_reward = false;  // a cost that effects decrease: it is what is lost
};

/// A variable or an object. Variables are slots of one binding array per action: its parameters
/// first, then those of the quantifiers, by nesting depth.
struct Term {
  static Term variable(std::size_t slot) { return {static_cast<std::uint32_t>(slot), {}}; }
  static Term constant(ObjectId object) { return {0, object}; }
  bool is_variable() const { return !object.valid(); }

  std::uint32_t slot = 0;
  ObjectId object;
};

/// Quantified variables occupy the slots first_slot, first_slot + 1, …
struct Quantifier {
  std::vector<Parameter> variables;
  std::size_t first_slot = 0;
};

/// The amount of an increase, a probability, or a side of a comparison: static numbers and arithmetic
/// over them.
struct Amount {
  enum class Kind { number, function, sum, difference, product, quotient };

  Kind kind = Kind::number;
  Position position;
  Rational number;
  FunctionId function;
  std::vector<Term> terms;
  std::vector<Amount> operands;
};

struct Condition {
  enum class Kind {
    conjunction,
    disjunction,
    negation,
    atom,
    equality,
    comparison,
    exists,
    forall
  };
  /// Of two numbers.
  enum class Relation { less, at_most, equal, at_least, greater };

  Kind kind = Kind::conjunction;  // the empty conjunction is true, the empty disjunction false
  Position position;
  std::vector<Condition> children;  // conjunction, disjunction; one for negation, exists, forall
  PredicateId predicate;            // atom
  std::vector<Term> terms;          // atom; two for equality
  Quantifier quantifier;            // exists, forall
  Relation relation = Relation::equal;
  std::vector<Amount> sides;  // comparison: two
};

struct Effect {
  enum class Kind { conjunction, add, remove, when, forall, probabilistic, increase };

  Kind kind = Kind::conjunction;
  Position position;
  std::vector<Effect> children;  // conjunction, probabilistic; one for when, forall
  /// probabilistic: one per child; the rest: nothing happens. Numbers among them are above 0, and
  /// sum to at most 1.
  std::vector<Amount> probabilities;
  PredicateId predicate;    // add, remove
  FunctionId function;      // increase
  std::vector<Term> terms;  // add, remove, increase
  Condition condition;      // when
  Quantifier quantifier;    // forall
  Amount amount;            // increase
};

struct ActionSchema {
  std::string name;
  Position position;
  std::vector<Parameter> parameters;
  std::size_t num_slots = 0;  // parameters and quantified variables
  Condition precondition;
  Effect effect;
  /// Made from an initial distribution: it is the first thing that happens, costs nothing and is
  /// not counted as a step.
  bool draws_initial_state = false;
};

struct GroundAtom {
  PredicateId predicate;
  std::vector<ObjectId> arguments;
};

struct FunctionValue {
  FunctionId function;
  std::vector<ObjectId> arguments;
  Rational value;
};

/// A non-negative linear combination of ground cost functions. One without terms and with unit_cost
/// set counts every action once ("steps").
struct CostExpression {
  struct Summand {
    Rational coefficient;
    FunctionId function;
    std::vector<ObjectId> arguments;
  };

  std::string name;  // "time"; "(waiting p1)"; a combination is named by its text
  std::vector<Summand> summands;
  bool unit_cost = false;
};

struct CostBound {
  std::size_t cost = 0;
  Rational upper;
  Position position;
};

/// A bound on something about what single runs use of a cost; see carl/guarantees.h.
struct RunGuarantee {
  Guarantee::Kind kind = Guarantee::Kind::chance;
  std::size_t cost = 0;
  Rational limit;  // for CVaR: the level
  Rational upper;
};

struct SyntaxTree {
  std::string domain_name;
  std::string problem_name;
  std::vector<Type> types;
  std::vector<Object> objects;  // the domain's constants first
  std::vector<Predicate> predicates;
  std::vector<Function> functions;
  std::vector<ActionSchema> actions;
  std::vector<GroundAtom> init;  // no repeats
  /// An initial distribution: what chance makes of `init`. Conjunctions of facts that become true
  /// or false, and `probabilistic`, with numbers.
  std::optional<Effect> initial_draw;
  std::vector<FunctionValue> values;
  Condition goal;  // its variables are slots 0, 1, … of its own
  std::size_t goal_slots = 0;
  /// costs[0] is minimised, then those with bounds in the order of the text, then every other
  /// ground cost that the problem mentions (one per ground instance of every cost function).
  std::vector<CostExpression> costs;
  std::vector<CostBound> bounds;  // at most one per cost: the tightest
  std::vector<RunGuarantee> guarantees;
  std::optional<GoalProbability> goal_probability;
  std::optional<std::vector<Rational>> give_up;  // one per cost
  std::vector<std::string> warnings;             // what is legal but probably not meant
  std::vector<std::string> notes;  // what a careful reader would like to know, for `carl info`
};

}  // namespace carl::pddl

#endif
