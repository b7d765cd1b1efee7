#include "io/report_runs.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "carl/histogram.h"
#include "io/report_policy.h"

namespace carl::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_bars = 24;
constexpr std::size_t fewest_runs = 100;
// A second or two. Fewer runs are made of policies that take longer, and none if that is too few to
// tell anything; it depends on the policy alone, not on the machine.
constexpr double most_steps = 2e7;

Json cost_json(const Cssp& cssp, const Simulation& simulation, std::size_t cost) {
  const Sample& sample = simulation.costs[cost];
  Json json{{"cost", cssp.cost_label(cost)},
            {"mean", sample.mean},
            {"median", sample.median},
            {"p95", sample.percentile_95},
            {"max", sample.greatest}};
  std::optional<Bound> bound;
  for (std::size_t b = 0; b < cssp.bounds().size(); ++b)
    if (cssp.bounds()[b].cost == cost) {
      bound = cssp.bounds()[b];
      json["exceeding"] = simulation.runs - simulation.within[b];
    }
  json["bars"] = Json::array();
  for (const HistogramBar& bar : histogram_bars(simulation.distributions[cost], bound, most_bars))
    json["bars"].push_back({bar.from, bar.to, bar.count, bar.above});
  return json;
}

}  // namespace

std::string runs_json(Cssp& cssp, const Policy& policy, double steps, const Report& report,
                      Monitor& monitor) {
  const double affordable = most_steps / std::max(1.0, steps);
  if (report.runs == 0 || affordable < static_cast<double>(std::min(report.runs, fewest_runs)))
    return "";
  SimulateOptions options;
  options.seed = report.runs_seed;
  options.runs = static_cast<std::size_t>(std::min(affordable, static_cast<double>(report.runs)));
  const Simulator simulator(cssp, policy, monitor);
  if (!simulator.findings().empty()) return "";
  const Simulation simulation = simulator.run(options, monitor);
  if (simulation.runs == 0) return "";
  Json json{{"runs", simulation.runs},
            {"seed", options.seed},
            {"cut_off", simulation.cut_off},
            {"exceeding_any", simulation.runs - simulation.within_all},
            {"costs", Json::array()}};
  for (std::size_t cost = 0; cost < cssp.num_costs(); ++cost)
    json["costs"].push_back(cost_json(cssp, simulation, cost));
  return page_safe(json);
}

}  // namespace carl::io
