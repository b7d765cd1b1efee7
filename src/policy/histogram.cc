#include "carl/histogram.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "carl/solution.h"

namespace carl {
namespace {

/// Values that differ by rounding only are the same.
bool same(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

bool is_above(double value, const std::optional<Bound>& bound) {
  return bound && value > bound->upper + bound_tolerance(*bound);
}

/// Empty if there are too many different values.
std::vector<HistogramBar> bars_of_values(const Distribution& values,
                                         const std::optional<Bound>& bound, std::size_t most) {
  std::vector<HistogramBar> bars;
  for (const auto& [value, times] : values) {
    const bool above = is_above(value, bound);
    if (bars.empty() || !same(bars.back().from, value) || bars.back().above != above) {
      if (bars.size() == most) return {};
      bars.push_back({value, value, 0, above});
    }
    bars.back().count += times;
  }
  return bars;
}

/// The next of 1, 2, 5, 10, … times a power of ten.
double round_width(double width) {
  const double power = std::pow(10, std::floor(std::log10(width)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (width <= factor * power) return factor * power;
  return 10 * power;
}

/// Intervals of equal width from the least value to the greatest; one that the bound lies in is
/// two.
std::vector<HistogramBar> empty_intervals(double least, double greatest,
                                          const std::optional<Bound>& bound, std::size_t most) {
  const double width = round_width((greatest - least) / static_cast<double>(most - 1));
  const double first = std::floor(least / width);
  std::vector<HistogramBar> bars;
  const auto add = [&](double from, double to, bool above) {
    bars.push_back({from, to, 0, above});
  };
  for (double k = first; k == first || k * width <= greatest; ++k) {
    const double from = k * width;
    const double to = (k + 1) * width;
    if (!bound || bound->upper <= from || bound->upper >= to) {
      add(from, to, bound && bound->upper <= from);
    } else {
      if (!is_above(least, bound)) add(from, bound->upper, false);
      add(bound->upper, to, true);
    }
  }
  // The least value may be the bound as well, and have no interval before it.
  if (bars.front().above && !is_above(least, bound))
    bars.insert(bars.begin(), {bound->upper, bound->upper, 0, false});
  // The greatest value may be the bound, and the limit of an interval: no other is above it.
  if (!bars.empty() && bars.back().above && !is_above(greatest, bound)) bars.pop_back();
  return bars;
}

/// A value at the limit of two intervals is in the second, but what is within the bound is never
/// counted above it.
std::vector<HistogramBar> bars_of_intervals(const Distribution& values,
                                            const std::optional<Bound>& bound, std::size_t most) {
  std::vector<HistogramBar> bars =
      empty_intervals(values.front().first, values.back().first, bound, most);
  std::size_t bar = 0;
  for (const auto& [value, times] : values) {
    const bool above = is_above(value, bound);
    const auto is_in_next = [&, from = value] {
      const HistogramBar& next = bars[bar + 1];
      if (next.above && !above) return false;
      return next.from <= from || next.above != bars[bar].above;
    };
    while (bar + 1 < bars.size() && is_in_next())
      ++bar;
    bars[bar].count += times;
  }
  return bars;
}

}  // namespace

std::vector<HistogramBar> histogram_bars(const Distribution& values,
                                         const std::optional<Bound>& bound, std::size_t most) {
  assert(!values.empty() && most > 1);
  std::vector<HistogramBar> bars = bars_of_values(values, bound, most);
  return bars.empty() ? bars_of_intervals(values, bound, most) : bars;
}

}  // namespace carl
