// Random models in a form that can be taken apart: a failing sequence of calls is worth little until
// its model is small enough to be understood. A draft is a table of transitions or a factored task;
// it builds the model for a problem, offers simpler drafts, and writes itself as C++.
#ifndef CARL_TESTS_SOLVER_MODEL_DRAFT_H
#define CARL_TESTS_SOLVER_MODEL_DRAFT_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carl/cssp.h"
#include "task/task.h"

namespace carl::testing {

/// State 0 is the initial one.
struct TableDraft {
  struct Outcome {
    double probability = 1;
    std::size_t successor = 0;
    friend bool operator==(const Outcome&, const Outcome&) = default;
  };
  struct Action {
    std::size_t state = 0;
    std::vector<double> cost;
    std::vector<Outcome> outcomes;
    friend bool operator==(const Action&, const Action&) = default;
  };

  CostModel costs;
  std::size_t states = 1;
  std::vector<std::size_t> goals;
  std::vector<Action> actions;
};

using ModelDraft = std::variant<TableDraft, task::Task>;

/// Small and nasty: dead ends, ties, free actions, costs that may be zero, some ill-conditioned.
ModelDraft random_draft(std::uint64_t seed);

const CostModel& costs_of(const ModelDraft& draft);
std::shared_ptr<Model> build(const ModelDraft& draft);
/// All that can be reached, as a table.
TableDraft written_out(const ModelDraft& draft);

/// What may be asked of a model: a problem, up to the transitions.
struct Terms {
  std::vector<Bound> bounds;
  std::optional<std::vector<double>> give_up;

  friend bool operator==(const Terms& a, const Terms& b);
};

/// A problem with these terms that nobody has worked on: with a model of its own, which has them
/// from the start.
Cssp fresh_problem(const ModelDraft& draft, const Terms& terms,
                   bool remove_forbidden_actions = true);

/// Drafts that are a little smaller or have rounder numbers, the promising ones first.
std::vector<ModelDraft> simpler(const ModelDraft& draft);
/// The body of a function that returns the model, as C++ with the public headers.
std::string body_text(const ModelDraft& draft);

}  // namespace carl::testing

#endif
