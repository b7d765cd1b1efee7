// Benchmark instances as PPDDL text: five constrained domains, each with parameters that set its
// size and, where instances are random, a seed that names one of them for good.
#ifndef CARL_GENERATE_H
#define CARL_GENERATE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carl {

struct BenchmarkParameter {
  std::string name;
  std::string default_value;
  std::string help;
};

struct BenchmarkDomain {
  std::string name;  // "sar", what generate_instance() expects
  std::string summary;
  std::vector<BenchmarkParameter> parameters;
  bool uses_seed = false;  // false: the parameters alone fix the problem
};

/// What there is to generate, in a fixed order.
std::vector<BenchmarkDomain> benchmark_domains();

/// The domain text alone. Throws InputError if there is no such domain.
std::string generate_domain(std::string_view domain);

struct GeneratedInstance {
  std::string domain_text;
  std::string problem_text;
};

/// `parameters` are (name, value) pairs; the ones left out take their defaults. Throws InputError
/// for an unknown domain or parameter, a repeated parameter, or a value that makes no sense.
GeneratedInstance generate_instance(
    std::string_view domain, const std::vector<std::pair<std::string, std::string>>& parameters,
    std::uint64_t seed);

}  // namespace carl

#endif
