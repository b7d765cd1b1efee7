#include "cluster/redistribution.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace carl::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double most_bins = 65536;  // enough for distances, too: few models are that deep

std::uint64_t word(double number) {
  return std::bit_cast<std::uint64_t>(number);
}
std::uint64_t word(std::uint32_t low, std::size_t high) {
  return low | static_cast<std::uint64_t>(high) << 32;
}

/// A state, its pairs and their outcomes, as words.
void pack(const Rows& rows, std::size_t state, const Order& order, const PairSet& pairs,
          std::vector<std::uint64_t>& out) {
  out.push_back(order.position[state]);
  const std::size_t header = out.size();
  out.insert(out.end(), {0, 0});
  std::size_t count = 0;
  for (std::size_t p = rows.first_pair(state); p < rows.last_pair(state); ++p) {
    if (!pairs[p]) continue;
    ++count;
    const auto targets = rows.targets(p);
    const auto probabilities = rows.probabilities(p);
    out.push_back(word(static_cast<std::uint32_t>(rows.action(p).index()), targets.size()));
    for (const double cost : rows.cost(p))
      out.push_back(word(cost));
    out.push_back(word(rows.repeats(p)));
    for (std::size_t k = 0; k < targets.size(); ++k) {
      out.push_back(targets[k] == rows.goal_slot() ? goal_id : order.position[targets[k]]);
      out.push_back(word(probabilities[k]));
    }
  }
  out[header] = rows.name(state);
  out[header + 1] = count;
}

/// Reads it again. Returns where the next state begins.
class Unpacker {
 public:
  Unpacker(const std::vector<std::uint64_t>& words, std::size_t num_costs)
      : words_(words), cost_(num_costs) {}

  std::size_t skip(std::size_t at) const {
    const std::size_t pairs = words_[at + 2];
    at += 3;
    for (std::size_t i = 0; i < pairs; ++i)
      at += 2 + cost_.size() + 2 * (words_[at] >> 32);
    return at;
  }

  void add_to(Rows& rows, std::size_t at) {
    const std::uint64_t name = words_[at + 1];
    const std::size_t pairs = words_[at + 2];
    at += 3;
    for (std::size_t i = 0; i < pairs; ++i) {
      const ActionId action(static_cast<std::uint32_t>(words_[at]));
      const std::size_t outcomes = words_[at++] >> 32;
      for (double& cost : cost_)
        cost = std::bit_cast<double>(words_[at++]);
      const auto repeats = std::bit_cast<double>(words_[at++]);
      for (std::size_t k = 0; k < outcomes; ++k, at += 2)
        rows.add_outcome(words_[at], std::bit_cast<double>(words_[at + 1]));
      rows.add_pair(action, cost_, repeats);
    }
    rows.end_state(name);
  }

 private:
  const std::vector<std::uint64_t>& words_;
  std::vector<double> cost_;
};

}  // namespace

Order order_by(const std::vector<double>& key, const Rows& rows, const Ghosts& ghosts,
               const Ranks& ranks) {
  double largest = 0;
  for (std::size_t s = 0; s < rows.size(); ++s)
    if (key[s] != infinity) largest = std::max(largest, key[s]);
  largest = ranks.max(largest);
  const double bins = std::min(most_bins, 4.0 * static_cast<double>(rows.ownership().total()));
  const double scale = largest > 0 ? bins / largest : 1;
  const auto bin_of = [&](double k) {
    return static_cast<std::size_t>(std::clamp(k * scale, 0.0, bins));
  };
  std::vector<std::uint64_t> count(static_cast<std::size_t>(bins) + 1, 0);
  for (std::size_t s = 0; s < rows.size(); ++s)
    if (key[s] != infinity) ++count[bin_of(key[s])];
  std::vector<std::uint64_t> next = ranks.sum_before(count);
  ranks.sum(count);
  Order order;
  for (std::size_t bin = 0; bin < count.size(); ++bin) {
    next[bin] += order.total;
    order.total += count[bin];
  }
  // Through doubles, which are what is scattered.
  constexpr double none = -1;
  std::vector<double> position(rows.num_slots(), none);
  for (std::size_t s = 0; s < rows.size(); ++s)
    if (key[s] != infinity) position[s] = static_cast<double>(next[bin_of(key[s])]++);
  ghosts.fetch(position);
  order.position.reserve(position.size());
  for (const double p : position)
    order.position.push_back(p == none ? no_state : static_cast<GlobalId>(p));
  return order;
}

Rows redistribute(Rows rows, const Order& order, const PairSet& pairs, const Ranks& ranks,
                  Watch* watch) {
  const auto has_ended = [&] { return watch != nullptr && watch->monitor().reached(); };
  const auto end_together = [&] {
    if (watch != nullptr) watch->check_all(watch->monitor().kind());
  };
  const std::size_t num_costs = rows.num_costs();
  const Ownership ownership = Ownership::even(order.total, ranks);
  std::vector<std::uint64_t> words;
  {
    std::vector<std::vector<std::uint64_t>> outbox(ranks.count());
    for (std::size_t s = 0; s < rows.size(); ++s)
      if (order.position[s] != no_state && !has_ended())
        pack(rows, s, order, pairs, outbox[ownership.owner(order.position[s])]);
    end_together();
    rows = Rows(num_costs);
    words = ranks.exchange(outbox);
  }
  const GlobalId begin = ownership.begin(ranks);
  Unpacker unpacker(words, num_costs);
  std::vector<std::size_t> place(ownership.end(ranks) - begin);
  for (std::size_t at = 0; at < words.size(); at = unpacker.skip(at))
    place[words[at] - begin] = at;
  Rows result(num_costs);
  for (const std::size_t at : place)
    if (!has_ended()) unpacker.add_to(result, at);
  end_together();
  result.finish(ownership, ranks);
  return result;
}

std::vector<double> redistribute(std::span<const double> own, const Order& order,
                                 const Ranks& ranks) {
  const Ownership ownership = Ownership::even(order.total, ranks);
  std::vector<std::vector<std::uint64_t>> outbox(ranks.count());
  for (std::size_t s = 0; s < own.size(); ++s) {
    std::vector<std::uint64_t>& out = outbox[ownership.owner(order.position[s])];
    out.push_back(order.position[s]);
    out.push_back(word(own[s]));
  }
  const std::vector<std::uint64_t> words = ranks.exchange(outbox);
  std::vector<double> result(words.size() / 2);
  for (std::size_t i = 0; i < words.size(); i += 2)
    result[words[i] - ownership.begin(ranks)] = std::bit_cast<double>(words[i + 1]);
  return result;
}

double movement(const Rows& rows, const Order& order, const Ranks& ranks) {
  double sum = 0;
  for (std::size_t s = 0; s < rows.size(); ++s)
    sum += std::abs(static_cast<double>(order.position[s]) - static_cast<double>(rows.begin() + s));
  const auto total = static_cast<double>(order.total);
  return order.total == 0 ? 0 : ranks.sum(sum) / (total * total);
}

}  // namespace carl::cluster
