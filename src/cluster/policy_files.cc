#include "cluster/policy_files.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <optional>

#include "carl/error.h"
#include "carl/policy_parts.h"
#include "cluster/agreement.h"

namespace carl::cluster {
namespace {

/// Where the states of this rank are. Names are made when they are needed, so that all of them are
/// never there at once.
class StateIndex {
 public:
  StateIndex(const Cssp& cssp, const Rows& rows) : cssp_(cssp), rows_(rows) {
    rows_of_.reserve(rows.size());
    for (std::size_t s = 0; s < rows.size(); ++s)
      rows_of_.emplace(hash(name(s)), s);
  }
  /// None if it is not one of them. The first of those whose names have the same hash is not taken
  /// for another; the others, of which there are next to none, are as good as not written down.
  std::optional<std::size_t> find(const std::string& state) const {
    const auto found = rows_of_.find(hash(state));
    if (found == rows_of_.end() || name(found->second) != state) return std::nullopt;
    return found->second;
  }

 private:
  static std::size_t hash(const std::string& text) { return std::hash<std::string>()(text); }
  std::string name(std::size_t s) const {
    return cssp_.state_name(StateId(static_cast<std::uint32_t>(rows_.name(s))));
  }

  const Cssp& cssp_;
  const Rows& rows_;
  absl::flat_hash_map<std::size_t, std::size_t> rows_of_;
};

std::uint32_t pair_of(const PolicyFile::Entry& entry, std::size_t s, const Cssp& cssp,
                      const Rows& rows) {
  if (entry.choices.size() == 1)
    for (std::size_t p = rows.first_pair(s); p < rows.last_pair(s); ++p)
      if (cssp.action_name(rows.action(p)) == entry.choices.front().action)
        return static_cast<std::uint32_t>(p);
  throw InputError(
      fmt::format("a policy does in '{}' what cannot be done there for certain", entry.state));
}

/// Of all ranks, on the first.
std::vector<PolicyPart> gather(const PolicyPart& own, const std::string& path, const Ranks& ranks) {
  const std::vector<std::uint64_t> words = ranks.gather({own.states, own.bytes, own.checksum});
  std::vector<PolicyPart> parts;
  for (std::size_t r = 0; 3 * r < words.size(); ++r)
    parts.push_back({policy_part_name(path, r), words[3 * r], words[3 * r + 1], words[3 * r + 2]});
  return parts;
}

}  // namespace

void write_pairs(const std::string& path, const Cssp& cssp, const Rows& rows,
                 std::span<const std::uint32_t> pairs, const Ranks& ranks) {
  const PolicyFile header = policy_header(cssp);
  PolicyPart own;
  together(ranks, [&] {
    PolicyPartWriter part(path, ranks.index(), header);
    for (std::size_t s = 0; s < rows.size(); ++s) {
      Policy choice;
      choice.add_state(StateId(static_cast<std::uint32_t>(rows.name(s))));
      choice.add_choice(rows.action(pairs[s]));
      part.add(cssp, choice[0]);
    }
    own = part.commit();
  });
  const std::vector<PolicyPart> parts = gather(own, path, ranks);
  together(ranks, [&] {
    if (ranks.is_first()) write_policy_index(path, header, parts);
  });
}

void read_pairs(const std::string& path, const Cssp& cssp, const Rows& rows,
                std::vector<std::uint32_t>& pairs, const Ranks& ranks, Monitor& monitor) {
  together(ranks, [&] {
    const StateIndex states(cssp, rows);
    read_policy_states(path, monitor, [&](PolicyFile::Entry&& entry) {
      if (const std::optional<std::size_t> s = states.find(entry.state))
        pairs[*s] = pair_of(entry, *s, cssp, rows);
    });
  });
}

}  // namespace carl::cluster
