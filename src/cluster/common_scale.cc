#include "cluster/common_scale.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cluster/agreement.h"
#include "model/cost_scale.h"
#include "model/intern_table.h"
#include "util/random.h"

namespace carl::cluster {
namespace {

/// Of the cost vectors of all ranks those that are kept here, each of them on one rank.
std::vector<double> deal_out(const std::vector<double>& vectors, std::size_t num_costs,
                             const Ranks& ranks) {
  std::vector<std::vector<std::uint64_t>> outbox(ranks.count());
  for (std::size_t at = 0; at < vectors.size(); at += num_costs) {
    std::uint64_t hash = 0;
    for (std::size_t c = 0; c < num_costs; ++c)
      hash = SplitMix64(hash ^ std::bit_cast<std::uint64_t>(vectors[at + c])).next();
    for (std::size_t c = 0; c < num_costs; ++c)
      outbox[hash % ranks.count()].push_back(std::bit_cast<std::uint64_t>(vectors[at + c]));
  }
  const std::vector<std::uint64_t> words = ranks.exchange(outbox);
  VectorTable different;
  std::vector<double> cost(num_costs);
  for (std::size_t at = 0; at < words.size(); at += num_costs) {
    for (std::size_t c = 0; c < num_costs; ++c)
      cost[c] = std::bit_cast<double>(words[at + c]);
    different.intern(cost);
  }
  return {different.elements().begin(), different.elements().end()};
}

/// The lower one of two in the middle; 0 if there is no number. Doubles that are positive are in the
/// order of their bits, so that these are found one after the other, by counting.
double median(const std::vector<double>& positive, const Ranks& ranks) {
  const std::uint64_t total = ranks.sum(std::uint64_t{positive.size()});
  if (total == 0) return 0;
  std::uint64_t below = 0;  // a number that fewer than half of them are below
  for (std::uint64_t bit = std::uint64_t{1} << 62; bit > 0; bit >>= 1) {
    const auto middle = std::bit_cast<double>(below | bit);
    const auto count = static_cast<std::uint64_t>(
        std::count_if(positive.begin(), positive.end(), [&](double x) { return x < middle; }));
    if (ranks.sum(count) <= (total - 1) / 2) below |= bit;
  }
  return std::bit_cast<double>(below);
}

}  // namespace

std::vector<double> common_cost_scale(Cssp& cssp, const Ranks& ranks) {
  std::vector<double> scale;
  if (!cssp.model().share()) {
    together(ranks, [&] { scale = cost_scale(cssp); });  // which may expand states
    ranks.broadcast(scale);
    return scale;
  }
  const std::vector<double> vectors =
      deal_out(cssp.model().cost_vectors(), cssp.num_costs(), ranks);
  for (std::size_t c = 0; c < cssp.num_costs(); ++c) {
    std::vector<double> positive;
    for (std::size_t at = c; at < vectors.size(); at += cssp.num_costs())
      if (vectors[at] > 0) positive.push_back(vectors[at] / cssp.units()[c]);
    scale.push_back(median(positive, ranks));
  }
  return cost_scale(cssp, scale);
}

}  // namespace carl::cluster
