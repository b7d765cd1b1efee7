#include <fmt/format.h>
#include <fmt/ostream.h>

#include "carl/io.h"
#include "io/csv.h"
#include "io/json_writer.h"
#include "io/problem_json.h"

namespace carl {
namespace {

using io::JsonWriter;

void write_curve(JsonWriter& json, const SweepCurve& curve) {
  json.array("points", [&] {
    for (const SweepPoint& point : curve.points)
      json.object([&] {
        json.member("bound", point.bound);
        json.member("objective", point.objective);
        json.member("lower_bound", point.lower_bound);
        json.member("multiplier", point.multiplier);
        json.member("status", to_string(point.status));
      });
  });
  json.array("breakpoints", [&] {
    for (const SweepBreakpoint& breakpoint : curve.breakpoints)
      json.object([&] {
        json.member("bound", breakpoint.bound);
        json.member("objective", breakpoint.objective);
        json.member("slope_before", breakpoint.slope_before);
        json.member("slope", breakpoint.slope);
      });
  });
  json.member("infeasible_below", curve.infeasible_below);
  json.member("slack_above", curve.slack_above);
}

/// With two bounds that vary there is a curve for each value of the second.
void write_curves(JsonWriter& json, const Sweep& sweep) {
  if (!sweep.second_cost) return write_curve(json, sweep.curves.front());
  json.member("second_cost", *sweep.second_cost);
  json.array("curves", [&] {
    for (const SweepCurve& curve : sweep.curves)
      json.object([&] {
        json.object("second", [&] {
          json.member("cost", *sweep.second_cost);
          json.member("value", *curve.second);
        });
        write_curve(json, curve);
      });
  });
}

void write_effort(JsonWriter& json, const SweepEffort& effort) {
  json.member("scalarised_ssps", effort.scalarised_ssps);
  json.member("seconds", effort.seconds);
}

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

void write_sweep(const Cssp& cssp, const Sweep& sweep, std::ostream& out) {
  JsonWriter json(out, JsonWriter::Layout::indented);
  json.object([&] {
    json.member("format", "carl-sweep");
    json.member("version", 1);
    json.member("status", to_string(sweep.status));
    json.member("objective", cssp.cost_names()[0]);
    json.member("cost", sweep.cost);
    io::write_rewards(json, cssp);
    json.member_if_any("note", sweep.note);
    write_curves(json, sweep);
    json.object("effort", [&] {
      write_effort(json, {sweep.statistics.scalarised_ssps, sweep.statistics.seconds.total});
      if (sweep.first_point)
        json.object("first_point", [&] { write_effort(json, *sweep.first_point); });
    });
  });
  out << '\n';
}

void write_sweep_csv(const Cssp& cssp, const Sweep& sweep, std::ostream& out) {
  if (sweep.second_cost) out << io::csv_quoted(*sweep.second_cost) << ',';
  fmt::print(out, "{},status,{},lower bound,shadow price\n", io::csv_quoted(sweep.cost),
             io::csv_quoted(cssp.cost_label(0)));
  for (const SweepCurve& curve : sweep.curves)
    for (const SweepPoint& point : curve.points) {
      if (curve.second) out << cell(curve.second) << ',';
      fmt::print(out, "{},{},{},{},{}\n", point.bound, to_string(point.status),
                 cell(point.objective), cell(point.lower_bound), cell(point.multiplier));
    }
}

}  // namespace carl
