// DRN and PRISM's explicit files: what is read of them, and what is refused with which words.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/error.h"
#include "carl/explicit_builder.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "model/explicit_model.h"
#include "model/state_labels.h"
#include "support/random_model.h"
#include "support/scale.h"

namespace carl {
namespace {

using Texts = std::vector<ModelText>;

std::shared_ptr<Model> load(Texts texts, const LoadOptions& options = {}) {
  Monitor monitor;
  return load_model_texts(std::move(texts), monitor, nullptr, options);
}

/// What is said of texts that are refused: "line:column: message | hint".
std::string complaint(Texts texts, const LoadOptions& options = {}) {
  try {
    load(std::move(texts), options);
  } catch (const InputError& error) {
    const std::string place = error.position().line == 0
                                  ? ""
                                  : std::to_string(error.position().line) + ":" +
                                        std::to_string(error.position().column) + ": ";
    return place + error.message() + (error.hint().empty() ? "" : " | " + error.hint());
  }
  return "fine";
}

std::string drn_complaint(const std::string& text) {
  return complaint({{"model.drn", text}});
}

/// "name: cost ... -> probability state ..." for each action.
std::vector<std::string> rows(Model& model, std::size_t state) {
  std::vector<std::string> result;
  Expansion expansion;
  if (model.is_goal(StateId(state))) return {"goal"};
  model.expand(StateId(state), expansion);
  for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
    std::ostringstream row;
    row << model.action_name(expansion.action(a)) << ":";
    for (const double cost : model.cost(expansion.action(a)))
      row << " " << cost;
    row << " ->";
    for (std::size_t k = 0; k < expansion.successors(a).size(); ++k)
      row << " " << expansion.probabilities(a)[k] << " " << expansion.successors(a)[k].index();
    result.push_back(row.str());
  }
  return result;
}

using Rows = std::vector<std::string>;

const std::string head = "@type: MDP\n@parameters\n\n@reward_models\ntime fuel\n@nr_states\n3\n";
const std::string body =
    "@model\nstate 0 [1, 0] init\n\taction a [0, 2]\n\t\t1 : 0.5\n\t\t2 : 0.5\n"
    "\taction a\n\t\t2 : 1\nstate 1 \"half way\"\n//[x=1]\n\taction __NOLABEL__ [3, 0.25]\n"
    "\t\t0 : 1/3\n\t\t2 : 2/3\nstate 2 goal\n\taction 0 [0, 0]\n\t\t2 : 1\n";

TEST(Drn, IsRead) {
  const auto model = load({{"model.drn", head + body}});
  EXPECT_EQ(model->cost_model().costs, (std::vector<std::string>{"time", "fuel"}));
  EXPECT_EQ(rows(*model, 0), (Rows{"a: 1 2 -> 0.5 1 0.5 2", "a#2: 1 0 -> 1 2"}));
  EXPECT_EQ(rows(*model, 1), (Rows{"a0: 3 0.25 -> 0.333333 0 0.666667 2"}));
  EXPECT_EQ(rows(*model, 2), (Rows{"goal"}));
  EXPECT_EQ(model->labels()->names(), (std::vector<std::string>{"init", "half way", "goal"}));
  EXPECT_TRUE(model->labels()->holds(1, StateId(1)));
  EXPECT_FALSE(model->labels()->holds(1, StateId(0)));
}

TEST(Drn, OptionsChooseGoalAndCost) {
  LoadOptions options;
  options.goal = "half way";
  options.minimise = "fuel";
  const auto model = load({{"-", "// by hand\n" + head + body}}, options);
  EXPECT_EQ(model->cost_model().costs, (std::vector<std::string>{"fuel", "time"}));
  EXPECT_EQ(rows(*model, 1), (Rows{"goal"}));
  EXPECT_EQ(rows(*model, 2), (Rows{"0: 0 0 -> 1 2"}));
}

TEST(Drn, ChainsPlaceholdersAndModelsWithoutRewards) {
  const auto model = load({{"model.drn",
                            "@type: DTMC\n@value_type: double\n@parameters\n\n@placeholders\n"
                            "$p : 0.25\n$q : 0.75\n@reward_models\n\n@nr_states\n2\n@nr_choices\n"
                            "2\n@model\nstate 0 init\n\taction 0\n\t\t0 : $p\n\t\t1 : $q\n"
                            "state 1 target\n\t\t1 : 0.5\n\t\t1 : 0.5\n"}});
  EXPECT_EQ(model->cost_model().costs, (std::vector<std::string>{"steps"}));
  EXPECT_EQ(rows(*model, 0), (Rows{"0: 1 -> 0.25 0 0.75 1"}));
}

TEST(Drn, HeadersThatAreRefused) {
  EXPECT_EQ(drn_complaint("@type: CTMC\n"),
            "1:8: models of the type 'CTMC' are not solved | MDP and DTMC are");
  EXPECT_EQ(drn_complaint("@type: MDP\n@value_type: double-interval\n"),
            "2:14: models with values of the type 'double-interval' are not solved | double and "
            "rational are read");
  EXPECT_EQ(drn_complaint("@type: MDP\n@parameters\np q\n"),
            "3:1: parametric models are not solved | give every parameter a value first");
  EXPECT_EQ(drn_complaint("@type: MDP\n@placeholders\np : 3\n"),
            "3:1: expected is a placeholder, as in '$name : value'");
  EXPECT_EQ(drn_complaint("@type: MDP\n@placeholders\n$p : x\n"),
            "3:6: the value is 'x', which is no number");
  EXPECT_EQ(drn_complaint("@type: MDP\n@placeholders\n$p :\n"), "3:5: the value is missing");
  EXPECT_EQ(drn_complaint("@reward_models\na b a\n"), "2:5: there are two rewards named 'a'");
  EXPECT_EQ(drn_complaint("@nr_states\n-3\n"),
            "2:1: the number of states is '-3', but must be a whole number below 4294967294");
  EXPECT_EQ(drn_complaint("@nr_choices\n"), "1:12: the number of choices is missing");
  EXPECT_EQ(drn_complaint("@type: \xFF\n"), "this is not UTF-8 text");
  EXPECT_EQ(drn_complaint("@nonsense\n"),
            "1:1: '@nonsense' is not known here | expected is @type:, @parameters, "
            "@reward_models, @nr_states, @nr_choices or @model");
  EXPECT_EQ(drn_complaint("@type: MDP\n"),
            "1:1: the line '@model' is missing | a DRN file has a header and then the model");
  EXPECT_EQ(drn_complaint("@model\n"),
            "1:1: the line '@type: MDP' or '@type: DTMC' is missing before this");
  EXPECT_EQ(drn_complaint("@type: MDP\n@model\n"),
            "2:1: the line '@nr_states' is missing before this");
  EXPECT_EQ(drn_complaint("@type: MDP\n@nr_states\n0\n@model\n"), "4:1: there are no states");
}

TEST(Drn, BodiesThatAreRefused) {
  const std::string short_head = "@type: MDP\n@reward_models\nr\n@nr_states\n2\n@model\n";
  const auto said = [&](const std::string& text) { return drn_complaint(short_head + text); };
  EXPECT_EQ(said("action a\n"), "7:1: expected is 'state 0'");
  EXPECT_EQ(said("state 1\n"), "7:1: expected is 'state 0': states come in order");
  EXPECT_EQ(said("state 5\n"),
            "7:7: the number of the state is '5', but must be a whole number below 2");
  EXPECT_EQ(said("state 0 !3\n"), "7:9: models with continuous time are not solved");
  EXPECT_EQ(said("state 0 {3}\n"), "7:9: partially observable models are not solved");
  EXPECT_EQ(said("state 0 [1\n"), "7:9: the bracket is not closed");
  EXPECT_EQ(said("state 0 [1, 2]\n"), "7:9: there are more rewards than the 1 of the header");
  EXPECT_EQ(said("state 0 [x]\n"), "7:10: the reward is 'x', which is no number");
  EXPECT_EQ(said("state 0 [$x]\n"), "7:10: there is no placeholder '$x'");
  EXPECT_EQ(said("state 0 \"a\n"), "7:9: the quotation mark is not closed");
  EXPECT_EQ(said("state 0\naction a [1] b\n"), "8:14: 'b' is not expected here");
  EXPECT_EQ(said("state 0\naction a\n 7 : 1\n"),
            "9:2: the number of the target is '7', but must be a whole number below 2");
  EXPECT_EQ(said("state 0\naction a\n 1 1\n"), "9:4: expected is ':' and a probability");
  EXPECT_EQ(said("state 0\naction a\n 1 : [0.1, 0.2]\n"),
            "9:6: the probability is an interval: such models are not solved");
  EXPECT_EQ(said("state 0\naction a\n 1 :\n"), "9:5: the probability is missing");
  EXPECT_EQ(said("state 0\naction a\n 1 : 0.5\nstate 1\n"), "8:1: probabilities sum to 0.5, not 1");
  EXPECT_EQ(said("state 0\naction a\nstate 1\n"), "8:1: there are no outcomes");
  EXPECT_EQ(said("state 0\naction a [-1]\n 1 : 1\nstate 1\n"),
            "8:1: the cost is -1, but must not be negative");
  EXPECT_EQ(said("state 0 init\n"), "7:1: the text ends after 1 states, but the header says 2");
  EXPECT_EQ(said("state 0\nstate 1 goal\n"),
            "8:1: 0 states have the label 'init', but one is expected");
  EXPECT_EQ(drn_complaint("@type: MDP\n@nr_states\n1\n@nr_choices\n4\n@model\nstate 0 init\n"),
            "7:1: there are 0 choices, but the header says 4");
  EXPECT_EQ(said("state 0 init\nstate 1 done\n"),
            "no state is labelled 'goal' or 'target' | `goal LABEL` says which states are goals; "
            "the labels are: init, done");
  std::string labels = "state 0";
  for (int i = 0; i < 5000; ++i)
    labels += " l" + std::to_string(i);
  EXPECT_EQ(said(labels + "\n"), "7:1: there are more than 4096 labels");
}

TEST(Drn, IsWrittenAsItIsRead) {
  const std::size_t models = testing::scaled(100);
  for (std::uint64_t seed = 1; seed <= models; ++seed) {
    testing::RandomModelOptions options = testing::random_options(seed, 8);
    options.give_up = seed % 3 == 0;
    SCOPED_TRACE(::testing::Message() << seed << " " << options.text());
    Cssp cssp(testing::random_model(seed, options));
    Monitor monitor;
    std::ostringstream out;
    write_drn(cssp, out, monitor);
    Cssp copy(load({{"model.drn", out.str()}}));
    std::ostringstream again;
    write_drn(copy, again, monitor);
    EXPECT_EQ(out.str(), again.str());
    if (cssp.give_up_penalty()) continue;
    for (std::size_t s = 0; s < cssp.num_states(); ++s) {
      const Rows before = rows(cssp.model(), s);
      if (!before.empty()) {
        EXPECT_EQ(rows(copy.model(), s), before);
      }
    }
  }
}

TEST(Drn, LabelsThatCannotBeWritten) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_states(1);
  builder.add_goal(StateId(0));
  builder.add_label("a\"b", {true});
  Cssp cssp(builder.build(StateId(0)));
  std::ostringstream out;
  Monitor monitor;
  try {
    write_drn(cssp, out, monitor);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "the label 'a\"b' cannot be written as DRN");
  }
}

// ---- the Markov chain of a policy

/// Its states have one action each, and solving it gives the costs of the policy.
TEST(Chains, CostWhatThePolicyCosts) {
  const std::size_t models = testing::scaled(60);
  for (std::uint64_t seed = 1; seed <= models; ++seed) {
    testing::RandomModelOptions options = testing::random_options(seed, 8);
    options.give_up = false;
    SCOPED_TRACE(::testing::Message() << seed << " " << options.text());
    Cssp cssp(testing::random_model(seed, options));
    Monitor monitor;
    const Solution solution = solve(cssp, {}, monitor);
    if (solution.status != Status::optimal) continue;
    for (const bool as_text : {true, false}) {
      std::ostringstream out;
      if (as_text)
        write_chain_drn(cssp, solution.policy, out, monitor);
      else
        write_chain_umb(cssp, solution.policy, out, monitor);
      Cssp chain(load({{as_text ? "chain.drn" : "chain.umb", out.str()}}));
      Expansion expansion;
      for (std::size_t s = 0; s < chain.num_states(); ++s)
        if (!chain.is_goal(StateId(s))) {
          chain.expand(StateId(s), expansion);
          EXPECT_EQ(expansion.num_actions(), 1U);
        }
      SolveOptions lp;
      lp.algorithm = Algorithm::lp;
      const Solution costs = solve(chain, lp, monitor);
      ASSERT_EQ(costs.status, Status::optimal);
      for (std::size_t i = 0; i < costs.costs->size(); ++i)
        EXPECT_NEAR((*costs.costs)[i], (*solution.costs)[i], 1e-6 * (1 + (*solution.costs)[i]));
    }
  }
}

// ---- PRISM

const char* const tra =
    "3 4 6\n0 0 1 0.5 a\n0 0 2 0.5 a\n0 1 2 1\n1 0 0 0.25 b\n1 0 2 0.75 b\n2 0 2 1\n";
const char* const lab = "0=\"init\" 1=\"deadlock\" 2=\"goal\"\n0: 0\n2: 1 2\n";

TEST(PrismExplicit, IsRead) {
  const auto model =
      load({{"m.tra", tra},
            {"m.lab", lab},
            {"m.sta", "(x,ok)\n0:(0,true)\n1:(1,true)\n2:(2,false)\n"},
            {"m1.srew", "# Reward structure \"time\"\n# State rewards\n3 2\n0 1\n1 2\n"},
            {"m1.trew", "3 4 2\n0 0 1 4\n0 0 2 8\n"},
            {"m2.trew", "3 4 2\n1 0 0 3\n1 0 2 3\n"}});
  EXPECT_EQ(model->cost_model().costs, (std::vector<std::string>{"time", "reward2"}));
  EXPECT_EQ(rows(*model, 0), (Rows{"a: 7 0 -> 0.5 1 0.5 2", "a1: 1 0 -> 1 2"}));
  EXPECT_EQ(rows(*model, 1), (Rows{"b: 2 3 -> 0.25 0 0.75 2"}));
  EXPECT_EQ(rows(*model, 2), (Rows{"goal"}));
  EXPECT_EQ(model->state_facts(StateId(2)), (std::vector<std::string>{"x=2,ok=false"}));
  EXPECT_EQ(model->labels()->names(), (std::vector<std::string>{"init", "deadlock", "goal"}));
  OutcomeCosts apart;
  Expansion expansion;
  model->expand(StateId(0), expansion);
  ASSERT_TRUE(model->outcome_costs(StateId(0), expansion.action(0), apart));
  EXPECT_EQ(apart.cost(0)[0], 5);
  EXPECT_EQ(apart.cost(1)[0], 9);
}

TEST(PrismExplicit, ChainsInAnyOrder) {
  const auto model = load({{"m.tra", "2 3\n1 1 1\n0 1 0.5\n0 0 0.5\n"},
                           {"m.lab", "0=\"target\"\n1: 0\n"},
                           {"m.srew", "2 1\n0 1.5\n"}});
  EXPECT_EQ(model->cost_model().costs, (std::vector<std::string>{"reward"}));
  EXPECT_EQ(model->initial_state(), StateId(0));
  EXPECT_EQ(rows(*model, 0), (Rows{"a0: 1.5 -> 0.5 1 0.5 0"}));
}

TEST(PrismExplicit, TransitionsThatAreRefused) {
  const auto said = [](const std::string& text) {
    return complaint({{"m.tra", text}, {"m.lab", "0=\"goal\"\n"}});
  };
  EXPECT_EQ(said("# nothing\n"), "1:1: the line with the number of states is missing");
  EXPECT_EQ(said("0 0\n"), "1:1: there are no states");
  EXPECT_EQ(said("2 1 1 1\n"), "1:7: '1' is not expected here");
  EXPECT_EQ(said("2 1\n0 3 1\n"), "2:3: the target is '3', but must be a whole number below 2");
  EXPECT_EQ(said("2 1\n0 1\n"), "2:1: the probability is missing");
  EXPECT_EQ(said("2 1\n0 1 [0.1,0.2]\n"),
            "2:5: the probability is an interval: such models are not solved");
  EXPECT_EQ(said("2 2\n0 1 1\n"), "2:1: there are 1 transitions, but the first line says 2");
  EXPECT_EQ(said("2 3 1\n0 0 1 1\n"), "2:1: there are 1 choices, but the first line says 3");
  EXPECT_EQ(said("4000000000 1\n0 1 1\n"), "2:1: 1 transitions cannot be all of 4000000000 states");
  EXPECT_EQ(said("2 1 1\n0 1 1 1\n"), "2:1: state 0 has no choice 0: choices are counted from 0");
  EXPECT_EQ(said("2 2\n1 1 1\n0 1 0.5\n"),
            "3:1: state 0, choice 0: probabilities sum to 0.5, not 1");
}

TEST(PrismExplicit, OtherFilesThatAreRefused) {
  const auto said = [](const std::string& name, const std::string& text) {
    return complaint({{"m.tra", tra}, {name, text}});
  };
  EXPECT_EQ(complaint({{"m.lab", lab}}),
            "there is no .tra file, which has the transitions | it belongs to 'm.lab'");
  EXPECT_EQ(said("n.tra", tra), "'m.tra' and 'n.tra' cannot both be meant");
  EXPECT_EQ(said("m.pddl", ""),
            "'m.pddl' is none of the files of an explicit model of PRISM | these are .tra, .sta, "
            ".lab, .srew and .trew");
  EXPECT_EQ(said("m.srew", "2 1\n0 1\n"), "1:1: the model has 3 states");
  EXPECT_EQ(said("m.srew", "3 2\n0 1\n"), "2:1: there are 1 rewards, but the first line says 2");
  EXPECT_EQ(said("m.trew", "3 4 1\n0 1 1 2\n"),
            "2:1: there is no such transition in the .tra file");
  EXPECT_EQ(said("m.sta", ""), "1:1: the line with the variables is missing");
  EXPECT_EQ(said("m.sta", "x\n"), "1:1: expected is a list in parentheses");
  EXPECT_EQ(said("m.sta", "(x)\n1:(0)\n"), "2:1: expected is '0:(…)': states come in order");
  EXPECT_EQ(said("m.sta", "(x)\n0:(0,1)\n"), "2:1: there are 2 values for 1 variables");
  EXPECT_EQ(said("m.sta", "(x)\n0:(0)\n"), "2:1: there are 1 states, but the model has 3");
  EXPECT_EQ(said("m.sta", "(x)\n0:(0)\n1:(0)\n2:(1)\n"),
            "4:1: the states 0 and 1 are both named 'x=0'");
  EXPECT_EQ(said("m.lab", ""), "1:1: the line with the names of the labels is missing");
  EXPECT_EQ(said("m.lab", "init\n"), "1:1: expected is 0=\"a name\"");
  EXPECT_EQ(said("m.lab", "0=\"goal\"\n0\n"), "2:1: expected is a state and a colon");
  EXPECT_EQ(said("m.lab", "0=\"goal\"\n7: 0\n"), "2:1: there is no state '7'");
  EXPECT_EQ(said("m.lab", "0=\"goal\"\n0: 1\n"),
            "2:4: the label is '1', but must be a whole number below 1");
  EXPECT_EQ(said("m.lab", "0=\"init\" 1=\"goal\"\n"),
            "0 states have the label 'init', but one is expected");
  EXPECT_EQ(complaint({{"m.tra", tra},
                       {"m.lab", lab},
                       {"m1.srew", "# Reward structure \"r\"\n3 0\n"},
                       {"m2.srew", "# Reward structure \"r\"\n3 0\n"}}),
            "there are two rewards named 'r'");
}

}  // namespace
}  // namespace carl
