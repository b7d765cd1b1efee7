#include "model/probability_shares.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "util/rational.h"

namespace carl {
namespace {

Rational exact_sum(std::span<const double> shares) {
  Rational sum = 0;
  for (const double share : shares)
    sum += decimal(share);
  return sum;
}

}  // namespace

double sum_of_shares(std::span<const double> shares) {
  return shares.size() == 1 ? shares[0] : to_double(exact_sum(shares));
}

void fit_shares(std::span<double> shares, double whole) {
  const Rational sum = exact_sum(shares);
  if (to_double(sum) == whole) return;
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
  // The largest changes least, but may be too coarse to make up for the rounding of the others. The
  // number as it is written is the better aim, the middle of what rounds to it the safer one.
  for (const std::size_t i : order) {
    const Rational others = sum - decimal(shares[i]);
    for (const Rational& aim : {decimal(whole), Rational(whole)}) {
      const double fitted = to_double(aim - others);
      if (!(fitted > 0) || to_double(others + decimal(fitted)) != whole) continue;
      shares[i] = fitted;
      return;
    }
  }
}

}  // namespace carl
