// What would suffice, in words.

#include "carl/repair.h"

#include <fmt/format.h>

#include <cmath>

#include "carl/cssp.h"

namespace carl {
namespace {

constexpr int few_digits = 6;
constexpr int most_digits = 17;

/// With few digits, in a direction that leaves it true.
std::string rounded(double value, bool up, int digits) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - (digits - 1));
  if (!(unit > 0)) return fmt::format("{}", value);
  std::string text;
  for (double candidate = std::round(value / unit);; candidate += up ? 1 : -1) {
    text = fmt::format("{:.{}g}", candidate * unit, digits);
    const double shown = std::stod(text);
    if (up ? shown >= value * (1 - 1e-15) : shown <= value * (1 + 1e-15)) return text;
  }
}
std::string rounded_up(double value, int digits = few_digits) {
  return rounded(value, true, digits);
}
std::string rounded_down(double value, int digits = few_digits) {
  return rounded(value, false, digits);
}

/// What `say` makes of the fewest digits that tell two numbers apart.
template <class Say>
std::string with_enough_digits(double a, double b, Say say) {
  int digits = few_digits;
  while (digits < most_digits &&
         fmt::format("{:.{}g}", a, digits) == fmt::format("{:.{}g}", b, digits))
    ++digits;
  return say(digits);
}

std::string of_bound(const std::string& name, double upper, const LeastValue& least) {
  switch (least.verdict) {
    case LeastValue::Verdict::found:
      return with_enough_digits(least.sufficient, upper, [&](int digits) {
        return fmt::format("{} ≤ {} instead of {:.{}g}", name, rounded_up(least.sufficient, digits),
                           upper, digits);
      });
    case LeastValue::Verdict::enclosed:
      return fmt::format("{} ≤ {}; less than {} is not enough", name, rounded_up(least.sufficient),
                         rounded_down(least.necessary));
    case LeastValue::Verdict::impossible:
      return fmt::format("no bound on {} would", name);
    case LeastValue::Verdict::unknown:
      break;
  }
  return fmt::format("{}: not worked out", name);
}

}  // namespace

std::vector<std::string> sentences(const Cssp& cssp, const Repair& repair) {
  std::vector<std::string> lines{cssp.bounds().size() > 1
                                     ? "what would suffice, the other bounds left as they are:"
                                     : "what would suffice:"};
  for (std::size_t b = 0; b < cssp.bounds().size(); ++b)
    lines.push_back("  " + of_bound(cssp.cost_label(cssp.bounds()[b].cost), cssp.bounds()[b].upper,
                                    repair.alone[b]));
  if (cssp.bounds().size() < 2) return lines;
  switch (repair.all.verdict) {
    case LeastValue::Verdict::found:
      lines.push_back(fmt::format("or all bounds times {}", rounded_up(repair.all.sufficient)));
      break;
    case LeastValue::Verdict::enclosed:
      lines.push_back(fmt::format("or all bounds times {}; less than {} is not enough",
                                  rounded_up(repair.all.sufficient),
                                  rounded_down(repair.all.necessary)));
      break;
    case LeastValue::Verdict::impossible:
      lines.push_back("all bounds in proportion would not: one of them is zero");
      break;
    case LeastValue::Verdict::unknown:
      lines.push_back("all bounds in proportion: not worked out");
      break;
  }
  return lines;
}

}  // namespace carl
