#include "cluster/region.h"

#include <algorithm>
#include <limits>

namespace carl::cluster {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

PairSet pairs_without(const Rows& rows, const std::vector<std::size_t>& costs) {
  PairSet pairs(rows.num_pairs(), 1);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    pairs[p] = std::none_of(costs.begin(), costs.end(),
                            [&](std::size_t cost) { return rows.cost(p)[cost] > 0; });
  return pairs;
}

Incoming::Incoming(const Rows& rows) : first_(rows.num_slots() + 1, 0) {
  state_.reserve(rows.num_pairs());
  for (std::size_t s = 0; s < rows.size(); ++s)
    state_.resize(rows.last_pair(s), static_cast<std::uint32_t>(s));
  for (std::size_t p = 0; p < rows.num_pairs(); ++p)
    for (const std::uint32_t slot : rows.targets(p))
      ++first_[slot + 1];
  for (std::size_t slot = 0; slot + 1 < first_.size(); ++slot)
    first_[slot + 1] += first_[slot];
  pairs_.resize(rows.num_outcomes());
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t p = 0; p < rows.num_pairs(); ++p)
    for (const std::uint32_t slot : rows.targets(p))
      pairs_[next[slot]++] = static_cast<std::uint32_t>(p);
}

/// Whether any rank has news for another.
bool GraphSearch::is_to_go_on(bool news) const {
  if (watch_ != nullptr && watch_->reached(rows_.ownership().total()))
    watch_->check_all(watch_->monitor().kind());
  return ranks_.any(news);
}

std::vector<double> GraphSearch::distances(const PairSet& pairs) const {
  std::vector<double> distance(rows_.num_slots(), infinity);
  distance.back() = 0;
  std::vector<std::uint32_t> queue{rows_.goal_slot()};
  bool news = true;
  while (is_to_go_on(news)) {
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::uint32_t slot = queue[next];
      for (const std::uint32_t p : incoming_.pairs(slot)) {
        const std::uint32_t s = incoming_.state(p);
        if (!pairs[p] || distance[s] <= distance[slot] + 1) continue;
        distance[s] = distance[slot] + 1;
        queue.push_back(s);
      }
    }
    queue.clear();
    const std::vector<double> before(distance.begin() + static_cast<std::ptrdiff_t>(rows_.size()),
                                     distance.end());
    ghosts_.fetch(distance);
    for (std::size_t g = 0; g < before.size(); ++g)
      if (distance[rows_.size() + g] < before[g])
        queue.push_back(static_cast<std::uint32_t>(rows_.size() + g));
    news = !queue.empty();
  }
  return distance;
}

std::vector<std::uint32_t> GraphSearch::pairs_left(const PairSet& pairs) const {
  std::vector<std::uint32_t> left(rows_.size(), 0);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    left[incoming_.state(p)] += pairs[p];
  return left;
}

/// States that are gone, and all that have no pair left because of that.
void GraphSearch::remove(std::vector<std::uint32_t> gone, PairSet& pairs,
                         std::vector<std::uint32_t>& left, std::vector<double>& member) const {
  bool news = true;
  while (is_to_go_on(news)) {
    for (std::size_t next = 0; next < gone.size(); ++next)
      for (const std::uint32_t p : incoming_.pairs(gone[next])) {
        if (!pairs[p]) continue;
        pairs[p] = 0;
        const std::uint32_t s = incoming_.state(p);
        if (--left[s] > 0 || member[s] == 0) continue;
        member[s] = 0;
        gone.push_back(s);
      }
    gone.clear();
    const std::vector<double> before(member.begin() + static_cast<std::ptrdiff_t>(rows_.size()),
                                     member.end());
    ghosts_.fetch(member);
    for (std::size_t g = 0; g < before.size(); ++g)
      if (member[rows_.size() + g] < before[g])
        gone.push_back(static_cast<std::uint32_t>(rows_.size() + g));
    news = !gone.empty();
  }
}

std::vector<double> GraphSearch::proper_region(PairSet& pairs) const {
  std::vector<double> member(rows_.num_slots(), 1.0);
  std::vector<std::uint32_t> left = pairs_left(pairs);
  while (true) {
    const std::vector<double> distance = distances(pairs);
    std::vector<std::uint32_t> gone;
    for (std::uint32_t s = 0; s < rows_.size(); ++s)
      if (member[s] != 0 && distance[s] == infinity) {
        member[s] = 0;
        gone.push_back(s);
      }
    if (!ranks_.any(!gone.empty())) return member;
    remove(std::move(gone), pairs, left, member);
  }
}

std::vector<double> GraphSearch::closed_set(PairSet& pairs) const {
  std::vector<double> member(rows_.num_slots(), 1.0);
  member.back() = 0;
  std::vector<std::uint32_t> left = pairs_left(pairs);
  std::vector<std::uint32_t> gone{rows_.goal_slot()};
  for (std::uint32_t s = 0; s < rows_.size(); ++s)
    if (left[s] == 0) {
      member[s] = 0;
      gone.push_back(s);
    }
  remove(std::move(gone), pairs, left, member);
  return member;
}

std::vector<double> GraphSearch::reachable(GlobalId from, const PairSet& pairs) const {
  std::vector<double> reached(rows_.num_slots(), 0.0);
  std::vector<std::uint32_t> queue;
  const auto visit = [&](std::uint32_t slot) {
    if (reached[slot] != 0) return;
    reached[slot] = 1;
    if (slot < rows_.size()) queue.push_back(slot);
  };
  if (from >= rows_.begin() && from < rows_.begin() + rows_.size())
    visit(static_cast<std::uint32_t>(from - rows_.begin()));
  bool news = true;
  while (is_to_go_on(news)) {
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (std::size_t p = rows_.first_pair(queue[next]); p < rows_.last_pair(queue[next]); ++p)
        if (pairs[p])
          for (const std::uint32_t slot : rows_.targets(p))
            visit(slot);
    queue.clear();
    std::vector<double> told = reached;
    ghosts_.add_to_owners(told);
    for (std::uint32_t s = 0; s < rows_.size(); ++s)
      if (told[s] > 0) visit(s);
    news = !queue.empty();
  }
  return reached;
}

}  // namespace carl::cluster
