// Problems from memory and from streams, in whatever format they are.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "carl/error.h"
#include "carl/io.h"
#include "io/model_formats.h"

namespace carl {
namespace {

const char* const model = R"( { "format": "cssp", "version": 1, "costs": ["time"],
  "initial": "s", "goals": ["g"], "actions": [
    { "state": "s", "name": "go", "cost": [1], "outcomes": { "g": 1 } } ] })";
const char* const domain = R"((define (domain d) (:predicates (done))
  (:action go :parameters () :effect (done))))";
const char* const problem = "(define (problem p) (:domain d) (:init) (:goal (done)))";

std::string complaint(std::vector<ModelText> texts, const LoadOptions& options = {}) {
  Monitor monitor;
  try {
    load_model_texts(std::move(texts), monitor, nullptr, options);
  } catch (const InputError& error) {
    return error.message() + " | " + error.hint();
  }
  return "fine";
}

TEST(Load, FindsTheFormatByExtensionOrText) {
  EXPECT_EQ(io::format_of({"x.json", ""}).name, "an explicit model");
  EXPECT_EQ(io::format_of({"x.pddl", "{"}).name, "PPDDL");
  EXPECT_EQ(io::format_of({"x", " \n{"}).name, "an explicit model");
  EXPECT_EQ(io::format_of({"x", "; a comment"}).name, "PPDDL");
  EXPECT_EQ(io::format_of({"x", ""}).name, "PPDDL");
}

TEST(Load, ReadsTextsAndStreams) {
  Monitor monitor;
  EXPECT_FALSE(load_model_texts({{"model", model}}, monitor)->factored());
  LoadTimes times;
  EXPECT_TRUE(load_model_texts({{"a", problem}, {"b", domain}}, monitor, &times)->factored());
  EXPECT_GT(times.parse, 0);
  EXPECT_GT(times.ground, 0);
  std::istringstream stream(std::string(domain) + problem);
  EXPECT_TRUE(load_model(stream, "both", monitor)->factored());
}

TEST(Load, LabelsAreForFormatsThatHaveSome) {
  LoadOptions options;
  options.goal = "g";
  EXPECT_EQ(complaint({{"m.json", model}}, options),
            "`goal`: 'm.json' has no labels, its goals are written in it | ");
  const char* const drn = "@type: MDP\n@nr_states\n1\n@model\nstate 0 init\n";
  EXPECT_EQ(complaint({{"-", drn}}, options),
            "`goal`: there is no label named 'g' | the labels are: init");
  EXPECT_EQ(io::format_of({"x", drn}).name, "a DRN model");
  EXPECT_EQ(io::format_of({"x", "\x1F\x8B\x08"}).name, "a UMB model");
}

TEST(Load, SaysWhatDoesNotGoTogether) {
  EXPECT_EQ(complaint({}), "there is no text to read a problem from | ");
  EXPECT_EQ(complaint({{"d.pddl", domain}, {"m.json", model}}),
            "'m.json' is an explicit model, which is one file | give either one .json file, or a "
            "PPDDL domain and problem");
}

TEST(Load, OneOfSeveralProblems) {
  const char* const other = "(define (problem Q) (:domain d) (:init (done)) (:goal (not (done))))";
  Monitor monitor;
  const std::vector<ModelText> texts{{"d.pddl", domain}, {"p.pddl", std::string(problem) + other}};
  const auto first = load_model_texts(texts, monitor, nullptr, {.problem = "p"});
  EXPECT_FALSE(first->unreachable_goal(first->initial_state()));
  const auto second = load_model_texts(texts, monitor, nullptr, {.problem = "q"});
  EXPECT_TRUE(second->unreachable_goal(second->initial_state()));
  std::istringstream stream(std::string(domain) + problem + other);
  EXPECT_TRUE(load_model(stream, "all", monitor, nullptr, {.problem = "Q"})->factored());
  EXPECT_EQ(complaint(texts),
            "there are 2 problems to choose from | give one by `problem NAME`: p, q");
  EXPECT_EQ(complaint({{"m.json", model}}, {.problem = "p"}),
            "`problem`: an explicit model has no problems to choose from | ");
  EXPECT_EQ(complaint({{"d.pddl", domain}, {"p.pddl", problem}}, {.problem = "r"}),
            "`problem`: there is no problem named 'r' | the problem is: p");
}

TEST(Load, StreamsMayBreak) {
  Monitor monitor;
  std::istringstream stream;
  stream.setstate(std::ios::badbit);
  try {
    load_model(stream, "pipe", monitor);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "cannot read 'pipe'");
  }
}

TEST(Load, AnotherCostIsMinimised) {
  const std::string three = R"( { "format": "cssp", "version": 1, "costs": ["time", "fuel", "toll"],
    "bounds": { "toll": 5, "fuel": 4 }, "give_up": { "time": 7, "fuel": 8 },
    "initial": "s", "goals": ["g"], "actions": [
      { "state": "s", "name": "go", "cost": [1, 2, 3], "outcomes": [
        { "state": "g", "probability": 0.5, "cost": [2, 2, 6] },
        { "state": "g", "probability": 0.5, "cost": [0, 2, 0] } ] } ] })";
  const std::string factored = R"(
    (define (domain d) (:predicates (done)) (:functions (time) (fuel) (toll))
      (:action go :parameters () :effect (and (done) (increase (time) 1) (increase (fuel) 2)
        (probabilistic 0.5 (increase (toll) 6)))))
    (define (problem p) (:domain d) (:init) (:goal (done)) (:metric minimize (time))
      (:constraints (and (<= (expected (toll)) 5) (<= (expected (fuel)) 4)))
      (:give-up (increase (time) 7) (increase (fuel) 8))))";
  for (const std::string& text : {three, factored})
    for (const std::string chosen : {"", "time", "fuel", "toll"}) {
      Monitor monitor;
      const auto loaded = load_model_texts({{"model", text}}, monitor, nullptr,
                                           {.problem = {}, .minimise = chosen});
      const CostModel& costs = loaded->cost_model();
      EXPECT_EQ(costs.costs.front(), chosen.empty() ? "time" : chosen);
      ASSERT_EQ(costs.costs.size(), 3U);
      Expansion expansion;
      loaded->expand(loaded->initial_state(), expansion);
      const auto cost = loaded->cost(expansion.action(0));
      const std::map<std::string, double> costs_of{{"time", 1}, {"fuel", 2}, {"toll", 3}};
      const std::map<std::string, double> penalties{{"time", 7}, {"fuel", 8}, {"toll", 0}};
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(cost[i], costs_of.at(costs.costs[i]));
        EXPECT_EQ((*costs.give_up)[i], penalties.at(costs.costs[i]));
      }
      for (const Bound& bound : costs.bounds)
        EXPECT_EQ(bound.upper, costs.costs[bound.cost] == "toll" ? 5 : 4);
      OutcomeCosts outcomes;
      ASSERT_TRUE(loaded->outcome_costs(loaded->initial_state(), expansion.action(0), outcomes));
      const auto toll = std::find(costs.costs.begin(), costs.costs.end(), "toll");
      const auto place = static_cast<std::size_t>(toll - costs.costs.begin());
      EXPECT_EQ(outcomes.cost(0)[place] + outcomes.cost(1)[place], 6);
    }
  EXPECT_EQ(complaint({{"m.json", three}}, {.problem = {}, .minimise = "tol"}),
            "`minimise`: there is no cost named 'tol' | the costs are: time, fuel, toll");
}

}  // namespace
}  // namespace carl
