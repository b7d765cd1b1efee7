// Models of all kinds written as UMB and read back are the same; tests/formats has what others write.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "carl/cssp.h"
#include "carl/error.h"
#include "carl/explicit_builder.h"
#include "carl/generate.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "model/explicit_model.h"
#include "model/state_labels.h"
#include "support/random_model.h"
#include "support/scale.h"

namespace carl {
namespace {

using testing::random_model;
using testing::random_options;
using testing::RandomModelOptions;

std::string as_umb(Cssp& cssp, Compression compression = Compression::none) {
  std::ostringstream out;
  Monitor monitor;
  write_umb(cssp, out, monitor, compression);
  return out.str();
}

std::shared_ptr<Model> reread(const std::string& bytes, const LoadOptions& options = {}) {
  Monitor monitor;
  return load_model_texts({{"model.umb", bytes}}, monitor, nullptr, options);
}

/// Of a state: all that can be done, with costs and outcomes, the costs of single outcomes too.
using Row = std::map<std::string, std::tuple<std::vector<double>, std::map<std::size_t, double>,
                                             std::vector<std::vector<double>>>>;

Row row_of(Model& model, StateId state) {
  Row row;
  Expansion expansion;
  OutcomeCosts apart;
  if (model.is_goal(state)) return row;
  model.expand(state, expansion);
  for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
    auto& [cost, outcomes, costs] = row[model.action_name(expansion.action(a))];
    const auto of = model.cost(expansion.action(a));
    cost.assign(of.begin(), of.end());
    for (std::size_t k = 0; k < expansion.successors(a).size(); ++k)
      outcomes[expansion.successors(a)[k].index()] = expansion.probabilities(a)[k];
    if (!model.outcome_costs(state, expansion.action(a), apart)) continue;
    for (std::size_t k = 0; k < apart.size(); ++k)
      costs.emplace_back(apart.cost(k).begin(), apart.cost(k).end());
  }
  return row;
}

const Row& as_dead_end(const Row& row, std::size_t state, std::size_t costs) {
  static thread_local Row stays;
  if (!row.empty()) return row;
  stays = {{"stay", {std::vector<double>(costs, 0.0), {{state, 1.0}}, {}}}};
  return stays;
}

TEST(Umb, ModelsAreReadBackIdentically) {
  const std::size_t models = testing::scaled(300);
  for (std::uint64_t seed = 1; seed <= models; ++seed) {
    RandomModelOptions options = random_options(seed, 8);
    options.give_up = false;
    SCOPED_TRACE(::testing::Message() << seed << " " << options.text());
    Cssp cssp(random_model(seed, options));
    Model& model = cssp.model();
    const auto compression = static_cast<Compression>(seed % 3);
    const std::shared_ptr<Model> copy = reread(as_umb(cssp, compression));
    ASSERT_EQ(copy->num_states(), model.num_states());
    EXPECT_EQ(copy->initial_state(), model.initial_state());
    EXPECT_EQ(copy->cost_model().costs, model.cost_model().costs);
    ASSERT_EQ(copy->cost_model().bounds.size(), model.cost_model().bounds.size());
    for (std::size_t i = 0; i < model.cost_model().bounds.size(); ++i)
      EXPECT_EQ(copy->cost_model().bounds[i].upper, model.cost_model().bounds[i].upper);
    for (std::size_t s = 0; s < model.num_states(); ++s) {
      EXPECT_EQ(copy->is_goal(StateId(s)), model.is_goal(StateId(s)));
      if (model.is_goal(StateId(s))) continue;
      EXPECT_EQ(row_of(*copy, StateId(s)),
                as_dead_end(row_of(model, StateId(s)), s, cssp.num_costs()));
    }
    EXPECT_EQ(copy->labels()->names(), (std::vector<std::string>{"init", "goal"}));
    EXPECT_TRUE(copy->labels()->holds(0, model.initial_state()));
    // And once more, to the byte.
    Cssp again(copy);
    EXPECT_EQ(as_umb(again), as_umb(cssp));
  }
}

TEST(Umb, OutcomesThatDifferInCostStayApart) {
  ExplicitBuilder builder({{"time", "fuel"}, {}, {}});
  builder.add_states(3);
  const double cheap[] = {1, 0};
  const double dear[] = {3, 4};
  builder.add_outcome(0.5, StateId(1), cheap);
  builder.add_outcome(0.25, StateId(1), dear);
  builder.add_outcome(0.25, StateId(2), dear);
  builder.add_action(StateId(0), "go", {2, 2});
  builder.add_outcome(1, StateId(2));
  builder.add_action(StateId(1), "on", {5, 1});
  builder.add_goal(StateId(2));
  Cssp cssp(builder.build(StateId(0)));
  const std::shared_ptr<Model> copy = reread(as_umb(cssp));
  for (std::size_t s = 0; s < 3; ++s)
    EXPECT_EQ(row_of(*copy, StateId(s)), row_of(cssp.model(), StateId(s)));
}

TEST(Umb, LabelsAndOtherGoals) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_states(3);
  for (const std::size_t s : {0U, 1U}) {
    builder.add_outcome(1, StateId(s + 1));
    builder.add_action(StateId(s), "go", {1});
  }
  builder.add_goal(StateId(2));
  builder.add_label("Half way", {false, true, false});
  Cssp cssp(builder.build(StateId(0)));
  const std::string bytes = as_umb(cssp);
  const auto names = std::vector<std::string>{"init", "goal", "Half way"};
  EXPECT_EQ(reread(bytes)->labels()->names(), names);
  LoadOptions options;
  options.goal = "Half way";
  EXPECT_TRUE(reread(bytes, options)->is_goal(StateId(1)));
  EXPECT_FALSE(reread(bytes, options)->is_goal(StateId(2)));
  options = {};
  options.has_goal = false;
  EXPECT_FALSE(reread(bytes, options)->is_goal(StateId(2)));
}

/// Where states are found one by one, or one may give up, the answer must be the same.
TEST(Umb, AnswersAreTheSame) {
  const std::size_t models = testing::scaled(60);
  for (std::uint64_t seed = 1; seed <= models; ++seed) {
    RandomModelOptions options = random_options(seed, 7);
    options.give_up = seed % 2 == 0;
    SCOPED_TRACE(::testing::Message() << seed << " " << options.text());
    Cssp cssp(random_model(seed, options));
    Monitor monitor;
    SolveOptions lp;
    lp.algorithm = Algorithm::lp;
    const Solution direct = solve(cssp, lp, monitor);
    Cssp copy(reread(as_umb(cssp)));
    const Solution again = solve(copy, lp, monitor);
    EXPECT_EQ(direct.status, again.status);
    if (direct.status == Status::optimal) {
      const double optimum = direct.costs->front();
      EXPECT_NEAR(again.costs->front(), optimum, 1e-6 * (1 + optimum));
    }
  }
}

TEST(Umb, SaysWhatIsWrongWithLabels) {
  ExplicitBuilder builder({{"time"}, {}, {}});
  builder.add_states(2);
  const auto complaint = [&](std::vector<bool> states) {
    try {
      builder.add_label("a", std::move(states));
    } catch (const InputError& error) {
      return error.message();
    }
    return std::string("fine");
  };
  EXPECT_EQ(complaint({true}), "the label 'a' has 1 entries for 2 states");
  EXPECT_EQ(complaint({true, false}), "fine");
  EXPECT_EQ(complaint({true, false}), "there are two labels named 'a'");
}

TEST(Umb, GeneratedModelsAreWhatTheyCompute) {
  for (const char* const name : {"grid", "queues"}) {
    const auto model =
        generate_model(name, {{name == std::string("grid") ? "n" : "capacity", "4"}}, 7);
    std::ostringstream out;
    Monitor monitor;
    write_umb(model, out, monitor);
    const std::shared_ptr<Model> copy = reread(out.str());
    ASSERT_EQ(copy->num_states(), model->num_states());
    for (std::size_t s = 0; s < model->num_states(); ++s)
      EXPECT_EQ(row_of(*copy, StateId(s)), row_of(*model, StateId(s)));
  }
}

}  // namespace
}  // namespace carl
