// Decides for every instance of an invariant candidate whether no ground action can make two of its
// atoms true. The instance's weight (how many of its atoms are true) can only grow by an add, so:
//
//  - every add is balanced: whenever it happens, an atom of the same instance that is known to be
//    true before is deleted, or whichever of the others is true;
//  - two different adds to the same instance never happen together.
//
// "Known" is what the precondition and the conditions on the way to the effect say. An add of an
// atom known to be true and never deleted by the action changes nothing and does not count. A
// situation in which two atoms of the instance would have to be true at once cannot arise, by
// induction over the weight. Ground actions make no assumption about which parameters are different
// objects.
#ifndef CARL_TASK_INVARIANT_CHECK_H
#define CARL_TASK_INVARIANT_CHECK_H

#include <span>
#include <vector>

#include "carl/monitor.h"
#include "task/effect_index.h"
#include "task/ground_task.h"
#include "task/invariant_candidate.h"
#include "task/mutex_groups.h"

namespace carl::task {

class InvariantChecker {
 public:
  /// Gives up beyond `max_work` effects looked at in all.
  InvariantChecker(const GroundTask& task, const EffectIndex& effects, Monitor& monitor,
                   std::size_t max_work);

  struct Result {
    bool complete = true;  // false: given up
    TupleTable unsafe;     // instances whose weight can grow
    /// Ways to repair the first add that is not balanced.
    std::vector<InvariantCandidate> refinements;
  };
  Result check(const InvariantCandidate& candidate);

  /// True if the weight of the mutex group can never fall from one to zero. The group's atoms are
  /// given sorted.
  bool never_empties(const std::vector<AtomId>& group);

  bool given_up() const { return work_ > max_work_; }

 private:
  /// An effect of an action under one of the action's preconditions.
  struct Situation {
    const Conjunction* precondition = nullptr;
    std::uint32_t context = EffectIndex::root;
    std::vector<Literal> known;
  };
  /// The instance of the candidate in question.
  struct Instance {
    const InvariantCandidate* candidate = nullptr;
    Arguments key;
  };
  /// An add to an instance.
  struct Add {
    Arguments key;
    EffectLeaf leaf;
  };

  void set(Situation& situation, const Conjunction& precondition, std::uint32_t context) const;
  void check_action(const InvariantCandidate& candidate, std::uint32_t action, Result& result);
  std::vector<Add> adds_by_instance(const InvariantCandidate& candidate, std::uint32_t action);
  bool are_safe(std::span<const Add> adds, const Instance& instance, std::uint32_t action,
                Result& result);
  /// True if an atom of the instance that is true in here_ is deleted there.
  bool is_balanced(const EffectLeaf& add, const Instance& instance, std::uint32_t action);
  bool is_deleted_in(const Situation& situation, std::uint32_t action, AtomId atom) const;
  /// True if whatever atom of the instance may be true in here_ is deleted then. Only if it is asked
  /// for some of them whether they are true: who deletes blindly mostly means a group of something
  /// else, and atoms of such a group would be missed in others.
  bool deletes_all_others(const EffectLeaf& add, const Instance& instance, std::uint32_t action);
  const std::vector<AtomId>& members(const Instance& instance);
  /// True if the add changes nothing, or cannot happen at all, in `situation`.
  bool is_void(const EffectLeaf& add, const Instance& instance, std::uint32_t action,
               const Situation& situation) const;
  /// Can the situations here_ and other_ arise together?
  bool can_meet(const Instance& instance) const;
  bool is_member(AtomId atom, const Instance& instance) const;
  /// How many atoms of the instance are known to be true, and the last of them.
  std::size_t known_members(const Instance& instance, const Situation& situation,
                            AtomId& member) const;
  bool is_deleted(std::uint32_t action, AtomId atom) const;
  /// True if what stands in `context` happens whenever `situation` arises.
  bool implied(std::uint32_t context, const Situation& situation) const;
  /// True if `condition` is known to hold in `situation`.
  bool holds(const Formula& condition, const Situation& situation) const;
  bool is_below(std::uint32_t context, std::uint32_t ancestor) const;
  void refine(const Instance& instance, std::uint32_t action, Result& result) const;
  bool surely_adds(const GroundEffect& effect, const std::vector<AtomId>& group,
                   const Situation& situation) const;
  bool surely_adds(const Choice& choice, const std::vector<AtomId>& group,
                   const Situation& situation) const;

  const GroundTask& task_;
  const EffectIndex& effects_;
  Monitor& monitor_;
  std::size_t max_work_;
  std::vector<std::vector<std::uint32_t>> adders_;  // actions, by predicate
  std::size_t work_ = 0;
  Situation here_, other_;  // scratch
  // The atoms of the candidate's instances; empty until they are asked for.
  TupleTable instances_;
  std::vector<std::vector<AtomId>> members_;
};

}  // namespace carl::task

#endif
