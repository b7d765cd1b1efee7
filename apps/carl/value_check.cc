#include "value_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "carl/suggestion.h"

namespace carl::app {
namespace {

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  return parse<double>(text);
}

ValueCheck positive_number() {
  return {[](const std::string& text) {
            const auto value = parse_number(text);
            if (value && *value > 0 && std::isfinite(*value)) return std::string();
            return fmt::format("'{}' is not a number above 0", text);
          },
          {}};
}

ValueCheck non_negative_number() {
  return {[](const std::string& text) {
            const auto value = parse_number(text);
            if (value && *value >= 0 && std::isfinite(*value)) return std::string();
            return fmt::format("'{}' is not a number of 0 or more", text);
          },
          {}};
}

ValueCheck whole_number(std::uint64_t least, std::uint64_t most) {
  const bool bounded = most != std::numeric_limits<std::uint64_t>::max();
  const std::string range =
      bounded ? fmt::format("from {} to {}", least, most) : fmt::format("of {} or more", least);
  return {[=](const std::string& text) {
            const auto value = parse<std::uint64_t>(text);
            if (value && *value >= least && *value <= most) return std::string();
            return fmt::format("'{}' is not a whole number {}", text, range);
          },
          {}};
}

ValueCheck one_of(const std::vector<std::string>& words) {
  return {[words](const std::string& text) {
            if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
            const std::vector<std::string_view> candidates(words.begin(), words.end());
            std::string hint = did_you_mean(text, candidates);
            if (hint.empty()) hint = fmt::format("choose one of {}", fmt::join(words, ", "));
            return fmt::format("'{}' is not known\n  hint: {}", text, hint);
          },
          words};
}

ValueTransform with_units(const std::map<char, double>& units, Zero zero, const std::string& hint) {
  return [units, zero, hint](std::string& text) -> std::string {
    double factor = 1;
    std::string_view digits = text;
    if (!digits.empty())
      if (const auto unit = units.find(digits.back()); unit != units.end()) {
        factor = unit->second;
        digits.remove_suffix(1);
      }
    const auto value = parse_number(digits);
    if (!value || !(*value >= 0) || !std::isfinite(*value * factor) ||
        (*value == 0 && zero == Zero::forbidden))
      return fmt::format("'{}' is not an amount{}\n  hint: {}", text,
                         zero == Zero::forbidden ? " above 0" : "", hint);
    text = fmt::format("{}", *value * factor);
    return {};
  };
}

}  // namespace carl::app
