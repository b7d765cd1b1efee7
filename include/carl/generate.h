// Benchmark instances: constrained domains as PPDDL text, and families of explicit models of any
// size. Each has parameters that set its size and, where instances are random, a seed that names one
// of them for good.
#ifndef CARL_GENERATE_H
#define CARL_GENERATE_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carl {

class Model;

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

/// Explicit models, whose states are numbers: what there is, in a fixed order.
std::vector<BenchmarkDomain> benchmark_models();

/// One of them. It computes its transitions when it is asked for them, and knows the number of its
/// states. Throws InputError as generate_instance() does.
std::shared_ptr<Model> generate_model(
    std::string_view name, const std::vector<std::pair<std::string, std::string>>& parameters,
    std::uint64_t seed);

}  // namespace carl

#endif
