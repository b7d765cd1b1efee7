#include "carl/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace carl {
namespace {

constexpr std::size_t longest_compared = 40;
constexpr std::size_t most_compared = 10000;

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const std::size_t length = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(length), b.begin()).first -
      a.begin());
}

}  // namespace

std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view best;
  if (name.size() > longest_compared) return best;
  // In a name of one or two letters every other one is near.
  if (name.size() < 3) return best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string_view candidate :
       candidates.first(std::min(candidates.size(), most_compared))) {
    if (candidate.size() > longest_compared || candidate == name) continue;
    const std::size_t distance = edit_distance(name, candidate);
    const bool better =
        distance < best_distance || (distance == best_distance && !best.empty() &&
                                     common_prefix(name, candidate) > common_prefix(name, best));
    if (!better) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string_view candidate = nearest(name, candidates);
  return candidate.empty() ? std::string() : fmt::format("did you mean '{}'?", candidate);
}

}  // namespace carl
