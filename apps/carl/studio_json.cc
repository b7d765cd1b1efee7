#include "studio_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "carl/histogram.h"
#include "carl/io.h"

namespace carl::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_bars = 40;

std::string text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Names that a page knows states by.
std::string page_name(const Cssp& cssp, StateId state) {
  return fmt::format("{}", fmt::join(cssp.state_facts(state), " "));
}

Json histogram(const Distribution& distribution, const std::optional<Bound>& bound) {
  Json bars = Json::array();
  for (const HistogramBar& bar : histogram_bars(distribution, bound, most_bars))
    bars.push_back({bar.from, bar.to, bar.count, bar.above});
  return bars;
}

}  // namespace

std::string model_json(const StudioModel& model, const Cssp& cssp, const Budgets& written) {
  Json costs = Json::array();
  for (std::size_t c = 0; c < cssp.num_costs(); ++c)
    costs.push_back({{"name", cssp.cost_names()[c]},
                     {"label", cssp.cost_label(c)},
                     {"bound", std::isfinite(written[c]) ? Json(written[c]) : Json()}});
  Json files = Json::array();
  for (const ModelText& file : model.problem().texts)
    files.push_back({{"name", file.name}, {"text", file.text}});
  return text({{"id", model.id()},
               {"title", model.title()},
               {"costs", costs},
               {"warnings", cssp.warnings()},
               {"files", files}});
}

std::string solution_json(const StudioModel& model, Cssp& cssp, const Solution& solution,
                          std::size_t max_states, Monitor& monitor) {
  std::ostringstream result;
  write_result(cssp, solution, result);
  Report report;
  report.title = model.title();
  report.generator = "carl " CARL_VERSION;
  report.runs = 0;  // they have a question of their own
  report.result = {"the result", result.str()};
  if (max_states > 0 && solution.costs) {
    report.policy = solution.policy;
    report.max_states = max_states;
  }
  std::ostringstream out;
  write_report_data(cssp, report, out, monitor);
  return out.str();
}

std::string simulation_json(const Cssp& cssp, const Simulation& simulation, std::size_t wanted) {
  Json costs = Json::array();
  const double runs = static_cast<double>(std::max<std::size_t>(1, simulation.runs));
  for (std::size_t c = 0; c < cssp.num_costs(); ++c) {
    const Sample& sample = simulation.costs[c];
    std::optional<Bound> bound;
    for (const Bound& one : cssp.bounds())
      if (one.cost == c) bound = one;
    Json cost{
        {"cost", cssp.cost_label(c)},  {"exact", sample.exact},
        {"mean", sample.mean},         {"half_width", sample.half_width},
        {"median", sample.median},     {"p95", sample.percentile_95},
        {"greatest", sample.greatest}, {"bars", histogram(simulation.distributions[c], bound)}};
    for (std::size_t b = 0; b < cssp.bounds().size(); ++b)
      if (cssp.bounds()[b].cost == c)
        cost.update({{"bound", cssp.bounds()[b].upper},
                     {"exceeds", 1 - static_cast<double>(simulation.within[b]) / runs}});
    costs.push_back(std::move(cost));
  }
  return text({{"runs", simulation.runs},
               {"wanted", wanted},
               {"cut_off", simulation.cut_off},
               {"given_up", simulation.given_up},
               {"within_all", static_cast<double>(simulation.within_all) / runs},
               {"costs", costs}});
}

std::string trace_json(Cssp& cssp, const std::vector<TraceStep>& steps, std::size_t run) {
  Json list = Json::array();
  for (const TraceStep& step : steps)
    list.push_back({{"state", page_name(cssp, step.state)},
                    {"action", cssp.action_name(step.action)},
                    {"action_probability", step.action_probability},
                    {"outcome_probability", step.outcome_probability},
                    {"successor", page_name(cssp, step.successor)},
                    {"costs", step.costs}});
  const StateId last = steps.empty() ? cssp.initial_state() : steps.back().successor;
  return text({{"run", run},
               {"start", page_name(cssp, cssp.initial_state())},
               {"end", cssp.is_given_up(last) ? "given-up"
                       : cssp.is_goal(last)   ? "goal"
                                              : "cut-off"},
               {"steps", list}});
}

}  // namespace carl::app
