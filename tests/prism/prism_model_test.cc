// What cannot be compared with an interpreter: how things are named, chosen and found, how strongly
// operators bind, and that plans of a PRISM model are plans like any other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "carl/check.h"
#include "carl/cssp.h"
#include "carl/io.h"
#include "carl/options.h"
#include "carl/problem.h"
#include "carl/question.h"
#include "carl/solve.h"
#include "model/state_labels.h"
#include "prism/expression_parser.h"
#include "prism/read.h"

namespace carl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<Model> model_of(const std::string& text, const LoadOptions& options = {},
                                const std::string& name = "m.prism") {
  Monitor monitor;
  return load_model_texts({{name, text}}, monitor, nullptr, options);
}

std::vector<std::string> actions_of(Model& model, StateId state) {
  Expansion expansion;
  model.expand(state, expansion);
  std::vector<std::string> names;
  for (std::size_t a = 0; a < expansion.num_actions(); ++a)
    names.push_back(model.action_name(expansion.action(a)));
  return names;
}

std::string parsed(const std::string& text) {
  const prism::Source source{"e", text};
  prism::TokenStream tokens(source);
  const std::string result = prism::to_text(prism::parse_expression(tokens));
  return tokens.at_end() ? result : result + " ...";
}

TEST(PrismExpressions, AreWrittenWithTheParenthesesThatTheyNeed) {
  for (const std::string text :
       {"a=1 & b | !c => d <=> e", "(a | b) & c", "!(a & b)", "a-(b-c)", "a-b-c", "a/(b*c)",
        "-(a+b)*c", "(a ? 1 : 2)+3", "a ? b : c ? d : e", "(a => b) => c", "min(a, 2)<3",
        "a<b=true", "\"done\" & x>=0.5"})
    EXPECT_EQ(parsed(parsed(text)), parsed(text)) << text;
  EXPECT_EQ(parsed("a => b => c"), "a => b => c");
  EXPECT_EQ(parsed("a => (b => c)"), "a => (b => c)");
  EXPECT_EQ(parsed("((a-b)-c)-(d-e)"), "a-b-c-(d-e)");
  EXPECT_EQ(parsed("func(mod, a, 3)"), "mod(a, 3)");
  EXPECT_EQ(parsed("x=1 U y=2"), "x=1 ...");
}

TEST(PrismExpressions, AreNotReadTooDeep) {
  const std::string open(600, '(');
  EXPECT_THAT([&] { parsed(open); }, testing::ThrowsMessage<InputError>(
                                         HasSubstr("expressions are nested more than 200 deep")));
  EXPECT_THAT([&] { parsed(std::string(600, '!') + "a"); },
              testing::ThrowsMessage<InputError>(HasSubstr("nested more than 200 deep")));
  std::string chain = "a";
  for (int i = 0; i < 100'000; ++i)
    chain += " & a";
  EXPECT_EQ(parsed(chain), chain);
  std::string differences = "a";
  for (int i = 0; i < 600; ++i)
    differences += "-a";
  EXPECT_THAT([&] { parsed(differences); },
              testing::ThrowsMessage<InputError>(HasSubstr("nested more than 500 deep")));
}

TEST(PrismSystems, AreNotReadTooDeep) {
  const std::string begin = "mdp module m endmodule system ";
  const auto complaint = HasSubstr("the system is nested more than 500 deep here");
  std::string hidden = begin + "m";
  std::string shared = begin + "m";
  for (int i = 0; i < 600; ++i) {
    hidden += "/{a}";
    shared += "|[a]|m";
  }
  for (const std::string& text : {begin + std::string(600, '('), hidden, shared})
    EXPECT_THAT([&] { model_of(text); }, testing::ThrowsMessage<InputError>(complaint));
}

TEST(PrismSystems, HaveSoManyWaysToSynchronise) {
  std::string text = "mdp\n";
  std::string system = "system ";
  for (int m = 0; m < 6; ++m) {
    text += "module m" + std::to_string(m);
    for (int a = 0; a < 10; ++a)
      text += " [a" + std::to_string(a) + "] true -> true;";
    text += " endmodule\n";
    system += (m > 0 ? " || m" : "m") + std::to_string(m) + "{";
    for (int a = 0; a < 10; ++a)
      system += (a > 0 ? "," : "") + std::string("a") + std::to_string(a) + "<-go";
    system += "}";
  }
  EXPECT_THAT(
      [&] { model_of(text + system + " endsystem"); },
      testing::ThrowsMessage<InputError>(HasSubstr("the system has too many ways to synchronise")));
}

TEST(PrismModel, NamesActionsAfterTheirCommands) {
  const auto model = model_of(R"(mdp
module a x : [0..2]; [go] x=0 -> (x'=1); [go] x<=1 -> (x'=2); [] x=0 -> (x'=2); endmodule
module b y : bool; [go] true -> (y'=!y); [back] x=2 -> true; [both] x=1 -> true; endmodule)");
  EXPECT_THAT(actions_of(*model, StateId(0)), ElementsAre("go(a.1,b.1)", "go(a.2,b.1)", "a.3"));
  EXPECT_THAT(model->state_facts(StateId(0)), ElementsAre("x=0", "y=false"));
  EXPECT_THAT(actions_of(*model, StateId(1)), ElementsAre("go", "both"));
}

TEST(PrismModel, HiddenActionsHaveNames) {
  const auto model = model_of(R"(mdp
module a x : bool; [go] true -> (x'=true); endmodule
module b y : bool; [go] true -> (y'=!y); [go] y -> true; endmodule
system (a || b)/{go} endsystem)");
  EXPECT_THAT(actions_of(*model, StateId(0)), ElementsAre("a.1+b.1"));
}

TEST(PrismModel, KnowsItsGoalByItsLabel) {
  const std::string text = R"(mdp module m x : [0..2]; [] x<2 -> (x'=x+1); endmodule
label "one" = x=1; label "target" = x=2;)";
  EXPECT_TRUE(model_of(text)->is_goal(StateId(0)) == false);
  const auto goal_of = [&](const LoadOptions& options, const std::string& more) {
    const auto model = model_of(text + more, options);
    std::string goals;
    for (std::size_t s = 0; s < model->num_states(); ++s) {
      if (model->is_goal(StateId(s))) goals += std::to_string(s);
      actions_of(*model, StateId(s));
    }
    return goals;
  };
  EXPECT_EQ(goal_of({}, ""), "2");
  EXPECT_EQ(goal_of({}, "label \"goal\" = x=0;"), "0");
  LoadOptions options;
  options.goal = "one";
  EXPECT_EQ(goal_of(options, ""), "1");
  options.has_goal = false;
  EXPECT_EQ(goal_of(options, ""), "");
  EXPECT_THAT(model_of("mdp module m endmodule label \"a\" = true;")->warnings(),
              ElementsAre("no state is a goal: name a label (a)"));
  EXPECT_THAT(model_of("mdp module m endmodule label \"goal\" = true;")->warnings(),
              ElementsAre("the initial state is a goal: nothing needs to be done"));
}

TEST(PrismModel, TakesRewardsForCosts) {
  const std::string text = R"(mdp module m x : bool; [go] !x -> (x'=true); [] x -> true; endmodule
rewards true : 1; endrewards rewards "fuel" [go] true : 2; [] true : 7; endrewards rewards [fly] true : 1; endrewards)";
  const auto costs_of = [](Model& model, StateId state) {
    Expansion expansion;
    model.expand(state, expansion);
    const auto cost = model.cost(expansion.action(0));
    return std::vector<double>(cost.begin(), cost.end());
  };
  const auto model = model_of(text);
  EXPECT_THAT(model->cost_model().costs, ElementsAre("reward", "fuel", "reward_2"));
  EXPECT_THAT(costs_of(*model, StateId(0)), ElementsAre(1, 2, 0));
  EXPECT_THAT(costs_of(*model, StateId(1)), ElementsAre(1, 7, 0));
  EXPECT_FALSE(model->has_cost(2));
  EXPECT_THAT(model->notes(),
              ElementsAre("m.prism:2: there is no action 'fly', so nothing has this reward"));
  LoadOptions options;
  options.minimise = "fuel";
  EXPECT_THAT(costs_of(*model_of(text, options), StateId(0)), ElementsAre(2, 1, 0));
  EXPECT_THAT(model_of("mdp module m endmodule")->cost_model().costs, ElementsAre("steps"));
}

TEST(PrismModel, ChoosesAtRandomInAMarkovChain) {
  const auto model = model_of(R"(dtmc
module m x : [0..3]; [a] x=0 -> (x'=1); [b] x=0 -> 0.5 : (x'=1) + 0.5 : (x'=2); [c] x=0 -> (x'=3); endmodule
rewards "r" x=0 : 1; [b] true : 3; endrewards)");
  Expansion expansion;
  model->expand(StateId(0), expansion);
  ASSERT_EQ(expansion.num_actions(), 1U);
  EXPECT_EQ(model->action_name(expansion.action(0)), "step");
  EXPECT_THAT(
      expansion.probabilities(0),
      ElementsAre(testing::DoubleEq(0.5), testing::DoubleEq(1.0 / 6), testing::DoubleEq(1.0 / 3)));
  EXPECT_DOUBLE_EQ(model->cost(expansion.action(0))[0], 2);
}

TEST(PrismModel, IsRecognisedByItsText) {
  const std::string text = "module m x : bool; [] true -> (x'=true); endmodule";
  for (const std::string first : {"mdp\n", "// a comment\n\n dtmc ", "const int N=3;\n", ""})
    EXPECT_NO_THROW(model_of(first + text, {}, "text")) << first;
  for (const std::string name : {"m.nm", "m.pm", "m.mdp", "m.dtmc", "m.prism"})
    EXPECT_NO_THROW(model_of(text, {}, name)) << name;
  EXPECT_THAT([] { model_of("mdps (define (domain d))", {}, "text"); },
              testing::Throws<InputError>());
  Monitor monitor;
  EXPECT_THAT(
      [&] {
        load_model_texts({{"a.prism", text}, {"b.prism", text}}, monitor);
      },
      testing::ThrowsMessage<InputError>(
          HasSubstr("'a.prism' is a PRISM model, which is one file")));
}

TEST(PrismModel, HasIntegersWithoutBounds) {
  const auto model = model_of("mdp module m x : int; [] true -> (x'=x-1); endmodule");
  for (std::size_t s = 0; s < 100; ++s)
    actions_of(*model, StateId(s));
  EXPECT_THAT(model->state_facts(StateId(100)), ElementsAre("x=-100"));
}

TEST(PrismModel, LongChainsOfDefinitionsAreRead) {
  std::string text = "mdp const int k0 = 1;\n";
  for (int i = 1; i < 5000; ++i)
    text += "const int k" + std::to_string(i) + " = k" + std::to_string(i - 1) + ";\n";
  EXPECT_NO_THROW(model_of(text + "module m x : [0..k4999]; endmodule"));
}

constexpr const char* rover = R"(mdp
module m
  site : [0..3]; tired : bool;
  [fast] site<3 -> 0.8 : (site'=site+1) & (tired'=true) + 0.2 : (tired'=true);
  [slow] site<3 -> (site'=site+1);
  [rest] tired -> (tired'=false);
endmodule
label "home" = site=3;
rewards "time" [fast] true : 1; [slow] true : 3; [rest] true : 1; endrewards
rewards "wear" [fast] true : tired ? 2 : 1; endrewards)";

TEST(PrismModel, IsSolvedAndItsPolicyIsRead) {
  LoadOptions options;
  options.goal = "home";
  Monitor monitor;
  const auto model = model_of(rover, options);
  CsspOptions bounds;
  bounds.bounds = {{"wear", 1.5}};
  Cssp cssp(model, bounds);
  const Solution solution = solve(cssp, {}, monitor);
  std::ostringstream file;
  write_policy(cssp, solution.policy, file);
  EXPECT_THAT(file.str(), HasSubstr("[\"site=0\",\"tired=false\"]"));
  const CheckReport report =
      check_policy(cssp, read_policy_text("p.json", file.str(), monitor), nullptr, {}, monitor);
  EXPECT_TRUE(report.holds());
}

TEST(PrismModel, AnswersProperties) {
  Monitor monitor;
  const auto value_of = [&](const std::string& property) {
    LoadOptions options;
    options.has_goal = false;
    Cssp cssp(ask_property(model_of(rover, options), {"p", property, {}, {}}, monitor));
    const Solution solution = solve(cssp, {}, monitor);
    const Objective* optimised = cssp.model().question()->optimised();
    return optimised->value((*solution.costs)[optimised->cost]);
  };
  EXPECT_NEAR(value_of("R{\"time\"}min=? [F site=3]"), 3.75, 1e-6);
  EXPECT_NEAR(value_of("Pmax=? [F<=3 \"home\"]"), 1, 1e-6);
  EXPECT_NEAR(value_of("Pmax=? [!tired U site=1 & tired]"), 0.8, 1e-6);
  EXPECT_NEAR(value_of("Pmin=? [F \"deadlock\"]"), 1, 1e-6);
  EXPECT_NEAR(value_of("Pmin=? [F tired]"), 0, 1e-6);
}

}  // namespace
}  // namespace carl
