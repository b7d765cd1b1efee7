#include "histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "table.h"

namespace carl::app {
namespace {

constexpr std::size_t most_bars = 12;
constexpr double widest_bar = 40;

struct Bar {
  std::string label;
  double from = 0;  // its least value
  std::size_t count = 0;
};

/// Values that differ by rounding only are the same.
bool same(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(a));
}

/// Empty if there are too many different values. `values` are sorted.
std::vector<Bar> bars_of_values(const std::vector<double>& values) {
  std::vector<Bar> bars;
  for (const double value : values) {
    if (bars.empty() || !same(bars.back().from, value)) {
      if (bars.size() == most_bars) return {};
      bars.push_back({number(value), value, 0});
    }
    ++bars.back().count;
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

std::vector<Bar> bars_of_intervals(const std::vector<double>& values) {
  const double width =
      round_width((values.back() - values.front()) / static_cast<double>(most_bars - 1));
  const double first = std::floor(values.front() / width) * width;
  std::vector<Bar> bars;
  for (const double value : values) {
    const auto i = static_cast<std::size_t>((value - first) / width);
    for (std::size_t k = bars.size(); k <= i; ++k) {
      const double from = first + static_cast<double>(k) * width;
      bars.push_back({fmt::format("{} … {}", number(from), number(from + width)), from, 0});
    }
    ++bars[i].count;
  }
  return bars;
}

}  // namespace

std::string histogram(std::vector<double> values, std::optional<double> bound) {
  std::sort(values.begin(), values.end());
  std::vector<Bar> bars = bars_of_values(values);
  if (bars.empty()) bars = bars_of_intervals(values);
  std::size_t largest = 1;
  for (const Bar& bar : bars)
    largest = std::max(largest, bar.count);
  std::string text;
  Table table({"", "runs", ""});
  for (const Bar& bar : bars) {
    const bool above = bound && bar.from > *bound + 1e-9 * std::max(1.0, *bound);
    const auto length = static_cast<std::size_t>(
        std::ceil(widest_bar * static_cast<double>(bar.count) / static_cast<double>(largest)));
    std::string line;
    for (std::size_t i = 0; i < length; ++i)
      line += above ? "░" : "█";
    // The last column is aligned to the right unless all of it is equally wide.
    line.append(static_cast<std::size_t>(widest_bar) - length, ' ');
    table.add({bar.label, grouped(bar.count), std::move(line)});
  }
  text += table.str();
  if (bound && values.back() > *bound + 1e-9 * std::max(1.0, *bound))
    text += fmt::format("  ░ above the bound of {}\n", number(*bound));
  return text;
}

}  // namespace carl::app
