#include <nlohmann/json.hpp>

#include "carl/io.h"

namespace carl {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Sample& sample) {
  Json json{{"exact", sample.exact},
            {"mean", sample.mean},
            {"half_width_95", sample.half_width},
            {"standard_deviation", sample.deviation},
            {"min", sample.least},
            {"median", sample.median},
            {"p95", sample.percentile_95},
            {"p99", sample.percentile_99},
            {"max", sample.greatest}};
  if (sample.quantile_error > 0) json["quantile_error"] = sample.quantile_error;
  return json;
}

}  // namespace

void write_simulation(const Cssp& cssp, const Simulation& simulation,
                      const SimulateOptions& options, std::ostream& out) {
  const auto share = [&](std::size_t n) {
    return simulation.runs == 0
               ? Json()
               : Json(static_cast<double>(n) / static_cast<double>(simulation.runs));
  };
  Json costs = Json::array();
  for (std::size_t i = 0; i < cssp.num_costs(); ++i) {
    Json cost{{"cost", cssp.cost_names()[i]}};
    if (cssp.is_reward(i)) cost["reward"] = true;
    cost.update(to_json(simulation.costs[i]));
    for (std::size_t b = 0; b < cssp.bounds().size(); ++b)
      if (cssp.bounds()[b].cost == i) {
        cost["bound"] = cssp.bounds()[b].upper;
        cost["within_bound"] = share(simulation.within[b]);
      }
    costs.push_back(std::move(cost));
  }
  const Json json{{"format", "carl-simulation"},
                  {"version", 1},
                  {"seed", options.seed},
                  {"runs", simulation.runs},
                  {"max_steps", options.max_steps},
                  {"cut_off", simulation.cut_off},
                  {"given_up", simulation.given_up},
                  {"steps", to_json(simulation.steps)},
                  {"costs", std::move(costs)},
                  {"within_all_bounds", share(simulation.within_all)}};
  out << json.dump(2) << '\n';
}

}  // namespace carl
