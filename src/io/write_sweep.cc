#include <fmt/format.h>
#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "carl/io.h"

namespace carl {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json optional_json(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json curve_of(const SweepCurve& curve) {
  Json points = Json::array();
  for (const SweepPoint& point : curve.points)
    points.push_back({{"bound", point.bound},
                      {"objective", optional_json(point.objective)},
                      {"lower_bound", optional_json(point.lower_bound)},
                      {"multiplier", optional_json(point.multiplier)},
                      {"status", to_string(point.status)}});
  Json breakpoints = Json::array();
  for (const SweepBreakpoint& breakpoint : curve.breakpoints)
    breakpoints.push_back({{"bound", breakpoint.bound},
                           {"objective", breakpoint.objective},
                           {"slope_before", optional_json(breakpoint.slope_before)},
                           {"slope", breakpoint.slope}});
  return {{"points", std::move(points)},
          {"breakpoints", std::move(breakpoints)},
          {"infeasible_below", optional_json(curve.infeasible_below)},
          {"slack_above", optional_json(curve.slack_above)}};
}

Json effort_of(const SweepEffort& effort) {
  return {{"scalarised_ssps", effort.scalarised_ssps}, {"seconds", effort.seconds}};
}

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

/// As RFC 4180 has it, for names of costs.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

}  // namespace

void write_sweep(const Cssp& cssp, const Sweep& sweep, std::ostream& out) {
  Json json{{"format", "carl-sweep"},
            {"version", 1},
            {"status", to_string(sweep.status)},
            {"objective", cssp.cost_names()[0]},
            {"cost", sweep.cost}};
  for (std::size_t i = 0; i < cssp.num_costs(); ++i)
    if (cssp.is_reward(i)) json["rewards"].push_back(cssp.cost_names()[i]);
  if (!sweep.note.empty()) json["note"] = sweep.note;
  if (sweep.second_cost) {
    json["second_cost"] = *sweep.second_cost;
    json["curves"] = Json::array();
    for (const SweepCurve& curve : sweep.curves) {
      Json entry{{"second", {{"cost", *sweep.second_cost}, {"value", *curve.second}}}};
      entry.update(curve_of(curve));
      json["curves"].push_back(std::move(entry));
    }
  } else {
    json.update(curve_of(sweep.curves.front()));
  }
  json["effort"] = effort_of({sweep.statistics.scalarised_ssps, sweep.statistics.seconds.total});
  if (sweep.first_point) json["effort"]["first_point"] = effort_of(*sweep.first_point);
  out << json.dump(2) << '\n';
}

void write_sweep_csv(const Cssp& cssp, const Sweep& sweep, std::ostream& out) {
  if (sweep.second_cost) out << quoted(*sweep.second_cost) << ',';
  fmt::print(out, "{},status,{},lower bound,shadow price\n", quoted(sweep.cost),
             quoted(cssp.cost_label(0)));
  for (const SweepCurve& curve : sweep.curves)
    for (const SweepPoint& point : curve.points) {
      if (curve.second) out << cell(curve.second) << ',';
      fmt::print(out, "{},{},{},{},{}\n", point.bound, to_string(point.status),
                 cell(point.objective), cell(point.lower_bound), cell(point.multiplier));
    }
}

}  // namespace carl
