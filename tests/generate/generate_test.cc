#include "carl/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <set>

#include "carl/error.h"
#include "support/source_path.h"

namespace carl {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;
using testing::AllOf;
using testing::HasSubstr;

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string error_of(const std::string& domain, const Parameters& parameters) {
  try {
    generate_instance(domain, parameters, 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Generate, ListsTheDomains) {
  std::vector<std::string> names;
  for (const BenchmarkDomain& domain : benchmark_domains())
    names.push_back(domain.name);
  EXPECT_THAT(names, testing::ElementsAre("sar", "elevators", "exbw", "parc", "ctw"));
}

TEST(Generate, EveryDomainHasWorkingDefaultsAndTextForPeople) {
  for (const BenchmarkDomain& domain : benchmark_domains()) {
    EXPECT_FALSE(domain.summary.empty()) << domain.name;
    EXPECT_NO_THROW(generate_instance(domain.name, {}, 1)) << domain.name;
    Parameters defaults;
    for (const BenchmarkParameter& parameter : domain.parameters) {
      EXPECT_FALSE(parameter.help.empty()) << domain.name << " " << parameter.name;
      defaults.emplace_back(parameter.name, parameter.default_value);
    }
    EXPECT_EQ(generate_instance(domain.name, {}, 1).problem_text,
              generate_instance(domain.name, defaults, 1).problem_text);
  }
}

TEST(Generate, CarriesTheDomainFiles) {
  for (const BenchmarkDomain& domain : benchmark_domains()) {
    const std::string file =
        read_file(tests::source_path("benchmarks/domains/") + domain.name + "/domain.pddl");
    EXPECT_EQ(generate_domain(domain.name), file);
    EXPECT_EQ(generate_instance(domain.name, {}, 1).domain_text, file);
  }
}

TEST(Generate, TheSeedChoosesTheInstanceWhereItIsUsed) {
  for (const BenchmarkDomain& domain : benchmark_domains()) {
    std::set<std::string> texts;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
      texts.insert(generate_instance(domain.name, {}, seed).problem_text);
    EXPECT_EQ(texts.size(), domain.uses_seed ? 10U : 1U) << domain.name;
  }
}

TEST(Generate, TheSeedDrawsRandomTowers) {
  std::set<std::string> texts;
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    texts.insert(generate_instance("exbw", {{"id", "random"}}, seed).problem_text);
  EXPECT_EQ(texts.size(), 10U);
}

// What a seed or an id stands for must never change: published results refer to it.
struct Golden {
  const char* file;
  const char* domain;
  Parameters parameters;
  std::uint64_t seed;
};

void PrintTo(const Golden& golden, std::ostream* out) {
  *out << golden.file;
}

class GoldenTest : public testing::TestWithParam<Golden> {};

TEST_P(GoldenTest, ProblemTextIsAsEver) {
  const Golden& golden = GetParam();
  EXPECT_EQ(generate_instance(golden.domain, golden.parameters, golden.seed).problem_text,
            read_file(tests::source_path("tests/generate/golden/") + golden.file));
}

INSTANTIATE_TEST_SUITE_P(
    Generate, GoldenTest,
    testing::Values(
        Golden{"sar.pddl", "sar", {{"n", "3"}, {"d", "2"}}, 1},
        Golden{"elevators.pddl", "elevators", {{"e", "2"}, {"h", "2"}}, 7},
        Golden{"exbw.pddl", "exbw", {{"id", "7"}}, 1},
        Golden{"elevators_undecided.pddl", "elevators", {{"h", "2"}, {"destinations", "2"}}, 7},
        Golden{"exbw_random.pddl", "exbw", {{"id", "random"}}, 5},
        Golden{"parc.pddl", "parc", {{"f", "0.4"}, {"sheets", "BC"}}, 1},
        Golden{"ctw.pddl", "ctw", {{"n", "2"}, {"d", "2"}, {"c", "3"}}, 1}),
    [](const auto& test) {
      const std::string file = test.param.file;
      return file.substr(0, file.find('.'));
    });

TEST(Generate, ErrorsSayWhatIsPossible) {
  EXPECT_EQ(error_of("rocket", {}),
            "error: there is no benchmark domain 'rocket'\n"
            "  hint: the domains are sar, elevators, exbw, parc, ctw");
  EXPECT_THROW(generate_domain("rocket"), InputError);
  EXPECT_EQ(error_of("sar", {{"q", "1"}}),
            "error: 'sar' has no parameter 'q'\n"
            "  hint: the parameters of 'sar' are n, d, r");
  EXPECT_EQ(error_of("sar", {{"n", "4"}, {"n", "4"}}),
            "error: parameter 'n' of 'sar' is given twice");
  EXPECT_EQ(error_of("sar", {{"n", "4"}, {"d", "7"}}),
            "error: 'sar': d=7 must be a whole number from 1 to 6\n"
            "  hint: d: steps from the base to the known survivor, at most 2(n-1)");
  EXPECT_EQ(error_of("sar", {{"r", "1.01"}}),
            "error: 'sar': r=1.01 must be a number from 0 to 1\n"
            "  hint: r: share of the other cells that may hold a survivor");
  EXPECT_EQ(error_of("exbw", {{"id", "10"}}),
            "error: 'exbw': id=10 is no known instance\n"
            "  hint: id: one of random, 1, 2, 3, 4, 5, 6, 7, 8, 9, t2, t3, t4");
  EXPECT_EQ(error_of("exbw", {{"id", "2"}, {"blocks", "7"}}),
            "error: 'exbw': blocks=7 needs id=random: the other ids have blocks of their own\n"
            "  hint: blocks: how many, with id=random; 'id': 9 then");
}

TEST(Generate, RejectsValuesThatMakeNoSense) {
  const std::vector<std::pair<std::string, Parameters>> bad = {
      {"sar", {{"n", "1"}}},
      {"sar", {{"n", "four"}}},
      {"sar", {{"n", ""}}},
      {"sar", {{"n", "4x"}}},
      {"sar", {{"n", "-4"}}},
      {"sar", {{"n", "99999999999999999999999"}}},
      {"sar", {{"d", "0"}}},
      {"sar", {{"r", "-0.1"}}},
      {"sar", {{"r", "half"}}},
      {"elevators", {{"e", "0"}}},
      {"elevators", {{"w", "0"}, {"h", "0"}}},
      {"elevators", {{"destinations", "0"}}},
      {"elevators", {{"destinations", "3"}}},
      {"exbw", {{"id", "0"}}},
      {"exbw", {{"id", "random"}, {"blocks", "0"}}},
      {"exbw", {{"id", "random"}, {"blocks", "1001"}}},
      {"exbw", {{"c", "-1"}}},
      {"exbw", {{"c", "none"}}},
      {"parc", {{"f", "inf"}}},
      {"parc", {{"u", "-1"}}},
      {"parc", {{"sheets", ""}}},
      {"parc", {{"sheets", "BBX"}}},
      {"ctw", {{"n", "0"}}},
      {"ctw", {{"n", "2"}, {"d", "5"}}},
      {"ctw", {{"c", "0"}}},
      {"ctw", {{"variant", "r"}}},
  };
  for (const auto& [domain, parameters] : bad) {
    const auto& [name, value] = parameters.back();
    EXPECT_THAT(error_of(domain, parameters), AllOf(HasSubstr("error: '" + domain + "': "),
                                                    HasSubstr("=" + value), HasSubstr("hint: ")))
        << domain << " " << name << "=" << value;
  }
}

}  // namespace
}  // namespace carl
