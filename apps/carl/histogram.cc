#include "histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carl/histogram.h"
#include "table.h"

namespace carl::app {
namespace {

constexpr std::size_t most_bars = 12;
constexpr double widest_bar = 40;

std::string label_of(const HistogramBar& bar) {
  return bar.from == bar.to ? number(bar.from)
                            : fmt::format("{} … {}", number(bar.from), number(bar.to));
}

}  // namespace

std::string histogram(const Distribution& values, const std::optional<Bound>& bound) {
  const std::vector<HistogramBar> bars = histogram_bars(values, bound, most_bars);
  std::size_t largest = 1;
  for (const HistogramBar& bar : bars)
    largest = std::max(largest, bar.count);
  Table table({"", "runs", ""});
  for (const HistogramBar& bar : bars) {
    const auto length = static_cast<std::size_t>(
        std::ceil(widest_bar * static_cast<double>(bar.count) / static_cast<double>(largest)));
    std::string line;
    for (std::size_t i = 0; i < length; ++i)
      line += bar.above ? "░" : "█";
    // The last column is aligned to the right unless all of it is equally wide.
    line.append(static_cast<std::size_t>(widest_bar) - length, ' ');
    table.add({label_of(bar), grouped(bar.count), std::move(line)});
  }
  std::string text = table.str();
  if (!bars.empty() && bars.back().above)
    text += fmt::format("  ░ above the bound of {}\n", number(bound->upper));
  return text;
}

}  // namespace carl::app
