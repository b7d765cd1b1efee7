// Terms and the variables that are in force where they stand. A variable is a slot: the number of
// variables bound outside of it, so that a quantifier inside another takes the next slots and an
// inner variable hides an outer one of the same name.
#ifndef CARL_PDDL_TERMS_H
#define CARL_PDDL_TERMS_H

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "pddl/vocabulary.h"

namespace carl::pddl {

class Scope {
 public:
  /// Returns the slot of the first of `variables`.
  std::size_t bind(const std::vector<Parameter>& variables);
  /// Ends what the last bind() of this many variables began.
  void release(std::size_t count) { bound_.resize(bound_.size() - count); }

  std::optional<std::size_t> find(std::string_view name) const;
  const std::vector<TypeId>& types(std::size_t slot) const { return bound_[slot].types; }
  /// Enough for all variables that were ever bound at once.
  std::size_t num_slots() const { return num_slots_; }
  std::vector<std::string_view> names() const;

 private:
  std::vector<Parameter> bound_;
  std::size_t num_slots_ = 0;
};

/// Whether the arguments must fit their parameters for all values of the variables or for some.
enum class Typing { possible, certain };

/// A variable or an object.
Term read_term(Form form, const Scope& scope, const Vocabulary& vocabulary);

/// The arguments of an atom or function term `form`, that is, all after the head. `kind` and
/// `parameters` say what the head stands for.
std::vector<Term> read_arguments(Form form, const char* kind,
                                 const std::vector<Parameter>& parameters, const Scope& scope,
                                 const Vocabulary& vocabulary, Typing typing = Typing::possible);

/// The same where only objects are allowed.
std::vector<ObjectId> read_objects(Form form, const char* kind,
                                   const std::vector<Parameter>& parameters,
                                   const Vocabulary& vocabulary);

/// The variables of a quantifier (forall VARIABLES body), bound in `scope`; the caller releases
/// them.
Quantifier read_quantifier(Form form, Scope& scope, const Vocabulary& vocabulary);

}  // namespace carl::pddl

#endif
