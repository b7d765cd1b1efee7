// Benchmark parameters come from a command line as (name, value) texts: matching them against the
// domain's parameters and reading values are the same work for every domain, and so are the errors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "generate/generator.h"
#include "generate/problem_text.h"

namespace carl::generators {
namespace {

std::string parameter_list(const BenchmarkDomain& domain) {
  std::vector<std::string_view> names;
  for (const BenchmarkParameter& parameter : domain.parameters)
    names.push_back(parameter.name);
  return fmt::format("the parameters of '{}' are {}", domain.name, fmt::join(names, ", "));
}

std::size_t index_of(const BenchmarkDomain& domain, std::string_view name) {
  std::size_t i = 0;
  while (i < domain.parameters.size() && domain.parameters[i].name != name)
    ++i;
  return i;
}

}  // namespace

Arguments::Arguments(const BenchmarkDomain& domain,
                     const std::vector<std::pair<std::string, std::string>>& given)
    : domain_(domain) {
  for (const BenchmarkParameter& parameter : domain.parameters)
    values_.push_back(parameter.default_value);
  std::vector<bool> seen(values_.size(), false);
  for (const auto& [name, value] : given) {
    const std::size_t i = index_of(domain, name);
    if (i == values_.size())
      throw InputError(fmt::format("'{}' has no parameter '{}'", domain.name, name),
                       parameter_list(domain));
    if (seen[i])
      throw InputError(fmt::format("parameter '{}' of '{}' is given twice", name, domain.name));
    seen[i] = true;
    values_[i] = value;
  }
}

const std::string& Arguments::text(std::string_view name) const {
  return values_.at(index_of(domain_, name));
}

std::size_t Arguments::integer(std::string_view name, std::size_t low, std::size_t high) const {
  const std::string& value = text(name);
  std::size_t result = 0;
  const char* end = value.data() + value.size();
  const auto [stop, failure] = std::from_chars(value.data(), end, result);
  if (failure != std::errc() || stop != end || result < low || result > high)
    throw error(name, fmt::format("must be a whole number from {} to {}", low, high));
  return result;
}

Rational Arguments::number(std::string_view name, const Rational& low, const Rational& high) const {
  const std::optional<Rational> result = parse_rational(text(name));
  if (!result || *result < low || *result > high)
    throw error(name,
                fmt::format("must be a number from {} to {}", number_text(low), number_text(high)));
  return *result;
}

InputError Arguments::error(std::string_view name, std::string_view complaint,
                            std::string hint) const {
  if (hint.empty()) hint = domain_.parameters.at(index_of(domain_, name)).help;
  return InputError(fmt::format("'{}': {}={} {}", domain_.name, name, text(name), complaint),
                    fmt::format("{}: {}", name, hint));
}

std::string Arguments::summary() const {
  std::string result = domain_.name;
  for (std::size_t i = 0; i < values_.size(); ++i)
    result += fmt::format(" {}={}", domain_.parameters[i].name, values_[i]);
  return result;
}

}  // namespace carl::generators
