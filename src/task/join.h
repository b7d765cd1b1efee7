// Finds all bindings of a body's variables under which its atoms are facts. A backtracking join: at
// every step the atom with the fewest matching rows, given the bindings so far, is the next to
// branch on. That order is chosen afresh at every step because it depends on the objects bound, not
// only on the predicates (think of a road map with one hub).
//
// For semi-naive evaluation a run can be tied to a row that has just been added to its table: only
// bindings that use that row at the given atom are found, and earlier atoms must not use it, so
// that over all runs every binding is found exactly once.
#ifndef CARL_TASK_JOIN_H
#define CARL_TASK_JOIN_H

#include <absl/container/inlined_vector.h>
#include <absl/functional/function_ref.h>

#include <cstdint>
#include <vector>

#include "carl/monitor.h"
#include "task/lifted.h"
#include "task/relation.h"
#include "task/static_numbers.h"

namespace carl::task {

inline constexpr std::uint32_t unbound = UINT32_MAX;

/// Arguments of an atom or a function.
using Arguments = absl::InlinedVector<std::uint32_t, 8>;

/// All variables must be bound.
Arguments arguments_of(const std::vector<pddl::Term>& terms, const Bindings& bindings);

/// What joins work on, and how much they have worked.
struct JoinTables {
  std::vector<Relation> relations;
  const StaticNumbers* numbers = nullptr;  // needed by bodies that compare some
  std::size_t steps = 0;
};

class Join {
 public:
  Join(const JoinBody& body, JoinTables& tables, Bindings& bindings, Monitor& monitor);

  /// Calls `visit` with each binding; the body's slots are unbound before and after. `visit` must
  /// not add rows to tables of this body.
  void run(absl::FunctionRef<void()> visit);
  /// The same for bindings that map the body's atom `trigger` to the newest row of its table.
  void run_for_newest(std::size_t trigger, absl::FunctionRef<void()> visit);

 private:
  static constexpr std::size_t none = SIZE_MAX;

  struct Choice {
    std::size_t atom = none;
    Relation::Matches matches;
  };

  void extend(absl::FunctionRef<void()> visit);
  bool comparisons_hold();
  bool absent_hold();
  /// What cannot be told yet, or has no value, does not count.
  bool numbers_hold() const;
  /// False if some atom has no match; otherwise `choice` is the best atom to branch on, if any.
  bool choose(Choice& choice);
  bool unify(std::size_t atom, std::uint32_t row);
  bool is_excluded(std::size_t atom, std::uint32_t row) const;
  void undo(std::size_t bound, std::size_t used);
  Relation& relation(std::size_t atom) { return tables_.relations[body_.present[atom].relation]; }
  std::uint32_t value(const pddl::Term& term) const;
  void bind_slot(std::uint32_t slot, std::uint32_t object);

  const JoinBody& body_;
  JoinTables& tables_;
  Bindings& bindings_;
  Monitor& monitor_;
  std::size_t trigger_ = none;
  absl::InlinedVector<bool, 16> used_;               // by atom: settled
  absl::InlinedVector<std::uint32_t, 16> used_log_;  // to undo
  absl::InlinedVector<std::uint32_t, 16> bound_log_;
};

}  // namespace carl::task

#endif
