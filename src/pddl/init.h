// The initial state: facts that are true and the values of static numbers. Everything not listed is
// false, so (not …) says nothing; repeated facts are kept once.
//
// An initial distribution is what PPDDL makes of it: `probabilistic` effects on the state that the
// other facts describe, each independent of the others.
#ifndef CARL_PDDL_INIT_H
#define CARL_PDDL_INIT_H

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <vector>

#include "pddl/function_uses.h"
#include "pddl/vocabulary.h"

namespace carl::pddl {

/// The values that :init gives to functions, with their places.
class InitialValues {
 public:
  struct Entry {
    FunctionValue value;
    Position position;
  };

  const std::vector<Entry>& entries() const { return entries_; }
  const Rational* find(FunctionId function, const std::vector<ObjectId>& arguments) const;
  void add(Entry entry, const Vocabulary& vocabulary);

 private:
  std::vector<Entry> entries_;
  absl::flat_hash_map<std::vector<std::size_t>, std::size_t> index_;
};

/// Fills in the initial state of `tree` and returns the values. Without a section nothing is true.
InitialValues read_init(const std::optional<Form>& section, Vocabulary& vocabulary,
                        FunctionUses& uses, SyntaxTree& tree);

}  // namespace carl::pddl

#endif
