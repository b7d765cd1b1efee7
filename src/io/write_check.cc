#include "carl/io.h"
#include "io/json_writer.h"

namespace carl {
namespace {

using io::JsonWriter;

const char* to_text(CheckReport::Outcome outcome) {
  switch (outcome) {
    case CheckReport::Outcome::passed:
      return "passed";
    case CheckReport::Outcome::failed:
      return "failed";
    case CheckReport::Outcome::skipped:
      break;
  }
  return "skipped";
}

void write_finding(JsonWriter& json, const Finding& finding) {
  json.object([&] {
    json.member("check", to_string(finding.kind));
    json.member("warning", finding.warning);
    json.member_if_any("state", finding.state);
    json.member("what", finding.what);
    json.member_if_any("expected", finding.expected);
    json.member_if_any("found", finding.found);
  });
}

void write_cost(JsonWriter& json, const Cssp& cssp, const CheckReport& report, std::size_t i) {
  json.member("cost", cssp.cost_names()[i]);
  json.member("value", (*report.costs)[i]);
  if (cssp.is_reward(i)) json.member("reward", true);
  for (const Bound& bound : cssp.bounds())
    if (bound.cost == i) json.member("bound", bound.upper);
  if (report.exact.empty()) return;
  const ExactCost& exact = report.exact[i];
  json.object("exact", [&] {
    json.member("lower", exact.lower);
    json.member("upper", exact.upper);
    json.member_if_any("fraction", exact.fraction);
  });
}

void write_checks(JsonWriter& json, const CheckReport& report) {
  json.array("checks", [&] {
    for (const CheckReport::Line& line : report.lines)
      json.object([&] {
        json.member("check", to_string(line.kind));
        json.member("outcome", to_text(line.outcome));
        json.member("detail", line.detail);
      });
  });
  json.array("findings", [&] {
    for (const Finding& finding : report.findings)
      write_finding(json, finding);
  });
}

}  // namespace

void write_check(const Cssp& cssp, const CheckReport& report, std::ostream& out) {
  JsonWriter json(out, JsonWriter::Layout::indented);
  json.object([&] {
    json.member("format", "carl-check");
    json.member("version", 1);
    json.member("holds", report.holds());
    json.member("states", report.states);
    json.member("stochastic_states", report.stochastic_states);
    write_checks(json, report);
    if (!report.costs) return;
    json.member("steps", report.steps);
    json.array("costs", [&] {
      for (std::size_t i = 0; i < cssp.num_costs(); ++i)
        json.object([&] { write_cost(json, cssp, report, i); });
    });
  });
  out << '\n';
}

}  // namespace carl
