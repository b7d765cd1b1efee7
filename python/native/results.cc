#include "results.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "carl/certificate.h"
#include "carl/check.h"
#include "carl/explain.h"
#include "carl/io.h"
#include "carl/simulate.h"
#include "interpreter.h"

namespace carl::python {
namespace {

/// An array that takes over the vector's memory.
template <class Number>
py::array_t<Number> array_of(std::vector<Number> values) {
  auto* kept = new std::vector<Number>(std::move(values));
  const py::capsule owner(kept,
                          [](void* memory) { delete static_cast<std::vector<Number>*>(memory); });
  return py::array_t<Number>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

py::dict arrays_of(const Policy& policy) {
  std::vector<std::uint32_t> states;
  std::vector<double> visits;
  std::vector<std::int64_t> first_choice{0};
  std::vector<std::uint32_t> actions;
  std::vector<double> probabilities;
  for (const Policy::Entry& entry : policy) {
    states.push_back(static_cast<std::uint32_t>(entry.state.index()));
    visits.push_back(entry.visits.value_or(std::numeric_limits<double>::quiet_NaN()));
    for (const auto& [action, probability] : entry.choices) {
      actions.push_back(static_cast<std::uint32_t>(action.index()));
      probabilities.push_back(probability);
    }
    first_choice.push_back(static_cast<std::int64_t>(actions.size()));
  }
  py::dict result;
  result["states"] = array_of(std::move(states));
  result["visits"] = array_of(std::move(visits));
  result["first_choice"] = array_of(std::move(first_choice));
  result["actions"] = array_of(std::move(actions));
  result["probabilities"] = array_of(std::move(probabilities));
  return result;
}

/// What the policy's actions lead to: (entry, action, successor, probability) in arrays.
py::dict transitions_of(Result& result) {
  std::vector<std::uint32_t> states;
  std::vector<std::uint32_t> actions;
  std::vector<std::uint32_t> successors;
  std::vector<double> probabilities;
  const std::lock_guard lock(result.handle->in_use);
  Expansion expansion;
  for (const Policy::Entry& entry : result.solution.policy) {
    result.cssp.expand(entry.state, expansion);
    for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
      bool taken = false;
      for (const auto& [action, probability] : entry.choices)
        taken = taken || (action == expansion.action(i) && probability > 0);
      if (!taken) continue;
      for (std::size_t k = 0; k < expansion.successors(i).size(); ++k) {
        states.push_back(static_cast<std::uint32_t>(entry.state.index()));
        actions.push_back(static_cast<std::uint32_t>(expansion.action(i).index()));
        successors.push_back(static_cast<std::uint32_t>(expansion.successors(i)[k].index()));
        probabilities.push_back(expansion.probabilities(i)[k]);
      }
    }
  }
  py::dict arrays;
  arrays["states"] = array_of(std::move(states));
  arrays["actions"] = array_of(std::move(actions));
  arrays["successors"] = array_of(std::move(successors));
  arrays["probabilities"] = array_of(std::move(probabilities));
  return arrays;
}

/// The problem with all its actions, for those who judge a policy.
Cssp for_judging(const Result& result) {
  Cssp cssp = result.cssp;
  cssp.remove_forbidden_actions(false);
  return cssp;
}

std::string check(Result& result, bool exact, const Call& call) {
  std::ostringstream text;
  run_interruptibly(call, [&](Monitor& monitor) {
    const std::lock_guard lock(result.handle->in_use);
    Cssp cssp = for_judging(result);
    CheckOptions options;
    options.exact = exact;
    write_check(cssp, check_policy(cssp, result.solution.policy, nullptr, options, monitor), text);
  });
  return text.str();
}

std::pair<std::string, std::string> certificate(Result& result, bool verify, const Call& call) {
  std::ostringstream text;
  std::ostringstream report;
  run_interruptibly(call, [&](Monitor& monitor) {
    const std::lock_guard lock(result.handle->in_use);
    const Certificate made = make_certificate(result.cssp, result.solution, {}, monitor);
    write_certificate(made, text);
    if (!verify) return;
    Cssp cssp = for_judging(result);
    write_certificate_check(check_certificate(cssp, made, nullptr, {}, monitor), report);
  });
  return {text.str(), report.str()};
}

py::tuple row_of(const Sample& sample) {
  return py::make_tuple(sample.exact, sample.mean, sample.half_width, sample.deviation,
                        sample.least, sample.median, sample.percentile_95, sample.percentile_99,
                        sample.greatest);
}

py::dict as_dictionary(Simulation simulation, std::size_t num_costs) {
  py::dict result;
  result["runs"] = simulation.runs;
  result["cut_off"] = simulation.cut_off;
  result["given_up"] = simulation.given_up;
  result["steps"] = row_of(simulation.steps);
  py::list costs;
  for (const Sample& sample : simulation.costs)
    costs.append(row_of(sample));
  result["costs"] = costs;
  result["within"] = simulation.within;
  result["within_all"] = simulation.within_all;
  py::list distributions;
  for (const Distribution& distribution : simulation.distributions) {
    std::vector<double> values;
    std::vector<std::uint64_t> counts;
    for (const auto& [value, count] : distribution) {
      values.push_back(value);
      counts.push_back(count);
    }
    distributions.append(py::make_tuple(array_of(std::move(values)), array_of(std::move(counts))));
  }
  result["distributions"] = distributions;
  const std::size_t remembered = num_costs == 0 ? 0 : simulation.totals.size() / num_costs;
  result["totals"] =
      array_of(std::move(simulation.totals))
          .reshape({static_cast<py::ssize_t>(remembered), static_cast<py::ssize_t>(num_costs)});
  return result;
}

py::dict simulate(Result& result, std::size_t runs, std::uint64_t seed, std::size_t threads,
                  std::size_t max_steps, const Call& call) {
  Simulation simulation;
  run_interruptibly(call, [&](Monitor& monitor) {
    const std::lock_guard lock(result.handle->in_use);
    const Simulator simulator(result.cssp, result.solution.policy, monitor);
    if (!simulator.findings().empty())
      throw InputError("the policy cannot be executed: " + simulator.findings().front().what);
    simulation = simulator.run({runs, seed, threads, max_steps}, monitor);
  });
  return as_dictionary(std::move(simulation), result.cssp.num_costs());
}

std::string result_text(const Result& result) {
  std::ostringstream text;
  write_result(result.cssp, result.solution, text);
  return text.str();
}

std::string report(Result& result, const std::string& title, const std::string& sweep,
                   const Call& call) {
  std::ostringstream page;
  run_interruptibly(call, [&](Monitor& monitor) {
    const std::lock_guard lock(result.handle->in_use);
    Report parts;
    parts.title = title;
    parts.generator = "carl " CARL_VERSION " (Python)";
    parts.result = {"result", result_text(result)};
    parts.sweep = {"sweep", sweep};
    if (result.solution.costs) parts.policy = result.solution.policy;
    write_report(result.cssp, parts, page, monitor);
  });
  return page.str();
}

py::list mixture_of(const Result& result) {
  py::list mixture;
  for (const MixtureComponent& component : result.solution.mixture)
    mixture.append(py::make_tuple(component.weight, component.costs, arrays_of(component.policy)));
  return mixture;
}

/// True if states are those of the user's model, and not joined with what has been used.
template <class Found>
bool is_original(const Found& found) {
  return &found.cssp.model() == found.handle->model.get();
}

std::string explanation(Result& result, const std::vector<std::string>& states,
                        std::size_t most_visited, bool ranges, const Call& call) {
  std::ostringstream text;
  run_interruptibly(call, [&](Monitor& monitor) {
    const std::lock_guard lock(result.handle->in_use);
    ExplainRequest request;
    request.states = states;
    request.most_visited = most_visited;
    request.policy = result.solution.policy;
    request.multipliers = result.solution.multipliers;
    request.ranges = ranges;
    write_explanation(result.cssp, explain(result.cssp, request, {}, monitor), text);
  });
  return text.str();
}

py::list vertices_of(const Front& front) {
  py::list vertices;
  for (const ParetoVertex& vertex : front.front.vertices)
    vertices.append(py::make_tuple(vertex.costs, vertex.deterministic, arrays_of(vertex.policy)));
  return vertices;
}

void bind_fronts(py::module_& module) {
  py::class_<Front, std::shared_ptr<Front>>(module, "Front")
      .def_readonly("handle", &Front::handle)
      .def_property_readonly("is_original", [](const Front& f) { return is_original(f); })
      .def_property_readonly("status",
                             [](const Front& f) { return std::string(to_string(f.front.status)); })
      .def_property_readonly("cost_names", [](const Front& f) { return f.cssp.cost_names(); })
      .def_property_readonly("costs", [](const Front& f) { return f.front.costs; })
      .def_property_readonly("vertices", &vertices_of)
      .def_property_readonly("edges", [](const Front& f) { return f.front.edges; })
      .def_property_readonly("faces", [](const Front& f) { return f.front.faces; })
      .def_property_readonly("distance", [](const Front& f) { return f.front.distance; })
      .def_property_readonly("note", [](const Front& f) { return f.front.note; })
      .def("state_name",
           [](const Front& f, std::size_t state) { return f.cssp.state_name(StateId(state)); })
      .def("action_name",
           [](const Front& f, std::size_t action) { return f.cssp.action_name(ActionId(action)); })
      .def("json",
           [](const Front& f) {
             std::ostringstream text;
             write_front(f.cssp, f.front, text);
             return text.str();
           })
      .def("picture", [](const Front& f) {
        std::ostringstream text;
        write_front_plot(f.cssp, f.front, text);
        return text.str();
      });
}

std::vector<std::string> reasons(const Result& result) {
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<std::string>& more) {
    lines.insert(lines.end(), more.begin(), more.end());
  };
  if (result.solution.repair) add(sentences(result.cssp, *result.solution.repair));
  if (result.solution.dead_end) add(sentences(result.cssp, *result.solution.dead_end));
  return lines;
}

}  // namespace

std::vector<std::pair<std::string, double>> bounds_of(const Cssp& cssp) {
  std::vector<std::pair<std::string, double>> bounds;
  for (const Bound& bound : cssp.bounds())
    bounds.emplace_back(cssp.cost_names()[bound.cost], bound.upper);
  return bounds;
}

void bind_results(py::module_& module) {
  bind_fronts(module);
  py::class_<Result, std::shared_ptr<Result>>(module, "Result")
      .def_readonly("handle", &Result::handle)
      .def_property_readonly(
          "status", [](const Result& r) { return std::string(to_string(r.solution.status)); })
      .def_property_readonly("costs", [](const Result& r) { return r.solution.costs; })
      .def_property_readonly("lower_bound", [](const Result& r) { return r.solution.lower_bound; })
      .def_property_readonly("gap", [](const Result& r) { return r.solution.gap(); })
      .def_property_readonly("multipliers", [](const Result& r) { return r.solution.multipliers; })
      .def_property_readonly("note", [](const Result& r) { return r.solution.note; })
      .def_property_readonly("cost_names", [](const Result& r) { return r.cssp.cost_names(); })
      .def_property_readonly("bounds", [](const Result& r) { return bounds_of(r.cssp); })
      .def_property_readonly("is_original", [](const Result& r) { return is_original(r); })
      .def_property_readonly("deterministic_costs",
                             [](const Result& r) { return r.solution.deterministic_costs; })
      .def("explain", &explanation)
      .def_property_readonly("policy", [](const Result& r) { return arrays_of(r.solution.policy); })
      .def_property_readonly("mixture", &mixture_of)
      .def_property_readonly("reasons", &reasons)
      .def_property_readonly("warnings", [](const Result& r) { return r.cssp.warnings(); })
      .def("state_name",
           [](const Result& r, std::size_t state) { return r.cssp.state_name(StateId(state)); })
      .def("action_name",
           [](const Result& r, std::size_t action) { return r.cssp.action_name(ActionId(action)); })
      .def("transitions", &transitions_of)
      .def("json", &result_text)
      .def("policy_json",
           [](const Result& r) {
             std::ostringstream text;
             write_policy(r.cssp, r.solution.policy, text);
             return text.str();
           })
      .def("check", &check)
      .def("certificate", &certificate)
      .def("simulate", &simulate)
      .def("report", &report);
}

}  // namespace carl::python
