#include "cluster/policy_files.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <utility>

#include "carl/error.h"
#include "carl/policy_parts.h"
#include "cluster/agreement.h"

namespace carl::cluster {
namespace {

// What is read before it is passed on: enough to make messages worth their while.
constexpr std::size_t states_per_round = 16'384;
// In place of an action: what no policy of these files does.
constexpr std::uint64_t no_action = 0;

class PolicyReading {
 public:
  PolicyReading(const Homes& homes, const Rows& rows, std::vector<std::uint32_t>& pairs,
                const Ranks& ranks)
      : homes_(homes),
        rows_(rows),
        pairs_(pairs),
        ranks_(ranks),
        names_(homes.names(rows)),
        outbox_(ranks.count()) {
    tell_offices();
  }

  void run(const std::string& path, Monitor& monitor) {
    const PartsToRead parts{ranks_.index(), ranks_.count()};
    together(ranks_, [&] {
      try {
        read_policy_states(
            path, monitor, [&](PolicyFile::Entry&& entry) { take(entry); }, parts);
      } catch (...) {
        finish();
        throw;
      }
      finish();
    });
    reject_impossible();
  }

 private:
  using Name = std::pair<std::uint64_t, std::uint64_t>;

  std::size_t office_of(const Name& name) const { return name.first % ranks_.count(); }

  void tell_offices() {
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      const Name name(names_.states[s], names_.states_again[s]);
      std::vector<std::uint64_t>& out = outbox_[office_of(name)];
      out.insert(out.end(), {name.first, name.second, rows_.begin() + s});
    }
    names_.states = {};
    names_.states_again = {};
    const std::vector<std::uint64_t> words = ranks_.exchange(outbox_);
    rows_of_.reserve(words.size() / 3);
    for (std::size_t at = 0; at < words.size(); at += 3)
      rows_of_.emplace(Name(words[at], words[at + 1]), words[at + 2]);
  }

  void take(const PolicyFile::Entry& entry) {
    const Name name(hash_of_name(entry.state), hash_of_name(entry.state, second_salt));
    const bool is_sure = entry.choices.size() == 1;
    std::vector<std::uint64_t>& out = outbox_[office_of(name)];
    out.insert(out.end(), {name.first, name.second,
                           is_sure ? hash_of_name(entry.choices.front().action) : no_action});
    if (++num_waiting_ == states_per_round) pass_on(true);
  }

  /// All ranks pass on together, those that have read their parts, too. False if all of them have.
  bool pass_on(bool there_is_more) {
    num_waiting_ = 0;
    std::vector<std::uint64_t> words = ranks_.exchange(outbox_);
    for (std::size_t at = 0; at < words.size(); at += 3) {
      const auto row = rows_of_.find(Name(words[at], words[at + 1]));
      if (row == rows_of_.end()) continue;  // cannot be reached, or leads nowhere
      std::vector<std::uint64_t>& out = outbox_[rows_.ownership().owner(row->second)];
      out.insert(out.end(), {row->second, words[at + 2]});
    }
    words = ranks_.exchange(outbox_);
    for (std::size_t at = 0; at < words.size(); at += 2)
      choose(words[at] - rows_.begin(), words[at + 1]);
    return ranks_.any(there_is_more);
  }

  void finish() {
    while (pass_on(false)) {
    }
  }

  void choose(std::size_t s, std::uint64_t action) {
    for (std::size_t p = rows_.first_pair(s); p < rows_.last_pair(s); ++p)
      if (names_.actions[p] == action) {
        pairs_[s] = static_cast<std::uint32_t>(p);
        return;
      }
    impossible_ = rows_.name(s) + 1;
  }

  void reject_impossible() const {
    const std::uint64_t state = ranks_.max(impossible_);
    if (state == 0) return;
    together(ranks_, [&] {
      if (const auto name = homes_.name_here(state - 1))
        throw InputError(
            fmt::format("a policy does in '{}' what cannot be done there for certain", *name));
    });
  }

  const Homes& homes_;
  const Rows& rows_;
  std::vector<std::uint32_t>& pairs_;
  const Ranks& ranks_;
  Homes::Names names_;
  std::vector<std::vector<std::uint64_t>> outbox_;  // by rank
  std::size_t num_waiting_ = 0;
  absl::flat_hash_map<Name, GlobalId> rows_of_;  // whose office this is
  std::uint64_t impossible_ = 0;                 // one more than what rows call such a state
};

}  // namespace

void read_pairs(const std::string& path, const Homes& homes, const Rows& rows,
                std::vector<std::uint32_t>& pairs, const Ranks& ranks, Monitor& monitor) {
  PolicyReading(homes, rows, pairs, ranks).run(path, monitor);
}

}  // namespace carl::cluster
