// Where states have their names. Rows change hands, but what a state is called, and what its actions
// are, only its home knows: the rank that has found the state or read its transitions. Policies go
// home to be written, or, where that is possible, to the first rank, which then has all of them.
#ifndef CARL_CLUSTER_HOMES_H
#define CARL_CLUSTER_HOMES_H

#include <cstdint>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/policy.h"
#include "cluster/ranks.h"

namespace carl::cluster {

/// What rows call a state: its home, and its id there.
inline std::uint64_t name_at(std::size_t home, std::size_t id) {
  return static_cast<std::uint64_t>(home) << 32 | id;
}

class Homes {
 public:
  enum class Kind {
    everywhere,  // all ranks have the whole problem, with the same ids
    by_hash,     // of a factored state
    shares       // of a model that was read in shares
  };

  Homes(Cssp& cssp, Kind kind, const Ranks& ranks) : cssp_(cssp), kind_(kind), ranks_(ranks) {}

  /// The states of a policy as they are sent: a name, whether it is the initial state, the expected
  /// visits, and how often which actions are taken.
  class Entries {
   public:
    void add_state(std::uint64_t name, bool is_initial, double visits, std::size_t choices);
    void add_choice(ActionId action, double probability);

   private:
    friend class Homes;
    std::vector<std::uint64_t> words_;
  };

  /// Collective. The whole policy on the first rank, in ids of its problem; empty if no rank can have
  /// that.
  Policy gather(const Entries& entries) const;
  /// Collective. To a file, in parts, by their homes. Throws InputError on all ranks if a file cannot
  /// be written.
  void write(const Entries& entries, const std::string& path) const;

 private:
  std::vector<std::uint64_t> at_home(const Entries& entries) const;
  void add_packed_states(std::vector<std::uint64_t>& words) const;

  Cssp& cssp_;
  Kind kind_;
  const Ranks& ranks_;
};

}  // namespace carl::cluster

#endif
