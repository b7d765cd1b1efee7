// Where states have their names. Rows change hands, but what a state is called, and what its actions
// are, only its home knows: the rank that has found the state or read its transitions. Policies go
// home to be written, or, where that is possible, to the first rank, which then has all of them. Who
// reads one asks homes what its states are called.
#ifndef CARL_CLUSTER_HOMES_H
#define CARL_CLUSTER_HOMES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carl/cssp.h"
#include "carl/policy.h"
#include "cluster/ranks.h"
#include "cluster/rows.h"

namespace carl::cluster {

/// What rows call a state: its home, and its id there.
inline std::uint64_t name_at(std::size_t home, std::size_t id) {
  return static_cast<std::uint64_t>(home) << 32 | id;
}

/// A name as it is compared with others, so that no rank has to keep texts. Among 10^9 states two have
/// the same hash with a probability of 3 %, so that they have a second one.
std::uint64_t hash_of_name(std::string_view name, std::string_view salt = {});
inline constexpr std::string_view second_salt = "second";

class Homes {
 public:
  enum class Kind {
    everywhere,  // all ranks have the whole problem, with the same ids
    by_hash,     // of a packed state
    shares       // of a model that was read in shares
  };

  Homes(Cssp& cssp, Kind kind, const Ranks& ranks) : cssp_(cssp), kind_(kind), ranks_(ranks) {}

  /// The states of a policy as they are sent: a name, whether it is the initial state, the expected
  /// visits, and how often which actions are taken.
  class Entries {
   public:
    void add_state(std::uint64_t name, bool is_initial, std::optional<double> visits,
                   std::size_t choices);
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

  /// What the states of some rows are called, and, by pair, their actions: hashes of their names.
  struct Names {
    std::vector<std::uint64_t> states;
    std::vector<std::uint64_t> states_again;  // by second hashes
    std::vector<std::uint64_t> actions;
  };
  /// Collective.
  Names names(const Rows& rows) const;
  /// The name of a state, if this is its home.
  std::optional<std::string> name_here(std::uint64_t name) const;

 private:
  std::size_t home_of(std::uint64_t name) const;
  std::vector<std::uint64_t> at_home(const Entries& entries) const;
  void add_packed_states(std::vector<std::uint64_t>& words) const;

  Cssp& cssp_;
  Kind kind_;
  const Ranks& ranks_;
};

}  // namespace carl::cluster

#endif
