#include "carl/io.h"
#include "io/json_writer.h"

namespace carl {
namespace {

using io::JsonWriter;

void write_sample(JsonWriter& json, const Sample& sample) {
  json.member("exact", sample.exact);
  json.member("mean", sample.mean);
  json.member("half_width_95", sample.half_width);
  json.member("standard_deviation", sample.deviation);
  json.member("min", sample.least);
  json.member("median", sample.median);
  json.member("p95", sample.percentile_95);
  json.member("p99", sample.percentile_99);
  json.member("max", sample.greatest);
  if (sample.quantile_error > 0) json.member("quantile_error", sample.quantile_error);
}

/// Of all runs; none if there were none.
std::optional<double> share(std::size_t n, const Simulation& simulation) {
  if (simulation.runs == 0) return std::nullopt;
  return static_cast<double>(n) / static_cast<double>(simulation.runs);
}

void write_cost(JsonWriter& json, const Cssp& cssp, const Simulation& simulation, std::size_t i) {
  json.member("cost", cssp.cost_names()[i]);
  if (cssp.is_reward(i)) json.member("reward", true);
  write_sample(json, simulation.costs[i]);
  for (std::size_t b = 0; b < cssp.bounds().size(); ++b)
    if (cssp.bounds()[b].cost == i) {
      json.member("bound", cssp.bounds()[b].upper);
      json.member("within_bound", share(simulation.within[b], simulation));
    }
}

}  // namespace

void write_simulation(const Cssp& cssp, const Simulation& simulation,
                      const SimulateOptions& options, std::ostream& out) {
  JsonWriter json(out, JsonWriter::Layout::indented);
  json.object([&] {
    json.member("format", "carl-simulation");
    json.member("version", 1);
    json.member("seed", options.seed);
    json.member("runs", simulation.runs);
    json.member("max_steps", options.max_steps);
    json.member("cut_off", simulation.cut_off);
    json.member("given_up", simulation.given_up);
    json.object("steps", [&] { write_sample(json, simulation.steps); });
    json.array("costs", [&] {
      for (std::size_t i = 0; i < cssp.num_costs(); ++i)
        json.object([&] { write_cost(json, cssp, simulation, i); });
    });
    json.member("within_all_bounds", share(simulation.within_all, simulation));
  });
  out << '\n';
}

}  // namespace carl
