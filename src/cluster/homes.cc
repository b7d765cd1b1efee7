#include "cluster/homes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "carl/policy_parts.h"
#include "cluster/agreement.h"
#include "cluster/questions.h"
#include "model/concurrent_model.h"
#include "util/checksum.h"
#include "util/random.h"

namespace carl::cluster {
namespace {

constexpr std::size_t size_of_header = 4;

std::size_t size_of_entry(const std::vector<std::uint64_t>& words, std::size_t at) {
  return size_of_header + 2 * words[at + 3];
}

/// Entries in the order in which policies list them: the initial state first. `extra` words come after
/// each.
template <class Before>
Policy policy_of(const std::vector<std::uint64_t>& words, std::size_t extra, Before before,
                 const std::function<StateId(std::size_t)>& state_at) {
  std::vector<std::size_t> order;
  for (std::size_t at = 0; at < words.size(); at += size_of_entry(words, at) + extra)
    order.push_back(at);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (words[a + 1] != words[b + 1]) return words[a + 1] > words[b + 1];
    return before(a, b);
  });
  Policy policy;
  policy.reserve(order.size());
  for (const std::size_t at : order) {
    const auto visits = std::bit_cast<double>(words[at + 2]);
    policy.add_state(state_at(at), std::isnan(visits) ? std::nullopt : std::optional(visits));
    for (std::size_t k = 0; k < words[at + 3]; ++k)
      policy.add_choice(ActionId(static_cast<std::uint32_t>(words[at + size_of_header + 2 * k])),
                        std::bit_cast<double>(words[at + size_of_header + 2 * k + 1]));
  }
  return policy;
}

Policy policy_by_id(const std::vector<std::uint64_t>& words) {
  return policy_of(
      words, 0, [&](std::size_t a, std::size_t b) { return words[a] < words[b]; },
      [&](std::size_t at) { return StateId(static_cast<std::uint32_t>(words[at])); });
}

}  // namespace

std::uint64_t hash_of_name(std::string_view name, std::string_view salt) {
  Checksum sum;
  sum.add(salt);
  sum.add(name);
  return SplitMix64(sum.value()).next();
}

void Homes::Entries::add_state(std::uint64_t name, bool is_initial, std::optional<double> visits,
                               std::size_t choices) {
  const double written = visits.value_or(std::numeric_limits<double>::quiet_NaN());
  words_.insert(words_.end(),
                {name, std::uint64_t{is_initial}, std::bit_cast<std::uint64_t>(written), choices});
}

void Homes::Entries::add_choice(ActionId action, double probability) {
  words_.insert(words_.end(), {action.index(), std::bit_cast<std::uint64_t>(probability)});
}

/// Where every rank has the whole problem each is at home everywhere.
std::size_t Homes::home_of(std::uint64_t name) const {
  return kind_ == Kind::everywhere ? ranks_.index() : name >> 32;
}

std::optional<std::string> Homes::name_here(std::uint64_t name) const {
  if (home_of(name) != ranks_.index()) return std::nullopt;
  return cssp_.state_name(StateId(static_cast<std::uint32_t>(name)));
}

/// Every entry at the home of its state.
std::vector<std::uint64_t> Homes::at_home(const Entries& entries) const {
  if (kind_ == Kind::everywhere) return entries.words_;
  const std::vector<std::uint64_t>& words = entries.words_;
  std::vector<std::vector<std::uint64_t>> outbox(ranks_.count());
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t size = size_of_entry(words, at);
    std::vector<std::uint64_t>& out = outbox[home_of(words[at])];
    out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
               words.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  }
  return ranks_.exchange(outbox);
}

/// After each entry its state, which then needs no name.
void Homes::add_packed_states(std::vector<std::uint64_t>& words) const {
  const task::StateRegistry& states = cssp_.model().concurrent_model()->registry();
  std::vector<std::uint64_t> packed;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t size = size_of_entry(words, at);
    packed.insert(packed.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                  words.begin() + static_cast<std::ptrdiff_t>(at + size));
    const task::PackedState state = states[StateId(static_cast<std::uint32_t>(words[at]))];
    packed.insert(packed.end(), state.begin(), state.end());
    at += size;
  }
  words = std::move(packed);
}

Policy Homes::gather(const Entries& entries) const {
  if (kind_ == Kind::shares) return {};
  std::vector<std::uint64_t> words = at_home(entries);
  if (kind_ == Kind::by_hash) add_packed_states(words);
  words = ranks_.gather(words);
  if (!ranks_.is_first()) return {};
  if (kind_ == Kind::everywhere) return policy_by_id(words);
  task::StateRegistry& states = cssp_.model().concurrent_model()->registry();
  const std::size_t extra = states.num_words();
  const auto state_words = [&](std::size_t at) {
    return std::span(words).subspan(at + size_of_entry(words, at), extra);
  };
  // In an order that does not depend on how many homes there are.
  return policy_of(
      words, extra,
      [&](std::size_t a, std::size_t b) {
        const auto left = state_words(a);
        const auto right = state_words(b);
        return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
      },
      [&](std::size_t at) { return states.insert(state_words(at).data()); });
}

void Homes::write(const Entries& entries, const std::string& path) const {
  const Policy policy = policy_by_id(at_home(entries));
  PolicyFile header;
  header.costs = cssp_.cost_names();
  PolicyPart part;
  together(ranks_, [&] {
    if (ranks_.is_first()) header = policy_header(cssp_);  // what parts do not have is in the index
    PolicyPartWriter writer(path, ranks_.index(), header);
    for (const Policy::Entry& entry : policy)
      writer.add(cssp_, entry);
    part = writer.commit();
  });
  const std::vector<std::uint64_t> words = ranks_.gather({part.states, part.bytes, part.checksum});
  together(ranks_, [&] {
    if (!ranks_.is_first()) return;
    std::vector<PolicyPart> parts;
    for (std::size_t r = 0; r < ranks_.count(); ++r)
      parts.push_back(
          {policy_part_name(path, r), words[3 * r], words[3 * r + 1], words[3 * r + 2]});
    write_policy_index(path, header, parts);
  });
}

Homes::Names Homes::names(const Rows& rows) const {
  const auto ask = [&](bool of_actions, const auto& answer) {
    Questions questions(1, ranks_);
    for (std::size_t s = 0; s < rows.size(); ++s) {
      const std::uint64_t id = rows.name(s) & 0xffffffffU;
      if (!of_actions) questions.add(home_of(rows.name(s)), &id);
      for (std::size_t p = rows.first_pair(s); of_actions && p < rows.last_pair(s); ++p) {
        const std::uint64_t action = rows.action(p).index();
        questions.add(home_of(rows.name(s)), &action);
      }
    }
    return questions.ask(
        [&](const std::uint64_t* word) { return answer(static_cast<std::uint32_t>(*word)); });
  };
  const auto ask_states = [&](std::string_view salt) {
    return ask(false, [&, salt](std::uint32_t state) {
      return hash_of_name(cssp_.state_name(StateId(state)), salt);
    });
  };
  return {ask_states({}), ask_states(second_salt), ask(true, [&](std::uint32_t action) {
            return hash_of_name(cssp_.action_name(ActionId(action)));
          })};
}

}  // namespace carl::cluster
