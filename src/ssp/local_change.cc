#include "ssp/local_change.h"

namespace carl::ssp {
namespace {

// More neighbours than that in the mean are as good as all.
constexpr std::size_t most_neighbours = 64;
constexpr std::uint32_t outside = ~std::uint32_t{0};

}  // namespace

void LocalChange::take_on(const SearchGraph& graph, std::span<const StateId> states) {
  const std::size_t num_blocks = Threads::num_blocks(states.size(), block_size);
  changes_.assign(num_blocks, {});
  in_all_.assign(num_blocks, 0.0);
  find_neighbours(graph, states);
}

/// One look at all pairs, on one thread: as much as a sweep. It is for as long as the component stays the
/// same; where there are several large ones, for each of them and for each λ.
void LocalChange::find_neighbours(const SearchGraph& graph, std::span<const StateId> states) {
  std::vector<std::uint32_t> block_of(graph.num_states(), outside);
  threads_.for_each(states.size(), [&](std::size_t i) {
    block_of[states[i].index()] = static_cast<std::uint32_t>(i / block_size);
  });
  const std::size_t num_blocks = changes_.size();
  first_.assign(1, 0);
  neighbour_.clear();
  leads_out_.assign(num_blocks, 0);
  std::vector<std::uint32_t> last_seen(num_blocks, outside);  // from which block
  for (std::uint32_t b = 0; b < num_blocks; ++b) {
    for (std::size_t i = b * block_size; i < std::min(states.size(), (b + 1) * block_size); ++i)
      for (const PairId p : graph.pairs(states[i])) {
        if (graph.ends(p)) leads_out_[b] = 1;
        for (const StateId t : graph.successors(p)) {
          const std::uint32_t to = block_of[t.index()];
          if (to == outside) {
            leads_out_[b] = 1;
          } else if (last_seen[to] != b) {
            last_seen[to] = b;
            neighbour_.push_back(to);
          }
        }
      }
    first_.push_back(neighbour_.size());
    local_ = neighbour_.size() <= most_neighbours * (b + 1);
    if (!local_ && b >= most_neighbours) break;
  }
}

void LocalChange::end_step() {
  Range all;
  if (!local_) {
    all.include({0, 0});
    for (const Range& range : changes_)
      all.include(range);
  }
  threads_.for_each(changes_.size(), [&](std::size_t b) {
    Range around = all;
    if (local_) {
      if (leads_out_[b] != 0) around.include({0, 0});
      for (std::size_t e = first_[b]; e < first_[b + 1]; ++e)
        around.include(changes_[neighbour_[e]]);
    }
    in_all_[b] += around.width();
  });
  std::fill(changes_.begin(), changes_.end(), Range{});
}

}  // namespace carl::ssp
