#include "histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carl/solution.h"
#include "table.h"

namespace carl::app {
namespace {

constexpr std::size_t most_bars = 12;
constexpr double widest_bar = 40;

struct Bar {
  std::string label;
  double from = 0;  // its least value
  std::size_t count = 0;
  bool above = false;  // the bound
};

/// Values that differ by rounding only are the same.
bool same(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

bool is_above(double value, const std::optional<Bound>& bound) {
  return bound && value > bound->upper + bound_tolerance(*bound);
}

/// Empty if there are too many different values.
std::vector<Bar> bars_of_values(const Distribution& values, const std::optional<Bound>& bound) {
  std::vector<Bar> bars;
  for (const auto& [value, times] : values) {
    const bool above = is_above(value, bound);
    if (bars.empty() || !same(bars.back().from, value) || bars.back().above != above) {
      if (bars.size() == most_bars) return {};
      bars.push_back({number(value), value, 0, above});
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
std::vector<Bar> empty_intervals(double least, double greatest, const std::optional<Bound>& bound) {
  const double width = round_width((greatest - least) / static_cast<double>(most_bars - 1));
  const double first = std::floor(least / width);
  std::vector<Bar> bars;
  const auto add = [&](double from, double to, bool above) {
    bars.push_back({fmt::format("{} … {}", number(from), number(to)), from, 0, above});
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
  // The greatest value may be the bound, and the limit of an interval: no other is above it.
  if (!bars.empty() && bars.back().above && !is_above(greatest, bound)) bars.pop_back();
  return bars;
}

/// A value at the limit of two intervals is in the second, but what is within the bound is never
/// counted above it.
std::vector<Bar> bars_of_intervals(const Distribution& values, const std::optional<Bound>& bound) {
  std::vector<Bar> bars = empty_intervals(values.front().first, values.back().first, bound);
  std::size_t bar = 0;
  for (const auto& [value, times] : values) {
    const bool above = is_above(value, bound);
    const auto is_in_next = [&, from = value] {
      const Bar& next = bars[bar + 1];
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

std::string histogram(const Distribution& values, const std::optional<Bound>& bound) {
  std::vector<Bar> bars = bars_of_values(values, bound);
  if (bars.empty()) bars = bars_of_intervals(values, bound);
  std::size_t largest = 1;
  for (const Bar& bar : bars)
    largest = std::max(largest, bar.count);
  std::string text;
  Table table({"", "runs", ""});
  for (const Bar& bar : bars) {
    const auto length = static_cast<std::size_t>(
        std::ceil(widest_bar * static_cast<double>(bar.count) / static_cast<double>(largest)));
    std::string line;
    for (std::size_t i = 0; i < length; ++i)
      line += bar.above ? "░" : "█";
    // The last column is aligned to the right unless all of it is equally wide.
    line.append(static_cast<std::size_t>(widest_bar) - length, ' ');
    table.add({bar.label, grouped(bar.count), std::move(line)});
  }
  text += table.str();
  if (is_above(values.back().first, bound))
    text += fmt::format("  ░ above the bound of {}\n", number(bound->upper));
  return text;
}

}  // namespace carl::app
