#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carl::app {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string Table::str(const Style& style) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      line += i == 0 ? "  " + row[i] + padding : "   " + padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += (text.empty() ? style.faint(line) : line) + "\n";
  }
  return text;
}

std::string number(double value) {
  if (std::abs(value) < 1e-12) value = 0;
  std::string text = fmt::format("{:.6g}", value);
  return text == "-0" ? "0" : text;
}

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::string size(std::size_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (bytes < 1000000) return fmt::format("{:.1f} kB", value / 1e3);
  if (bytes < 1000000000) return fmt::format("{:.1f} MB", value / 1e6);
  return fmt::format("{:.2f} GB", value / 1e9);
}

std::string bytes_each(std::size_t bytes, std::size_t count) {
  const auto things = static_cast<double>(std::max<std::size_t>(1, count));
  return fmt::format("{:.1f} bytes", static_cast<double>(bytes) / things);
}

std::string count(std::size_t n, const std::string& noun) {
  return grouped(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string grouped(std::size_t n) {
  std::string text = std::to_string(n);
  for (std::size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, ",");
  }
  return text;
}

}  // namespace carl::app
