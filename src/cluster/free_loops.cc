#include "cluster/free_loops.h"

#include <algorithm>
#include <limits>

#include "util/strongly_connected.h"

namespace carl::cluster {
namespace {

/// A graph of free pairs as it is sent: a state, the number of its pairs, and for each of these the
/// number of its successors and the successors.
std::vector<std::uint64_t> pack(const Rows& rows, const PairSet& pairs,
                                const std::vector<double>& member) {
  std::vector<std::uint64_t> words;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    if (member[s] == 0) continue;
    words.push_back(rows.begin() + s);
    const std::size_t count = words.size();
    words.push_back(0);
    for (std::size_t p = rows.first_pair(s); p < rows.last_pair(s); ++p) {
      if (!pairs[p]) continue;
      ++words[count];
      words.push_back(rows.targets(p).size());
      for (const std::uint32_t slot : rows.targets(p))
        words.push_back(rows.global(slot));
    }
  }
  return words;
}

/// Its end components, by the usual refinement of strongly connected components.
class EndComponents {
 public:
  explicit EndComponents(const std::vector<std::uint64_t>& words) {
    for (std::size_t at = 0; at < words.size();) {
      states_.push_back(words[at++]);
      for (std::uint64_t left = words[at++]; left > 0; --left) {
        const std::uint64_t targets = words[at++];
        for (std::uint64_t k = 0; k < targets; ++k)
          global_.push_back(words[at++]);
        first_target_.push_back(global_.size());
      }
      first_pair_.push_back(first_target_.size() - 1);
    }
    // Ranks own ascending ranges, so that states come in order.
    for (const std::uint64_t target : global_)
      target_.push_back(static_cast<std::uint32_t>(
          std::lower_bound(states_.begin(), states_.end(), target) - states_.begin()));
    dropped_.assign(first_target_.size() - 1, false);
    while (refine()) {
    }
  }

  const std::vector<std::uint64_t>& states() const { return states_; }
  std::uint32_t component(std::size_t i) const { return components_.of[i]; }
  bool is_in_loop(std::size_t i) const { return has_pair(i); }
  std::size_t count() const { return components_.count; }

 private:
  bool has_pair(std::size_t i) const {
    for (std::size_t p = first_pair_[i]; p < first_pair_[i + 1]; ++p)
      if (!dropped_[p]) return true;
    return false;
  }

  /// Drops pairs that can leave their component; true if any.
  bool refine() {
    std::vector<std::size_t> first{0};
    std::vector<std::uint32_t> edges;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      for (std::size_t p = first_pair_[i]; p < first_pair_[i + 1]; ++p)
        if (!dropped_[p])
          edges.insert(edges.end(), target_.begin() + static_cast<std::ptrdiff_t>(first_target_[p]),
                       target_.begin() + static_cast<std::ptrdiff_t>(first_target_[p + 1]));
      first.push_back(edges.size());
    }
    components_ = strongly_connected_components(
        states_.size(), [&](std::size_t i) { return first[i + 1] - first[i]; },
        [&](std::size_t i, std::size_t k) { return edges[first[i] + k]; });
    bool dropped = false;
    for (std::size_t i = 0; i < states_.size(); ++i)
      for (std::size_t p = first_pair_[i]; p < first_pair_[i + 1]; ++p) {
        if (dropped_[p]) continue;
        for (std::size_t k = first_target_[p]; k < first_target_[p + 1]; ++k)
          dropped_[p] = dropped_[p] || components_.of[target_[k]] != components_.of[i];
        dropped |= dropped_[p];
      }
    return dropped;
  }

  std::vector<std::uint64_t> states_;
  std::vector<std::size_t> first_pair_{0};
  std::vector<std::size_t> first_target_{0};
  std::vector<std::uint64_t> global_;
  std::vector<std::uint32_t> target_;
  std::vector<bool> dropped_;
  Components components_;
};

}  // namespace

PairSet free_pairs(const Rows& rows, std::span<const double> weights, PairSet pairs) {
  std::vector<bool> is_free(rows.num_cost_rows(), true);
  for (std::size_t row = 0; row < is_free.size(); ++row)
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] > 0 && rows.cost_of_row(row)[i] > 0) is_free[row] = false;
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (!is_free[rows.cost_row(p)]) pairs[p] = 0;
  return pairs;
}

FreeLoops::FreeLoops(const Rows& rows, const GraphSearch& search, const Ranks& ranks,
                     std::span<const double> weights)
    : ranks_(ranks) {
  PairSet pairs = free_pairs(rows, weights, PairSet(rows.num_pairs(), 1));
  const std::vector<double> member = search.closed_set(pairs);
  const std::vector<std::uint64_t> words = ranks.gather(pack(rows, pairs, member));
  std::vector<std::vector<std::uint64_t>> outbox(ranks.count());
  if (ranks.is_first() && !words.empty()) {
    const EndComponents components(words);
    count_ = components.count();
    for (std::size_t i = 0; i < components.states().size(); ++i) {
      if (!components.is_in_loop(i)) continue;
      const GlobalId state = components.states()[i];
      std::vector<std::uint64_t>& out = outbox[rows.ownership().owner(state)];
      out.push_back(state);
      out.push_back(components.component(i));
    }
  }
  count_ = ranks.max(count_);
  if (count_ == 0) return;
  const std::vector<std::uint64_t> own = ranks.exchange(outbox);
  for (std::size_t i = 0; i < own.size(); i += 2)
    members_.emplace_back(static_cast<std::uint32_t>(own[i] - rows.begin()),
                          static_cast<std::uint32_t>(own[i + 1]));
}

void FreeLoops::equalise(std::vector<double>& value) const {
  if (empty()) return;
  std::vector<double> least(count_, std::numeric_limits<double>::infinity());
  for (const auto& [state, loop] : members_)
    least[loop] = std::min(least[loop], value[state]);
  ranks_.min(least);
  for (const auto& [state, loop] : members_)
    value[state] = least[loop];
}

}  // namespace carl::cluster
