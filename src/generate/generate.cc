// The registry of benchmark domains and the public interface to them.
#include "carl/generate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "carl/model.h"
#include "generate/generator.h"

namespace carl {
namespace {

using generators::Generator;
using generators::ModelGenerator;

std::vector<Generator> all_generators() {
  return {generators::sar_generator(), generators::elevators_generator(),
          generators::exbw_generator(), generators::parc_generator(), generators::ctw_generator()};
}

Generator find_generator(std::string_view name) {
  std::vector<std::string> known;
  for (Generator& generator : all_generators()) {
    if (generator.description.name == name) return std::move(generator);
    known.push_back(generator.description.name);
  }
  throw InputError(fmt::format("there is no benchmark domain '{}'", name),
                   fmt::format("the domains are {}", fmt::join(known, ", ")));
}

std::vector<ModelGenerator> all_model_generators() {
  return {generators::grid_generator(), generators::queues_generator()};
}

}  // namespace

std::vector<BenchmarkDomain> benchmark_models() {
  std::vector<BenchmarkDomain> result;
  for (ModelGenerator& generator : all_model_generators())
    result.push_back(std::move(generator.description));
  return result;
}

std::shared_ptr<Model> generate_model(
    std::string_view name, const std::vector<std::pair<std::string, std::string>>& parameters,
    std::uint64_t seed) {
  std::vector<std::string> known;
  for (const ModelGenerator& generator : all_model_generators()) {
    known.push_back(generator.description.name);
    if (generator.description.name != name) continue;
    return generator.make(generators::Arguments(generator.description, parameters), seed);
  }
  throw InputError(fmt::format("there is no family of models '{}'", name),
                   fmt::format("the families are {}", fmt::join(known, ", ")));
}

std::vector<BenchmarkDomain> benchmark_domains() {
  std::vector<BenchmarkDomain> result;
  for (Generator& generator : all_generators())
    result.push_back(std::move(generator.description));
  return result;
}

std::string generate_domain(std::string_view domain) {
  return std::string(find_generator(domain).domain_text);
}

GeneratedInstance generate_instance(
    std::string_view domain, const std::vector<std::pair<std::string, std::string>>& parameters,
    std::uint64_t seed) {
  const Generator generator = find_generator(domain);
  const generators::Arguments arguments(generator.description, parameters);
  return {std::string(generator.domain_text), generator.problem_text(arguments, seed)};
}

}  // namespace carl
