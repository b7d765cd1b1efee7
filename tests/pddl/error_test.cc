// Every kind of error with its full message. A case is a small domain and problem that are right
// but for one part; the cases are in errors/*.txt, to be read like a catalogue:
//
//   == NameOfTheCase
//   precondition: (claer ?x)
//   --
//   d.pddl:10:20: error: …
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "pddl/reading.h"
#include "support/source_path.h"

namespace carl::pddl {
namespace {

using Parts = std::map<std::string, std::string>;

const Parts right_parts{
    {"requirements", ":adl"},
    {"types", "block table - thing thing robot"},
    {"predicates", ""},
    {"functions", ""},
    {"parameters", "?x - block"},
    {"precondition", "()"},
    {"effect", "(done)"},
    {"more-domain", ""},
    {"comment", ""},
    {"objects", "b1 b2 - block"},
    {"init", ""},
    {"goal", "(done)"},
    {"metric", ""},
    {"constraints", ""},
    {"give-up", ""},
    {"more-problem", ""},
};

// Parts that replace a whole text ("-" leaves it out).
constexpr const char* domain_template = R"((define (domain d)
  (:requirements {requirements})
  (:types {types})
  (:constants home - table)
  (:predicates (on ?x - block ?y - thing) (clear ?x - thing) (free ?b - block) (done)
    {predicates})
  (:functions (time) (price) (dist ?a ?b - thing) (pain ?b - block)
    {functions})
  (:action act
    :parameters ({parameters})
    :precondition {precondition}
    :effect {effect})
  {more-domain})
)";

constexpr const char* problem_template = R"({comment}
(define (problem p)
  (:domain d)
  (:objects {objects})
  (:init {init})
  (:goal {goal})
  {metric}
  {constraints}
  {give-up}
  {more-problem})
)";

std::string fill_in(std::string text, const Parts& parts) {
  for (const auto& [name, part] : parts) {
    const std::string place = "{" + name + "}";
    if (const std::size_t at = text.find(place); at != std::string::npos)
      text.replace(at, place.size(), part);
  }
  return text;
}

/// The texts of a case: d.pddl and p.pddl.
std::vector<SourceText> make_sources(Parts parts) {
  parts.insert(right_parts.begin(), right_parts.end());
  std::vector<SourceText> sources;
  for (const auto& [name, whole, pattern] : {std::tuple("d.pddl", "domain", domain_template),
                                             std::tuple("p.pddl", "problem", problem_template)}) {
    const auto replaced = parts.find(whole);
    if (replaced == parts.end())
      sources.push_back({name, fill_in(pattern, parts)});
    else if (replaced->second != "-")
      sources.push_back({name, replaced->second});
  }
  return sources;
}

struct Case {
  std::string name;
  Parts parts;
  std::string message;
};

std::vector<Case> load_cases(const std::string& file) {
  std::ifstream input(tests::source_path("tests/pddl/errors/") + file + ".txt");
  std::vector<Case> cases;
  std::string* text = nullptr;  // what the next line belongs to
  for (std::string line; std::getline(input, line);) {
    const std::size_t colon = line.find(": ");
    const std::string key = line.substr(0, colon);
    const bool in_parts = !cases.empty() && text != &cases.back().message;
    if (line.starts_with("== ")) {
      cases.push_back({line.substr(3), {}, {}});
      text = nullptr;
    } else if (line == "--") {
      text = &cases.back().message;
    } else if (in_parts && (right_parts.contains(key) || key == "domain" || key == "problem")) {
      text = &cases.back().parts[key];
      *text = line.substr(colon + 2);
    } else {
      *text += (text->empty() ? "" : "\n") + line;
    }
  }
  return cases;
}

class ErrorTest : public testing::TestWithParam<const char*> {};

TEST_P(ErrorTest, HasItsMessage) {
  const std::vector<Case> cases = load_cases(GetParam());
  EXPECT_GT(cases.size(), 5U);
  for (const Case& error : cases)
    EXPECT_EQ(message_of(make_sources(error.parts)), error.message) << error.name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ErrorTest,
                         testing::Values("actions", "conditions", "costs", "declarations",
                                         "definitions", "effects", "init", "ssipp"),
                         [](const auto& instance) { return instance.param; });

TEST(Errors, TheRightPartsAreRight) {
  EXPECT_EQ(message_of(make_sources({})), "no error");
}

}  // namespace
}  // namespace carl::pddl
