// Every way in which a JSON text can be wrong as a model, with the whole message.
#include <gtest/gtest.h>

#include <string>

#include "io/explicit_errors.h"

namespace carl::io {
namespace {

TEST(ReadExplicitError, TheUneditedTextIsFine) {
  EXPECT_EQ(message(std::string(good)), "fine");
}

TEST(ReadExplicitError, FormatAndVersion) {
  expect_messages({
      {R"("cssp")", R"("sspc")",
       "m.json:1:13: error: at format: the format is \"sspc\", not \"cssp\"\n"
       "  { \"format\": \"sspc\", \"version\": 1,\n"
       "              ^"},
      {R"("cssp")", R"("carl-policy")",
       "m.json:1:13: error: at format: the format is \"carl-policy\", not \"cssp\"\n"
       "  { \"format\": \"carl-policy\", \"version\": 1,\n"
       "              ^\n"
       "  hint: this file is a policy, not a model"},
      {R"("cssp")", "1",
       "m.json:1:13: error: at format: this must be a string, but it is a number\n"
       "  { \"format\": 1, \"version\": 1,\n"
       "              ^"},
      {R"("format": "cssp", )", "",
       "m.json:1:1: error: the key \"format\" is missing\n"
       "  { \"version\": 1,\n"
       "  ^"},
      {R"("version": 1)", R"("version": 2)",
       "m.json:1:32: error: at version: version 2 is unknown, only 1 is\n"
       "  { \"format\": \"cssp\", \"version\": 2,\n"
       "                                 ^"},
      {R"("version": 1)", R"("version": "1")",
       "m.json:1:32: error: at version: this must be a number, but it is a string\n"
       "  { \"format\": \"cssp\", \"version\": \"1\",\n"
       "                                 ^"},
      {R"( "version": 1,)", "",
       "m.json:1:1: error: the key \"version\" is missing\n"
       "  { \"format\": \"cssp\",\n"
       "  ^"},
  });
}

TEST(ReadExplicitError, InitialDistribution) {
  expect_messages({
      {R"("initial": "s0")", R"("initial": { "s0": 0.5, "g": 0.4 })",
       "m.json:4:14: error: at initial: probabilities sum to 0.9, not 1\n"
       "    \"initial\": { \"s0\": 0.5, \"g\": 0.4 }, \"goals\": [\"g\", 7],\n"
       "               ^"},
      {R"("initial": "s0")", R"("initial": { "s0": 0.5, "s1": 0.5 })",
       "m.json:4:14: error: at initial: the state 's1' occurs in no action and is no goal\n"
       "    \"initial\": { \"s0\": 0.5, \"s1\": 0.5 }, \"goals\": [\"g\", 7],\n"
       "               ^"},
      {R"("initial": "s0")", R"("initial": { "s0": 0.5, "s0": 0.5 })",
       "m.json:4:27: error: at initial.s0: this key is repeated\n"
       "    \"initial\": { \"s0\": 0.5, \"s0\": 0.5 }, \"goals\": [\"g\", 7],\n"
       "                            ^"},
      {R"("initial": "s0")", R"("initial": { "s0": -1, "g": 2 })",
       "m.json:4:22: error: at initial.s0: the probability is -1, but must be between 0 and 1\n"
       "    \"initial\": { \"s0\": -1, \"g\": 2 }, \"goals\": [\"g\", 7],\n"
       "                       ^"},
      {R"("initial": "s0", "goals": ["g")",
       R"-("initial": { "s0": 1 }, "goals": ["g", "(initial state: not drawn yet)")-",
       "m.json:4:14: error: at initial: a state is named '(initial state: not drawn yet)'\n"
       "    \"initial\": { \"s0\": 1 }, \"goals\": [\"g\", \"(initial state: not drawn yet)\", "
       "7],\n"
       "               ^\n"
       "  hint: with an initial distribution that is the name of what comes before it"},
  });
  // Wherever it is written, and whatever is a goal.
  EXPECT_EQ(
      message(edited(R"("initial": "s0")", R"("initial": { "s0": 0.25, "g": 0.25, "7": 0.5 })")),
      "fine");
}

TEST(ReadExplicitError, Keys) {
  expect_messages({
      {R"("goals")", R"("gaols")",
       "m.json:4:20: error: at gaols: unknown key\n"
       "    \"initial\": \"s0\", \"gaols\": [\"g\", 7],\n"
       "                     ^\n"
       "  hint: the keys here are: format, version, costs, rewards, bounds, guarantees, "
       "goal_probability, initial, goals, labels, give_up, actions"},
      {R"("version": 1)", R"("version": 1, "version": 1)",
       "m.json:1:35: error: at version: this key is repeated\n"
       "  { \"format\": \"cssp\", \"version\": 1, \"version\": 1,\n"
       "                                    ^"},
      {R"("costs": ["time", "price"])", R"("costs": ["time", "price"], "costs": [])",
       "m.json:2:31: error: at costs: this key is repeated\n"
       "    \"costs\": [\"time\", \"price\"], \"costs\": [],\n"
       "                                ^"},
      {"  \"costs\": [\"time\", \"price\"],\n", "",
       "m.json:1:1: error: the key \"costs\" is missing\n"
       "  { \"format\": \"cssp\", \"version\": 1,\n"
       "  ^"},
      {R"("initial": "s0", )", "",
       "m.json:1:1: error: the key \"initial\" is missing\n"
       "  { \"format\": \"cssp\", \"version\": 1,\n"
       "  ^"},
      {R"(, "goals": ["g", 7])", "",
       "m.json:1:1: error: the key \"goals\" is missing\n"
       "  { \"format\": \"cssp\", \"version\": 1,\n"
       "  ^"},
      {R"("bounds": {)", R"("x y": {)",
       "m.json:3:3: error: at [\"x y\"]: unknown key\n"
       "    \"x y\": { \"price\": 15 },\n"
       "    ^\n"
       "  hint: the keys here are: format, version, costs, rewards, bounds, guarantees, "
       "goal_probability, initial, goals, labels, give_up, actions"},
      {R"("name": "go")", R"("nme": "go")",
       "m.json:7:22: error: at actions[0].nme: unknown key\n"
       "      { \"state\": \"s0\", \"nme\": \"go\", \"cost\": [1, 0],\n"
       "                       ^\n"
       "  hint: the keys here are: state, name, cost, outcomes"},
      {R"("name": "go")", R"("name": "go", "name": "stop")",
       "m.json:7:36: error: at actions[0].name: this key is repeated\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"name\": \"stop\", \"cost\": [1, 0],\n"
       "                                     ^"},
      {R"("name": "go", )", "",
       "m.json:7:5: error: at actions[0]: the key \"name\" is missing\n"
       "      { \"state\": \"s0\", \"cost\": [1, 0],\n"
       "      ^"},
      {R"("state": "s0", )", "",
       "m.json:7:5: error: at actions[0]: the key \"state\" is missing\n"
       "      { \"name\": \"go\", \"cost\": [1, 0],\n"
       "      ^"},
      {R"(, "cost": [1, 0])", "",
       "m.json:7:5: error: at actions[0]: the key \"cost\" is missing\n"
       "      { \"state\": \"s0\", \"name\": \"go\",\n"
       "      ^"},
      {",\n      \"outcomes\": { \"s0\": 0.5, \"g\": 0.5 }", "",
       "m.json:7:5: error: at actions[0]: the key \"outcomes\" is missing\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, 0] },\n"
       "      ^"},
  });
}

TEST(ReadExplicitError, Types) {
  expect_messages({
      {R"(["time", "price"])", R"("time")",
       "m.json:2:12: error: at costs: this must be an array, but it is a string\n"
       "    \"costs\": \"time\",\n"
       "             ^"},
      {R"(["time", "price"])", R"(["time", 3])",
       "m.json:2:21: error: at costs[1]: this must be a string, but it is a number\n"
       "    \"costs\": [\"time\", 3],\n"
       "                      ^"},
      {R"({ "price": 15 })", "[15]",
       "m.json:3:13: error: at bounds: this must be an object, but it is an array\n"
       "    \"bounds\": [15],\n"
       "              ^"},
      {"15", R"("15")",
       "m.json:3:24: error: at bounds.price: this must be a number, but it is a string\n"
       "    \"bounds\": { \"price\": \"15\" },\n"
       "                         ^"},
      {"15", "true",
       "m.json:3:24: error: at bounds.price: this must be a number, but it is a truth value\n"
       "    \"bounds\": { \"price\": true },\n"
       "                         ^"},
      {R"("s0", "goals")", R"(null, "goals")",
       "m.json:4:14: error: at initial: this must be a string or an integer, but it is null\n"
       "    \"initial\": null, \"goals\": [\"g\", 7],\n"
       "               ^"},
      {R"(["g", 7])", R"("g")",
       "m.json:4:29: error: at goals: this must be an array, but it is a string\n"
       "    \"initial\": \"s0\", \"goals\": \"g\",\n"
       "                              ^"},
      {R"(["g", 7])", R"(["g", 7.5])",
       "m.json:4:35: error: at goals[1]: a number that names a state must be an integer\n"
       "    \"initial\": \"s0\", \"goals\": [\"g\", 7.5],\n"
       "                                    ^"},
      {R"(["g", 7])", R"(["g", 1e2])",
       "m.json:4:35: error: at goals[1]: a number that names a state must be an integer\n"
       "    \"initial\": \"s0\", \"goals\": [\"g\", 1e2],\n"
       "                                    ^"},
      {R"(["g", 7])", R"(["g", [7]])",
       "m.json:4:35: error: at goals[1]: this must be a string or an integer, but it is an array\n"
       "    \"initial\": \"s0\", \"goals\": [\"g\", [7]],\n"
       "                                    ^"},
      {R"({ "time": 500 })", "null",
       "m.json:5:14: error: at give_up: this must be an object, but it is null\n"
       "    \"give_up\": null,\n"
       "               ^"},
      {R"("s0", "name")", R"(false, "name")",
       "m.json:7:16: error: at actions[0].state: this must be a string or an integer, but it is a "
       "truth value\n"
       "      { \"state\": false, \"name\": \"go\", \"cost\": [1, 0],\n"
       "                 ^"},
      {R"("go")", "3",
       "m.json:7:30: error: at actions[0].name: this must be a string, but it is a number\n"
       "      { \"state\": \"s0\", \"name\": 3, \"cost\": [1, 0],\n"
       "                               ^"},
      {"[1, 0]", R"({ "time": 1 })",
       "m.json:7:44: error: at actions[0].cost: this must be an array, but it is an object\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": { \"time\": 1 },\n"
       "                                             ^"},
      {"[1, 0]", R"([1, "0"])",
       "m.json:7:48: error: at actions[0].cost[1]: this must be a number, but it is a string\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, \"0\"],\n"
       "                                                 ^"},
      {R"({ "s0": 0.5, "g": 0.5 })", R"(["g"])",
       "m.json:8:20: error: at actions[0].outcomes[0]: this must be an object, but it is a "
       "string\n"
       "        \"outcomes\": [\"g\"] },\n"
       "                     ^"},
      {R"("s0": 0.5)", R"("s0": "half")",
       "m.json:8:27: error: at actions[0].outcomes.s0: this must be a number, but it is a string\n"
       "        \"outcomes\": { \"s0\": \"half\", \"g\": 0.5 } },\n"
       "                            ^"},
      {R"({ "state": "s0", "name": "run", "cost": [2, 0], "outcomes": { "g": 1 } })", R"("run")",
       "m.json:9:5: error: at actions[1]: this must be an object, but it is a string\n"
       "      \"run\"\n"
       "      ^"},
  });
}

TEST(ReadExplicitError, Costs) {
  expect_messages({
      {R"(["time", "price"])", "[]",
       "m.json:2:12: error: at costs: there are no costs\n"
       "    \"costs\": [],\n"
       "             ^\n"
       "  hint: costs[0] is minimised"},
      {R"(["time", "price"])", R"(["time", ""])",
       "m.json:2:21: error: at costs[1]: the name of a cost is empty\n"
       "    \"costs\": [\"time\", \"\"],\n"
       "                      ^"},
      {R"(["time", "price"])", R"(["time", "time"])",
       "m.json:2:21: error: at costs[1]: there are two costs named 'time'\n"
       "    \"costs\": [\"time\", \"time\"],\n"
       "                      ^"},
      {R"({ "price": 15 })", R"({ "pirce": 15 })",
       "m.json:3:15: error: at bounds.pirce: there is no cost named 'pirce'\n"
       "    \"bounds\": { \"pirce\": 15 },\n"
       "                ^\n"
       "  hint: the costs are: time, price"},
      {R"({ "price": 15 })", R"({ "price": 15, "price": 16 })",
       "m.json:3:28: error: at bounds.price: this key is repeated\n"
       "    \"bounds\": { \"price\": 15, \"price\": 16 },\n"
       "                             ^"},
      {"15", "-15",
       "m.json:3:24: error: at bounds.price: the bound is -15, but must not be negative\n"
       "    \"bounds\": { \"price\": -15 },\n"
       "                         ^"},
      {"15", "1e16",
       "m.json:3:24: error: at bounds.price: the bound is 1e+16, but must not be above 1e+15\n"
       "    \"bounds\": { \"price\": 1e16 },\n"
       "                         ^\n"
       "  hint: larger numbers cannot be added up accurately; use a larger unit"},
      {R"({ "time": 500 })", R"({ "fuel": 500 })",
       "m.json:5:16: error: at give_up.fuel: there is no cost named 'fuel'\n"
       "    \"give_up\": { \"fuel\": 500 },\n"
       "                 ^\n"
       "  hint: the costs are: time, price"},
      {R"({ "time": 500 })", R"({ "time": 500, "time": 1 })",
       "m.json:5:29: error: at give_up.time: this key is repeated\n"
       "    \"give_up\": { \"time\": 500, \"time\": 1 },\n"
       "                              ^"},
      {"500", "-1",
       "m.json:5:24: error: at give_up.time: the penalty is -1, but must not be negative\n"
       "    \"give_up\": { \"time\": -1 },\n"
       "                         ^"},
      {"[1, 0]", "[1]",
       "m.json:7:44: error: at actions[0].cost: the number of costs is 1, but must be 2\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1],\n"
       "                                             ^\n"
       "  hint: the costs are: time, price"},
      {"[1, 0]", "[1, 0, 0]",
       "m.json:7:44: error: at actions[0].cost: the number of costs is 3, but must be 2\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, 0, 0],\n"
       "                                             ^\n"
       "  hint: the costs are: time, price"},
      {"[1, 0]", "[1, -0.5]",
       "m.json:7:48: error: at actions[0].cost[1]: the cost is -0.5, but must not be negative\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, -0.5],\n"
       "                                                 ^"},
      {"[1, 0]", "[1, 1e300]",
       "m.json:7:48: error: at actions[0].cost[1]: the cost is 1e+300, but must not be above "
       "1e+15\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, 1e300],\n"
       "                                                 ^\n"
       "  hint: larger numbers cannot be added up accurately; use a larger unit"},
      {"[1, 0]", "[1, 1e999]",
       "m.json:7:48: error: at actions[0].cost[1]: this is not a number that JSON allows, or it is "
       "too large\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, 1e999],\n"
       "                                                 ^"},
      {"[1, 0]", "[1, 01]",
       "m.json:7:48: error: at actions[0].cost[1]: this is not a number that JSON allows, or it is "
       "too large\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, 01],\n"
       "                                                 ^"},
      {"[1, 0]", "[1, NaN]",
       "m.json:7:48: error: at actions[0].cost[1]: this must be a number\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, NaN],\n"
       "                                                 ^"},
      {"[1, 0]", "[1, -Infinity]",
       "m.json:7:48: error: at actions[0].cost[1]: this is not a number that JSON allows, or it is "
       "too large\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, -Infinity],\n"
       "                                                 ^"},
      {"[1, 0]", "[1, +1]",
       "m.json:7:48: error: at actions[0].cost[1]: this must be a number\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, +1],\n"
       "                                                 ^"},
      {"[1, 0]", "[1, 0x10]",
       "m.json:7:48: error: at actions[0].cost[1]: this is not a number that JSON allows, or it is "
       "too large\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, 0x10],\n"
       "                                                 ^"},
  });
}

TEST(ReadExplicitError, Outcomes) {
  expect_messages({
      {R"("s0": 0.5)", R"("s0": 0.4)",
       "m.json:8:19: error: at actions[0].outcomes: probabilities sum to 0.9, not 1\n"
       "        \"outcomes\": { \"s0\": 0.4, \"g\": 0.5 } },\n"
       "                    ^"},
      {R"("s0": 0.5)", R"("s0": 0.500001)",
       "m.json:8:19: error: at actions[0].outcomes: probabilities sum to 1.000001, not 1\n"
       "        \"outcomes\": { \"s0\": 0.500001, \"g\": 0.5 } },\n"
       "                    ^"},
      {R"("s0": 0.5)", R"("s0": -0.5)",
       "m.json:8:27: error: at actions[0].outcomes.s0: the probability is -0.5, but must be "
       "between 0 and 1\n"
       "        \"outcomes\": { \"s0\": -0.5, \"g\": 0.5 } },\n"
       "                            ^"},
      {R"("s0": 0.5)", R"("s0": 1.5)",
       "m.json:8:27: error: at actions[0].outcomes.s0: the probability is 1.5, but must be between "
       "0 and 1\n"
       "        \"outcomes\": { \"s0\": 1.5, \"g\": 0.5 } },\n"
       "                            ^"},
      {R"({ "s0": 0.5, "g": 0.5 })", "{}",
       "m.json:8:19: error: at actions[0].outcomes: there are no outcomes\n"
       "        \"outcomes\": {} },\n"
       "                    ^"},
      {R"({ "s0": 0.5, "g": 0.5 })", R"({ "g": 0 })",
       "m.json:8:19: error: at actions[0].outcomes: there are no outcomes\n"
       "        \"outcomes\": { \"g\": 0 } },\n"
       "                    ^"},
      {R"("s0": 0.5)", R"("g": 0.5)",
       "m.json:8:36: error: at actions[0].outcomes.g: there are two outcomes that lead to 'g'\n"
       "        \"outcomes\": { \"g\": 0.5, \"g\": 0.5 } },\n"
       "                                     ^\n"
       "  hint: write one outcome with the sum of the probabilities"},
      {R"("s0": 0.5)", R"("a b\n": 2)",
       "m.json:8:30: error: at actions[0].outcomes[\"a b\\n\"]: the probability is 2, but must be "
       "between 0 and 1\n"
       "        \"outcomes\": { \"a b\\n\": 2, \"g\": 0.5 } },\n"
       "                               ^"},
  });
}

TEST(ReadExplicitError, StatesAndActions) {
  expect_messages({
      {R"("initial": "s0")", R"("initial": "s1")",
       "m.json:4:14: error: at initial: the state 's1' occurs in no action and is no goal\n"
       "    \"initial\": \"s1\", \"goals\": [\"g\", 7],\n"
       "               ^"},
      {R"("run")", R"("go")",
       "m.json:9:5: error: at actions[1]: state 's0' has two actions named 'go'\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [2, 0], \"outcomes\": { \"g\": 1 } "
       "}\n"
       "      ^\n"
       "  hint: the other one is actions[0]"},
      {R"("go")", "\"(give-up)\"",
       "m.json:7:30: error: at actions[0].name: '(give-up)' cannot be the name of an action\n"
       "      { \"state\": \"s0\", \"name\": \"(give-up)\", \"cost\": [1, 0],\n"
       "                               ^\n"
       "  hint: policies use this name for giving up"},
  });
}

TEST(ReadExplicitError, OutcomesInAList) {
  static constexpr std::string_view outcomes = R"("outcomes": { "g": 1 })";
  const auto list = [](const std::string& entries) {
    return message(edited(outcomes, "\n\"outcomes\": [" + entries + "]"));
  };
  EXPECT_EQ(list(R"({ "state": "g", "probability": 1, "cost": [2, 0] })"), "fine");
  EXPECT_EQ(list(R"({ "state": "g", "probability": 1 })"), "fine");
  EXPECT_EQ(list(""),
            "m.json:10:13: error: at actions[1].outcomes: there are no outcomes\n"
            "  \"outcomes\": [] }\n"
            "              ^");
  EXPECT_EQ(list(R"({ "state": "g", "probability": 0.5 })"),
            "m.json:10:13: error: at actions[1].outcomes: probabilities sum to 0.5, not 1\n"
            "  \"outcomes\": [{ \"state\": \"g\", \"probability\": 0.5 }] }\n"
            "              ^");
  EXPECT_EQ(list(R"({ "state": "g", "probability": 1.5 })"),
            "m.json:10:45: error: at actions[1].outcomes[0].probability: the probability is 1.5, "
            "but must be between 0 and 1\n"
            "  \"outcomes\": [{ \"state\": \"g\", \"probability\": 1.5 }] }\n"
            "                                              ^");
  EXPECT_EQ(list(R"({ "state": "g" })"),
            "m.json:10:14: error: at actions[1].outcomes[0]: the key \"probability\" is missing\n"
            "  \"outcomes\": [{ \"state\": \"g\" }] }\n"
            "               ^");
  EXPECT_EQ(list(R"({ "state": "g", "p": 1 })"),
            "m.json:10:30: error: at actions[1].outcomes[0].p: unknown key\n"
            "  \"outcomes\": [{ \"state\": \"g\", \"p\": 1 }] }\n"
            "                               ^\n"
            "  hint: the keys here are: state, probability, cost");
  EXPECT_EQ(list(R"({ "state": "g", "probability": 1, "cost": [2, -1] })"),
            "m.json:10:60: error: at actions[1].outcomes[0].cost[1]: the cost is -1, but must not "
            "be negative\n"
            "  \"outcomes\": [{ \"state\": \"g\", \"probability\": 1, \"cost\": [2, -1] }] }\n"
            "                                                             ^");
  EXPECT_EQ(list(R"({ "state": "g", "probability": 1, "cost": [2] })"),
            "m.json:10:56: error: at actions[1].outcomes[0].cost: the number of costs is 1, but "
            "must be 2\n"
            "  \"outcomes\": [{ \"state\": \"g\", \"probability\": 1, \"cost\": [2] }] }\n"
            "                                                         ^\n"
            "  hint: the costs are: time, price");
  EXPECT_EQ(list(R"({ "state": "g", "probability": 1, "cost": [3, 0] })"),
            "m.json:9:5: error: at actions[1]: the outcomes cost 3 of 'time' on average, but the "
            "action costs 2\n"
            "      { \"state\": \"s0\", \"name\": \"run\", \"cost\": [2, 0], \n"
            "      ^\n"
            "  hint: the cost of an action is the expectation: the sum of probability times cost "
            "over its outcomes");
}

TEST(ReadExplicitError, Rewards) {
  expect_messages({
      {R"("initial": "s0")", R"("rewards": ["fun"], "initial": "s0")",
       "m.json:4:15: error: at rewards[0]: there is no cost named 'fun'\n"
       "    \"rewards\": [\"fun\"], \"initial\": \"s0\", \"goals\": [\"g\", 7],\n"
       "                ^\n"
       "  hint: the costs are: time, price"},
      {R"("initial": "s0")", R"("rewards": ["time", "time"], "initial": "s0")",
       "m.json:4:23: error: at rewards[1]: 'time' is repeated\n"
       "    \"rewards\": [\"time\", \"time\"], \"initial\": \"s0\", \"goals\": [\"g\", 7],\n"
       "                        ^"},
  });
}

TEST(ReadExplicitError, Guarantees) {
  const auto with = [](const std::string& text) {
    return std::pair<std::string, std::string>(R"("initial": "s0")", text + R"(, "initial": "s0")");
  };
  const auto starts = [&](const std::string& text, const std::string& message) {
    const auto [from, to] = with(text);
    EXPECT_EQ(io::message(edited(from, to)).substr(0, message.size()), message);
  };
  starts(R"("guarantees": [{"cost": "fun", "above": 1, "probability": 0.5}])",
         "m.json:4:27: error: at guarantees[0].cost: there is no cost named 'fun'");
  starts(R"("guarantees": [{"cost": "price", "above": -1, "probability": 0.5}])",
         "m.json:4:45: error: at guarantees[0].above: the limit is -1, but must not be negative");
  starts(R"("guarantees": [{"cost": "price", "above": 1, "probability": 1.5}])",
         "m.json:4:63: error: at guarantees[0].probability: the probability is 1.5, but must be "
         "between 0 and 1");
  starts(R"("guarantees": [{"cost": "price", "level": 1, "cvar": 5}])",
         "m.json:4:45: error: at guarantees[0].level: a level is 0 or more and below 1");
  starts(R"("guarantees": [{"cost": "price", "above": 1, "cvar": 5}])",
         "m.json:4:18: error: at guarantees[0]: a guarantee is about a cost, with what is asked of "
         "it");
  starts(R"("goal_probability": "most")",
         "m.json:4:23: error: at goal_probability: expected a number or \"max\"");
  starts(R"("goal_probability": 2)",
         "m.json:4:23: error: at goal_probability: the probability is 2, but must be between 0 and "
         "1");
}

}  // namespace
}  // namespace carl::io
