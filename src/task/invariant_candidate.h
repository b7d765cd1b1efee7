// The shape of a possible invariant: "for all x…, at most one of these atoms is true", where each
// part is a predicate whose arguments are the invariant's parameters x… in some order, and at most
// one further, counted argument that may be anything. An instance fixes the objects for x….
#ifndef CARL_TASK_INVARIANT_CANDIDATE_H
#define CARL_TASK_INVARIANT_CANDIDATE_H

#include <compare>
#include <cstdint>
#include <vector>

#include "task/atom_table.h"
#include "task/join.h"

namespace carl::task {

struct InvariantPart {
  std::uint32_t predicate = 0;
  /// The argument position of each invariant parameter; a position that is missing is counted.
  std::vector<std::uint32_t> positions;
  friend auto operator<=>(const InvariantPart&, const InvariantPart&) = default;
};

class InvariantCandidate {
 public:
  explicit InvariantCandidate(std::vector<InvariantPart> parts);

  const std::vector<InvariantPart>& parts() const { return parts_; }
  bool covers(std::uint32_t predicate) const { return part_of(predicate) != nullptr; }
  /// False if the atom's predicate is not covered; else `key` is the instance that it belongs to.
  bool instance_of(AtomId atom, const AtomTable& atoms, Arguments& key) const;

  /// All candidates that have one more part, such that `extra` belongs to the instance `key`.
  std::vector<InvariantCandidate> with_part_for(AtomId extra, const Arguments& key,
                                                const AtomTable& atoms) const;

  friend auto operator<=>(const InvariantCandidate& a, const InvariantCandidate& b) {
    return a.parts_ <=> b.parts_;
  }
  friend bool operator==(const InvariantCandidate&, const InvariantCandidate&) = default;

 private:
  const InvariantPart* part_of(std::uint32_t predicate) const;

  std::vector<InvariantPart> parts_;  // by predicate; parameters numbered by the first part
};

/// The candidates to start from: every predicate by itself, with each way to count an argument.
std::vector<InvariantCandidate> initial_candidates(const std::vector<AtomId>& fluents,
                                                   const AtomTable& atoms);

}  // namespace carl::task

#endif
