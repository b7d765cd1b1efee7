#include "generate/problem_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <span>

namespace carl::generators {
namespace {

/// How often `factor` divides `value`, which is divided by it that often.
unsigned long strip_factor(mpz_class& value, unsigned long factor) {
  unsigned long count = 0;
  while (mpz_divisible_ui_p(value.get_mpz_t(), factor) != 0) {
    value /= factor;
    ++count;
  }
  return count;
}

/// "sar n=4 r=0.75" becomes "sar-n-4-r-0-75": a PDDL name knows no other marks.
std::string name_from(std::string title) {
  for (char& c : title)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  return title;
}

std::string section(std::string_view head, const std::vector<std::string>& lines) {
  return fmt::format("  ({}\n    {})", head, fmt::join(lines, "\n    "));
}

}  // namespace

std::string number_text(const Rational& value) {
  mpz_class rest = value.get_den();
  const unsigned long digits = std::max(strip_factor(rest, 2), strip_factor(rest, 5));
  if (digits == 0 || rest != 1) return value.get_str();
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, digits);
  const mpz_class scaled = abs(value.get_num()) * (power / value.get_den());
  const mpz_class whole = scaled / power;
  const mpz_class fraction = scaled % power;
  return fmt::format("{}{}.{:0>{}}", value < 0 ? "-" : "", whole.get_str(), fraction.get_str(),
                     digits);
}

ProblemText::ProblemText(std::string_view title, std::string_view domain_name)
    : title_(title), domain_name_(domain_name) {}

void ProblemText::objects(const std::vector<std::string>& names, std::string_view type) {
  constexpr std::size_t per_line = 10;
  for (std::size_t first = 0; first < names.size(); first += per_line) {
    const std::size_t count = std::min(per_line, names.size() - first);
    objects_.push_back(fmt::format("{}", fmt::join(std::span(names).subspan(first, count), " ")));
  }
  if (!names.empty()) objects_.back() += fmt::format(" - {}", type);
}

void ProblemText::bound(std::string_view cost, const Rational& upper) {
  bounds_.push_back(fmt::format("(<= (expected {}) {})", cost, number_text(upper)));
}

void ProblemText::give_up(std::string_view cost, const Rational& penalty) {
  give_up_.push_back(fmt::format("(increase {} {})", cost, number_text(penalty)));
}

std::string ProblemText::str() const {
  std::vector<std::string> sections;
  sections.push_back(fmt::format("  (:domain {})", domain_name_));
  sections.push_back(section(":objects", objects_));
  sections.push_back(section(":init", init_));
  sections.push_back(section(":goal (and", goal_) + ")");
  sections.push_back(fmt::format("  (:metric minimize {})", metric_));
  if (!bounds_.empty()) sections.push_back(section(":constraints (and", bounds_) + ")");
  if (!give_up_.empty()) sections.push_back(section(":give-up", give_up_));
  return fmt::format("; {}\n(define (problem {})\n{})\n", title_, name_from(title_),
                     fmt::join(sections, "\n"));
}

}  // namespace carl::generators
