// The initial state: facts that are true and the values of static numbers. Everything not listed is
// false, so (not …) says nothing; repeated facts are kept once.
#ifndef CARL_PDDL_INIT_H
#define CARL_PDDL_INIT_H

#include <absl/container/flat_hash_map.h>

#include <vector>

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

/// Adds the facts of `section` to `facts` and returns the values.
InitialValues read_init(Form section, Vocabulary& vocabulary, std::vector<GroundAtom>& facts);

}  // namespace carl::pddl

#endif
