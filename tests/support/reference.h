// A naive interpreter of PPDDL, straight from the meaning of the language: states are sets of
// ground atoms by name, parameters are tried out object by object, conditions and effects are
// evaluated recursively. It shares nothing with the planner but the syntax tree, and is what the
// planner's grounding is compared with.
#ifndef CARL_TESTS_SUPPORT_REFERENCE_H
#define CARL_TESTS_SUPPORT_REFERENCE_H

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pddl/syntax_tree.h"
#include "util/rational.h"

namespace carl::testing {

using AtomSet = std::set<std::string>;

class Reference {
 public:
  explicit Reference(const pddl::SyntaxTree& tree);

  struct GroundAction {
    std::string name;
    std::size_t schema = 0;
    std::vector<std::size_t> arguments;
  };
  /// What an action does in one state.
  struct Transition {
    std::vector<Rational> cost;  // expected
    std::map<AtomSet, Rational> successors;
    /// The same, those that differ in cost apart.
    std::map<std::pair<AtomSet, std::vector<Rational>>, Rational> outcomes;
  };

  /// Without an initial distribution there is one, with certainty.
  std::map<AtomSet, Rational> initial_states() const;
  bool is_goal(const AtomSet& state) const;
  const std::vector<GroundAction>& actions() const { return actions_; }
  bool is_applicable(const GroundAction& action, const AtomSet& state) const;
  Transition apply(const GroundAction& action, const AtomSet& state) const;

 private:
  using Slots = std::vector<std::size_t>;

  /// One way in which chance can turn out.
  struct Result {
    Rational probability;
    AtomSet adds, deletes;
    std::map<std::string, Rational> increases;  // by ground function
  };

  bool has_type(std::size_t object, const std::vector<pddl::TypeId>& types) const;
  bool is_subtype(std::size_t type, std::size_t ancestor) const;
  /// Calls `visit` for every binding of the variables from slot `first` on.
  template <class Visit>
  void for_each_binding(const std::vector<pddl::Parameter>& variables, std::size_t first,
                        Slots& slots, const Visit& visit, std::size_t done = 0) const;
  bool holds(const pddl::Condition& condition, const AtomSet& state, Slots& slots) const;
  bool comparison_holds(const pddl::Condition& condition, const Slots& slots) const;
  std::vector<Result> results(const pddl::Effect& effect, const AtomSet& state, Slots& slots) const;
  /// The costs of the problem that ground functions make when they have grown by so much.
  std::vector<Rational> costs(const std::map<std::string, Rational>& increases) const;
  Rational amount(const pddl::Amount& amount, const Slots& slots) const;
  std::string name(const std::string& head, const std::vector<pddl::Term>& terms,
                   const Slots& slots) const;

  const pddl::SyntaxTree& tree_;
  std::vector<GroundAction> actions_;
  std::map<std::string, Rational> values_;
};

}  // namespace carl::testing

#endif
