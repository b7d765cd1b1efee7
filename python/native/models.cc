#include "models.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <utility>
#include <vector>

#include "carl/explicit_builder.h"
#include "carl/io.h"
#include "carl/question.h"
#include "interpreter.h"

namespace carl::python {
namespace {

template <class Number>
using Array = py::array_t<Number, py::array::c_style | py::array::forcecast>;

template <class Number>
std::span<const Number> span_of(const Array<Number>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

std::shared_ptr<ModelHandle> handle_of(std::shared_ptr<Model> model) {
  auto handle = std::make_shared<ModelHandle>();
  handle->model = std::move(model);
  return handle;
}

CostModel cost_model(std::vector<std::string> names,
                     const std::vector<std::pair<std::size_t, double>>& bounds,
                     std::optional<std::vector<double>> give_up) {
  CostModel costs{std::move(names), {}, std::move(give_up), {}};
  for (const auto& [cost, upper] : bounds)
    costs.bounds.push_back({cost, upper});
  return costs;
}

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

std::shared_ptr<Model> load_any(const std::vector<std::string>& paths, const NamedTexts& texts,
                                const LoadOptions& options, Monitor& monitor) {
  if (!paths.empty()) return load_model(paths, monitor, nullptr, options);
  std::vector<ModelText> named;
  for (const auto& [name, text] : texts)
    named.push_back({name, text});
  return load_model_texts(std::move(named), monitor, nullptr, options);
}

std::shared_ptr<ModelHandle> load(const std::vector<std::string>& paths, const NamedTexts& texts,
                                  const std::string& problem, const std::string& minimise,
                                  const std::string& goal, const NamedTexts& constants,
                                  const std::string& property) {
  std::shared_ptr<Model> model;
  const LoadOptions options{.problem = problem,
                            .minimise = minimise,
                            .goal = goal,
                            .has_goal = property.empty(),
                            .constants = constants};
  const bool interrupted = run_interruptibly({}, [&](Monitor& monitor) {
    model = load_any(paths, texts, options, monitor);
    if (!property.empty())
      model = ask_property(std::move(model), {"property", property, {}, constants}, monitor);
  });
  if (interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
  return handle_of(std::move(model));
}

/// States by number, their pairs and outcomes in compressed rows.
std::shared_ptr<ModelHandle> from_arrays(CostModel costs, const Array<std::uint64_t>& first_pair,
                                         const Array<std::uint64_t>& first_outcome,
                                         const Array<double>& probabilities,
                                         const Array<std::uint32_t>& successors,
                                         const Array<double>& pair_costs,
                                         const std::vector<std::string>& action_names,
                                         const std::vector<std::string>& state_names,
                                         std::size_t initial, const Array<std::uint32_t>& goals) {
  std::shared_ptr<Model> model;
  const std::size_t states =
      first_pair.size() == 0 ? 0 : static_cast<std::size_t>(first_pair.size()) - 1;
  const TransitionArrays arrays{span_of(first_pair), span_of(first_outcome), span_of(probabilities),
                                span_of(successors), span_of(pair_costs),    action_names};
  const py::gil_scoped_release others_go_on;
  ExplicitBuilder builder(std::move(costs));
  builder.add_states(states);
  if (!state_names.empty()) builder.name_states(state_names);
  for (const std::uint32_t goal : span_of(goals))
    builder.add_goal(StateId(goal));
  builder.add_transitions(arrays);
  return handle_of(builder.build(StateId(initial)));
}

using ActionOfState =
    std::tuple<std::uint32_t, std::string, std::vector<double>,
               std::vector<std::tuple<double, std::uint32_t, std::vector<double>>>>;

/// Action by action, for outcomes that differ in cost.
std::shared_ptr<ModelHandle> from_actions(CostModel costs, std::size_t states,
                                          const std::vector<std::string>& state_names,
                                          const std::vector<ActionOfState>& actions,
                                          std::size_t initial,
                                          const std::vector<std::uint32_t>& goals) {
  const py::gil_scoped_release others_go_on;
  ExplicitBuilder builder(std::move(costs));
  builder.add_states(states);
  if (!state_names.empty()) builder.name_states(state_names);
  for (const std::uint32_t goal : goals)
    builder.add_goal(StateId(goal));
  for (const auto& [state, name, cost, outcomes] : actions) {
    for (const auto& [probability, successor, outcome_cost] : outcomes)
      builder.add_outcome(probability, StateId(successor), outcome_cost);
    builder.add_action(StateId(state), name, cost);
  }
  return handle_of(builder.build(StateId(initial)));
}

}  // namespace

void bind_models(py::module_& module) {
  py::class_<CostModel>(module, "CostModel")
      .def(py::init(&cost_model), py::arg("costs"), py::arg("bounds"), py::arg("give_up"))
      .def_readonly("costs", &CostModel::costs)
      .def_property_readonly("bounds",
                             [](const CostModel& model) {
                               std::vector<std::pair<std::string, double>> bounds;
                               for (const Bound& bound : model.bounds)
                                 bounds.emplace_back(model.costs[bound.cost], bound.upper);
                               return bounds;
                             })
      .def_readonly("give_up", &CostModel::give_up);

  py::class_<ModelHandle, std::shared_ptr<ModelHandle>>(module, "Model")
      .def_property_readonly("cost_model",
                             [](const ModelHandle& handle) { return handle.model->cost_model(); })
      .def_property_readonly("is_factored",
                             [](const ModelHandle& handle) { return handle.model->factored(); })
      .def_property_readonly("num_states",
                             [](const ModelHandle& handle) { return handle.model->num_states(); })
      .def_property_readonly("notes",
                             [](const ModelHandle& handle) { return handle.model->notes(); })
      .def("python_state", [](const ModelHandle& handle, std::size_t state) {
        return python_state(*handle.model, StateId(state));
      });

  module.def("load", &load, py::arg("paths"), py::arg("texts"), py::arg("problem"),
             py::arg("minimise"), py::arg("goal"), py::arg("constants"), py::arg("property"));
  module.def("from_arrays", &from_arrays);
  module.def("from_actions", &from_actions);
  module.def("from_python", [](const py::object& description, CostModel costs) {
    return handle_of(make_python_model(description, std::move(costs)));
  });
}

}  // namespace carl::python
