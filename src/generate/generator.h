// What every benchmark domain brings along: a description for people, its domain text, and a
// function from checked arguments and a seed to problem text. One file per domain implements one
// Generator; generate.cc lists them.
#ifndef CARL_GENERATE_GENERATOR_H
#define CARL_GENERATE_GENERATOR_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carl/error.h"
#include "carl/generate.h"
#include "util/rational.h"

namespace carl::generators {

/// The parameters of one call, defaults filled in. Values are checked when they are asked for,
/// because only the domain knows what makes sense.
class Arguments {
 public:
  Arguments(const BenchmarkDomain& domain,
            const std::vector<std::pair<std::string, std::string>>& given);

  const std::string& text(std::string_view name) const;
  /// A whole number in low … high.
  std::size_t integer(std::string_view name, std::size_t low, std::size_t high) const;
  /// A decimal or fraction in low … high.
  Rational number(std::string_view name, const Rational& low, const Rational& high) const;
  /// "sar: parameter n=0 …", for values that only the domain can judge.
  InputError error(std::string_view name, std::string_view complaint, std::string hint = {}) const;
  /// "sar n=4 d=3 r=0.75", to be found again in the text.
  std::string summary() const;

 private:
  const BenchmarkDomain& domain_;
  std::vector<std::string> values_;  // parallel to domain_.parameters
};

struct Generator {
  BenchmarkDomain description;
  std::string_view domain_text;
  std::string (*problem_text)(const Arguments& arguments, std::uint64_t seed);
};

/// The same for explicit models.
struct ModelGenerator {
  BenchmarkDomain description;
  std::shared_ptr<Model> (*make)(const Arguments& arguments, std::uint64_t seed);
};

ModelGenerator grid_generator();
ModelGenerator queues_generator();

Generator sar_generator();
Generator elevators_generator();
Generator exbw_generator();
Generator parc_generator();
Generator ctw_generator();

}  // namespace carl::generators

#endif
